/** Errors of the Messages protocol. Source: docs.claude.com/en/api/errors. */
import type { InBandError, JsonObject, ProtocolError } from '../../protocol.ts';
import { encodeFrame } from '../../sse/frame.ts';
import { errorWords } from '../error-body.ts';

const typeOfKind: Readonly<Record<ProtocolError['kind'], string>> = {
	overloaded: 'overloaded_error',
	unavailable: 'api_error',
	'rate-limited': 'rate_limit_error',
	refused: 'invalid_request_error',
	'not-found': 'not_found_error',
	invalid: 'invalid_request_error',
	internal: 'api_error',
};

const statusOfKind: Readonly<Record<ProtocolError['kind'], number>> = {
	overloaded: 529,
	unavailable: 503,
	'rate-limited': 429,
	// Claude Code 2.1.332 takes a 400 for a feature that the gateway lacks and asks again five times with fewer of them;
	// a 409 ends the turn with one request, in 2.1.197 too (both measured).
	refused: 409,
	'not-found': 404,
	invalid: 400,
	internal: 500,
};

const statusOfType: ReadonlyMap<string, number> = new Map([
	['invalid_request_error', 400],
	['authentication_error', 401],
	['billing_error', 402],
	['permission_error', 403],
	['not_found_error', 404],
	['request_too_large', 413],
	['rate_limit_error', 429],
	['enforced_spend_limit_reached', 429],
	['api_error', 500],
	['timeout_error', 504],
	['overloaded_error', 529],
]);

export function errorStatus(kind: ProtocolError['kind']): number {
	return statusOfKind[kind];
}

export function errorBody(error: ProtocolError): JsonObject {
	return { type: 'error', error: { type: typeOfKind[error.kind], message: error.message } };
}

export function errorEvent(error: ProtocolError): Uint8Array {
	return encodeFrame('error', errorBody(error));
}

/** `event`: the parsed error event or envelope, `null` when it is not JSON. */
export function inBandError(event: JsonObject | null, bytes: Uint8Array, raw: string): InBandError {
	const words = event === null ? null : errorWords(event, 'error');
	const type = words?.type ?? 'error';
	return {
		type,
		status: statusOfType.get(type) ?? null,
		message: words?.message ?? raw.slice(0, 500).toWellFormed(),
		bytes,
	};
}
