/** Opens the floor's database, and deals with one that is damaged, newer, or cannot be written. */
import { chmodSync, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { type Migration, migrate, migrations, versionOf } from './migrations.ts';
import { setAside } from './set-aside.ts';
import { StoreError, storeErrorCode, storeErrorFrom } from './store-error.ts';

export const DATABASE_FILE = 'floor.db';
/** How every SQLite file begins. */
const HEADER = Buffer.from('SQLite format 3\0');
/** How long a statement waits for another program that writes, ms. The event loop waits with it. */
const BUSY_TIMEOUT_MS = 250;

export interface OpenedDatabase {
	readonly database: Database;
	/** Where a damaged database was moved; `null` when it was whole. */
	readonly setAside: string | null;
	/** What happened to it, in words for the operator; empty when nothing did. */
	readonly problem: string;
}

export interface OpenOptions {
	/** For the dated name, ms since the epoch. */
	readonly now?: number;
	readonly steps?: readonly Migration[];
}

/**
 * Opens `<directory>/floor.db`, creating or migrating it. A damaged one is set aside and a new one begun. Throws a
 * `StoreError`: `newer-version` (the file is left as it is), `not-writable`, `disk-full`, `busy`, `failed`.
 */
export function openDatabase(directory: string, options: OpenOptions = {}): OpenedDatabase {
	const file = join(directory, DATABASE_FILE);
	const steps = options.steps ?? migrations;
	try {
		return { database: openWhole(file, steps), setAside: null, problem: '' };
	} catch (error) {
		if (storeErrorCode(error) !== 'corrupt') throw openError(error, file);
		const words = error instanceof Error ? error.message : String(error);
		try {
			const aside = setAside(file, ['-wal', '-shm'], options.now ?? Date.now());
			const problem =
				`The floor's database was damaged (${words}) and was set aside as ${aside}. ` +
				'A new one was begun: agents appear again at their next event, but their history, and stops and holds ' +
				'that you had laid on them, are gone. Look at the agents that were stopped.';
			return { database: openWhole(file, steps), setAside: aside, problem };
		} catch (again) {
			throw openError(again, file);
		}
	}
}

/** Opens a database that is known to be whole afterwards. Throws what SQLite throws; leaves nothing open then. */
function openWhole(file: string, steps: readonly Migration[]): Database {
	// Before SQLite sees it: it would delete the write-ahead log beside a file that is no database.
	if (!startsLikeDatabase(file)) throw damaged('file is not a database');
	// It holds what agents said and did: for its owner only. SQLite gives its log the mode of the file.
	closeSync(openSync(file, 'a', 0o600));
	chmodSync(file, 0o600);
	const database = new SqliteDatabase(file, { timeout: BUSY_TIMEOUT_MS });
	try {
		refuseNewer(database, file, steps);
		const isNew = database.pragma('page_count', { simple: true }) === 0;
		// Only possible before the first table: lets the file shrink again, a few pages at a time.
		if (isNew) database.pragma('auto_vacuum = INCREMENTAL');
		else refuseDamaged(database);
		database.pragma('journal_mode = WAL');
		database.pragma('synchronous = NORMAL');
		database.pragma('journal_size_limit = 16777216');
		database.pragma('foreign_keys = ON');
		migrate(database, steps);
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}

function refuseNewer(database: Database, file: string, steps: readonly Migration[]): void {
	const version = versionOf(database);
	const latest = steps.at(-1)?.version ?? 0;
	if (version <= latest) return;
	throw new StoreError({
		code: 'newer-version',
		message: `${file} was written by a newer floor (version ${version}; this one knows ${latest}).`,
		meaning: 'It was left as it is. This floor does not start with it, so no agent is watched.',
		remedy: 'Start the newer floor, or start this one with another --data directory.',
	});
}

/** About 1 ms a megabyte: worth it at each start, for damage found later costs the operator's orders. */
function refuseDamaged(database: Database): void {
	const found = String(database.pragma('quick_check(1)', { simple: true }));
	if (found === 'ok') return;
	throw damaged(found.replace(/\s+/g, ' '));
}

function damaged(words: string): StoreError {
	return new StoreError({
		code: 'corrupt',
		message: words,
		meaning: 'Its contents cannot be trusted.',
		remedy: 'It is set aside at the next start.',
	});
}

/** True for a missing or empty file as well: SQLite makes a database of it. */
function startsLikeDatabase(file: string): boolean {
	let handle: number;
	try {
		handle = openSync(file, 'r');
	} catch {
		// Missing, or SQLite will say what is in the way.
		return true;
	}
	try {
		if (!fstatSync(handle).isFile()) return true;
		const start = Buffer.alloc(HEADER.length);
		return readSync(handle, start) === 0 || start.equals(HEADER);
	} finally {
		closeSync(handle);
	}
}

function openError(error: unknown, file: string): StoreError {
	return storeErrorFrom(
		error,
		`open the database ${file}`,
		'The floor cannot start, so no agent is watched.',
	);
}
