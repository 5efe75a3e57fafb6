/** What is changed in a work tree against its last commit. Runs nothing that the repository configures, and writes nothing. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { TreeChanges } from '../../shared/timeline.ts';
import { git } from './work-tree-files.ts';

export type ChangedFile = TreeChanges['files'][number];

export interface GitChanges {
	/** Newest change first. */
	readonly files: readonly ChangedFile[];
	/** Files that changed beyond those listed. */
	readonly more: number;
}

export interface GitChangesLimits {
	/** Files listed. */
	readonly files: number;
	/** For each call of git, ms. */
	readonly deadlineMs: number;
	readonly maxBytes: number;
}

const LIMITS: GitChangesLimits = { files: 300, deadlineMs: 4_000, maxBytes: 4_000_000 };
type Configuration = readonly (readonly [key: string, value: string])[];

/** Files whose time is looked at, side by side. */
const LOOKS = 2_000;

/**
 * `outside`: git says nothing useful here (no work tree, no git). `cut`: too many files, or too slow. Never rejects.
 */
export async function gitChanges(
	directory: string,
	limits: GitChangesLimits = LIMITS,
): Promise<GitChanges | 'outside' | 'cut'> {
	const top = await git(directory, ['rev-parse', '--show-toplevel'], limits);
	if (top === 'failed' || top === 'cut') return top === 'cut' ? 'cut' : 'outside';
	const safe: Configuration = [
		['core.hooksPath', '/dev/null'],
		// Nothing is written to it, not even its index.
		['diff.autoRefreshIndex', 'false'],
		...(await withoutFilters(directory, limits)),
	];
	const status = await git(
		directory,
		['status', '--porcelain=v1', '-z', '--untracked-files=all', '--ignore-submodules=all'],
		limits,
		safe,
	);
	if (status === 'failed') return 'outside';
	if (status === 'cut') return 'cut';
	const counts = await lineCounts(directory, safe, limits);
	const changed = readStatus(status);
	const root = top.replace(/\r?\n$/, '');
	const looked = await Promise.all(
		changed.slice(0, LOOKS).map(async ({ path, change }) => {
			const [added, removed] = counts.get(path) ?? [null, null];
			const at = change === 'deleted' ? null : await writtenAt(join(root, path));
			return { path, change, added, removed, at };
		}),
	);
	looked.sort((a, b) => (b.at ?? 0) - (a.at ?? 0) || (a.path < b.path ? -1 : 1));
	const files = looked.slice(0, limits.files);
	return { files, more: changed.length - files.length };
}

/** A content filter that a repository configures is a program of somebody: none is run. */
async function withoutFilters(directory: string, limits: GitChangesLimits): Promise<Configuration> {
	const told = await git(directory, ['config', '--name-only', '-z', '--get-regexp', '^filter\\.'], limits);
	if (told === 'failed' || told === 'cut') return [];
	const names = new Set(told.split('\0').flatMap((key) => /^filter\.([\s\S]+)\.[^.]+$/.exec(key)?.[1] ?? []));
	return [...names].flatMap((name) =>
		[
			['clean', ''],
			['smudge', ''],
			['process', ''],
			['required', 'false'],
		].map(([key = '', value = '']) => [`filter.${name}.${key}`, value] as const),
	);
}

/** Lines added and removed by path; empty where git cannot say (no commit yet). */
async function lineCounts(
	directory: string,
	safe: Configuration,
	limits: GitChangesLimits,
): Promise<ReadonlyMap<string, readonly [number | null, number | null]>> {
	const diff = ['diff', '--numstat', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'];
	const told = await git(directory, [...diff, '--ignore-submodules=all', 'HEAD', '--'], limits, safe);
	return told === 'failed' || told === 'cut' ? new Map() : readNumberStatistics(told);
}

/** `git diff --numstat -z` → path → lines added and removed; `null` for binary files. */
export function readNumberStatistics(
	text: string,
): ReadonlyMap<string, readonly [number | null, number | null]> {
	const counts = new Map<string, readonly [number | null, number | null]>();
	for (const record of text.split('\0')) {
		const match = /^(\d+|-)\t(\d+|-)\t([\s\S]+)$/.exec(record);
		if (!match) continue;
		const [, added = '-', removed = '-', path = ''] = match;
		counts.set(path, [linesOf(added), linesOf(removed)]);
	}
	return counts;
}

function linesOf(text: string): number | null {
	return text === '-' ? null : Number(text);
}

/** `git status --porcelain=v1 -z` → files. */
export function readStatus(text: string): { path: string; change: ChangedFile['change'] }[] {
	const fields = text.split('\0');
	const files: { path: string; change: ChangedFile['change'] }[] = [];
	for (let index = 0; index < fields.length; index += 1) {
		const field = fields[index] ?? '';
		if (field.length < 4) continue;
		const states = field.slice(0, 2);
		files.push({ path: field.slice(3), change: changeOf(states) });
		// The name before comes in a field of its own.
		if (/[RC]/.test(states)) index += 1;
	}
	return files;
}

function changeOf(states: string): ChangedFile['change'] {
	if (states === '??') return 'untracked';
	if (states.includes('R')) return 'renamed';
	if (states.includes('D')) return 'deleted';
	if (states.includes('A')) return 'added';
	return states.includes('M') || states.includes('T') ? 'modified' : 'changed';
}

async function writtenAt(path: string): Promise<number | null> {
	try {
		return (await stat(path)).mtimeMs;
	} catch {
		// It has gone meanwhile, or is not ours to look at.
		return null;
	}
}
