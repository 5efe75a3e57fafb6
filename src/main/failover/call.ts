/** One call of a provider: what came of it, as evidence. The gateway tells, breaker and capability count. */

/**
 * What a call says about its provider.
 * - `ok`: it answered well. - `error`: it answered with an error of its own (5xx, 529, in-band error, empty answer).
 * - `lost`: nothing answers (refused, DNS, reset, TLS, no route): plain evidence, one is enough.
 * - `cut`: the answer began and broke off. - `timeout`: silent beyond the deadline.
 * - `rate-limited`: 429 and its in-band forms; counted apart, no error of the provider.
 * - `unauthorised`: 401, 403: the caller's credentials; never a reason for failover.
 * - `neutral`: says nothing about the provider (client left, a 4xx caused by the request, context overflow, spend limit).
 */
export type CallOutcomeKind =
	| 'ok'
	| 'error'
	| 'lost'
	| 'cut'
	| 'timeout'
	| 'rate-limited'
	| 'unauthorised'
	| 'neutral';

export interface CallOutcome {
	readonly kind: CallOutcomeKind;
	/** HTTP status; `null` when no answer began. */
	readonly status: number | null;
	/** Code or error type as it came: "ECONNREFUSED", "overloaded_error"; empty when ok. */
	readonly code: string;
	/** To the first byte of the answer, ms. `null`: not measured, or an answer that was not streamed. */
	readonly latencyMs: number | null;
	/** The provider's own wish, as a span from now, ms; `null` without one. */
	readonly retryAfterMs: number | null;
	/** No credit, or a spending limit: waiting does not help, a person must. */
	readonly isSpendLimit?: boolean;
	/** Nobody's turn: it says that something answers there, and no more than that. */
	readonly isProbe?: boolean;
}

/** True for what the agent's turn cannot survive without help: the triggers of failover (seed 003, section 3). */
export function isProviderLoss(kind: CallOutcomeKind): boolean {
	return kind === 'error' || kind === 'lost' || kind === 'cut' || kind === 'timeout';
}

/** Permission to make one call. Every one is settled exactly once; one that never is is released by its lease. */
export interface CallTicket {
	readonly providerId: string;
	/** Generation of the breaker: a result of an older one changes nothing. */
	readonly era: number;
	/** The one trial call of a half-open breaker. */
	readonly isTrial: boolean;
	readonly serial: number;
	/** Where it goes: a result of another address than the provider's present one is no evidence. */
	readonly baseUrl?: string;
}

/** Two clocks: `wall` is for people, `steady` never jumps and counts sleep. Both ms. */
export interface Clock {
	readonly wall: () => number;
	readonly steady: () => number;
}

/** Runs `work` once after `ms`; the returned function calls it off. Timers in the program, virtual time in tests. */
export type Schedule = (ms: number, work: () => void) => () => void;
