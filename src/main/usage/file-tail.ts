/** Reads what was appended to a file since the last look, in bounded memory, and can go on after a restart. */
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';

const LINE_FEED = 10;
/** Read at once, and so the longest stretch for which the event loop is held: a few milliseconds of work. */
const CHUNK_BYTES = 512 * 1024;
/** Bytes before the offset that must still be there: they tell an append from a file written anew. */
const ANCHOR_BYTES = 64;
/** A line is gathered in memory before it is handed on. */
const LONGEST_LINE = 32 * 1024 * 1024;

/** How far a file was read: small plain JSON. */
export interface TailPosition {
	/** Start of the first line that was not handed on, bytes. */
	readonly offset: number;
	/** Inside a line that is too long: everything up to its line feed is dropped. */
	readonly skipping: boolean;
	/** The bytes before the offset, base64. */
	readonly anchor: string;
	/** Identity of the file; 64-bit numbers as text. */
	readonly inode: string;
	/** Size and time of the last change at the last look; `null`: it was not read to its end. */
	readonly seen: { readonly size: number; readonly changedNs: string } | null;
}

const START: TailPosition = { offset: 0, skipping: false, anchor: '', inode: '', seen: null };

export interface TailOptions {
	/** `document`: the whole file is one line, read from its start whenever it changed. */
	readonly mode?: 'lines' | 'document';
	/** Longer lines are skipped and counted, bytes. */
	readonly longestLine?: number;
	readonly position?: TailPosition;
}

export interface TailListener {
	/**
	 * There is something to read in the file that `stats` tell of. `isAgain`: from the start, and it was read before (it
	 * was cut short, replaced or written anew).
	 */
	begin(isAgain: boolean, stats: BigIntStats): Promise<void> | void;
	/** Without its line feed; the buffer is only valid during the call. */
	line(line: Buffer): void;
	/** That many bytes were read, and their lines were handed on; the position holds. False ends this look. */
	chunk(bytes: number): boolean;
}

export interface TailOutcome {
	readonly found: boolean;
	/** Lines that were skipped for their length. */
	readonly overlong: number;
}

/**
 * Follows one file by byte offset. Only the byte 0x0A ends a line (U+2028 and a lone CR do not). A last line without
 * its line feed is left for the next look. One look at a time.
 */
export class FileTail {
	readonly path: string;
	readonly #mode: 'lines' | 'document';
	readonly #longestLine: number;
	#offset: number;
	#skipping: boolean;
	#anchor: Buffer;
	#inode: string;
	#seen: TailPosition['seen'];

	constructor(path: string, options: TailOptions = {}) {
		this.path = path;
		this.#mode = options.mode ?? 'lines';
		this.#longestLine = options.longestLine ?? LONGEST_LINE;
		const position = options.position ?? START;
		this.#offset = position.offset;
		this.#skipping = position.skipping;
		this.#anchor = Buffer.from(position.anchor, 'base64');
		this.#inode = position.inode;
		this.#seen = position.seen;
	}

	get position(): TailPosition {
		const anchor = this.#anchor.toString('base64');
		return { offset: this.#offset, skipping: this.#skipping, anchor, inode: this.#inode, seen: this.#seen };
	}

	/** The file as it was when it was last read to its end. */
	isAsSeen(stats: Pick<BigIntStats, 'size' | 'mtimeNs' | 'ino'>): boolean {
		const seen = this.#seen;
		return (
			seen !== null &&
			seen.size === Number(stats.size) &&
			seen.changedNs === String(stats.mtimeNs) &&
			this.#inode === String(stats.ino)
		);
	}

	/** Bytes that are still to be read of a file of that size. */
	missing(size: number): number {
		return this.#mode === 'document' ? size : size < this.#offset ? size : size - this.#offset;
	}

	/** Hands on what is new. A missing file is not an error; other file system errors are thrown. */
	async poll(listener: TailListener): Promise<TailOutcome> {
		const before = await unlessMissing(stat(this.path, { bigint: true }));
		if (!before) return { found: false, overlong: 0 };
		if (this.isAsSeen(before)) return { found: true, overlong: 0 };
		// Non-blocking, so that a named pipe in the file's place cannot hold the floor up.
		const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
		const file = await unlessMissing(open(this.path, flags));
		if (!file) return { found: false, overlong: 0 };
		try {
			const now = await file.stat({ bigint: true });
			if (!now.isFile()) throw new Error(`${this.path} is not a file`);
			await listener.begin(await this.#rewindIfReplaced(file, now), now);
			const size = Number(now.size);
			const read = this.#mode === 'document' ? this.#readWhole : this.#readLines;
			const { overlong, isDone } = await read.call(this, file, size, listener);
			if (isDone) this.#seen = { size, changedNs: String(now.mtimeNs) };
			return { found: true, overlong };
		} finally {
			await file.close();
		}
	}

	/** True when it was read before and is read from its start now. */
	async #rewindIfReplaced(file: FileHandle, now: BigIntStats): Promise<boolean> {
		const inode = String(now.ino);
		const wasRead = this.#offset > 0;
		const start = this.#offset - this.#anchor.length;
		// A file that is shorter now has no such bytes there.
		const replaced =
			this.#mode === 'document' ||
			(this.#inode !== '' && this.#inode !== inode) ||
			!this.#anchor.equals(await readBytes(file, start, this.#anchor.length));
		this.#inode = inode;
		this.#seen = null;
		if (!replaced || !wasRead) return false;
		this.#offset = 0;
		this.#skipping = false;
		this.#anchor = Buffer.alloc(0);
		return true;
	}

	/** Reads up to `end`, which was the size when the look began: a fast writer cannot keep it here for ever. */
	async #readLines(file: FileHandle, end: number, listener: TailListener): Promise<ReadOutcome> {
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
				else listener.line(pieces.length === 0 ? last : Buffer.concat([...pieces, last]));
				pieces = [];
				pieceBytes = 0;
				from = to + 1;
			}
			if (from > 0) this.#reached(position + from, bytes.subarray(0, from));
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
			if (this.#skipping) this.#reached(position, bytes);
			if (!listener.chunk(bytesRead)) return { overlong, isDone: false };
		}
		return { overlong, isDone: true };
	}

	async #readWhole(file: FileHandle, size: number, listener: TailListener): Promise<ReadOutcome> {
		const isOverlong = size > this.#longestLine;
		const whole = isOverlong ? Buffer.alloc(0) : await readBytes(file, 0, size);
		if (!isOverlong) listener.line(whole);
		this.#reached(size, whole);
		listener.chunk(whole.length);
		return { overlong: isOverlong ? 1 : 0, isDone: true };
	}

	#reached(offset: number, before: Buffer): void {
		this.#offset = offset;
		this.#anchor = Buffer.from(before.subarray(-ANCHOR_BYTES));
	}
}

interface ReadOutcome {
	readonly overlong: number;
	readonly isDone: boolean;
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
	const bytes = Buffer.alloc(length);
	let filled = 0;
	while (filled < length) {
		const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled);
		if (bytesRead === 0) break;
		filled += bytesRead;
	}
	return bytes.subarray(0, filled);
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
