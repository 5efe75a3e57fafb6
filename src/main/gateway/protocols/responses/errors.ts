/** Errors inside a Responses stream. Source: platform.openai.com/docs/api-reference/responses-streaming. */
import type { InBandError, JsonObject, ProtocolError } from '../../protocol.ts';
import { encodeFrame } from '../../sse/frame.ts';
import { objectOf } from '../json-fields.ts';
import { errorCode, inBandError } from '../openai-errors.ts';

/**
 * `response.failed`, not `error`: Codex reads its message and its code (`invalid_prompt` is not asked again,
 * `server_error` is) and knows no `error` event. Without sequence number: the stream's own is not known here.
 */
export function failedEvent(error: ProtocolError): Uint8Array {
	return encodeFrame('response.failed', {
		type: 'response.failed',
		response: {
			id: 'resp_failed',
			object: 'response',
			created_at: 0,
			status: 'failed',
			error: { code: errorCode(error.kind), message: error.message },
			incomplete_details: null,
			output: [],
			usage: null,
		},
	});
}

/** Reads `response.failed`, `error` in its flat and in its nested form, and the plain envelope of local servers. */
export function streamError(event: JsonObject | null, bytes: Uint8Array, raw: string): InBandError {
	if (event === null) return inBandError(null, bytes, raw);
	const response = objectOf(event.response);
	if (response !== null) return inBandError(response, bytes, 'The response failed.');
	if (event.error !== undefined && event.error !== null) return inBandError(event, bytes, raw);
	return inBandError({ error: { ...event, type: 'error' } }, bytes, raw);
}
