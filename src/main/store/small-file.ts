/**
 * Reading a small file that others made: a pipe would never end, a device must not even be opened, and a huge file must
 * not become memory.
 */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { StoreError, storeErrorFrom, systemCodeOf } from './store-error.ts';

export interface SmallFileOptions {
	/** What is longer is cut one byte behind this: its reader sees that it is too long. */
	readonly largestBytes: number;
	/** What it costs when the file cannot be read: a sentence for people. */
	readonly meaning: string;
}

/** How long the disk may take, ms. */
const DEADLINE_MS = 5_000;
const CHUNK_BYTES = 65_536;

/** `null`: there is no such file. Rejects with a `StoreError`: it is no regular file, or the system refuses. */
export async function readSmallFile(file: string, options: SmallFileOptions): Promise<Uint8Array | null> {
	const { meaning } = options;
	const late = Promise.withResolvers<never>();
	const timer = setTimeout(() => late.reject(silent(file, meaning)), DEADLINE_MS);
	try {
		return await Promise.race([read(file, options), late.promise]);
	} catch (error) {
		if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(error))) return null;
		if (error instanceof StoreError) throw error;
		const { code, message } = storeErrorFrom(error, `read ${file}`, meaning);
		throw new StoreError(
			{ code, message: `${message}.`, meaning, remedy: 'Make it readable for you.' },
			error,
		);
	} finally {
		clearTimeout(timer);
	}
}

async function read(file: string, { largestBytes, meaning }: SmallFileOptions): Promise<Uint8Array> {
	mustBeRegular(file, await stat(file), meaning);
	// Should a pipe have taken its place by now, opening it must not wait for a writer. Windows has no such flag.
	const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
	try {
		mustBeRegular(file, await handle.stat(), meaning);
		return await start(handle, largestBytes + 1);
	} finally {
		await handle.close();
	}
}

/** The file's first bytes, at most so many. */
async function start(handle: FileHandle, most: number): Promise<Uint8Array> {
	const chunks: Buffer[] = [];
	for (let rest = most; rest > 0; ) {
		const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(Math.min(rest, CHUNK_BYTES)));
		if (bytesRead === 0) break;
		chunks.push(buffer.subarray(0, bytesRead));
		rest -= bytesRead;
	}
	return Buffer.concat(chunks);
}

function mustBeRegular(file: string, stats: Stats, meaning: string): void {
	if (stats.isFile()) return;
	throw new StoreError({
		code: 'not-writable',
		message: `Could not read ${file}: ${kindOf(stats)} stands in its place.`,
		meaning,
		remedy: 'Move away what stands there.',
	});
}

function kindOf(stats: Stats): string {
	if (stats.isDirectory()) return 'a directory';
	if (stats.isFIFO()) return 'a pipe';
	return stats.isSocket() ? 'a socket' : 'a device';
}

function silent(file: string, meaning: string): StoreError {
	return new StoreError({
		code: 'failed',
		message: `Could not read ${file}: its disk has not answered for ${DEADLINE_MS / 1_000} s.`,
		meaning,
		remedy: 'Look at the disk or network drive on which it lies.',
	});
}
