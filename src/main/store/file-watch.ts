/** Notices that a small file may have changed. Says too often rather than too seldom; the listener reads and compares. */
import { type BigIntStats, type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Disposable } from '../../shared/disposable.ts';

/** Every so many polls the listener looks without a sign: times are coarse on some file systems. */
const UNPROMPTED_EVERY = 5;
/** Several signs of one change count once, ms. */
const SETTLE_MS = 50;

/**
 * The system's own notice is only a hint (it is missing on network drives); the file's time, size and inode are
 * polled as well. Keeps no process alive.
 */
export class FileWatch implements Disposable {
	readonly #file: string;
	readonly #pollMs: number;
	readonly #look: () => Promise<void>;
	#watcher: FSWatcher | null = null;
	#poll: NodeJS.Timeout | null = null;
	#settle: NodeJS.Timeout | null = null;
	#polls = 0;
	#seen = '';

	/** `look` is called at each sign; it must not reject. */
	constructor(file: string, pollMs: number, look: () => Promise<void>) {
		this.#file = file;
		this.#pollMs = pollMs;
		this.#look = look;
	}

	start(): void {
		this.#poll = setInterval(() => void this.#onPoll(), this.#pollMs).unref();
		try {
			// The directory, since an editor may put another file in this one's place.
			this.#watcher = watch(dirname(this.#file), { persistent: false }, (_kind, name) => {
				if (name === basename(this.#file)) this.#soon();
			});
			this.#watcher.on('error', () => this.#watcher?.close());
		} catch {
			// No notices here (no such directory yet, or no watches left): the polls find everything, a second later.
			this.#watcher = null;
		}
	}

	dispose(): void {
		this.#watcher?.close();
		if (this.#poll) clearInterval(this.#poll);
		if (this.#settle) clearTimeout(this.#settle);
		this.#poll = null;
		this.#settle = null;
	}

	async #onPoll(): Promise<void> {
		this.#polls += 1;
		const now = signOf(await statOf(this.#file));
		const changed = now !== this.#seen;
		this.#seen = now;
		if (this.#poll !== null && (changed || this.#polls % UNPROMPTED_EVERY === 0)) await this.#look();
	}

	#soon(): void {
		this.#settle ??= setTimeout(() => {
			this.#settle = null;
			void this.#look();
		}, SETTLE_MS).unref();
	}
}

function signOf(stats: BigIntStats | null): string {
	return stats ? `${stats.mtimeNs} ${stats.size} ${stats.ino}` : '';
}

async function statOf(file: string): Promise<BigIntStats | null> {
	try {
		return await stat(file, { bigint: true });
	} catch {
		// Missing or closed to us: the listener finds out which.
		return null;
	}
}
