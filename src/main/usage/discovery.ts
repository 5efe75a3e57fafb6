/** Looks for session files below a directory: bounded, past what cannot be read. */
import type { BigIntStats } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isMissing } from './file-tail.ts';

export interface FoundFile {
	readonly path: string;
	readonly stats: BigIntStats;
}

export interface Listing {
	readonly files: readonly FoundFile[];
	/** What could not be looked at, a sentence each. */
	readonly problems: readonly string[];
}

export interface ListOptions {
	/** How deep files may lie; 1: directly in the directory. */
	readonly depth: number;
	/** By its path alone: a file that is wanted. */
	readonly isWanted: (path: string) => boolean;
	/** No more files and directories than this are looked at. */
	readonly most?: number;
}

const MOST = 50_000;
const AT_ONCE = 16;
/** Of many directories that cannot be read, the first say enough. */
const PROBLEMS_TOLD = 5;

/** Files below `root`, newest change first. A root that is not there has none. Never rejects. */
export async function listFiles(
	root: string,
	{ depth, isWanted, most = MOST }: ListOptions,
): Promise<Listing> {
	const files: FoundFile[] = [];
	const problems: string[] = [];
	let looked = 0;
	let directories = [root];
	const linked: string[] = [];
	for (let level = 1; level <= depth && directories.length > 0; level += 1) {
		const deeper: string[] = [];
		await inBatches(directories, async (directory) => {
			const entries = await entriesOf(directory, problems);
			const wanted: string[] = [];
			for (const entry of entries) {
				looked += 1;
				if (looked > most) break;
				const path = join(directory, entry.name);
				if (entry.isDirectory()) deeper.push(path);
				else if (entry.isFile() && isWanted(path)) wanted.push(path);
				// Further down a link is left alone: what lies behind it has its own place, or is none of ours.
				else if (level === 1 && entry.isSymbolicLink()) linked.push(path);
			}
			await inBatches(wanted, async (path) => {
				const stats = await statsOf(path, problems);
				if (stats?.isFile()) files.push({ path, stats });
			});
		});
		directories = level === 1 ? [...deeper, ...(await linkedFolders(root, linked, problems))] : deeper;
	}
	if (looked > most) {
		problems.push(`There are more than ${most} files below ${root}: the usage of some is not counted.`);
	}
	files.sort((a, b) => Number(b.stats.mtimeNs - a.stats.mtimeNs) || (a.path < b.path ? -1 : 1));
	return { files, problems: shortened(problems, root) };
}

/** Of links directly in the root (projects that lie elsewhere) those that lead to folders, each folder once, never to its own. */
async function linkedFolders(root: string, links: readonly string[], problems: string[]): Promise<string[]> {
	const folders: string[] = [];
	const known: string[] = [];
	for (const link of [...links].sort()) {
		try {
			if (known.length === 0) known.push(await realpath(root));
			const target = await realpath(link);
			const isKnown = known.some((other) => isWithin(target, other) || isWithin(other, target));
			if (isKnown || !(await stat(target)).isDirectory()) continue;
			known.push(target);
			folders.push(link);
		} catch (error) {
			if (!isMissing(error)) problems.push(`${link} cannot be looked at (${wordsOf(error)}).`);
		}
	}
	return folders;
}

function isWithin(path: string, directory: string): boolean {
	return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

async function entriesOf(directory: string, problems: string[]) {
	try {
		return await readdir(directory, { withFileTypes: true });
	} catch (error) {
		if (!isMissing(error)) problems.push(`${directory} cannot be looked through (${wordsOf(error)}).`);
		return [];
	}
}

async function statsOf(path: string, problems: string[]): Promise<BigIntStats | null> {
	try {
		return await lstat(path, { bigint: true });
	} catch (error) {
		if (!isMissing(error)) problems.push(`${path} cannot be looked at (${wordsOf(error)}).`);
		return null;
	}
}

function shortened(problems: readonly string[], root: string): string[] {
	const more = problems.length - PROBLEMS_TOLD;
	if (more <= 0) return [...problems];
	return [...problems.slice(0, PROBLEMS_TOLD), `${more} more places below ${root} cannot be looked at.`];
}

function wordsOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

async function inBatches<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void> {
	const queue = things.values();
	const worker = async (): Promise<void> => {
		for (const thing of queue) await work(thing);
	};
	await Promise.all(Array.from({ length: Math.min(AT_ONCE, things.length) }, worker));
}
