/**
 * A lock between processes that the operating system holds (through SQLite, which has one for every platform): it ends
 * with its process, however that ends, and sleep does not age it.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import type { Disposable } from '../../shared/disposable.ts';
import { StoreError, storeErrorCode, storeErrorFrom } from './store-error.ts';

export interface KernelLock extends Disposable {
	/** False when the lock's file was deleted or replaced meanwhile: somebody else may hold a lock of that name. */
	isWhole(): boolean;
}

export interface KernelLockOptions {
	/** How long others may keep it, ms. */
	readonly patienceMs: number;
}

/** An open lock lives as long as its connection: it must not be collected as garbage. */
const held = new Set<Database>();
/** Between two tries of one who has just come, and of one who has waited for long, ms. */
const RETRY_MS = 30;
const SHORTEST_RETRY_MS = 15;
/** After such a wait it tries twice as often, then three times …, so that nobody is overtaken for ever, ms. */
const HURRY_MS = 1_000;
/** Whoever has just had a lock lets the others try first, who only look now and then, ms. */
const COURTESY_MS = 10;
/** When this process last gave back each lock. */
const givenBack = new Map<string, number>();

/**
 * Waits for the lock of that name; `lockFile` is made when missing, with its directory, and stays, empty. Rejects with
 * a `StoreError`: `busy` when others keep it for longer than `patienceMs`, or what the file system says.
 */
export async function kernelLock(lockFile: string, { patienceMs }: KernelLockOptions): Promise<KernelLock> {
	const began = performance.now();
	const hadItAt = givenBack.get(lockFile) ?? Number.NEGATIVE_INFINITY;
	if (began - hadItAt < COURTESY_MS) await sleep(COURTESY_MS * Math.random());
	const database = open(lockFile);
	try {
		while (!begin(database, lockFile)) {
			const waitedMs = performance.now() - began;
			if (waitedMs >= patienceMs) throw kept(lockFile, patienceMs);
			const retryMs = Math.max(SHORTEST_RETRY_MS, RETRY_MS / (1 + waitedMs / HURRY_MS));
			// A little of chance, so that nobody is always a step late.
			await sleep(retryMs * (0.5 + Math.random()));
		}
	} catch (error) {
		database.close();
		throw error;
	}
	return holding(database, lockFile);
}

/** The same without waiting: `null` when another process, or this one, has it. Throws a `StoreError`. */
export function tryKernelLock(lockFile: string): KernelLock | null {
	const database = open(lockFile);
	let isOurs = false;
	try {
		isOurs = begin(database, lockFile);
	} finally {
		if (!isOurs) database.close();
	}
	return isOurs ? holding(database, lockFile) : null;
}

/** Does anybody hold it? Makes nothing. Throws a `StoreError`. */
export function isKernelLocked(lockFile: string): boolean {
	if (!existsSync(lockFile)) return false;
	const database = open(lockFile);
	try {
		return !begin(database, lockFile);
	} finally {
		database.close();
	}
}

function holding(database: Database, lockFile: string): KernelLock {
	held.add(database);
	const inode = inodeOf(lockFile);
	return {
		isWhole: () => inode !== null && inodeOf(lockFile) === inode,
		dispose: () => {
			held.delete(database);
			database.close();
			givenBack.set(lockFile, performance.now());
		},
	};
}

function open(lockFile: string): Database {
	try {
		mkdirSync(dirname(lockFile), { recursive: true, mode: 0o700 });
		return new SqliteDatabase(lockFile, { timeout: 0 });
	} catch (error) {
		throw refused(error, lockFile);
	}
}

/** False when another has it. */
function begin(database: Database, lockFile: string): boolean {
	try {
		// The lock of the one writer, not the exclusive one: for that nobody else may even look at the file, and those
		// who try at the same time would keep each other from it. Nothing is ever written, so no journal is made.
		database.exec('BEGIN IMMEDIATE');
		return true;
	} catch (error) {
		if (storeErrorCode(error) === 'busy') return false;
		throw refused(error, lockFile);
	}
}

const meaning = 'What was to be kept in the file it guards was not written.';

function refused(error: unknown, lockFile: string): StoreError {
	const { code, message, remedy } = storeErrorFrom(error, `lock ${lockFile}`, meaning);
	return new StoreError({ code, message: `${message}.`, meaning, remedy }, error);
}

function kept(lockFile: string, patienceMs: number): StoreError {
	return new StoreError({
		code: 'busy',
		message: `Another process has kept the lock ${lockFile} for more than ${patienceMs} ms.`,
		meaning,
		remedy: 'If it happens again, end the agent-floor command that hangs.',
	});
}

function inodeOf(file: string): bigint | null {
	return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}
