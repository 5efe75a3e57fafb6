/** Days and weeks as the person at this machine counts them: local midnight, weeks begin on Monday. */

/** Ms since the epoch of the local midnight that `at` follows. */
export function startOfDay(at: number): number {
	return new Date(at).setHours(0, 0, 0, 0);
}

/** Ms since the epoch of the local midnight at the beginning of the Monday that `at` follows. */
export function startOfWeek(at: number): number {
	const day = new Date(at);
	// Days are counted by the calendar: one of them may have 23 or 25 hours.
	day.setDate(day.getDate() - ((day.getDay() + 6) % 7));
	return day.setHours(0, 0, 0, 0);
}
