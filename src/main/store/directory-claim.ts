/** One floor per data directory: a second start is led to the first. */
import { accessSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Disposable } from '../../shared/disposable.ts';
import { isKernelLocked, tryKernelLock } from './kernel-lock.ts';
import { readServerFile, type ServerFile } from './server-file.ts';
import { StoreError, storeErrorFrom } from './store-error.ts';

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

/** Has a floor claimed the directory? Asks the lock alone, and takes nothing. Throws a `StoreError`. */
export function isDataDirectoryClaimed(directory: string): boolean {
	return isKernelLocked(lockOf(directory));
}

function tryLock(directory: string): Disposable | null {
	try {
		// Not made here: a claim of a directory that is not there is a mistake.
		accessSync(directory);
		return tryKernelLock(lockOf(directory));
	} catch (error) {
		throw storeErrorFrom(
			error instanceof StoreError ? error.cause : error,
			`lock the data directory ${directory}`,
			'The floor cannot start, so no agent is watched.',
		);
	}
}

function lockOf(directory: string): string {
	return join(directory, 'floor.lock');
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
