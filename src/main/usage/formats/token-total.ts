/** Cumulative counts of tokens, as programs write them, and the step from one to the next. */
import { z } from 'zod';
import {
	isTokenCount,
	MOST_IN_RESPONSE,
	MOST_IN_SESSION,
	NO_TOKENS,
	type TokenUsage,
} from '../token-usage.ts';

const countSchema = z.number().int().min(0).max(MOST_IN_SESSION);

/** Tokens so far. `input` includes what was read from the cache and written to it; `output` includes reasoning. */
export const tokenTotalSchema = z.object({
	input: countSchema,
	cacheRead: countSchema,
	cacheWritten: countSchema,
	output: countSchema,
});
export type TokenTotal = z.infer<typeof tokenTotalSchema>;

export const NO_TOTAL: TokenTotal = { input: 0, cacheRead: 0, cacheWritten: 0, output: 0 };

/** What was not told counts 0; `null` as soon as one of them is no number of tokens. */
export function tokenTotal(told: { readonly [Name in keyof TokenTotal]: unknown }): TokenTotal | null {
	const input = countOf(told.input);
	const cacheRead = countOf(told.cacheRead);
	const cacheWritten = countOf(told.cacheWritten);
	const output = countOf(told.output);
	if (input === null || cacheRead === null || cacheWritten === null || output === null) return null;
	return { input, cacheRead, cacheWritten, output };
}

/** By hand, not by the schema: this is asked of every line that tells usage. */
function countOf(value: unknown): number | null {
	if (value === undefined || value === null) return 0;
	return isTokenCount(value, MOST_IN_SESSION) ? value : null;
}

/** It is more than one response can have used. */
export function isGarbage(usage: TokenTotal): boolean {
	return (
		usage.input > MOST_IN_RESPONSE ||
		usage.cacheRead > MOST_IN_RESPONSE ||
		usage.cacheWritten > MOST_IN_RESPONSE ||
		usage.output > MOST_IN_RESPONSE
	);
}

export function sameTotal(a: TokenTotal, b: TokenTotal): boolean {
	return (
		a.input === b.input &&
		a.cacheRead === b.cacheRead &&
		a.cacheWritten === b.cacheWritten &&
		a.output === b.output
	);
}

/** It stands at less than before: the count began anew. */
export function hasFallen(before: TokenTotal, now: TokenTotal): boolean {
	return now.input < before.input || now.output < before.output;
}

export function addTotal(a: TokenTotal, b: TokenTotal): TokenTotal {
	return {
		input: a.input + b.input,
		cacheRead: a.cacheRead + b.cacheRead,
		cacheWritten: a.cacheWritten + b.cacheWritten,
		output: a.output + b.output,
	};
}

/** What `now` has over `before`, count by count; never below 0. */
export function stepOf(before: TokenTotal, now: TokenTotal): TokenTotal {
	return {
		input: Math.max(0, now.input - before.input),
		cacheRead: Math.max(0, now.cacheRead - before.cacheRead),
		cacheWritten: Math.max(0, now.cacheWritten - before.cacheWritten),
		output: Math.max(0, now.output - before.output),
	};
}

/** In the counting of the bill, where input and cache are apart. */
export function usageOf({ input, cacheRead, cacheWritten, output }: TokenTotal): TokenUsage {
	const fromCache = Math.min(cacheRead, input);
	const toCache = Math.min(cacheWritten, input - fromCache);
	return {
		...NO_TOKENS,
		input: input - fromCache - toCache,
		output,
		cacheRead: fromCache,
		cacheCreation: toCache,
	};
}

/** The same text for the same counts. */
export function signatureOf({ input, cacheRead, cacheWritten, output }: TokenTotal): string {
	return `${input} ${cacheRead} ${cacheWritten} ${output}`;
}
