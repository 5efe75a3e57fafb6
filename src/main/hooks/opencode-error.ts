/**
 * How opencode tells of a failed model call. `session.status` of type "retry" comes while it tries again, for as long as
 * it takes, with words alone; `session.error` when it gave up, with the status of HTTP where there was one. Measured with
 * 1.18.33: 429, 5xx, 529 and broken connections are tried again, 400, 401 and 402 are not.
 */
import { field, textField } from './payload-fields.ts';

export interface ModelError {
	/** "rate_limit", "overloaded", "server_error", "billing_error", "authentication_failed", "connection", or opencode's own name. */
	readonly error: string;
	readonly blame: 'provider' | 'agent';
	readonly message: string;
	/** Of HTTP; `null`: no answer came, or it is not told. */
	readonly status: number | null;
}

/** By the provider's words, first match wins: a spending limit is often told as a rate limit. */
const WORDS: readonly (readonly [RegExp, string])[] = [
	[
		/spend(?:ing)? limit|quota|billing|credit|payment required|insufficient.?(?:funds|balance)|\b402\b/i,
		'billing_error',
	],
	[/rate.?limit|too.?many.?requests|throttl|\b429\b/i, 'rate_limit'],
	[/overloaded|capacity|\b529\b/i, 'overloaded'],
	[/connect|socket|network|timed? ?out|ECONN|ENOTFOUND|EPIPE|fetch failed/i, 'connection'],
	[/unauthori[sz]ed|forbidden|api key|authenticat/i, 'authentication_failed'],
	[/server error|bad gateway|unavailable|internal error|\b50\d\b/i, 'server_error'],
];

/** The agent's own: its request was too long or wrong, or its answer. */
const OWN_ERRORS: ReadonlySet<string> = new Set([
	'ContextOverflowError',
	'MessageOutputLengthError',
	'StructuredOutputError',
]);
const OWN_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/** Of `session.error`: `{name, data: {message, statusCode, responseBody}}`. */
export function sessionErrorOf(told: unknown): ModelError {
	const name = textField(told, 'name') ?? 'unknown';
	const data = field(told, 'data');
	const message = textField(data, 'message') ?? name;
	const code = field(data, 'statusCode');
	const status = typeof code === 'number' && Number.isInteger(code) ? code : null;
	const isOwn = OWN_ERRORS.has(name) || (status !== null && OWN_STATUSES.has(status));
	if (isOwn) return { error: name, blame: 'agent', message, status };
	if (name === 'ProviderAuthError')
		return { error: 'authentication_failed', blame: 'provider', message, status };
	const words = `${message} ${textField(data, 'responseBody') ?? ''}`;
	const error = (status === null ? null : byStatus(status, words)) ?? byWords(words) ?? name;
	return { error, blame: 'provider', message, status };
}

/** Of `session.status`: `{type: "retry", attempt, message, next}`. */
export function retryErrorOf(told: unknown): ModelError {
	const message = textField(told, 'message') ?? '';
	return { error: byWords(message) ?? 'unknown', blame: 'provider', message, status: null };
}

function byStatus(status: number, words: string): string | null {
	switch (status) {
		case 401:
		case 403:
			return 'authentication_failed';
		case 402:
			return 'billing_error';
		case 429:
			return byWords(words) === 'billing_error' ? 'billing_error' : 'rate_limit';
		case 529:
			return 'overloaded';
		default:
			return status >= 500 ? 'server_error' : null;
	}
}

function byWords(words: string): string | null {
	return WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}
