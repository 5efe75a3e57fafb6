/**
 * What the text of an error says of limits. Only for text that is known to be an error: a program's error output, the
 * message of a structured error. An answer is never read with it. Held tight: "issue 429", "line 429" and "0 rate limit
 * errors" say nothing. Pure.
 */

import { resetHintMs } from '../../shared/reset-time.ts';
import { retryAfterMs, retryHintMs } from '../../shared/retry-after.ts';
import { googleQuota, planWords, spendLimitWords } from '../../shared/spend-limit.ts';
import { isOfOtherAddress, isOfOtherService } from './other-services.ts';

/** Rate: waiting helps. Spend: it does not, somebody has to pay. */
export type LimitKind = 'rate-limit' | 'spend-limit';

export interface SaidLimit {
	readonly kind: LimitKind;
	/** When it may be asked again, ms from now; `null`: not said, or waiting does not help. */
	readonly retryAfterMs: number | null;
	/** The line that says most of it, at most 300 characters. Untrusted. */
	readonly said: string;
}

/** Characters of one line that are looked at, and shown. */
const LINE_LIMIT = 1_000;
const SAID_LIMIT = 300;
/** A wish may stand a few lines below, and what is quoted above belongs to it as well. */
const LINES_BEFORE = 2;
const LINES_AFTER = 6;

/**
 * Where the text comes from. `model`: it is known to be of a call of a model. `output`: all that a program printed as
 * errors, also of other programs that it ran.
 */
export type TextSource = 'model' | 'output';

/**
 * `null`: it says nothing of a model's limits. Of several lines the last decides, because what comes last ended the program; the
 * longest wish of all that say the same counts.
 */
export function limitIn(text: string, now: number, source: TextSource = 'model'): SaidLimit | null {
	const all = text.split(/\r?\n/).map((line) => line.slice(0, LINE_LIMIT));
	const lines = source === 'model' ? all : all.map((line, at) => (isOfOther(line, at, all) ? '' : line));
	const found = lines.flatMap((line, at) => {
		const kind = kindOf(line);
		if (kind === null) return [];
		const around = near(lines, at).join('\n');
		const wish = wishIn(around, now);
		const isMoney =
			kind === 'spend-limit' || (kind === 'either' && wish === null && !googleQuota.test(around));
		return [{ isMoney, wish, said: line.trim().slice(0, SAID_LIMIT) }];
	});
	const isMoney = found.at(-1)?.isMoney;
	if (isMoney === undefined) return null;
	const alike = found.filter((one) => one.isMoney === isMoney);
	const wishes = isMoney ? [] : alike.flatMap(({ wish }) => wish ?? []);
	return {
		kind: isMoney ? 'spend-limit' : 'rate-limit',
		retryAfterMs: wishes.length === 0 ? null : Math.max(...wishes),
		// A line of a dump ("status: 429") says less than the sentence above it.
		said: alike.reduce((longest, { said }) => (said.length > longest.length ? said : longest), ''),
	};
}

function near(lines: readonly string[], at: number): readonly string[] {
	return lines.slice(Math.max(0, at - LINES_BEFORE), at + LINES_AFTER);
}

/** Its limit is another service's, and so is its wish. */
function isOfOther(line: string, at: number, lines: readonly string[]): boolean {
	if (isOfOtherService(line)) return true;
	if (kindOf(line) === null) return false;
	// A member of a dump says only the number: whose it is stands beside it.
	return dumpedStatus.test(line) ? near(lines, at).some(isOfOtherService) : isOfOtherAddress(line);
}

const dumpedStatus = /^\W*\w+\W+4\d\d\W*$/;

/** When a text wishes to be asked again, ms from now, the longest of what it says; `null`: it does not say. */
export function wishIn(text: string, now: number): number | null {
	const said = [
		...[...text.matchAll(headerWish)].map(([, unit = '', value = '']) =>
			retryAfterMs({ [unit === '' ? 'retry-after' : 'retry-after-ms']: value }, now),
		),
		...[...text.matchAll(protobufWish)].map(([, value = '']) => retryAfterMs({ 'retry-after': value }, now)),
		retryHintMs(text),
		resetHintMs(text, now),
	].filter((wish) => wish !== null);
	return said.length === 0 ? null : Math.max(...said);
}

/** A header as a program prints it; its dates are read with the clock times. */
const headerWish = /\bretry-after(-ms)?["']?\s*[:=]\s*["']?(\d{1,9}(?:\.\d{1,9})?)(?![\w:-])/gi;
/** Google's RetryInfo: `"retryDelay": "34s"`. */
const protobufWish = /\bretryDelay["']?\s*[:=]\s*["']?(\d{1,9}(?:\.\d{1,9})?)s\b/gi;

/** "Check your plan and billing details" is said of money by OpenAI and of any quota by Google. */
type LineKind = LimitKind | 'either' | null;

function kindOf(line: string): LineKind {
	if (says(line, spendPatterns)) return 'spend-limit';
	if (planWords.test(line)) return 'either';
	return says(line, ratePatterns) || (!otherQuota.test(line) && says(line, quotaPatterns))
		? 'rate-limit'
		: null;
}

function says(line: string, patterns: readonly RegExp[]): boolean {
	return patterns.some((pattern) => {
		const match = pattern.exec(line);
		return match !== null && !negated.test(line.slice(Math.max(0, match.index - 40), match.index));
	});
}

/** "no rate limit reached", "0 rate limit errors", "not rate-limited". */
const negated = /\b(?:0|no|not|n't|zero|never|without|any)[ -]+(?:\w+[ -]+)?$/i;

const otherQuota = /\b(?:disk|storage|inodes?|file ?system|mailbox|EDQUOT)\b/i;

const counted = '(?! (?:files?|lines?|tests?|items?|issues?|bytes?|rows?|times?|ms|s)\\b)';
const statusWord =
	'\\b(?:HTTP(?:/\\d(?:\\.\\d)?)?|(?:status|code)(?:[ _-]?code)?|Api ?Error)\\b["\']?[\\s:=(]{1,4}["\']?';

const ratePatterns: readonly RegExp[] = [
	/\btoo[ _]many[ _]requests\b/i,
	/\brate[- ]?limits?(?:ing)?\b[^.\n]{0,40}?\b(?:exceeded|reached|hit|error)\b/i,
	/\b(?:exceed(?:s|ed|ing)?|hit|hitting|reached|over|violat(?:es|ed|ing))\b[^.\n]{0,60}\brate[- ]?limits?\b/i,
	/\b(?:is|are|was|were|been|being|got|get|currently|you're|temporarily)\s+rate[- ]limited\b/i,
	/^[^\w]*(?:error:? ?)?rate[- ]limited\b/i,
	/(?<![\w/.-])(?:\w+_)?(?:rate_limited|rate_limit_error|rate_limit_exceeded|rate_limit_reached)(?![\w/-]|\.\w)/i,
	/\bRateLimit(?:ed|Error|Exceeded|Reached)(?!\w|\.\w)/,
	/\b(?:type|code|error|reason)["']?\s*[:=]\s*["']?rate_limit(?![\w/.-])/i,
	new RegExp(`${statusWord}429\\b${counted}`, 'i'),
	/\brequest\w*\b[^\n]{0,40}\(429\)/i,
	/\b429\b["']?[ :,;(-]{1,3}["']?(?:too many|rate[- _]?limit|resource[ _]exhausted|quota|you exceeded|slow down)/i,
	/\berror:? 429(?=[\s.,;:)]*$|[:,;] )/i,
	/\b(?:usage|session|weekly|daily|hourly|monthly|\d+-hour|five-hour|opus|sonnet|fable|model|request) limits?\b[^.\n]{0,20}\b(?:reached|exceeded|hit)\b/i,
	/\b(?:hit|reached|exceeded) your(?: (?!context|token|turn|output|input|size|time|memory|line)[\w'-]+){0,4} limits?\b/i,
];

const quotaPatterns: readonly RegExp[] = [
	/\bRESOURCE_EXHAUSTED\b/,
	/\b(?:Terminal|Retryable)QuotaError\b/,
	/\bquota_exceeded\b/i,
	/\bquota\b[^.\n]{0,40}\b(?:exceeded|reached|exhausted|used up)\b/i,
	/\b(?:exceed(?:s|ed)?|exhausted|out of|reached|used up|have no)\b[^.\n]{0,40}\bquota\b/i,
];

const spendPatterns: readonly RegExp[] = [
	...spendLimitWords,
	new RegExp(`${statusWord}402\\b${counted}`, 'i'),
];
