/** Tokens of one model response, in the counting of the provider's bill. */
export interface TokenUsage {
	/** Input tokens that were neither read from nor written to the cache. */
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	/** All tokens written to the cache. */
	readonly cacheCreation: number;
	/** The part of `cacheCreation` that is kept for an hour and costs more. */
	readonly cacheCreation1h: number;
	/** Searches that the provider ran and bills apart. */
	readonly webSearches: number;
}

/** No response has more tokens: a larger count is garbage and must not blame anybody. */
export const MOST_IN_RESPONSE = 1_000_000_000;
/** A session that lives for months, its context sent again with every call, stays far below. */
export const MOST_IN_SESSION = 1_000_000_000_000;

export function isTokenCount(value: unknown, most = MOST_IN_RESPONSE): value is number {
	return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most;
}

export const NO_TOKENS: TokenUsage = {
	input: 0,
	output: 0,
	cacheRead: 0,
	cacheCreation: 0,
	cacheCreation1h: 0,
	webSearches: 0,
};

/** The larger of each count: rows of one response repeat the input and grow the output. */
export function largerOf(a: TokenUsage, b: TokenUsage): TokenUsage {
	return {
		input: Math.max(a.input, b.input),
		output: Math.max(a.output, b.output),
		cacheRead: Math.max(a.cacheRead, b.cacheRead),
		cacheCreation: Math.max(a.cacheCreation, b.cacheCreation),
		cacheCreation1h: Math.max(a.cacheCreation1h, b.cacheCreation1h),
		webSearches: Math.max(a.webSearches, b.webSearches),
	};
}

/** `a + sign * b`, count by count. */
export function addUsage(a: TokenUsage, b: TokenUsage, sign: 1 | -1 = 1): TokenUsage {
	return {
		input: a.input + sign * b.input,
		output: a.output + sign * b.output,
		cacheRead: a.cacheRead + sign * b.cacheRead,
		cacheCreation: a.cacheCreation + sign * b.cacheCreation,
		cacheCreation1h: a.cacheCreation1h + sign * b.cacheCreation1h,
		webSearches: a.webSearches + sign * b.webSearches,
	};
}

/** True when there is nothing to bill. */
export function isNothing(usage: TokenUsage): boolean {
	return usage.input + usage.output + usage.cacheRead + usage.cacheCreation + usage.webSearches === 0;
}

export function sameUsage(a: TokenUsage, b: TokenUsage): boolean {
	return (
		a.input === b.input &&
		a.output === b.output &&
		a.cacheRead === b.cacheRead &&
		a.cacheCreation === b.cacheCreation &&
		a.cacheCreation1h === b.cacheCreation1h &&
		a.webSearches === b.webSearches
	);
}
