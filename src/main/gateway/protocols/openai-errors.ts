/** Errors of the two OpenAI protocols. Source: platform.openai.com/docs/guides/error-codes. */
import type { InBandError, JsonObject, ProtocolError } from '../protocol.ts';
import { errorWords } from './error-body.ts';

interface ErrorNames {
	readonly type: string;
	readonly code: string;
	readonly status: number;
}

const names: Readonly<Record<ProtocolError['kind'], ErrorNames>> = {
	overloaded: { type: 'server_error', code: 'server_is_overloaded', status: 503 },
	unavailable: { type: 'server_error', code: 'server_error', status: 503 },
	'rate-limited': { type: 'requests', code: 'rate_limit_exceeded', status: 429 },
	refused: { type: 'invalid_request_error', code: 'invalid_prompt', status: 400 },
	'not-found': { type: 'invalid_request_error', code: 'not_found', status: 404 },
	invalid: { type: 'invalid_request_error', code: 'invalid_request', status: 400 },
	internal: { type: 'server_error', code: 'server_error', status: 500 },
};

const statusOfWord: ReadonlyMap<string, number> = new Map([
	['invalid_request_error', 400],
	['invalid_prompt', 400],
	['context_length_exceeded', 400],
	['invalid_api_key', 401],
	['authentication_error', 401],
	['permission_error', 403],
	['model_not_found', 404],
	['not_found_error', 404],
	['rate_limit_exceeded', 429],
	['rate_limit_error', 429],
	['rate_limit_reached', 429],
	['usage_limit_reached', 429],
	['insufficient_quota', 429],
	['credit_balance_exhausted', 429],
	['slow_down', 503],
	['server_is_overloaded', 503],
	['overloaded_error', 529],
	['server_error', 500],
	['api_error', 500],
]);

export function errorStatus(kind: ProtocolError['kind']): number {
	return names[kind].status;
}

/** The code of an error of ours, as it stands inside a stream. */
export function errorCode(kind: ProtocolError['kind']): string {
	return names[kind].code;
}

export function errorBody(error: ProtocolError): JsonObject {
	const { type, code } = names[error.kind];
	return { error: { message: error.message, type, param: null, code } };
}

/** `envelope`: an object with an `error` in it; `null` when the event is not JSON. */
export function inBandError(envelope: JsonObject | null, bytes: Uint8Array, raw: string): InBandError {
	const words = envelope === null ? null : errorWords(envelope, 'error');
	const type = words?.type ?? 'error';
	const told = /^http_(\d{3})$/.exec(type)?.[1];
	return {
		type,
		status: told === undefined ? (statusOfWord.get(type) ?? null) : Number(told),
		message: words?.message ?? raw.slice(0, 500).toWellFormed(),
		bytes,
	};
}
