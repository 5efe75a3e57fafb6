/** A request's body, read for what it asks. The bytes themselves go on as they came. */
import { decompressed } from './content-encoding.ts';
import type { JsonObject } from './protocol.ts';

/** Also the bound of what a compressed body may grow to, bytes. */
export const BODY_LIMIT = 256 * 1_048_576;

/** Some programs put it before what they write as UTF-8; JSON does not know it. */
const BYTE_ORDER_MARK = 0xfeff;

/** `null`: no JSON object, or an encoding that is not known here; the provider may still read it. */
export async function readBody(bytes: Buffer, encoding: string | null): Promise<JsonObject | null> {
	const plain = await decompressed(bytes, encoding, BODY_LIMIT);
	return plain === null ? null : parseJson(plain);
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
