/**
 * When a limit is over, as programs say it with a clock: "resets 3:40pm (Europe/Berlin)". What is not sure is no hint:
 * `null`, never a guess. Spans ("try again in 4 hours") are read in `retry-after.ts`.
 */
import { usable } from './retry-after.ts';

/** A time of the day that was only just over is not tomorrow's: the message took that long to come, ms. */
const JUST_OVER_MS = 5 * 60_000;
const DAY_MS = 86_400_000;

/**
 * Span from `now` (ms since the epoch) to the moment that the text names, ms: above 0, at most 7 days; `null` without
 * one. Of several the latest counts. A clock without a zone is meant as the program's user reads it, in `timeZone`
 * (IANA; the one of this machine unless given).
 */
export function resetHintMs(text: string, now: number, timeZone?: string): number | null {
	let longest: number | null = null;
	// As with spans: a hint stands in the head of a message.
	const head = text.slice(0, 2_000);
	for (const hint of head.matchAll(hintStart)) {
		const span = spanTo(momentAt(head, hint.index + hint[0].length, now, timeZone), now);
		if (span !== null && span > (longest ?? 0)) longest = span;
	}
	return longest;
}

function spanTo(at: number | null, now: number): number | null {
	return at === null ? null : usable(at - now);
}

const hintStart =
	/\blimit reached\|(?=\d)|\b(?:resets?|resetting|resets?_?at|renews?|retry|retry[ -]after|try again|available(?: again)?|until)\b["']?[ :=]+(?:(?:at|on|after)[ :]+)?["']?/gi;

function momentAt(text: string, start: number, now: number, timeZone: string | undefined): number | null {
	return epochAt(text, start) ?? isoAt(text, start) ?? clockAt(text, start, now, timeZone);
}

/** 10 digits are seconds since 2001, 13 are ms. */
function epochAt(text: string, start: number): number | null {
	const match = matchAt(/(\d{10})(\d{3})?(?![\d.])/y, text, start);
	if (match === null) return null;
	const [, seconds = '', ms = '0'] = match;
	return Number(seconds) * 1000 + Number(ms);
}

/** Only with a zone: without one nobody knows whose clock it is. */
function isoAt(text: string, start: number): number | null {
	const match = matchAt(
		/(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|UTC|GMT|[+-]\d{2}:?\d{2})(?![\w:])/iy,
		text,
		start,
	);
	if (match === null) return null;
	const [, day = '', clock = '', zone = ''] = match;
	const at = Date.parse(`${day}T${clock}${/^[zug]/i.test(zone) ? 'Z' : zone}`);
	return Number.isNaN(at) ? null : at;
}

/** What a text says of a moment, as far as it says it. */
interface Said {
	/** 0 to 6, Sunday first. */
	readonly weekday: number | null;
	/** Days from today: "tomorrow". */
	readonly daysAhead: number | null;
	/** 1 to 12, with the day of the month. */
	readonly date: { readonly month: number; readonly day: number; readonly year: number | null } | null;
	/** ms since midnight. */
	readonly clockMs: number;
	readonly zone: Zone;
}

/** What the wall shows at a moment, and back. */
type Zone = { readonly offsetMs: number } | { readonly name: string | undefined };

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const month =
	'(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const month2 = month.replace('<month>', '<month2>');
const clockPattern = new RegExp(
	[
		'(?:(?<weekday>sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?(?:, ?| at | ))?',
		`(?:(?:${month} (?<day>\\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\\d{4}))?|(?<day2>\\d{1,2})(?:st|nd|rd|th)? ${month2}(?:,? (?<year2>\\d{4}))?|(?<relative>today|tomorrow))(?:,? at |, | ))?`,
		'(?<hour>\\d{1,2})(?::(?<minute>\\d{2}))?(?::(?<second>\\d{2}))?(?: ?(?<half>[ap])\\.?m\\b\\.?)?',
		// Whatever looks like the name of a zone is taken along, so that one that nobody knows makes it unsure.
		'(?: ?\\((?<zone>[^()\\n]{1,40})\\)| ?(?<utc>(?:utc|gmt)?[+-]\\d{1,2}(?::?\\d{2})?|utc|gmt|z)(?![\\w/])| (?<letters>[A-Z]{2,5}|[A-Z][A-Za-z]+/[A-Za-z_/]+)(?![\\w/]))?',
	].join(''),
	'iy',
);

function clockAt(text: string, start: number, now: number, timeZone: string | undefined): number | null {
	const groups = matchAt(clockPattern, text, start)?.groups;
	if (groups === undefined) return null;
	const said = readClock(groups, timeZone);
	return said === null ? null : nextMoment(said, now);
}

type Groups = Readonly<Record<string, string | undefined>>;

function readClock(groups: Groups, timeZone: string | undefined): Said | null {
	const clockMs = clockOf(groups);
	const zone = zoneOf(groups, timeZone);
	const date = dateOf(groups);
	if (clockMs === null || zone === null || date === undefined) return null;
	const { weekday, relative } = groups;
	return {
		weekday: weekday === undefined ? null : weekdays.indexOf(weekday.slice(0, 3).toLowerCase()),
		daysAhead: relative === undefined ? null : relative.toLowerCase() === 'today' ? 0 : 1,
		date,
		clockMs,
		zone,
	};
}

/** `null`: a bare number is no time of the day. */
function clockOf({ hour = '', minute, second, half }: Groups): number | null {
	if (minute === undefined && half === undefined) return null;
	const count = Number(hour);
	if (half === undefined ? count > 23 : count < 1 || count > 12) return null;
	const hours = half === undefined ? count : (count % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
	const minutes = Number(minute ?? 0);
	const seconds = Number(second ?? 0);
	if (minutes > 59 || seconds > 59) return null;
	return ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

/** `undefined`: there is no such day; `null`: none was named. */
function dateOf(groups: Groups): Said['date'] | undefined {
	const name = (groups.month ?? groups.month2)?.slice(0, 3).toLowerCase();
	if (name === undefined) return null;
	const monthNumber = months.indexOf(name) + 1;
	const day = Number(groups.day ?? groups.day2);
	const said = groups.year ?? groups.year2;
	const year = said === undefined ? null : Number(said);
	// 2024 has every day that any year has.
	const probe = new Date(Date.UTC(year ?? 2024, monthNumber - 1, day));
	return probe.getUTCDate() === day && probe.getUTCMonth() === monthNumber - 1
		? { month: monthNumber, day, year }
		: undefined;
}

/** `null`: it is named, and nobody knows it. */
function zoneOf({ zone, utc, letters }: Groups, timeZone: string | undefined): Zone | null {
	const named = (zone ?? utc ?? letters)?.trim();
	if (named === undefined) return { name: timeZone };
	if (/^(?:utc|gmt|z)$/i.test(named)) return { offsetMs: 0 };
	const offset = /^(?:utc|gmt)?([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(named);
	if (offset !== null) {
		const [, sign = '', hours = '', minutes = '0'] = offset;
		if (Number(hours) > 14 || Number(minutes) > 59) return null;
		return { offsetMs: (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000 };
	}
	// Letters alone (PST, IST) mean different zones in different places.
	return named.includes('/') && isZone(named) ? { name: named } : null;
}

function isZone(name: string): boolean {
	try {
		new Intl.DateTimeFormat('en', { timeZone: name });
		return true;
	} catch {
		// Intl has no other way to say that it does not know a zone.
		return false;
	}
}

/** The moment that is meant, ms; `null` when it is over. */
function nextMoment({ weekday, daysAhead, date, clockMs, zone }: Said, now: number): number | null {
	const today = Math.floor(wallOf(now, zone) / DAY_MS) * DAY_MS;
	const at = (day: number): number => momentOf(day + clockMs, zone);
	if (date !== null) return futureOnly(nearest(datesOf(date, today), at, now), now);
	if (daysAhead !== null) return futureOnly(at(today + daysAhead * DAY_MS), now);
	for (let ahead = 0; ahead <= 7; ahead += 1) {
		const day = today + ahead * DAY_MS;
		if (weekday !== null && new Date(day).getUTCDay() !== weekday) continue;
		const moment = at(day);
		if (moment > now) return moment;
		if (now - moment <= JUST_OVER_MS) return null;
	}
	return null;
}

function futureOnly(at: number | null, now: number): number | null {
	return at !== null && at > now ? at : null;
}

/** Midnights (as the wall shows it) that a date without a year may mean. */
function datesOf({ month, day, year }: NonNullable<Said['date']>, today: number): number[] {
	const thisYear = new Date(today).getUTCFullYear();
	const years = year === null ? [thisYear - 1, thisYear, thisYear + 1] : [year];
	return years.map((each) => Date.UTC(each, month - 1, day));
}

function nearest(days: readonly number[], at: (day: number) => number, now: number): number | null {
	return days
		.map(at)
		.reduce<number | null>(
			(best, moment) => (best === null || Math.abs(moment - now) < Math.abs(best - now) ? moment : best),
			null,
		);
}

/** What the wall shows at that moment, as if it were UTC. */
function wallOf(at: number, zone: Zone): number {
	return at + ('offsetMs' in zone ? zone.offsetMs : zoneOffset(at, zone.name));
}

/** The moment at which the wall shows that; in the hour that a clock change skips, the one an hour later. */
function momentOf(wall: number, zone: Zone): number {
	if ('offsetMs' in zone) return wall - zone.offsetMs;
	const guess = wall - zoneOffset(wall, zone.name);
	return wall - zoneOffset(guess, zone.name);
}

/** How far the wall is ahead of UTC there and then, ms. */
function zoneOffset(at: number, timeZone: string | undefined): number {
	const parts = new Intl.DateTimeFormat('en-US', {
		...(timeZone === undefined ? {} : { timeZone }),
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	}).formatToParts(at);
	const part = (type: Intl.DateTimeFormatPartTypes): number =>
		Number(parts.find((each) => each.type === type)?.value);
	const shown = Date.UTC(
		part('year'),
		part('month') - 1,
		part('day'),
		part('hour'),
		part('minute'),
		part('second'),
	);
	return shown - Math.floor(at / 1000) * 1000;
}

function matchAt(pattern: RegExp, text: string, start: number): RegExpExecArray | null {
	pattern.lastIndex = start;
	return pattern.exec(text);
}
