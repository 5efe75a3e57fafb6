/** Reads the lines that were appended to a file since the last look, in bounded memory. */
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';

const LINE_FEED = 10;
const CHUNK_BYTES = 128 * 1024;
/** Bytes before the offset that must still be there: they tell an append from a file written anew. */
const ANCHOR_BYTES = 64;

export interface TailOptions {
	/** Lines longer than this are skipped and counted, bytes. */
	readonly longestLine?: number;
	/** Called after each chunk, before the loop is given back. */
	readonly onChunk?: () => void;
}

export interface TailOutcome {
	readonly found: boolean;
	/** The file was cut short or replaced, and was read again from its start. */
	readonly restarted: boolean;
	/** Lines that were skipped for their length. */
	readonly overlong: number;
}

/**
 * Follows one file by byte offset. Only the byte 0x0A ends a line (U+2028 and a lone CR do not). A last line without
 * its line feed is left for the next poll. One poll at a time.
 */
export class LineTail {
	readonly path: string;
	readonly #longestLine: number;
	readonly #onChunk: () => void;
	/** Start of the first line that was not handed on. */
	#offset = 0;
	/** Inside a line that is too long: everything up to its line feed is dropped. */
	#skipping = false;
	#anchor: Buffer = Buffer.alloc(0);
	#seen: BigIntStats | null = null;

	constructor(path: string, options: TailOptions = {}) {
		this.path = path;
		this.#longestLine = options.longestLine ?? 32 * 1024 * 1024;
		this.#onChunk = options.onChunk ?? (() => {});
	}

	/**
	 * Hands every complete new line to `onLine`, without its line feed; the buffer is only valid during the call. A
	 * missing file is not an error; other file system errors are thrown.
	 */
	async poll(onLine: (line: Buffer) => void): Promise<TailOutcome> {
		const nothing = { found: true, restarted: false, overlong: 0 };
		const before = await statOf(this.path);
		if (!before) return { ...nothing, found: false };
		if (this.#seen && sameFile(before, this.#seen)) return nothing;
		// Non-blocking, so that a named pipe in the file's place cannot hold the floor up.
		const file = await openOf(this.path);
		if (!file) return { ...nothing, found: false };
		try {
			const now = await file.stat({ bigint: true });
			if (!now.isFile()) throw new Error(`${this.path} is not a file`);
			const restarted = await this.#rewindIfReplaced(file, now);
			const overlong = await this.#read(file, Number(now.size), onLine);
			this.#seen = now;
			return { found: true, restarted, overlong };
		} finally {
			await file.close();
		}
	}

	async #rewindIfReplaced(file: FileHandle, now: BigIntStats): Promise<boolean> {
		const start = this.#offset - this.#anchor.length;
		// A file that is shorter now has no such bytes there.
		const replaced =
			(this.#seen !== null && this.#seen.ino !== now.ino) ||
			!this.#anchor.equals(await readBytes(file, start, this.#anchor.length));
		if (!replaced || this.#offset === 0) return false;
		this.#offset = 0;
		this.#skipping = false;
		this.#anchor = Buffer.alloc(0);
		return true;
	}

	/** Reads up to `end`, which was the size when the poll began: a fast writer cannot keep it here for ever. */
	async #read(file: FileHandle, end: number, onLine: (line: Buffer) => void): Promise<number> {
		let position = this.#offset;
		const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK_BYTES, end - position)));
		/** Earlier chunks of a line that crosses a chunk's edge. */
		let pieces: Buffer[] = [];
		let pieceBytes = 0;
		let overlong = 0;
		while (position < end) {
			const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, end - position), position);
			if (bytesRead === 0) break;
			const bytes = chunk.subarray(0, bytesRead);
			let from = 0;
			for (let to = bytes.indexOf(LINE_FEED); to !== -1; to = bytes.indexOf(LINE_FEED, from)) {
				const last = bytes.subarray(from, to);
				if (this.#skipping) this.#skipping = false;
				else if (pieceBytes + last.length > this.#longestLine) overlong += 1;
				else onLine(pieces.length === 0 ? last : Buffer.concat([...pieces, last]));
				pieces = [];
				pieceBytes = 0;
				from = to + 1;
				this.#offset = position + from;
			}
			position += bytesRead;
			if (!this.#skipping && from < bytesRead) {
				// Copied: the chunk's memory is used again.
				pieces.push(Buffer.from(bytes.subarray(from)));
				pieceBytes += bytesRead - from;
			}
			if (pieceBytes > this.#longestLine) {
				overlong += 1;
				this.#skipping = true;
				pieces = [];
				pieceBytes = 0;
			}
			if (this.#skipping) this.#offset = position;
			this.#onChunk();
		}
		const anchorLength = Math.min(ANCHOR_BYTES, this.#offset);
		this.#anchor = await readBytes(file, this.#offset - anchorLength, anchorLength);
		return overlong;
	}
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
	if (length === 0) return Buffer.alloc(0);
	const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
	return buffer.subarray(0, bytesRead);
}

function sameFile(a: BigIntStats, b: BigIntStats): boolean {
	return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ino === b.ino;
}

async function statOf(path: string): Promise<BigIntStats | null> {
	return unlessMissing(stat(path, { bigint: true }));
}

async function openOf(path: string): Promise<FileHandle | null> {
	return unlessMissing(open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
}

/** `null` when there is no such file. */
async function unlessMissing<T>(looked: Promise<T>): Promise<T | null> {
	try {
		return await looked;
	} catch (error) {
		if (isMissing(error)) return null;
		throw error;
	}
}

/** True for the errors that say "there is no such file". */
export function isMissing(error: unknown): boolean {
	return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
