/** Stamps and spans of evidence. All times are ms since the epoch, on the floor's clock. */

/**
 * Evidence older than this neither climbs nor holds a level, and two happenings this far apart are not one streak:
 * a wait that polls every five minutes is no loop.
 */
export const EVIDENCE_MAX_AGE_MS = 5 * 60_000;

/** "No clock told us": the next beat's time takes its place, as for every stamp from the future. */
export const UNSTAMPED = Number.POSITIVE_INFINITY;

/** The stamp of something told now. A stamp from the future counts as now. */
export function stampOf(at: unknown, clock: (() => number) | undefined): number {
	const now = clock?.();
	const known = typeof now === 'number' && Number.isFinite(now) ? now : UNSTAMPED;
	return typeof at === 'number' && Number.isFinite(at) ? Math.min(at, known) : known;
}

/** True while a happening at `lastAt` still says something about now. */
export function isFresh(lastAt: number, now: number): boolean {
	return now - lastAt < EVIDENCE_MAX_AGE_MS;
}

/** True when two happenings belong to one streak. */
export function isOneStreak(earlier: number, later: number): boolean {
	return later - earlier < EVIDENCE_MAX_AGE_MS;
}

/**
 * Puts stamps right before a beat: missing ones and those from the future become `now`, and nothing is later than
 * what was told after it (a clock that was set back in between). Oldest first.
 */
export function putStampsInOrder(told: readonly { at: number }[], now: number): void {
	let latest = now;
	for (let index = told.length - 1; index >= 0; index -= 1) {
		const one = told[index];
		if (one === undefined) continue;
		if (one.at > latest) one.at = latest;
		else latest = one.at;
	}
}
