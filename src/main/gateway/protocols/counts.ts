/** Token counts of answers as the vendors tell them: what is missing or no count is `null`, never 0. */
import type { AnswerOrigin, TurnUsage } from '../protocol.ts';
import { numberOf, textOf } from './json-fields.ts';

export const uncounted: TurnUsage = {
	input: null,
	output: null,
	cacheRead: null,
	cacheCreation: null,
	cacheCreation1h: null,
	webSearches: null,
};

export const unnamed: AnswerOrigin = { id: null, model: null };

/** No answer has this many tokens: a larger count is garbage and must not blame anybody. */
const MOST_TOKENS = 1_000_000_000;
/** Characters of an id or a model's name; longer ones are no names. */
const LONGEST_NAME = 200;

export function countOf(value: unknown): number | null {
	const count = numberOf(value);
	return count !== null && Number.isInteger(count) && count >= 0 && count <= MOST_TOKENS ? count : null;
}

/** The larger of each count: they are cumulative, and a later event may leave out what an earlier one told. */
export function largerCounts(a: TurnUsage, b: TurnUsage): TurnUsage {
	return {
		input: larger(a.input, b.input),
		output: larger(a.output, b.output),
		cacheRead: larger(a.cacheRead, b.cacheRead),
		cacheCreation: larger(a.cacheCreation, b.cacheCreation),
		cacheCreation1h: larger(a.cacheCreation1h, b.cacheCreation1h),
		webSearches: larger(a.webSearches, b.webSearches),
	};
}

/**
 * OpenAI's counting: the input holds what was read from the cache and written to it, the output holds the reasoning.
 * Source: platform.openai.com/docs/api-reference/responses/object, `input_tokens_details`.
 */
export function openaiCounts(
	input: unknown,
	output: unknown,
	details: { readonly cached_tokens?: unknown; readonly cache_write_tokens?: unknown } | null,
): TurnUsage {
	const all = countOf(input);
	const cacheRead = countOf(details?.cached_tokens);
	const cacheCreation = countOf(details?.cache_write_tokens);
	// Some proxies count what was cached beside the input; then there is less of it than of the cached part.
	const cached = (cacheRead ?? 0) + (cacheCreation ?? 0);
	return {
		...uncounted,
		input: all === null || cached > all ? all : all - cached,
		output: countOf(output),
		cacheRead,
		cacheCreation,
	};
}

/** What an answer says of itself. */
export function originOf(id: unknown, model: unknown): AnswerOrigin {
	return { id: nameOf(id), model: nameOf(model) };
}

function nameOf(value: unknown): string | null {
	const name = textOf(value);
	return name === '' || name.length > LONGEST_NAME ? null : name;
}

function larger(a: number | null, b: number | null): number | null {
	return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
