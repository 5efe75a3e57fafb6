/** The ladder's limits, as configured and as they may be used. */

/** Fields of `breakerSettingsSchema`; the seed's literal without caps is accepted too. */
export interface CircuitBreakerConfig {
	readonly enabled: boolean;
	/** On: the ladder may reach `stopped`. Off: it ends at `constrained`. */
	readonly hardStop: boolean;
	readonly repeatedToolLimit: number;
	readonly errorStormLimit: number;
	readonly tokenVelocityPerMin: number;
	/** Limits of the arms that judge by results. The seed knows none of these arms: absent or null, they are off. */
	readonly sameResultLimit?: number | null | undefined;
	readonly cycleLimit?: number | null | undefined;
	readonly pollingLimit?: number | null | undefined;
	readonly noNewResultLimit?: number | null | undefined;
	/** US dollars, whole floor. */
	readonly costCapUsd?: number | null | undefined;
	/** Work tokens, whole floor. */
	readonly costCapTokens?: number | null | undefined;
	/** Work tokens by agent id, for callers that do not resolve `BreakerInput.tokenCap` themselves. */
	readonly agentTokenCaps?: Readonly<Record<string, number>> | null | undefined;
}

/** Limits that can be trusted. `null` switches an arm off. */
export interface Limits {
	readonly enabled: boolean;
	readonly hardStop: boolean;
	readonly repeatedTool: number | null;
	readonly errorStorm: number | null;
	readonly tokenVelocity: number | null;
	readonly sameResult: number | null;
	readonly cycle: number | null;
	readonly polling: number | null;
	readonly noNewResult: number | null;
	readonly costCapUsd: number | null;
	readonly costCapTokens: number | null;
	/** Work tokens by agent id. */
	readonly agentTokenCaps: ReadonlyMap<string, number>;
}

/**
 * Settings are validated where they are read; this is the second lock. A limit that makes no sense (0, negative,
 * NaN, infinite) would trip everybody or nobody, so its arm is off.
 */
export function limitsOf(config: CircuitBreakerConfig): Limits {
	const given: Partial<CircuitBreakerConfig> = typeof config === 'object' && config !== null ? config : {};
	return {
		enabled: given.enabled === true,
		hardStop: given.hardStop === true,
		repeatedTool: countLimit(given.repeatedToolLimit),
		errorStorm: countLimit(given.errorStormLimit),
		tokenVelocity: positive(given.tokenVelocityPerMin),
		sameResult: countLimit(given.sameResultLimit),
		cycle: countLimit(given.cycleLimit),
		polling: countLimit(given.pollingLimit),
		noNewResult: countLimit(given.noNewResultLimit),
		costCapUsd: positive(given.costCapUsd),
		costCapTokens: positive(given.costCapTokens),
		agentTokenCaps: capsOf(given.agentTokenCaps),
	};
}

/** The cap of one agent in work tokens, or `null`. What the caller resolved wins over the table. */
export function agentTokenCap(limits: Limits, agentId: string, resolved: unknown): number | null {
	return resolved === undefined ? (limits.agentTokenCaps.get(agentId) ?? null) : positive(resolved);
}

function capsOf(given: unknown): ReadonlyMap<string, number> {
	const caps = new Map<string, number>();
	if (typeof given !== 'object' || given === null) return caps;
	for (const [agentId, value] of Object.entries(given)) {
		const cap = positive(value);
		if (cap !== null) caps.set(agentId, cap);
	}
	return caps;
}

function countLimit(value: unknown): number | null {
	const limit = positive(value);
	return limit === null || limit < 1 ? null : limit;
}

function positive(value: unknown): number | null {
	return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
}
