/** Which files of a directory are an agent's work: not what tools download, build or cache, and nothing of git's own. */
import { spawn } from 'node:child_process';
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Directories that programs fill, not agents. Only asked where git does not say what is ignored. */
const NOT_WORK = new Set([
	'node_modules',
	'bower_components',
	'__pycache__',
	'venv',
	'target',
	'dist',
	'coverage',
	'.git',
	'.hg',
	'.svn',
	'.jj',
	'.venv',
	'.tox',
	'.nox',
	'.gradle',
	'.terraform',
	'.next',
	'.nuxt',
	'.svelte-kit',
	'.turbo',
	'.parcel-cache',
	'.npm',
	'.pnpm-store',
	'.yarn',
	'.cargo',
	'.rustup',
	'.local',
	'.Trash',
]);
/** ".cache", ".mypy_cache", ".pytest_cache", ".ruff_cache" … */
const HIDDEN_CACHE = /^\..*cache$/i;

export interface GitFilesLimits {
	readonly deadlineMs: number;
	/** More than this is not listed at all. */
	readonly maxBytes: number;
	/** Without untracked files git only reads its index, which is fast in trees of any size. */
	readonly untracked: boolean;
}

/**
 * The files that git would show: tracked, or new and not ignored; relative to `directory`, which may lie anywhere in
 * the work tree. `outside`: git says nothing useful here (no work tree, an ignored directory, no git). `cut`: too
 * many, or too slow. Runs nothing that the repository configures, and writes nothing to it.
 */
export async function gitFiles(
	directory: string,
	limits: GitFilesLimits,
): Promise<string[] | 'outside' | 'cut'> {
	const which = limits.untracked ? ['-co', '--exclude-standard'] : ['-c'];
	const listing = await git(directory, ['ls-files', ...which, '-z'], limits);
	if (listing === 'failed') return 'outside';
	if (listing === 'cut') return 'cut';
	// Conflicts are listed once a side; a nested repository as one entry that ends in a slash.
	const files = [...new Set(listing.split('\0'))].filter((path) => path !== '' && !path.endsWith('/'));
	if (files.length > 0) return files;
	const ignored = await git(directory, ['check-ignore', '-q', '.'], limits);
	return ignored === 'failed' ? files : 'outside';
}

/**
 * What git prints. `failed`: it ended with an error, or there is none. `cut`: too long, or too slow. Without a shell, locks,
 * prompts, and variables that point it elsewhere.
 */
export function git(
	directory: string,
	args: readonly string[],
	limits: Pick<GitFilesLimits, 'deadlineMs' | 'maxBytes'>,
	configuration: readonly (readonly [key: string, value: string])[] = [],
): Promise<string | 'failed' | 'cut'> {
	return new Promise((resolve) => {
		const child = spawn('git', ['--no-pager', '-c', 'core.fsmonitor=false', ...args], {
			cwd: directory,
			env: { ...gitEnvironment(), ...configured(configuration) },
			stdio: ['ignore', 'pipe', 'ignore'],
			windowsHide: true,
			timeout: limits.deadlineMs,
			killSignal: 'SIGKILL',
		});
		const chunks: Buffer[] = [];
		let bytes = 0;
		child.stdout.on('data', (chunk: Buffer) => {
			bytes += chunk.length;
			if (bytes <= limits.maxBytes) return void chunks.push(chunk);
			child.kill('SIGKILL');
			resolve('cut');
		});
		// No git on this machine, or the directory has just gone.
		child.once('error', () => resolve('failed'));
		child.once('close', (code, signal) => {
			if (signal !== null) resolve('cut');
			else resolve(code === 0 ? Buffer.concat(chunks).toString('utf8') : 'failed');
		});
	});
}

/** Without variables that point git at another repository, as they stand in the environment of its hooks. */
function gitEnvironment(): NodeJS.ProcessEnv {
	const own = Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'));
	return {
		...Object.fromEntries(own),
		GIT_OPTIONAL_LOCKS: '0',
		GIT_TERMINAL_PROMPT: '0',
		// What a partial clone lacks is not fetched: that would run what its configuration names. Older ones know no more
		// than the second.
		GIT_NO_LAZY_FETCH: '1',
		GIT_ALLOW_PROTOCOL: 'none',
		LC_ALL: 'C',
	};
}

/** As variables: in an argument, a key ends at its first "=", and a repository chooses its keys. */
function configured(entries: readonly (readonly [string, string])[]): NodeJS.ProcessEnv {
	const variables = entries.flatMap(([key, value], index) => [
		[`GIT_CONFIG_KEY_${index}`, key],
		[`GIT_CONFIG_VALUE_${index}`, value],
	]);
	return { GIT_CONFIG_COUNT: String(entries.length), ...Object.fromEntries(variables) };
}

/** A walk through a directory in portions; the next round begins when the last one has seen everything. */
export class DirectoryWalk {
	readonly #root: string;
	/** Directories of this round that were not read yet, relative; the root is "". */
	#waiting: string[] = [];

	constructor(root: string) {
		this.#root = root;
	}

	/** Gives up this round; the next portion begins at the root. */
	startAgain(): void {
		this.#waiting = [];
	}

	/**
	 * Reads on until `maxEntries` or the time is up. `finished`: with this portion the round is complete. `null`: the
	 * root cannot be read. Directories below that cannot be read are passed over; links are not followed.
	 */
	async next(
		maxEntries: number,
		isTimeUp: () => boolean,
	): Promise<{ readonly files: string[]; readonly finished: boolean } | null> {
		if (this.#waiting.length === 0) this.#waiting.push('');
		const files: string[] = [];
		let entries = 0;
		while (entries < maxEntries && !isTimeUp()) {
			const directory = this.#waiting.shift();
			if (directory === undefined) break;
			const found = await entriesOf(join(this.#root, directory));
			if (found === null && directory === '') return null;
			for (const entry of found ?? []) {
				entries++;
				const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
				if (entry.isFile()) files.push(path);
				else if (entry.isDirectory() && !NOT_WORK.has(entry.name) && !HIDDEN_CACHE.test(entry.name)) {
					this.#waiting.push(path);
				}
			}
		}
		return { files, finished: this.#waiting.length === 0 };
	}
}

async function entriesOf(directory: string): Promise<Dirent[] | null> {
	try {
		return await readdir(directory, { withFileTypes: true });
	} catch {
		// Gone since it was seen, or not for us to read: then nothing in it can be told.
		return null;
	}
}
