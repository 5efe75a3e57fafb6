/** Which repository a directory belongs to. Files are read, no program is run. */
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

export interface Repository {
	/** Of its main work tree, also for a directory in another work tree of it. */
	readonly path: string;
	/** The last part of its path. */
	readonly name: string;
}

/** What was found is believed for this long, ms: a directory may become a repository while one looks. */
const BELIEVED_MS = 60_000;
const MOST_DIRECTORIES = 5_000;
/** A `.git` file is one line; nothing longer is read. */
const LONGEST_POINTER = 4_096;

export interface RepositoriesOptions {
	readonly now: () => number;
	/** Something was found that was not known before. */
	readonly onFound: () => void;
}

/** Remembers, and looks in the background: asking never waits. */
export class Repositories {
	readonly #options: RepositoriesOptions;
	readonly #known = new Map<string, { readonly repository: Repository | null; readonly at: number }>();
	readonly #looking = new Set<string>();

	constructor(options: RepositoriesOptions) {
		this.#options = options;
	}

	/** As last seen; `null`: none, or not looked yet (then it looks, and tells). */
	of(directory: string): Repository | null {
		if (directory === '') return null;
		const known = this.#known.get(directory);
		if (!known || this.#options.now() - known.at > BELIEVED_MS) void this.#look(directory);
		return known?.repository ?? null;
	}

	async #look(directory: string): Promise<void> {
		if (this.#looking.has(directory)) return;
		this.#looking.add(directory);
		const before = this.#known.get(directory)?.repository ?? null;
		const repository = await findRepository(directory);
		this.#looking.delete(directory);
		this.#known.delete(directory);
		this.#known.set(directory, { repository, at: this.#options.now() });
		const [oldest] = this.#known.keys();
		if (this.#known.size > MOST_DIRECTORIES && oldest !== undefined) this.#known.delete(oldest);
		if (repository?.path !== before?.path) this.#options.onFound();
	}
}

/** The nearest repository at or above `directory`; `null`: none, or it cannot be looked at. Never rejects. */
export async function findRepository(directory: string): Promise<Repository | null> {
	if (!isAbsolute(directory)) return null;
	for (let at = resolve(directory); ; at = dirname(at)) {
		const found = await repositoryAt(at);
		if (found !== null) return { path: found, name: basename(found) || found };
		if (dirname(at) === at) return null;
	}
}

/** The main work tree of the repository whose `.git` is in this directory; `null`: there is none. */
async function repositoryAt(directory: string): Promise<string | null> {
	const git = join(directory, '.git');
	try {
		const found = await stat(git);
		if (found.isDirectory()) return directory;
		if (!found.isFile() || found.size > LONGEST_POINTER) return null;
		const pointer = /^gitdir: (.+?)\s*$/m.exec(await readFile(git, 'utf8'))?.[1];
		if (pointer === undefined) return null;
		// `<main>/.git/worktrees/<name>`. Anything else (a submodule) is a repository of its own.
		const target = resolve(directory, pointer);
		const common = dirname(dirname(target));
		const isWorkTree = basename(dirname(target)) === 'worktrees' && basename(common) === '.git';
		return isWorkTree ? dirname(common) : directory;
	} catch {
		// Not there, or not ours to look into: the directory above may tell.
		return null;
	}
}
