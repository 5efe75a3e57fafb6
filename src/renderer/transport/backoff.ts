/** Waiting times between attempts to connect. */

export interface Backoff {
	/** Longest wait before the second attempt, ms. */
	readonly firstMs: number;
	/** No wait is longer, ms. */
	readonly longestMs: number;
}

export const reconnectBackoff: Backoff = { firstMs: 250, longestMs: 10_000 };

/**
 * The wait before attempt `attempt` (0 is the first retry), ms: doubling, half of it by chance, so that many windows
 * do not knock at the same moment. `random` in [0, 1).
 */
export function backoffDelay(attempt: number, random: number, { firstMs, longestMs }: Backoff): number {
	const full = Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 30));
	return full / 2 + (full / 2) * random;
}
