/**
 * Codex's counts. Every version tells the session's total after each response (`token_count`), again and again without
 * a new one, and at times none (`info: null`); newer ones (0.171) tell each response by itself before it
 * (`token_usage_record`). Both are one series: a total that a record already reached tells nothing new.
 */
import { isObject, type JsonObject, textOf } from './json-values.ts';
import {
	addTotal,
	hasFallen,
	isGarbage,
	NO_TOTAL,
	sameTotal,
	stepOf,
	type TokenTotal,
	tokenTotal,
} from './token-total.ts';

/** Of a `token_count`; `null`: it tells none (a look at the limits alone). */
export function totalTold(payload: JsonObject): TokenTotal | 'invalid' | null {
	const info = isObject(payload.info) ? payload.info : null;
	return info === null ? null : countsIn(info.total_token_usage);
}

/** One response, as a `token_usage_record` tells it. */
export interface ResponseRecord {
	readonly threadId: string | null;
	/** With its total it is the response's own: servers on this machine give ids that come back. */
	readonly responseId: string | null;
	readonly usage: TokenTotal;
	/** The session's, this response included. */
	readonly total: TokenTotal | null;
}

export function recordTold(payload: JsonObject): ResponseRecord | 'invalid' | null {
	const usage = countsIn(payload.usage);
	const total = countsIn(payload.thread_token_usage);
	if (usage === null) return null;
	if (usage === 'invalid' || total === 'invalid' || isGarbage(usage)) return 'invalid';
	return { threadId: textOf(payload.thread_id), responseId: textOf(payload.response_id), usage, total };
}

/** `input_tokens` includes what was read from the cache and written to it, `output_tokens` the reasoning. */
function countsIn(counts: unknown): TokenTotal | 'invalid' | null {
	if (!isObject(counts)) return null;
	const total = tokenTotal({
		input: counts.input_tokens,
		cacheRead: counts.cached_input_tokens,
		cacheWritten: counts.cache_write_input_tokens,
		output: counts.output_tokens,
	});
	return total ?? 'invalid';
}

/** What a total tells that was not known; a total that fell began anew. `before`: `null` at the file's start. */
export function newIn(before: TokenTotal | null, total: TokenTotal): TokenTotal {
	return before === null || hasFallen(before, total) ? total : stepOf(before, total);
}

export interface AfterRecord {
	readonly total: TokenTotal;
	/** What the total holds besides: the records of other responses were lost. */
	readonly lost: TokenTotal;
}

/** Where a record leaves the total; `null`: that response is counted already. */
export function afterRecord(before: TokenTotal | null, { usage, total }: ResponseRecord): AfterRecord | null {
	if (total === null) return { total: addTotal(before ?? NO_TOTAL, usage), lost: NO_TOTAL };
	if (before === null || hasFallen(before, total)) return { total, lost: NO_TOTAL };
	return sameTotal(before, total) ? null : { total, lost: stepOf(addTotal(before, usage), total) };
}
