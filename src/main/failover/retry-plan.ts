/** When a held turn asks its provider again (seed 003, section 2: no retry spam). Pure. */

const FIRST_MS = 2_000;
const LONGEST_MS = 30_000;
/** Turns that may all go at the same moment are spread over this much, ms. */
const SPREAD_MS = 250;
/** A breaker that was asked once too early is not asked again before this, ms. */
const LEAST_MS = 1_000;
/** Between two held turns when the provider is back, ms; and how long the last of many may wait for it. */
const RECOVERY_STEP_MS = 100;
const RECOVERY_SPREAD_MS = 3_000;

export interface RetryFacts {
	readonly isDown: boolean;
	/** Until the breaker lets a call through, ms. */
	readonly retryInMs: number;
	/** Retries that failed in a row. */
	readonly retries: number;
	/** What is left of the provider's own Retry-After, ms. */
	readonly floorMs: number;
	/** 0 (inclusive) to 1 (exclusive). */
	readonly random: number;
}

/** 2 s · 2ⁿ up to 30 s, ±20 %. */
export function backoffMs(retries: number, random: number): number {
	return Math.min(FIRST_MS * 2 ** Math.max(0, retries), LONGEST_MS) * (0.8 + 0.4 * random);
}

/** From now, ms. While the breaker is open it alone says when; a Retry-After is a floor for both. */
export function retryDelayMs({ isDown, retryInMs, retries, floorMs, random }: RetryFacts): number {
	if (!isDown) return Math.max(backoffMs(retries, random), floorMs);
	const least = retries === 0 ? 0 : LEAST_MS;
	return Math.max(retryInMs, floorMs, least) + random * SPREAD_MS;
}

/** After the breaker refused a call, ms. */
export function refusedDelayMs(retryInMs: number, random: number): number {
	return Math.max(retryInMs, LEAST_MS) + random * SPREAD_MS;
}

/**
 * The provider is back: the `index`-th held turn goes after this, ms. One that was sent on before and came back goes
 * ever later: what others get answered may not be what this one can get. None waits beyond its own deadline.
 */
export function recoveryDelayMs(
	index: number,
	{ recoveries, remainingMs, random }: { recoveries: number; remainingMs: number; random: number },
): number {
	const spread = Math.min((index + random) * RECOVERY_STEP_MS, RECOVERY_SPREAD_MS);
	const delay = recoveries === 0 ? spread : spread + backoffMs(recoveries - 1, random);
	return Math.min(delay, Math.max(0, remainingMs - RECOVERY_STEP_MS));
}
