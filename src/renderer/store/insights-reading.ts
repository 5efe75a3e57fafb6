/** When the figures are read again: pushed by what was counted, never by a timer of its own. Pure; times in ms. */

/** At most this often. */
export const READ_AGAIN_MS = 10_000;

export interface LastReading {
	/** When it was asked for. */
	readonly at: number;
	/** `usage.asOf` as it was then. */
	readonly asOf: number;
}

/** In how many ms the figures are to be read; `null`: what was read still holds. */
export function readDelay(last: LastReading | null, asOf: number, now: number): number | null {
	if (last === null) return 0;
	if (asOf === last.asOf) return null;
	// A clock that was set back must not stop it.
	const since = Math.max(0, now - last.at);
	return Math.max(0, READ_AGAIN_MS - since);
}
