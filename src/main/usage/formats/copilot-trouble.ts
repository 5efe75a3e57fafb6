/**
 * `session.error`: a call that failed for good. Copilot CLI tries five more times by itself before it writes one, and
 * nothing of these. Measured with 1.0.102 (429, 402, 401, 503, 400, refused); names of its own service: its event schema.
 */
import type { ProviderTrouble } from '../session-format.ts';
import { type JsonObject, textOf } from './json-values.ts';
import { errorOfStatus, isAboutMoney, MESSAGE_LENGTH, resetInWords, statusOf } from './provider-error.ts';

const QUOTA_CODE = /quota|billing/i;
const CONNECTION_WORDS =
	/could not connect|connection|network|fetch failed|socket|timed? ?out|ECONN|ENOTFOUND/i;

/** `null`: the agent's own (its request was too long, for example), or nothing to do with a provider. */
export function troubleOf(data: JsonObject, at: number | null, model: string | null): ProviderTrouble | null {
	const message = (textOf(data.message) ?? '').slice(0, MESSAGE_LENGTH);
	const status = statusOf(data.statusCode);
	const error = errorOf(data, status, message);
	if (error === null) return null;
	return { at, error, message, status, model, resetsAt: resetInWords(message, at), isRetry: false };
}

function errorOf(data: JsonObject, status: number | null, message: string): string | null {
	const type = textOf(data.errorType) ?? '';
	if (type === 'quota' || QUOTA_CODE.test(textOf(data.errorCode) ?? '')) return 'billing_error';
	const isLimit = type === 'rate_limit' || status === 429;
	if (isLimit) return isAboutMoney(message) ? 'billing_error' : 'rate_limit';
	if (type === 'authentication' || type === 'authorization') return 'authentication_failed';
	if (status !== null) return errorOfStatus(status);
	return type === 'query' && CONNECTION_WORDS.test(message) ? 'connection' : null;
}
