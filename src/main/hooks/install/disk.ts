/** The few file operations of the installer, so that a test can let each of them fail. */
import { constants } from 'node:fs';
import * as files from 'node:fs/promises';

export interface FileFacts {
	readonly directory: boolean;
	/** Permission bits only. */
	readonly mode: number;
	readonly uid: number;
	readonly gid: number;
	/** Milliseconds since the epoch. */
	readonly modifiedAt: number;
}

export interface OpenFile {
	write(bytes: Uint8Array): Promise<void>;
	chmod(mode: number): Promise<void>;
	chown(uid: number, gid: number): Promise<void>;
	/** Returns when the bytes are on the disk. */
	sync(): Promise<void>;
	close(): Promise<void>;
}

/** All methods reject with Node's `ErrnoException`. */
export interface Disk {
	read(file: string): Promise<Uint8Array>;
	/** Facts of what the path leads to, links followed. */
	facts(file: string): Promise<FileFacts>;
	/** What the link says; rejects with EINVAL when the path is not a link. */
	readLink(file: string): Promise<string>;
	checkWritable(path: string): Promise<void>;
	names(directory: string): Promise<string[]>;
	makeDirectory(directory: string): Promise<void>;
	removeDirectory(directory: string): Promise<void>;
	/** A new file of mode 0600; rejects with EEXIST. */
	create(file: string): Promise<OpenFile>;
	rename(from: string, to: string): Promise<void>;
	remove(file: string): Promise<void>;
	/** Makes a rename in this directory last through a power cut. */
	syncDirectory(directory: string): Promise<void>;
}

export const nodeDisk: Disk = {
	read: (file) => files.readFile(file),
	facts: async (file) => {
		const stats = await files.stat(file);
		return {
			directory: stats.isDirectory(),
			mode: stats.mode & 0o7777,
			uid: stats.uid,
			gid: stats.gid,
			modifiedAt: stats.mtimeMs,
		};
	},
	readLink: (file) => files.readlink(file),
	checkWritable: (path) => files.access(path, constants.W_OK),
	names: (directory) => files.readdir(directory),
	makeDirectory: async (directory) => {
		await files.mkdir(directory, { mode: 0o700 });
	},
	removeDirectory: (directory) => files.rmdir(directory),
	create: async (file) => {
		const handle = await files.open(file, 'wx', 0o600);
		return {
			write: (bytes) => handle.writeFile(bytes),
			chmod: (mode) => handle.chmod(mode),
			chown: (uid, gid) => handle.chown(uid, gid),
			sync: () => handle.sync(),
			close: () => handle.close(),
		};
	},
	rename: (from, to) => files.rename(from, to),
	remove: (file) => files.unlink(file),
	syncDirectory: async (directory) => {
		// Windows cannot open a directory; its renames are journalled.
		if (process.platform === 'win32') return;
		const handle = await files.open(directory, 'r');
		try {
			await handle.sync();
		} catch (error) {
			// Some network file systems cannot do this for a directory.
			if (!['EINVAL', 'ENOTSUP'].includes(errorCode(error) ?? '')) throw error;
		} finally {
			await handle.close();
		}
	},
};

/** The code of a failed file operation, such as ENOENT; `undefined` for any other error. */
export function errorCode(error: unknown): string | undefined {
	return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** `undefined` where there is no such file. */
export async function ifThere<T>(operation: Promise<T>): Promise<T | undefined> {
	try {
		return await operation;
	} catch (error) {
		if (errorCode(error) === 'ENOENT') return undefined;
		throw error;
	}
}
