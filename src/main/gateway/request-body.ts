/** A request's body, read for what it asks. The bytes themselves go on as they came. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import type { JsonObject } from './protocol.ts';

/** Also the bound of what a compressed body may grow to, bytes. */
export const BODY_LIMIT = 256 * 1_048_576;

const bound = { maxOutputLength: BODY_LIMIT };
const decoders: Readonly<Record<string, (bytes: Uint8Array) => Promise<Buffer>>> = {
	gzip: (bytes) => promisify(gunzip)(bytes, bound),
	'x-gzip': (bytes) => promisify(gunzip)(bytes, bound),
	deflate: (bytes) => promisify(inflate)(bytes, bound),
	br: (bytes) => promisify(brotliDecompress)(bytes, bound),
	zstd: (bytes) => promisify(zstdDecompress)(bytes, bound),
};

/** `null`: no JSON object, or an encoding that is not known here; the provider may still read it. */
export async function readBody(bytes: Buffer, encoding: string | null): Promise<JsonObject | null> {
	const plain = await decoded(bytes, encoding?.trim().toLowerCase() ?? '');
	return plain === null ? null : parseJson(plain);
}

async function decoded(bytes: Buffer, encoding: string): Promise<Buffer | null> {
	if (encoding === '' || encoding === 'identity') return bytes;
	const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
	try {
		return (await decode?.(bytes)) ?? null;
	} catch {
		// Broken or too large: the provider says so in its own words.
		return null;
	}
}

/** `null`: not a JSON object. */
export function parseJson(bytes: Uint8Array): JsonObject | null {
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null && !Array.isArray(value)
			? (value as JsonObject)
			: null;
	} catch {
		// What is wrong with it is for its reader to say.
		return null;
	}
}
