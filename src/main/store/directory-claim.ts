/** One floor per data directory: a second start is led to the first. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import type { Disposable } from '../../shared/disposable.ts';
import { readServerFile, type ServerFile } from './server-file.ts';
import { StoreError, storeErrorCode, storeErrorFrom } from './store-error.ts';

export type Claim =
	/** The directory is this floor's until disposed or until the process ends, however it ends. */
	| { readonly claimed: true; readonly lock: Disposable }
	/** A living floor has it. */
	| { readonly claimed: false; readonly running: ServerFile };

export interface ClaimOptions {
	/** Does this floor answer to its operator token? */
	readonly answers?: (server: ServerFile) => Promise<boolean>;
	/** How long a floor that holds the directory may take to come up, ms. */
	readonly patienceMs?: number;
	readonly retryMs?: number;
}

/** An open lock lives as long as its connection: it must not be collected as garbage. */
const held = new Set<Database>();

/**
 * Claims the data directory, or finds the floor that has it. The claim is a lock of the operating system (through
 * SQLite, which has one for every platform), so nothing is left to judge after a crash: a pid that is used again, or
 * a stale `server.json`, misleads nobody. A floor that holds no lock but answers, as one of another version might,
 * counts as running too. Rejects with a `StoreError`: `in-use` when whoever holds the directory does not answer.
 */
export async function claimDataDirectory(directory: string, options: ClaimOptions = {}): Promise<Claim> {
	const { answers = answersToOperator, patienceMs = 5000, retryMs = 100 } = options;
	const deadline = performance.now() + patienceMs;
	for (;;) {
		const lock = tryLock(directory);
		const server = readServerFile(directory);
		if (server && isRunning(server.pid) && (await answers(server))) {
			lock?.dispose();
			return { claimed: false, running: server };
		}
		if (lock) return { claimed: true, lock };
		if (performance.now() >= deadline) throw unanswered(directory, server);
		await sleep(retryMs);
	}
}

/** `null` when another process, or this one, has it. */
function tryLock(directory: string): Disposable | null {
	let database: Database | undefined;
	try {
		database = new SqliteDatabase(join(directory, 'floor.lock'), { timeout: 0 });
		// Nothing is ever written: no journal file beside it.
		database.pragma('journal_mode = MEMORY');
		database.exec('BEGIN EXCLUSIVE');
	} catch (error) {
		database?.close();
		if (storeErrorCode(error) === 'busy') return null;
		throw storeErrorFrom(
			error,
			`lock the data directory ${directory}`,
			'The floor cannot start, so no agent is watched.',
		);
	}
	const lock = database;
	held.add(lock);
	return {
		dispose: () => {
			held.delete(lock);
			lock.close();
		},
	};
}

/** True when a process with this pid exists; it need not be a floor. */
function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// EPERM: it exists, and is somebody else's.
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}

/** Asks for the settings, which only the operator may see. */
async function answersToOperator(server: ServerFile): Promise<boolean> {
	try {
		const response = await fetch(`${server.url}/request/settings:get`, {
			method: 'POST',
			headers: { authorization: `Bearer ${server.operatorToken}`, 'content-type': 'application/json' },
			body: 'null',
			redirect: 'error',
			signal: AbortSignal.timeout(2000),
		});
		await response.body?.cancel();
		return response.ok;
	} catch {
		// Nobody listens there, or it is not a floor.
		return false;
	}
}

function unanswered(directory: string, server: ServerFile | null): StoreError {
	const who = server ? `A floor (pid ${server.pid}, ${server.url})` : 'Another floor';
	return new StoreError({
		code: 'in-use',
		message: `${who} has the data directory ${directory}, but does not answer.`,
		meaning: 'Two floors on one directory would overwrite each other, so this one does not start.',
		remedy: 'Wait a moment and try again, end the other one, or use another --data directory.',
	});
}
