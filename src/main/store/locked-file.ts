/** One small file that any number of processes update: each update is alone, whole, and read back. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import writeFileAtomic from 'write-file-atomic';
import { type FileTarget, fileTarget } from './file-target.ts';
import { kernelLock } from './kernel-lock.ts';
import { sweep } from './left-behind.ts';
import { setAside } from './set-aside.ts';
import { type ShellLock, shellLock } from './shell-lock.ts';
import { readSmallFile } from './small-file.ts';
import { StoreError, storeErrorFrom, systemCodeOf } from './store-error.ts';

export interface LockedFileOptions {
	/** Where the locks of the system lie: not beside the file, which may be in somebody's repository. */
	readonly locksDirectory: string;
	/** Takes the lock that shell scripts know as well (`shell-lock.ts`). */
	readonly forScripts?: boolean;
	/** What it costs when the file cannot be updated: a sentence for people. */
	readonly meaning: string;
	/** Links are followed within this directory; default: the file's own. */
	readonly within?: string;
	/** What is longer is read up to one byte behind this, and the change must call it damaged; default 1 MiB. */
	readonly largestBytes?: number;
	/** How long others may keep the lock, ms. */
	readonly patienceMs?: number;
	/** How long a file may look half written before it is judged: scripts do not write at once. ms. */
	readonly tornPatienceMs?: number;
	/** Mode of a new file. */
	readonly mode?: number;
	/** ms since the epoch, for dated names and the age of locks. */
	readonly now?: () => number;
}

/** What an update makes of the bytes that are there. */
export type FileChange<R> =
	| { readonly kind: 'keep'; readonly result: R }
	| { readonly kind: 'write'; readonly bytes: Uint8Array; readonly result: R }
	/**
	 * Torn, or not what belongs there: it is set aside and the change is asked again, with `null`. Where the name is a
	 * link the update is refused instead: the file behind it may belong to somebody else.
	 */
	| { readonly kind: 'damaged'; readonly problem: string };

export interface FileUpdate<R> {
	readonly result: R;
	/** A damaged file that was set aside. `problem`: as the change said it. */
	readonly setAside: { readonly name: string; readonly problem: string } | null;
}

const PATIENCE_MS = 10_000;
const TORN_PATIENCE_MS = 1_000;
const RETRY_MS = 25;
const LARGEST_BYTES = 1_048_576;
/** Programs without a lock may write in between; not for ever. */
const TRIES = 20;

/** Updates of one file within this process wait in line instead of competing for its lock. */
const lines = new Map<string, Promise<unknown>>();

/**
 * Updates the file under its locks: reads it, asks `change` what becomes of it, replaces it at once, and reads it back.
 * `change` gets `null` when there is no file. It is asked again when a program that takes no lock wrote in between, or
 * when our lock was lost in a long sleep; it must not have effects of its own that cannot happen twice. Links are
 * followed within bounds, the file keeps its mode. Rejects with a `StoreError`; the file is whole then, as it was or as it became.
 */
export async function updateLockedFile<R>(
	file: string,
	options: LockedFileOptions,
	change: (bytes: Uint8Array | null) => FileChange<R>,
): Promise<FileUpdate<R>> {
	return withLockedFile(file, options, (held) => held.update(change));
}

/** The file while its locks are held. */
export interface HeldFile {
	update<R>(change: (bytes: Uint8Array | null) => FileChange<R>): Promise<FileUpdate<R>>;
}

/** Keeps the locks of the file for as long as `work` takes. Rejects with a `StoreError`, or with what `work` throws. */
export async function withLockedFile<T>(
	file: string,
	options: LockedFileOptions,
	work: (held: HeldFile) => Promise<T>,
): Promise<T> {
	const target = targetOf(file, options);
	const before = lines.get(target.path) ?? Promise.resolve();
	const result = before.then(() => holding(target, options, work));
	const settled = Promise.allSettled([result]);
	lines.set(target.path, settled);
	try {
		return await result;
	} finally {
		if (lines.get(target.path) === settled) lines.delete(target.path);
	}
}

async function holding<T>(
	target: FileTarget,
	options: LockedFileOptions,
	work: (held: HeldFile) => Promise<T>,
): Promise<T> {
	const { patienceMs = PATIENCE_MS } = options;
	const kernel = await kernelLock(lockFileOf(target.path, options), { patienceMs });
	try {
		sweep(target.path);
		return await work({ update: (change) => update(target, options, kernel.isWhole, change) });
	} finally {
		kernel.dispose();
	}
}

async function update<R>(
	target: FileTarget,
	options: LockedFileOptions,
	isLocked: () => boolean,
	change: (bytes: Uint8Array | null) => FileChange<R>,
): Promise<FileUpdate<R>> {
	const attempt = new Attempt(target, options, change);
	for (let tries = 0; tries < TRIES; tries += 1) {
		const lock = options.forScripts ? await scriptsLock(target.path, options) : null;
		try {
			const done = await attempt.make(lock);
			if (!isLocked()) throw lostLock(target.path, options);
			// A lock that was lost while we slept: whatever stands there now, the change may not be in it.
			if (done !== null && lock?.isOurs() !== false) return done;
		} finally {
			lock?.dispose();
		}
	}
	throw new StoreError({
		code: 'busy',
		message: `${target.path} was changed by other programs ${TRIES} times while it was being updated.`,
		meaning: options.meaning,
		remedy: 'End the program that writes to it all the time.',
	});
}

/** One update, which may take several tries: what was written or set aside in one is known to the next. */
class Attempt<R> {
	readonly #target: FileTarget;
	readonly #options: LockedFileOptions;
	readonly #change: (bytes: Uint8Array | null) => FileChange<R>;
	#setAside: FileUpdate<R>['setAside'] = null;
	#written: { readonly bytes: Uint8Array; readonly result: R } | null = null;

	constructor(
		target: FileTarget,
		options: LockedFileOptions,
		change: (bytes: Uint8Array | null) => FileChange<R>,
	) {
		this.#target = target;
		this.#options = options;
		this.#change = change;
	}

	/** `null` when another program came in between. */
	async make(lock: ShellLock | null): Promise<FileUpdate<R> | null> {
		const { bytes, wanted } = await this.#decide();
		if (wanted.kind === 'keep') return this.#done(wanted.result);
		if (!isEqual(await this.#read(), bytes) || lock?.isOurs() === false) return null;
		await replace(this.#target.path, wanted.bytes, this.#options);
		this.#written = wanted;
		return isEqual(await this.#read(), wanted.bytes) ? this.#done(wanted.result) : null;
	}

	/** `null`: no file. */
	#read(): Promise<Uint8Array | null> {
		const { meaning, largestBytes = LARGEST_BYTES } = this.#options;
		return readSmallFile(this.#target.path, { meaning, largestBytes });
	}

	#done(result: R): FileUpdate<R> {
		return { result, setAside: this.#setAside };
	}

	/** What is there, and what becomes of it; waits a little when it seems to be half written. */
	async #decide(): Promise<{
		readonly bytes: Uint8Array | null;
		readonly wanted: Exclude<FileChange<R>, { kind: 'damaged' }>;
	}> {
		const { tornPatienceMs = TORN_PATIENCE_MS, now = Date.now } = this.#options;
		const deadline = performance.now() + tornPatienceMs;
		for (;;) {
			const bytes = await this.#read();
			if (this.#written && isEqual(bytes, this.#written.bytes)) {
				// An earlier try wrote it, and nobody has changed it since.
				return { bytes, wanted: { kind: 'keep', result: this.#written.result } };
			}
			const wanted = this.#change(bytes);
			if (wanted.kind !== 'damaged') return { bytes, wanted };
			if (bytes === null) throw new Error(`nothing can be made of a missing file: ${wanted.problem}`);
			if (performance.now() >= deadline) {
				const name = putAside(this.#target, this.#options, wanted.problem, now());
				this.#setAside = { name, problem: wanted.problem };
			} else await sleep(Math.min(RETRY_MS, tornPatienceMs));
		}
	}
}

async function replace(target: string, bytes: Uint8Array, options: LockedFileOptions): Promise<void> {
	const { mode = 0o644 } = options;
	const isNew = statSync(target, { throwIfNoEntry: false }) === undefined;
	for (let tries = 1; ; tries += 1) {
		try {
			return await writeFileAtomic(target, Buffer.from(bytes), isNew ? { mode } : {});
		} catch (error) {
			// Windows refuses while a reader has the file open.
			const isPassing = process.platform === 'win32' && /^(EPERM|EACCES|EBUSY)$/.test(systemCodeOf(error));
			if (!isPassing || tries >= TRIES) throw refused(error, `write ${target}`, options);
			await sleep(RETRY_MS);
		}
	}
}

function scriptsLock(target: string, options: LockedFileOptions): Promise<ShellLock> {
	const { patienceMs = PATIENCE_MS, now = Date.now } = options;
	return shellLock(target, { patienceMs, now }).catch((error: unknown) => {
		throw refused(error, `lock ${target}`, options);
	});
}

function putAside(
	{ path, isLink }: FileTarget,
	options: LockedFileOptions,
	problem: string,
	at: number,
): string {
	if (isLink) throw foreign(path, problem, options);
	try {
		return setAside(path, [], at);
	} catch (error) {
		throw refused(error, `set ${path} aside`, options);
	}
}

/** Where it really lies, so that one file has one lock. */
function targetOf(file: string, options: LockedFileOptions): FileTarget {
	const { within = dirname(file), meaning } = options;
	try {
		return fileTarget(file, { within, meaning });
	} catch (error) {
		if (error instanceof StoreError) throw error;
		throw refused(error, `find ${file}`, options);
	}
}

function lockFileOf(target: string, { locksDirectory }: LockedFileOptions): string {
	const name = createHash('sha256').update(target).digest('hex').slice(0, 32);
	return join(locksDirectory, `${name}.lock`);
}

function isEqual(one: Uint8Array | null, other: Uint8Array | null): boolean {
	if (one === null || other === null) return one === other;
	return Buffer.from(one).equals(Buffer.from(other));
}

function refused(error: unknown, doing: string, { meaning }: LockedFileOptions): StoreError {
	if (error instanceof StoreError && error.code === 'busy') return error;
	const { code, message } = storeErrorFrom(error, doing, meaning);
	const isInPlace = /^(EISDIR|ENOTDIR|EEXIST|ELOOP)$/.test(systemCodeOf(error));
	const remedy = isInPlace ? 'Move away what stands in its place.' : remedies[code];
	return new StoreError(
		{
			code,
			message: message.replace(/[^.]$/, '$&.'),
			meaning,
			remedy: remedy ?? 'Look at the file and its disk.',
		},
		error,
	);
}

function foreign(path: string, problem: string, { meaning }: LockedFileOptions): StoreError {
	return new StoreError({
		code: 'not-writable',
		message: `A link leads to ${path}, which ${problem}. It was left as it is.`,
		meaning,
		remedy: 'Remove the link, or let it lead to a file of that kind.',
	});
}

function lostLock(target: string, { meaning }: LockedFileOptions): StoreError {
	return new StoreError({
		code: 'failed',
		message: `The lock of ${target} was removed while the file was being updated.`,
		meaning,
		remedy: 'Leave the directory "locks" of the data directory alone while anything runs.',
	});
}

const remedies: Partial<Record<StoreError['code'], string>> = {
	'not-writable': 'Make the file and its directory writable for you.',
	'disk-full': 'Free some space on that disk; it is tried again by itself.',
};
