/** Hours in which nothing is shown, on this machine's clock. */
import type { Settings } from '../../shared/settings.ts';

export type QuietHours = Pick<Settings['notifications'], 'quietFrom' | 'quietUntil'>;

const MINUTE_MS = 60_000;

/**
 * Whether it is quiet at `at`, ms since the epoch. The wall clock decides, so an hour that is skipped or comes twice is as
 * long as the clock on the wall says. A begin without an end, or both alike, are no quiet hours: nothing is lost to a typo.
 */
export function isQuiet(at: number, { quietFrom, quietUntil }: QuietHours): boolean {
	if (quietFrom === null || quietUntil === null) return false;
	const date = new Date(at);
	const minute = date.getHours() * 60 + date.getMinutes();
	const from = minuteOf(quietFrom);
	const until = minuteOf(quietUntil);
	return from <= until ? from <= minute && minute < until : from <= minute || minute < until;
}

/** The next moment at which quiet hours can end: the clock's next full minute, ms since the epoch. */
export function nextMinute(at: number): number {
	return (Math.floor(at / MINUTE_MS) + 1) * MINUTE_MS;
}

/** `HH:MM` in minutes. */
function minuteOf(time: string): number {
	const [hours = 0, minutes = 0] = time.split(':').map(Number);
	return hours * 60 + minutes;
}
