/**
 * When did the files of a directory last change? The floor's truth about progress, bounded in files and time, so that
 * a huge tree costs several beats and not the floor's breath. Nothing is written, watched or followed out of the tree.
 */
import { hash } from 'node:crypto';
import { lstat } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, parse, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Turns } from './turns.ts';
import { DirectoryWalk, gitFiles } from './work-tree-files.ts';
import { type FileState, WorkTreeMemory } from './work-tree-memory.ts';

export interface NewestChange {
	/** ms since the epoch, never in the future. `null`: no file was seen that counts. */
	readonly changedAt: number | null;
	/** The file that it was, relative to the directory. */
	readonly path: string | null;
	/** False when not every file was looked at: later scans go on where this one was cut. */
	readonly complete: boolean;
}

export interface ScanLimits {
	/** Files looked at in one scan. */
	readonly files: number;
	/** Time for looking at files in one scan, ms. */
	readonly scanMs: number;
	/** Time for git to list the files, ms. */
	readonly listMs: number;
	/** A scan that takes this much longer than both hangs in a file system and is no longer waited for, ms. */
	readonly hangMs: number;
	/** Of one directory, files beyond this are not known. */
	readonly filesPerDirectory: number;
	/** Of all directories; beyond this the one that was asked for longest ago is forgotten. */
	readonly filesInMemory: number;
	/** Files up to this size are compared by content, bytes. */
	readonly hashBytes: number;
	/** Files read in one scan to compare their content. */
	readonly hashes: number;
}

export const SCAN_LIMITS: ScanLimits = {
	files: 20_000,
	scanMs: 1_000,
	listMs: 2_000,
	hangMs: 2_000,
	filesPerDirectory: 200_000,
	filesInMemory: 400_000,
	hashBytes: 1_000_000,
	hashes: 256,
};

export interface WorkTreeScannerOptions {
	/** Wall clock, ms since the epoch. */
	readonly now: () => number;
	/** An answer that is younger is given again, ms (half a beat, say). */
	readonly maxAgeMs: () => number;
	readonly limits?: Partial<ScanLimits>;
	/** Never crawled, nor anything above it. The operator's home if not given. */
	readonly home?: string;
}

const NOT_KNOWN: NewestChange = { changedAt: null, path: null, complete: false };
/** Scans at the same time: enough to hide a slow disk, not enough to fill Node's four file threads. */
const SCANS_AT_ONCE = 2;

/** One for all agents. Agents in the same directory share its scans. */
export class WorkTreeScanner {
	readonly #options: WorkTreeScannerOptions;
	readonly #limits: ScanLimits;
	readonly #home: string;
	readonly #turns = new Turns(SCANS_AT_ONCE);
	/** By real path; the one asked for longest ago comes first. */
	readonly #trees = new Map<string, WorkTree>();
	readonly #running = new Map<string, Promise<NewestChange>>();

	constructor(options: WorkTreeScannerOptions) {
		this.#options = options;
		this.#limits = { ...SCAN_LIMITS, ...options.limits };
		this.#home = options.home ?? homedir();
	}

	/**
	 * The newest change among the files that count (`gitFiles`, or `DirectoryWalk` where git says nothing). Without an
	 * answer for a directory that is gone or unreadable, and for the home directory and whatever is above it. Never
	 * throws.
	 */
	async newestChange(directory: string): Promise<NewestChange> {
		const root = await this.#scannable(directory);
		if (root === null) return NOT_KNOWN;
		const running = this.#running.get(root);
		if (running !== undefined) return running;
		const tree = this.#treeOf(root);
		const age = this.#options.now() - tree.answeredAt;
		if (age >= 0 && age < this.#options.maxAgeMs()) return tree.answer;

		const answer = this.#turns.run(() => this.#scan(tree));
		this.#running.set(root, answer);
		try {
			return await answer;
		} finally {
			this.#running.delete(root);
			this.#forgetOldest(root);
		}
	}

	async #scan(tree: WorkTree): Promise<NewestChange> {
		// One scan of a tree at a time, also when an earlier one hangs and was given up.
		if (tree.isScanning) return { ...tree.answer, complete: false };
		const { listMs, scanMs, hangMs } = this.#limits;
		const given = new AbortController();
		const scan = tree.scan(this.#options.now).finally(() => given.abort());
		// The timer ends with the scan: then the scan has won the race.
		const tooLong = delay(Math.max(0, listMs + scanMs + hangMs), null, {
			signal: given.signal,
			ref: false,
		}).then(
			() => ({ ...tree.answer, complete: false }),
			() => scan,
		);
		return Promise.race([scan, tooLong]);
	}

	/** The real path, or `null` where nothing may or can be scanned. */
	async #scannable(directory: string): Promise<string | null> {
		if (!isAbsolute(directory)) return null;
		try {
			const [root, home] = await Promise.all([
				realpath(directory),
				realpath(this.#home).catch(() => this.#home),
			]);
			if (root === parse(root).root || root === home || home.startsWith(root + sep)) return null;
			return (await stat(root)).isDirectory() ? root : null;
		} catch {
			// Gone, or not for us to see: for the caller this is the same, no answer.
			return null;
		}
	}

	#treeOf(root: string): WorkTree {
		const tree = this.#trees.get(root) ?? new WorkTree(root, this.#limits);
		this.#trees.delete(root);
		this.#trees.set(root, tree);
		return tree;
	}

	#forgetOldest(kept: string): void {
		let files = 0;
		for (const tree of this.#trees.values()) files += tree.size;
		for (const [root, tree] of this.#trees) {
			if (files <= this.#limits.filesInMemory) return;
			if (root === kept || this.#running.has(root)) continue;
			files -= tree.size;
			this.#trees.delete(root);
		}
	}
}

/** Files looked at side by side within a scan. */
const LOOKS_AT_ONCE = 8;
/** After a listing that took git too long, untracked files are left out for this many scans. */
const SCANS_WITHOUT_UNTRACKED = 10;
/** The newest files of a first scan are hashed: those will be written again, if any will. */
const HOT_FILES = 32;

/** One directory over many scans. */
class WorkTree {
	readonly #root: string;
	readonly #limits: ScanLimits;
	readonly #memory = new WorkTreeMemory();
	readonly #walk: DirectoryWalk;
	/** Files of the walk's present round. */
	#walked: string[] = [];
	#withoutUntracked = 0;
	/** Where in the list the next look begins. */
	#cursor = 0;
	#hashesLeft = 0;
	isScanning = false;
	answer: NewestChange = NOT_KNOWN;
	/** ms since the epoch. */
	answeredAt = Number.NEGATIVE_INFINITY;

	constructor(root: string, limits: ScanLimits) {
		this.#root = root;
		this.#limits = limits;
		this.#walk = new DirectoryWalk(root);
	}

	/** Files in memory; at least one, so that empty directories are forgotten in time, too. */
	get size(): number {
		return Math.max(1, this.#memory.size);
	}

	async scan(now: () => number): Promise<NewestChange> {
		this.isScanning = true;
		try {
			const listed = await this.#list(now);
			if (listed === null) return NOT_KNOWN;
			const looked = await this.#lookAround(now);
			const newest = this.#memory.newest;
			this.answer = {
				changedAt: newest?.changedAt ?? null,
				path: newest?.path ?? null,
				complete: listed && looked,
			};
			this.answeredAt = now();
			return this.answer;
		} finally {
			this.isScanning = false;
		}
	}

	/** Brings the list of files up to date. True when it is complete, `null` when the directory cannot be read. */
	async #list(now: () => number): Promise<boolean | null> {
		const untracked = this.#withoutUntracked === 0;
		const limits = { deadlineMs: this.#limits.listMs, maxBytes: 128 * this.#limits.filesPerDirectory };
		let files = await gitFiles(this.#root, { ...limits, untracked });
		if (files === 'cut' && untracked) {
			this.#withoutUntracked = SCANS_WITHOUT_UNTRACKED;
			files = await gitFiles(this.#root, { ...limits, untracked: false });
		} else if (!untracked) this.#withoutUntracked--;
		if (files === 'cut') return false;
		if (files === 'outside') return this.#walkOn(now);
		const all = files.length <= this.#limits.filesPerDirectory;
		const kept = all ? files : files.slice(0, this.#limits.filesPerDirectory);
		if (untracked) this.#memory.replaceList(kept, now());
		else this.#memory.addToList(kept);
		return all && untracked;
	}

	async #walkOn(now: () => number): Promise<boolean | null> {
		const inOneGo = this.#walked.length === 0;
		const until = performance.now() + this.#limits.scanMs;
		const portion = await this.#walk.next(this.#limits.files, () => performance.now() >= until);
		if (portion === null) return null;
		const { files, finished } = portion;
		for (const file of files) this.#walked.push(file);
		if (finished) this.#memory.replaceList(this.#walked, now());
		else this.#memory.addToList(files);
		const tooMany = this.#walked.length > this.#limits.filesPerDirectory;
		if (tooMany) this.#walk.startAgain();
		if (finished || tooMany) this.#walked = [];
		return finished && inOneGo;
	}

	/** Looks at the next files in turn. True when that were all of them. */
	async #lookAround(now: () => number): Promise<boolean> {
		const paths = this.#memory.paths;
		const count = Math.min(paths.length, this.#limits.files);
		const until = performance.now() + this.#limits.scanMs;
		const first = this.#memory.newest === null;
		this.#hashesLeft = this.#limits.hashes;
		let begun = 0;
		const worker = async (): Promise<void> => {
			while (begun < count && performance.now() < until) {
				const path = paths[(this.#cursor + begun++) % paths.length];
				if (path !== undefined) await this.#look(path, now);
			}
		};
		await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, worker));
		this.#cursor = paths.length === 0 ? 0 : (this.#cursor + begun) % paths.length;
		if (first) {
			for (const path of this.#memory.hottest(HOT_FILES)) await this.#look(path, now, true);
		}
		return begun === paths.length;
	}

	async #look(path: string, now: () => number, withHash = false): Promise<void> {
		const file = await fileState(join(this.#root, path));
		if (file === 'gone') return this.#memory.missing(path, now());
		if (file === 'no-file') return;
		let content: string | null = null;
		if ((withHash || this.#memory.needsHash(path, file)) && file.size <= this.#limits.hashBytes) {
			if (this.#hashesLeft-- > 0) content = await contentHash(join(this.#root, path));
		}
		this.#memory.seen(path, file, content, now());
	}
}

/** `no-file`: something else, a link say, or not for us to see. */
function fileState(path: string): Promise<FileState | 'gone' | 'no-file'> {
	return new Promise((resolve) => {
		// The callback form costs half of the promise one, and this is called for every file.
		lstat(path, (error, stats) => {
			if (error !== null) resolve(error.code === 'ENOENT' || error.code === 'ENOTDIR' ? 'gone' : 'no-file');
			else resolve(stats.isFile() ? { modifiedAt: stats.mtimeMs, size: stats.size } : 'no-file');
		});
	});
}

async function contentHash(path: string): Promise<string | null> {
	try {
		return hash('sha1', await readFile(path));
	} catch {
		// It changed under our hands or may not be read: then its time alone decides.
		return null;
	}
}
