/** Days and weeks as the person at this machine counts them: local midnight, weeks begin on Monday. */
import { boundsOf, localDay, mondayOf } from '../../shared/local-day.ts';

/** Ms since the epoch of the local midnight that `at` follows. */
export function startOfDay(at: number): number {
	return boundsOf(localDay(at)).from;
}

/** Ms since the epoch of the local midnight at the beginning of the Monday that `at` follows. */
export function startOfWeek(at: number): number {
	return boundsOf(mondayOf(localDay(at))).from;
}
