/** Numbers of the provider breaker: the seed's (003, section 2), and leases for calls nobody settles. */
export interface BreakerRules {
	/** Calls older than this do not count, ms. */
	readonly windowMs: number;
	/** Fewer calls than this open nothing by rate or latency; a lost connection is plain evidence without it. */
	readonly minCalls: number;
	/** At this share of errors or above it opens, percent. */
	readonly errorPercent: number;
	/** At a 95th percentile of the time to the first byte *above* this it opens, ms. */
	readonly slowMs: number;
	/** After this a trial call may go, ms. */
	readonly trialAfterMs: number;
	/**
	 * A provider's Retry-After moves the next trial by this much at most, ms. Ten minutes: an erring provider that asks
	 * for days, by mistake or for one key, would else shut it for everybody; one call in ten minutes is no burden.
	 */
	readonly longestWishMs: number;
	/** A trial that is not settled within this makes room for another, ms. */
	readonly trialLeaseMs: number;
	/** A call that is not settled within this is forgotten, ms. */
	readonly callLeaseMs: number;
}

export const BREAKER_RULES: BreakerRules = {
	windowMs: 60_000,
	minCalls: 5,
	errorPercent: 30,
	slowMs: 15_000,
	trialAfterMs: 30_000,
	longestWishMs: 10 * 60_000,
	trialLeaseMs: 120_000,
	callLeaseMs: 60 * 60_000,
};
