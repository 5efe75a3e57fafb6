/** A request's body, read for what it asks. The bytes themselves go on as they came. */
import { decompressed } from './content-encoding.ts';
import type { JsonObject } from './protocol.ts';

/** Also the bound of what a compressed body may grow to, bytes. */
export const BODY_LIMIT = 256 * 1_048_576;

/** Some programs put it before what they write as UTF-8; JSON does not know it. */
const BYTE_ORDER_MARK = 0xfeff;

export interface RequestBody {
	/** The very bytes that came. */
	readonly bytes: Buffer;
	/** The same, uncompressed. */
	readonly plain: Uint8Array;
	/** The same, read. */
	readonly json: JsonObject;
}

/** `null`: no JSON object, or an encoding that is not known here; the provider may still read it. */
export async function readBody(bytes: Buffer, encoding: string | null): Promise<RequestBody | null> {
	const plain = await decompressed(bytes, encoding, BODY_LIMIT);
	const json = plain === null ? null : parseJson(plain);
	return plain === null || json === null ? null : { bytes, plain, json };
}

/** `null`: not a JSON object. */
export function parseJson(bytes: Uint8Array): JsonObject | null {
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
	try {
		const value: unknown = JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
		return typeof value === 'object' && value !== null && !Array.isArray(value)
			? (value as JsonObject)
			: null;
	} catch {
		// What is wrong with it is for its reader to say.
		return null;
	}
}
