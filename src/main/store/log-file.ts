/** A file that is only appended to, where "written" means that a power cut leaves it there. Bytes; no lines. */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setAside } from './set-aside.ts';
import { systemCodeOf } from './store-error.ts';

/** The part of `node:fs/promises` where a disk refuses. */
export interface DiskCalls {
	readonly open: (file: string, flags: string | number, mode: number) => Promise<FileHandle>;
	readonly rename: (from: string, to: string) => Promise<void>;
}

export const realDisk: DiskCalls = { open, rename };

const RENAME_PAUSES_MS = [20, 100, 500];

class NotAFile extends Error {
	readonly code = 'EISDIR';

	constructor(file: string) {
		super(`${file} is no regular file`);
	}
}

/** What a file was like when we last looked at it or wrote it. */
interface Left {
	readonly dev: number;
	readonly ino: number;
	readonly size: number;
}

/** One caller at a time: nothing here waits for an earlier call. Methods reject with the file system's error. */
export class LogFile {
	readonly #file: string;
	readonly #disk: DiskCalls;
	#handle: FileHandle | null = null;
	/** `null`: it was not there. */
	#left: Left | null = null;
	#isDoubtful = false;

	constructor(file: string, disk: DiskCalls) {
		this.#file = file;
		this.#disk = disk;
	}

	/** Bytes. */
	get size(): number {
		return this.#left?.size ?? 0;
	}

	/** Something was refused half-way: the file has to be replaced before anything is added. */
	get isDoubtful(): boolean {
		return this.#isDoubtful;
	}

	/** What stands in it must not stay. */
	distrust(): void {
		this.#isDoubtful = true;
	}

	get isOpen(): boolean {
		return this.#handle !== null;
	}

	/** All of it; empty when it is not there. Changes nothing. */
	async read(): Promise<Buffer> {
		try {
			// A device or a pipe may never end, and a pipe may not even open.
			if (!(await stat(this.#file)).isFile()) throw new NotAFile(this.#file);
			const handle = await open(this.#file, 'r');
			try {
				const { dev, ino } = await handle.stat();
				const bytes = await readFile(handle);
				this.#left = { dev, ino, size: bytes.length };
				return bytes;
			} finally {
				await handle.close();
			}
		} catch (error) {
			if (systemCodeOf(error) !== 'ENOENT') throw error;
			this.#left = null;
			return Buffer.alloc(0);
		}
	}

	/**
	 * Looks whether another hand has changed the file since. If so it is kept under a dated name, and ours has to be
	 * written anew. Resolves with what was done, in words; `null` when nothing was.
	 */
	async findStranger(now: number): Promise<string | null> {
		// What a refused write left there is ours.
		if (this.#isDoubtful) return null;
		const there = await statIfThere(this.#file);
		const left = this.#left;
		if (there === null && left === null) return null;
		if (there?.ino === left?.ino && there?.dev === left?.dev && there?.size === left?.size) return null;
		await this.close();
		this.#isDoubtful = true;
		if (there === null)
			return `${this.#file} was removed by another program and was written anew from memory.`;
		const aside = setAside(this.#file, [], now);
		this.#left = null;
		return `${this.#file} was changed by another program. That file is kept as ${aside}; ours was written anew from memory.`;
	}

	/** Makes it ready for `append`: cut to `size` bytes, with `ending` behind them. */
	async open(size: number, ending: string): Promise<void> {
		const handle = await this.#disk.open(this.#file, constants.O_RDWR | constants.O_CREAT, 0o600);
		try {
			// A copied or restored file may have lost its mode.
			await handle.chmod(0o600);
			await handle.truncate(size);
			await writeWhole(handle, Buffer.from(ending), size);
			await handle.sync();
			// Its name as well: a file that falls out of its directory is as lost as its lines.
			await syncDirectory(dirname(this.#file));
			await syncDirectory(dirname(dirname(this.#file)));
			await this.#adopt(handle, size + Buffer.byteLength(ending));
		} catch (error) {
			this.#isDoubtful = true;
			await handle.close();
			throw error;
		}
	}

	async makeDirectory(): Promise<void> {
		await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
	}

	/** Resolves when the bytes are on the disk. When it rejects they are taken back, and the file is doubtful. */
	async append(bytes: Buffer): Promise<void> {
		const handle = this.#handle;
		const left = this.#left;
		if (!handle || !left) throw new Error('the file is not open');
		try {
			await writeWhole(handle, bytes, left.size);
			await handle.sync();
		} catch (error) {
			// After a flush that failed the system may have given the pages up: only a new file is to be trusted.
			this.#isDoubtful = true;
			await takeBack(handle, left.size, error);
			throw error;
		}
		this.#left = { ...left, size: left.size + bytes.length };
	}

	/** Puts another content in its place, all at once. When it rejects the file is the old one or the new one. */
	async replace(bytes: Buffer): Promise<void> {
		const fresh = `${this.#file}.new`;
		try {
			const handle = await this.#disk.open(fresh, 'w', 0o600);
			try {
				await handle.chmod(0o600);
				await writeWhole(handle, bytes, 0);
				await handle.sync();
			} finally {
				await handle.close();
			}
			// Windows does not replace a file that is open.
			await this.close();
			await this.#rename(fresh);
		} catch (error) {
			await removeIfThere(fresh);
			throw error;
		}
		// Until the new name is on the disk a power cut may bring the old file back.
		this.#isDoubtful = true;
		const handle = await this.#disk.open(this.#file, constants.O_RDWR, 0o600);
		try {
			await this.#adopt(handle, bytes.length);
			await syncDirectory(dirname(this.#file));
		} catch (error) {
			await this.close();
			throw error;
		}
		this.#isDoubtful = false;
	}

	async close(): Promise<void> {
		const handle = this.#handle;
		this.#handle = null;
		await handle?.close();
	}

	async #adopt(handle: FileHandle, size: number): Promise<void> {
		const { dev, ino } = await handle.stat();
		this.#handle = handle;
		this.#left = { dev, ino, size };
	}

	async #rename(fresh: string): Promise<void> {
		for (const pause of RENAME_PAUSES_MS) {
			try {
				return await this.#disk.rename(fresh, this.#file);
			} catch (error) {
				// A virus scanner or an indexer may have it open for a moment.
				if (!/^(EPERM|EACCES|EBUSY)$/.test(systemCodeOf(error))) throw error;
				await sleep(pause);
			}
		}
		await this.#disk.rename(fresh, this.#file);
	}
}

/** Writes every byte: a write may take fewer than it was given. */
async function writeWhole(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
	let done = 0;
	while (done < bytes.length) {
		const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done);
		if (bytesWritten === 0) throw new Error('the disk took nothing');
		done += bytesWritten;
	}
}

/** Cuts off what was refused. When that is refused as well, `error` says so: the line may be seen again after a crash. */
async function takeBack(handle: FileHandle, size: number, error: unknown): Promise<void> {
	try {
		await handle.truncate(size);
		await handle.sync();
	} catch (again) {
		const why = again instanceof Error ? again.message : String(again);
		if (error instanceof Error) error.message += `, nor could it be taken back (${why})`;
	}
}

async function statIfThere(file: string): Promise<Left | null> {
	try {
		return await stat(file);
	} catch (error) {
		if (systemCodeOf(error) === 'ENOENT') return null;
		throw error;
	}
}

async function removeIfThere(file: string): Promise<void> {
	try {
		await unlink(file);
	} catch (error) {
		if (systemCodeOf(error) !== 'ENOENT') throw error;
	}
}

/** Not every system lets one flush a directory; those that do not, need none. */
async function syncDirectory(directory: string): Promise<void> {
	try {
		const handle = await open(directory, 'r');
		try {
			await handle.sync();
		} finally {
			await handle.close();
		}
	} catch (error) {
		if (!/^(EPERM|EISDIR|EINVAL|ENOTSUP|EACCES|EBADF)$/.test(systemCodeOf(error))) throw error;
	}
}
