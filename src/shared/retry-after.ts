/**
 * A provider's own wish when to be asked again, in every form in which it comes. What cannot be read is no wish:
 * `null`, never 0 and never a guess, so that the caller's own waiting time stands.
 */

/** A wish beyond this is cut to it, ms: weekly limits are real, but one wrong header must not lock out until 2099. */
export const MAX_RETRY_AFTER_MS = 7 * 24 * 60 * 60_000;

/** Headers with names in lower case, as Node and undici give them. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

const decimal = /^(?:\d+\.?\d*|\.\d+)$/;
const weekday = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*';
/** RFC 9110 §5.6.7: IMF-fixdate and the obsolete RFC 850 form, always GMT; some servers write ISO 8601 with a zone. */
const dateWithZone = new RegExp(
	`^(?:${weekday}, \\d{1,2}[ -][A-Z][a-z]{2}[ -]\\d{2,4} \\d{2}:\\d{2}:\\d{2} (?:GMT|UTC)|\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:?\\d{2}))$`,
);
/** RFC 9110's third form, asctime, carries no zone but means GMT. */
const asctime = new RegExp(`^${weekday} [A-Z][a-z]{2} [ \\d]\\d \\d{2}:\\d{2}:\\d{2} \\d{4}$`);
/** A comma parts two values, unless it is the one behind the weekday of a date. */
const listComma = new RegExp(`(?<!\\b${weekday})\\s*,\\s*`);

/**
 * The wish of an answer's headers as a span from `now` (wall clock, ms), ms; `null` without a usable one.
 * The forms in ms win over `retry-after` because they are finer; of several values the longest counts, since a wish is
 * never shortened. A date is measured against the answer's own `date` header when it has one: a wrong clock on this
 * machine then does no harm.
 */
export function retryAfterMs(headers: AnswerHeaders, now: number): number | null {
	return (
		longest(headers['retry-after-ms'], (value) => number(value)) ??
		longest(headers['x-ms-retry-after-ms'], (value) => number(value)) ??
		longest(
			headers['retry-after'],
			(value) => seconds(value) ?? untilDate(value, dateOf(first(headers.date)) ?? now),
		)
	);
}

/** Longest span said in words in a provider's error text, e.g. "Please try again in 20.5s", ms; `null` without one. */
export function retryHintMs(text: string): number | null {
	let longestSpan: number | null = null;
	// A hint stands in the head of a message; what an error echoes of the request behind it is not looked at.
	for (const hint of text.slice(0, 2_000).matchAll(hintStart)) {
		const span = usable(spanAt(text, hint.index + hint[0].length));
		if (span !== null && span > (longestSpan ?? 0)) longestSpan = span;
	}
	return longestSpan;
}

/** A span that can be waited: finite and above 0, cut at 7 days; `null` otherwise. */
export function usable(ms: number | null): number | null {
	if (ms === null || Number.isNaN(ms) || ms <= 0) return null;
	return Math.min(ms, MAX_RETRY_AFTER_MS);
}

function longest(
	header: string | readonly string[] | undefined,
	read: (value: string) => number | null,
): number | null {
	if (header === undefined) return null;
	const spans = (typeof header === 'string' ? [header] : header)
		.flatMap((line) => line.split(listComma))
		.flatMap((value) => usable(read(value.trim())) ?? []);
	return spans.length === 0 ? null : Math.max(...spans);
}

function first(header: string | readonly string[] | undefined): string {
	return (typeof header === 'string' ? header : header?.[0])?.trim() ?? '';
}

function number(value: string): number | null {
	return decimal.test(value) ? Number(value) : null;
}

function seconds(value: string): number | null {
	const count = number(value);
	return count === null ? null : count * 1000;
}

function untilDate(value: string, from: number): number | null {
	const at = dateOf(value);
	return at === null ? null : at - from;
}

function dateOf(value: string): number | null {
	// Shape first: Date.parse alone reads "foo 5" as a date in 2001.
	const at = dateWithZone.test(value)
		? Date.parse(value)
		: asctime.test(value)
			? Date.parse(`${value} GMT`)
			: Number.NaN;
	return Number.isNaN(at) ? null : at;
}

const hintStart =
	/\b(?:try again|retry|retrying|wait|resets?|available again)\b[ :]*(?:in|after|for)?[ :]+/gi;
const spanPart =
	/(?:about |approximately )?(\d+(?:\.\d+)?|an?(?=\s))\s*(milliseconds?|msecs?|ms|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|[dhms])(?![a-z])(?:,? and |, | )?/iy;

const unitMs = [
	[/^m(?:s|illi)/i, 1],
	[/^d/i, 86_400_000],
	[/^h/i, 3_600_000],
	[/^m/i, 60_000],
	[/^s/i, 1_000],
] as const;

/** Reads "4 hours", "15 hours 23 minutes", "1m30s", "120ms" from `start` on. */
function spanAt(text: string, start: number): number | null {
	let total: number | null = null;
	const part = new RegExp(spanPart);
	part.lastIndex = start;
	for (let match = part.exec(text); match !== null; match = part.exec(text)) {
		const [, count = '', unit = ''] = match;
		const ms = unitMs.find(([name]) => name.test(unit))?.[1] ?? 0;
		total = (total ?? 0) + (/^an?$/i.test(count) ? 1 : Number(count)) * ms;
	}
	return total;
}
