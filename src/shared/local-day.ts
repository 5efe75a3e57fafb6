/** Days on this machine's calendar. Some have 23 or 25 hours, so no day is ever counted in hours. */

/** The zone of this machine's calendar, which its user may change at any time. */
export function localZone(): string {
	return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** `YYYY-MM-DD` of a moment, ms since the epoch. */
export function localDay(at: number): string {
	const date = new Date(at);
	const part = (value: number, length: number) => String(value).padStart(length, '0');
	return `${part(date.getFullYear(), 4)}-${part(date.getMonth() + 1, 2)}-${part(date.getDate(), 2)}`;
}

/** The day that many days later (or earlier: below 0). */
export function dayAfter(day: string, days: number): string {
	const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
	// Noon: no clock is ever set forward or back so far that it would be another date.
	return localDay(new Date(year, month - 1, date + days, 12).getTime());
}

/** The Monday of its week. */
export function mondayOf(day: string): string {
	const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
	return dayAfter(day, -((new Date(year, month - 1, date, 12).getDay() + 6) % 7));
}

/** Its first and its last moment, the second one excluded; ms since the epoch. */
export function boundsOf(day: string): { readonly from: number; readonly until: number } {
	return { from: startOf(day), until: startOf(dayAfter(day, 1)) };
}

function startOf(day: string): number {
	const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
	return new Date(year, month - 1, date).getTime();
}
