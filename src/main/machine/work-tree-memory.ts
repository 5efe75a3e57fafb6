/** What is known of the files of one directory, and what of a new look at them is a change. Pure. */

export interface FileState {
	/** ms since the epoch. */
	readonly modifiedAt: number;
	/** Bytes. */
	readonly size: number;
}

export interface Change {
	/** ms since the epoch, never in the future. */
	readonly changedAt: number;
	/** Relative to the directory. */
	readonly path: string;
}

interface KnownFile extends FileState {
	/** Of the content at `modifiedAt`; `null`: not read. */
	readonly hash: string | null;
}

/**
 * A file that was written again with the same content has not changed: an agent that rewrites the same lines over and
 * over is not getting anywhere. Telling that needs the content from before, so the file is hashed when its time first
 * moves, and that first time counts.
 */
export class WorkTreeMemory {
	/** Files that are looked at, in turn. */
	#paths: readonly string[] = [];
	#listed: ReadonlySet<string> = new Set();
	readonly #known = new Map<string, KnownFile>();
	#newest: Change | null = null;
	/** When a complete list was taken; a file that was not in it is new since then. */
	#completeSince: number | null = null;

	get newest(): Change | null {
		return this.#newest;
	}

	get paths(): readonly string[] {
		return this.#paths;
	}

	/** Files that are held in memory. */
	get size(): number {
		return this.#listed.size;
	}

	/** A complete list. What was known and is not in it has been deleted. */
	replaceList(paths: readonly string[], now: number): void {
		const listed = new Set(paths);
		for (const path of this.#known.keys()) {
			if (!listed.has(path)) this.missing(path, now);
		}
		const before = this.#completeSince;
		if (before !== null) {
			for (const path of paths) {
				// Not there before: new, or moved here with its old time. When it is looked at, its own time can only be later.
				if (!this.#listed.has(path)) this.#change(path, before, now);
			}
		}
		this.#paths = paths;
		this.#listed = listed;
		this.#completeSince = now;
	}

	/** Some more files; nothing is said about others. */
	addToList(paths: readonly string[]): void {
		const added = paths.filter((path) => !this.#listed.has(path));
		if (added.length === 0) return;
		this.#paths = [...this.#paths, ...added];
		this.#listed = new Set(this.#paths);
		this.#completeSince = null;
	}

	/** Whether the content decides: the file was known with this size and a hash, and only its time has moved. */
	needsHash(path: string, state: FileState): boolean {
		const known = this.#known.get(path);
		return known !== undefined && known.size === state.size && known.modifiedAt !== state.modifiedAt;
	}

	/** A look at a file. `hash` of the content where it was read. */
	seen(path: string, state: FileState, hash: string | null, now: number): void {
		const known = this.#known.get(path);
		if (known === undefined) this.#change(path, state.modifiedAt, now);
		else if (known.modifiedAt === state.modifiedAt && known.size === state.size) {
			if (hash === null || known.hash !== null) return;
		} else if (known.size !== state.size || known.hash === null || known.hash !== hash) {
			// A time that went back was brought along from elsewhere, and does not say when that happened.
			this.#change(path, state.modifiedAt > known.modifiedAt ? state.modifiedAt : now, now);
		}
		this.#known.set(path, { ...state, hash });
	}

	/** A look for a file that found none. */
	missing(path: string, now: number): void {
		if (this.#known.delete(path)) this.#change(path, now, now);
	}

	/** The files that changed last and have no hash yet: those that will be written again, if any will. */
	hottest(count: number): string[] {
		return [...this.#known]
			.filter(([, file]) => file.hash === null)
			.sort(([, a], [, b]) => b.modifiedAt - a.modifiedAt)
			.slice(0, count)
			.map(([path]) => path);
	}

	#change(path: string, at: number, now: number): void {
		const changedAt = Math.min(at, now);
		if (this.#newest === null || changedAt > this.#newest.changedAt) this.#newest = { changedAt, path };
	}
}
