/**
 * Rows of Claude Code's transcript that tell of a call that failed: one for each retry (`system`, `api_error`) and one
 * when it gave up (an assistant's row that no model wrote). Only the program writes them: words of prompts and tools that
 * look like them stand in other rows.
 */
import type { ProviderTrouble } from '../session-format.ts';
import { isObject, type JsonObject, momentOf, textOf } from './json-values.ts';
import { errorOfStatus, MESSAGE_LENGTH, resetInWords, statusOf } from './provider-error.ts';

/** The agent's own: its request was malformed, its answer too long, or it asked for a model that there is not. */
const OWN_ERRORS: ReadonlySet<string> = new Set(['invalid_request', 'max_output_tokens', 'model_not_found']);

const KNOWN_ERRORS: ReadonlySet<string> = new Set([
	'rate_limit',
	'overloaded',
	'server_error',
	'billing_error',
	'authentication_failed',
]);

/** `null`: the row tells of none, or of one of the agent's own making. `at`: of the row. */
export function troubleOf(row: JsonObject, at: number | null): ProviderTrouble | null {
	if (row.type === 'system' && row.subtype === 'api_error') return ofRetry(row, at);
	if (row.type === 'assistant' && row.isApiErrorMessage === true) return ofEnd(row, at);
	return null;
}

function ofRetry(row: JsonObject, at: number | null): ProviderTrouble | null {
	const error = isObject(row.error) ? row.error : {};
	const status = statusOf(error.status);
	const answered = isObject(error.error) ? error.error : {};
	const message =
		textOf(error.formatted) ??
		textOf(error.message) ??
		textOf(answered.message) ??
		textOf(row.content) ??
		codeOf(error.connection) ??
		codeOf(error.cause) ??
		codeOf(row.cause) ??
		'';
	const kind = status === null ? connectionOr(error, row) : errorOfStatus(status);
	if (kind === null) return null;
	return trouble(row, { at, error: kind, message, status, isRetry: true });
}

function ofEnd(row: JsonObject, at: number | null): ProviderTrouble | null {
	const told = textOf(row.error) ?? (isObject(row.error) ? textOf(row.error.type) : null);
	const status = statusOf(row.apiErrorStatus);
	if (told !== null && OWN_ERRORS.has(told)) return null;
	const kind = status === null ? null : errorOfStatus(status);
	// The words name an overloaded provider a server error; the status is finer.
	const error = kind === 'overloaded' ? kind : told !== null && KNOWN_ERRORS.has(told) ? told : kind;
	const message = contentOf(row.message);
	return trouble(row, { at, error: error ?? 'unknown', message, status, isRetry: false });
}

function trouble(
	row: JsonObject,
	told: Pick<ProviderTrouble, 'at' | 'error' | 'message' | 'status' | 'isRetry'>,
): ProviderTrouble {
	const message = told.message.slice(0, MESSAGE_LENGTH);
	return { ...told, message, model: null, resetsAt: resetOf(row, message, told.at) };
}

function resetOf(row: JsonObject, message: string, at: number | null): number | null {
	const error = isObject(row.error) ? row.error : {};
	for (const limits of [row.quotaLimits, row.rateLimits, error.quotaLimits, error.rateLimits]) {
		const resetsAt = isObject(limits) ? momentOf(limits.resetsAt) : null;
		if (resetsAt !== null) return resetsAt;
	}
	return resetInWords(message, at);
}

/** Without an answer it was the connection, where a code says so; older rows tell only words. */
function connectionOr(error: JsonObject, row: JsonObject): string {
	const code = codeOf(error.connection) ?? codeOf(error.cause) ?? codeOf(row.cause);
	return code === null && error.isNetworkDown !== true ? 'unknown' : 'connection';
}

function codeOf(value: unknown): string | null {
	return isObject(value) ? textOf(value.code) : null;
}

function contentOf(message: unknown): string {
	const content = isObject(message) ? message.content : null;
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return '';
	return content.flatMap((block) => (isObject(block) ? (textOf(block.text) ?? []) : [])).join('\n');
}
