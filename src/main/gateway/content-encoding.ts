/** Bodies that came compressed, read. */
import { promisify } from 'node:util';
import {
	brotliDecompress,
	brotliDecompressSync,
	gunzip,
	gunzipSync,
	inflate,
	inflateSync,
	zstdDecompress,
	zstdDecompressSync,
} from 'node:zlib';

interface Coding {
	readonly later: (bytes: Uint8Array, bound: { readonly maxOutputLength: number }) => Promise<Buffer>;
	readonly now: (bytes: Uint8Array, bound: { readonly maxOutputLength: number }) => Buffer;
}

const gzip: Coding = { later: promisify(gunzip), now: gunzipSync };
const codings: Readonly<Record<string, Coding>> = {
	gzip,
	'x-gzip': gzip,
	deflate: { later: promisify(inflate), now: inflateSync },
	br: { later: promisify(brotliDecompress), now: brotliDecompressSync },
	zstd: { later: promisify(zstdDecompress), now: zstdDecompressSync },
};

/** Of what a small body may grow to, bytes: an error needs no more. */
const SMALL_LIMIT = 1_048_576;

/** True when a body under this `content-encoding` is not plain. */
export function isCompressed(encoding: string | null): boolean {
	return !['', 'identity'].includes(nameOf(encoding));
}

/** `limit`: what it may grow to, bytes. `null`: broken, larger than that, or a coding that is not known here. */
export async function decompressed(
	bytes: Buffer,
	encoding: string | null,
	limit: number,
): Promise<Buffer | null> {
	if (!isCompressed(encoding)) return bytes;
	try {
		return (await codingOf(encoding)?.later(bytes, { maxOutputLength: limit })) ?? null;
	} catch {
		// What is wrong with it is for its reader to say.
		return null;
	}
}

/** An error's body, which is small, at once. `null` as above. */
export function decompressedNow(bytes: Uint8Array, encoding: string | null): Uint8Array | null {
	if (!isCompressed(encoding)) return bytes;
	try {
		return codingOf(encoding)?.now(bytes, { maxOutputLength: SMALL_LIMIT }) ?? null;
	} catch {
		// As above.
		return null;
	}
}

function codingOf(encoding: string | null): Coding | null {
	const name = nameOf(encoding);
	return Object.hasOwn(codings, name) ? (codings[name] ?? null) : null;
}

function nameOf(encoding: string | null): string {
	return encoding?.trim().toLowerCase() ?? '';
}
