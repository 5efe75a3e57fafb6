/** Cumulative counts of tokens, as programs write them, and the step from one to the next. */
import { z } from 'zod';
import { NO_TOKENS, type TokenUsage } from '../token-usage.ts';

/** A session that lives for months, its context sent again with every call, stays far below. */
const MOST_IN_SESSION = 1_000_000_000_000;
/** No response has this many: a larger count is garbage and must not blame anybody. */
const MOST_IN_RESPONSE = 1_000_000_000;

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
	const total = tokenTotalSchema.safeParse({
		input: told.input ?? 0,
		cacheRead: told.cacheRead ?? 0,
		cacheWritten: told.cacheWritten ?? 0,
		output: told.output ?? 0,
	});
	return total.success ? total.data : null;
}

/** It is more than one response can have used. */
export function isGarbage(usage: TokenTotal): boolean {
	return Object.values(usage).some((count) => count > MOST_IN_RESPONSE);
}

export function sameTotal(a: TokenTotal, b: TokenTotal): boolean {
	return signatureOf(a) === signatureOf(b);
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
