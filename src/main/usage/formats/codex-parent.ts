/** The counts that the parent of a forked rollout told, in order: old versions mark a copied history by nothing else. */
import type { Dirent } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileTail } from '../file-tail.ts';
import { spawnerOf, timeOfId } from './codex-history.ts';
import { totalTold } from './codex-usage.ts';
import { isObject, momentOf, parseJson, textOf } from './json-values.ts';
import { signatureOf } from './token-total.ts';

/** Of the fork that much is looked at to learn whether its parent must be read, bytes. */
const HEAD_BYTES = 256 * 1024;
/** A longer parent is read up to here, bytes: what comes after is taken for the fork's own. */
const MOST_BYTES = 512 * 1024 * 1024;
/** Days that are searched for the parent. */
const MOST_DAYS = 400;
const DAY_MS = 86_400_000;

const turnMark = Buffer.from('"turn_id":"');
const countMark = Buffer.from('"token_count"');

/** What is known of a fork's parent: each of its counts, without repeats, as `signatureOf` writes it. */
export type ParentCounts = readonly string[] | null;

/** `null`: the file is no fork, it marks its own lines better, or the parent is gone. `memory`: of its reader. */
export async function parentOf(path: string, memory: unknown): Promise<ParentCounts> {
	if (isObject(memory) && isObject(memory.history) && memory.history.likeParent === null) return null;
	const head = await readHead(path);
	if (head === null || head.includes(turnMark)) return null;
	const end = head.indexOf(0x0a);
	const first = parseJson(head.toString('utf8', 0, end === -1 ? head.length : end));
	const meta = isObject(first) && isObject(first.payload) ? first.payload : {};
	const parentId = textOf(meta.forked_from_id) ?? spawnerOf(meta);
	if (parentId === null || isObject(meta.history_base)) return null;
	const parent = await findRollout(path, parentId);
	const forkedAt = isObject(first) ? momentOf(first.timestamp) : null;
	return parent === null ? null : readCounts(parent, forkedAt ?? Number.POSITIVE_INFINITY);
}

/** What the parent told after the fork was made is not in the copy. */
async function readCounts(path: string, until: number): Promise<ParentCounts> {
	const counts: string[] = [];
	let bytes = 0;
	let isOver = false;
	const line = (bytesOfLine: Buffer) => {
		if (isOver || !bytesOfLine.includes(countMark)) return;
		const row = parseJson(bytesOfLine.toString('utf8'));
		if (!isObject(row) || !isObject(row.payload)) return;
		const at = momentOf(row.timestamp);
		isOver = at !== null && at > until;
		const total = totalTold(row.payload);
		if (isOver || total === null || total === 'invalid') return;
		const signature = signatureOf(total);
		if (counts.at(-1) !== signature) counts.push(signature);
	};
	const chunk = (read: number) => {
		bytes += read;
		return !isOver && bytes < MOST_BYTES;
	};
	try {
		const { found } = await new FileTail(path).poll({ begin: () => {}, line, chunk });
		return found ? counts : null;
	} catch {
		// Not readable is as good as gone: then the time of the copying tells.
		return null;
	}
}

/** The rollout of that id, in the home of the other one. */
async function findRollout(path: string, id: string): Promise<string | null> {
	const folder = dirname(path);
	const isArchived = /(^|[\\/])archived_sessions$/.test(folder);
	const home = isArchived ? dirname(folder) : join(folder, '..', '..', '..', '..');
	const isIt = (name: string) => name.startsWith('rollout-') && name.endsWith(`-${id}.jsonl`);
	for (const directory of [folder, join(home, 'archived_sessions')]) {
		const name = (await namesIn(directory, 'files')).find(isIt);
		if (name !== undefined) return join(directory, name);
	}
	for (const day of await daysOf(join(home, 'sessions'), timeOfId(id))) {
		const name = (await namesIn(day, 'files')).find(isIt);
		if (name !== undefined) return join(day, name);
	}
	return null;
}

/** Folders of days, newest first; where the id tells its time, only that day and its neighbours (the clock's zone is unknown). */
async function daysOf(sessions: string, at: number | null): Promise<string[]> {
	if (at !== null) {
		return [0, -DAY_MS, DAY_MS].map((shift) => {
			const [year = '', month = '', day = ''] = new Date(at + shift).toISOString().slice(0, 10).split('-');
			return join(sessions, year, month, day);
		});
	}
	const days: string[] = [];
	for (const year of await namesIn(sessions, 'folders')) {
		for (const month of await namesIn(join(sessions, year), 'folders')) {
			for (const day of await namesIn(join(sessions, year, month), 'folders')) {
				if (days.length === MOST_DAYS) return days;
				days.push(join(sessions, year, month, day));
			}
		}
	}
	return days;
}

/** Newest first, by name. Nothing where the directory cannot be read. */
async function namesIn(directory: string, kind: 'files' | 'folders'): Promise<string[]> {
	let entries: Dirent[];
	try {
		entries = await readdir(directory, { withFileTypes: true });
	} catch {
		return [];
	}
	return entries
		.filter((entry) => (kind === 'files' ? entry.isFile() : entry.isDirectory()))
		.map((entry) => entry.name)
		.sort()
		.reverse();
}

async function readHead(path: string): Promise<Buffer | null> {
	let file: FileHandle | null = null;
	try {
		file = await open(path);
		const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
		return buffer.subarray(0, bytesRead);
	} catch {
		// The index says what it cannot read when it reads it.
		return null;
	} finally {
		await file?.close();
	}
}
