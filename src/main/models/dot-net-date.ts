/** Dates in the forms that PowerShell's JSON functions leave in a file, and the one form that all of them read right. */

const iso = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;
/** Windows PowerShell 5.1: `"\/Date(1764520342123)\/"`; the offset only says where it was written. */
const ticks = /^\/Date\((-?\d{1,16})(?:[+-]\d{4})?\)\/$/;
/** A DateTime turned into text by PowerShell, which uses the invariant culture; `AM`/`PM` comes from US ones. */
const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4}),?\s+(\d{1,2}):(\d\d)(?::(\d\d))?(?:\s*([AP])M)?$/i;

/** Some of these forms have no fraction of a second: what comes back may be this much earlier, ms. */
export const DATE_TOLERANCE_MS = 1_000;
/** The furthest from 1970 that a JavaScript date reaches, ms. */
const LAST_MS = 8.64e15;

/**
 * ms since the epoch; `undefined` for what is no date in one of these forms: ISO 8601 (`Get-Date` "o"; without an
 * offset it is local time), `/Date(ms)/`, `11/30/2026 17:32:22` (local time), and `{ "value": …, "DateTime": … }` as
 * Windows PowerShell writes what `Get-Date` gave.
 */
export function readDate(value: unknown): number | undefined {
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
		const inner = Object.entries(value).find(([key]) => key.toLowerCase() === 'value')?.[1];
		return typeof inner === 'string' ? readDate(inner) : undefined;
	}
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	const ms = ticks.exec(text)?.[1];
	if (ms !== undefined) return Math.abs(Number(ms)) <= LAST_MS ? Number(ms) : undefined;
	return readIso(text) ?? readAmerican(text);
}

function readIso(text: string): number | undefined {
	const [, year, month, day, hour, minute, second = '0', fraction = '', zone] = iso.exec(text) ?? [];
	const ms = fraction.slice(0, 3).padEnd(3, '0');
	const parts = [year, month, day, hour, minute, second, ms].map(Number);
	if (zone === undefined) return epochOf(parts, null);
	const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)/.exec(zone) ?? [];
	const offset = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
	return epochOf(parts, sign === '-' ? -offset : offset);
}

function readAmerican(text: string): number | undefined {
	const [, month, day, year, hour, minute, second = '0', half] = american.exec(text) ?? [];
	const hours = Number(hour);
	if (half !== undefined && (hours < 1 || hours > 12)) return undefined;
	const hours24 = half === undefined ? hours : (hours % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
	return epochOf([year, month, day, hours24, minute, second, 0].map(Number), null);
}

/** `offset`: minutes east of Greenwich; `null`: the zone of this machine. */
function epochOf(parts: readonly number[], offset: number | null): number | undefined {
	const [year = Number.NaN, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0] = parts;
	if (!parts.every(Number.isFinite) || hour > 23 || minute > 59 || second > 59 || year < 1) return undefined;
	const date = new Date(0);
	// Not `Date.UTC`: that takes the year 26 for 1926.
	date.setUTCFullYear(year, month - 1, day);
	// 30 February would silently be a day in March.
	if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
	if (offset !== null) return date.setUTCHours(hour, minute - offset, second, ms);
	const local = new Date(0);
	local.setFullYear(year, month - 1, day);
	return local.setHours(hour, minute, second, ms);
}

/**
 * As `(Get-Date).ToString("o")` writes it: local time, 7 digits, offset. PowerShell 7 makes a DateTime of any ISO text
 * it reads, and its text form loses the zone: only for local time is that no loss.
 */
export function printDate(at: number): string {
	const date = new Date(Math.floor(at));
	const offset = -date.getTimezoneOffset();
	const zone = `${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
	const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
	const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
	return `${day}T${time}.${String(date.getMilliseconds()).padStart(3, '0')}0000${zone}`;
}

function two(number: number): string {
	return String(Math.floor(number)).padStart(2, '0');
}
