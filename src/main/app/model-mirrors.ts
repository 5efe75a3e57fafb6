/** The state files of all repositories that were heard of: mirrors of the machine-wide breakers (seed 000, "State File"). */
import { z } from 'zod';
import type { Disposable } from '../../shared/disposable.ts';
import { MAX_REPOSITORIES } from '../models/chain-book.ts';
import { FileWatch } from '../store/file-watch.ts';
import { type MirrorOptions, ModelMirror } from './model-mirror.ts';
import { type SavedMirror, savedMirrorSchema } from './saved-mirror.ts';
import { squadDirectoryOf } from './squad-directory.ts';

/** Between two looks at a file's time and size, ms. */
const POLL_MS = 2_000;
/** Changes that come together are written together, ms. */
const COALESCE_MS = 20;

const savedSchema = z.array(z.unknown()).catch([]);

/** Used by the floor and by a command that works without one. Nothing here rejects: problems go to `onProblem`. */
export class ModelMirrors implements Disposable {
	readonly #options: MirrorOptions;
	readonly #mirrors = new Map<string, ModelMirror>();
	readonly #watches = new Map<string, FileWatch>();
	#pollMs: number | null = null;
	#soon: NodeJS.Timeout | null = null;

	constructor(options: MirrorOptions) {
		this.#options = options;
	}

	/**
	 * The directory for which the breakers keep a state file, for a loop that works in `directory`: the nearest one with
	 * a `.squad` within the repository. This is what `ModelCaller.directory` is to be.
	 */
	rootOf(directory: string): string {
		return squadDirectoryOf(directory).root;
	}

	/** Takes over what scripts did to the file of that directory's repository. Resolves to `rootOf(directory)`. */
	async sync(directory: string): Promise<string> {
		const { root, isMirrored, isAstray } = squadDirectoryOf(directory);
		// Of one that leads out of its repository the mirror tells, and reads nothing.
		if (isMirrored || isAstray) await this.#mirror(root).sync();
		else await this.#mirrors.get(root)?.sync();
		return root;
	}

	/** The same for every file that was heard of. */
	async syncAll(): Promise<void> {
		await Promise.all(this.directories().map((root) => this.sync(root)));
	}

	/** Puts what is true now into that file. There must be a `.squad`: elsewhere nothing is written. */
	async write(directory: string): Promise<void> {
		const { root, isMirrored } = squadDirectoryOf(directory);
		if (isMirrored) await this.#mirror(root).write();
	}

	/** The same for every file that was heard of. */
	async writeAll(): Promise<void> {
		if (this.#soon) clearTimeout(this.#soon);
		this.#soon = null;
		await Promise.all(this.directories().map((root) => this.write(root)));
	}

	/** The same in a moment: for `onChange` of the breakers. */
	readonly writeSoon = (): void => {
		this.#soon ??= setTimeout(() => void this.writeAll(), COALESCE_MS).unref();
	};

	/** From now on, what scripts write is noticed within seconds. Keeps no process alive. */
	watch(pollMs = POLL_MS): void {
		this.#pollMs = pollMs;
		for (const root of this.#mirrors.keys()) this.#watch(root, pollMs);
	}

	directories(): string[] {
		return [...this.#mirrors.keys()];
	}

	/** For the machine-wide file: plain JSON. */
	saved(): SavedMirror[] {
		return [...this.#mirrors.values()].map((mirror) => mirror.saved());
	}

	/** Takes over what was saved. What cannot be read is seen for the first time again. */
	restore(saved: unknown): void {
		for (const item of savedSchema.parse(saved)) {
			const mirror = savedMirrorSchema.safeParse(item).data;
			if (mirror && squadDirectoryOf(mirror.directory).isMirrored)
				this.#mirror(mirror.directory).restore(mirror);
		}
	}

	/** Writes what is still to be written, and looks no more. */
	async close(): Promise<void> {
		if (this.#soon) await this.writeAll();
		this.dispose();
	}

	dispose(): void {
		if (this.#soon) clearTimeout(this.#soon);
		this.#soon = null;
		this.#pollMs = null;
		for (const watch of this.#watches.values()) watch.dispose();
		this.#watches.clear();
	}

	#mirror(root: string): ModelMirror {
		const known = this.#mirrors.get(root);
		const mirror = known ?? new ModelMirror(root, this.#options);
		// The one that was not heard of for longest is the first.
		this.#mirrors.delete(root);
		this.#mirrors.set(root, mirror);
		if (known) return known;
		const oldest = this.#mirrors.keys().next().value;
		if (this.#mirrors.size > MAX_REPOSITORIES && oldest !== undefined) this.#forget(oldest);
		if (this.#pollMs !== null) this.#watch(root, this.#pollMs);
		return mirror;
	}

	/** Seen for the first time again when somebody works there. */
	#forget(root: string): void {
		this.#mirrors.delete(root);
		this.#watches.get(root)?.dispose();
		this.#watches.delete(root);
	}

	#watch(root: string, pollMs: number): void {
		if (this.#watches.has(root)) return;
		const mirror = this.#mirrors.get(root);
		if (!mirror) return;
		const watch = new FileWatch(mirror.file, pollMs, async () => {
			await mirror.sync();
			// What it lacks or says wrong is put right, also where no breaker moved.
			await this.write(root);
		});
		this.#watches.set(root, watch);
		watch.start();
	}
}
