/** What the heartbeat hands to the ladder for one agent on one beat (seed 002, "How `tick` Evaluates"). */

/** Usage of one agent, cumulative since its session began. `usd: null`: no price is known for any of it. */
export interface AgentUsageSample {
	readonly model: string | null;
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheCreation: number;
	readonly usd: number | null;
	/**
	 * How often it turned out that less was spent than the samples had said (another session's work, a model that is
	 * free). Where it has risen, a smaller figure is no counter that began again. Not given: never.
	 */
	readonly corrections?: number;
}

/**
 * The first three fields are the seed's. The others are what the heartbeat knows and a pure ladder cannot;
 * without them `tick` behaves exactly as the seed describes.
 */
export interface BreakerInput {
	readonly agentId: string;
	/** `null`: nothing has been read on this beat. */
	readonly sample: AgentUsageSample | null;
	/** A file of its work tree changed recently. */
	readonly progressing: boolean;
	/** The newest note of the ladder: when a reply carried it, and when the agent last did something (ms). */
	readonly steer?: { readonly deliveredAt: number | null; readonly actedAt: number | null };
	/** Its provider fails. That is never the agent's fault: nothing climbs, no beat counts as "no progress". */
	readonly providerTrouble?: boolean;
	/** Work tokens this agent may spend, already looked up in `agentTokenCaps`. */
	readonly tokenCap?: number;
	/**
	 * The sample holds work that was done before and is seen only now (an older session's transcript was opened): it
	 * counts in all totals, and says nothing about speed, spending or progress on this beat.
	 */
	readonly earlierWork?: boolean;
	/** Counts in the floor's totals, is not judged and keeps its level: a stop that holds until it is lifted. */
	readonly frozen?: boolean;
}
