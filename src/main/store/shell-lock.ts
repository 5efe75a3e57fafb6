/**
 * The lock that shell scripts can take as well: the directory `<file>.lock`, made with `mkdir`. Inside it may stand
 * `owner`: "<pid> <host> <token>"; without it only the directory's age counts.
 */

import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Disposable } from '../../shared/disposable.ts';
import { StoreError, storeErrorFrom, systemCodeOf } from './store-error.ts';

export interface ShellLock extends Disposable {
	/** False when another has taken it over, because we slept for too long. */
	isOurs(): boolean;
}

export interface ShellLockOptions {
	/** How long others may keep it, ms. */
	readonly patienceMs: number;
	/** ms since the epoch: compared with the directory's time. */
	readonly now?: () => number;
}

const RETRY_MS = 20;
/** From this age on nobody is believed to work under it, ms. */
const STALE_MS = 10_000;
const LARGEST_OWNER_BYTES = 1_000;

/**
 * Waits for the lock, and takes over one whose owner is gone or that is too old. Rejects with a `StoreError`: `busy`,
 * `not-writable` when the directory cannot be written to.
 */
export async function shellLock(file: string, options: ShellLockOptions): Promise<ShellLock> {
	const { patienceMs, now = Date.now } = options;
	const directory = `${file}.lock`;
	const owner = `${process.pid} ${hostname()} ${randomUUID()}\n`;
	const deadline = performance.now() + patienceMs;
	for (;;) {
		if (make(directory, owner, now)) return held(directory, owner);
		if (removeStale(directory, now())) continue;
		if (performance.now() >= deadline) throw kept(directory, patienceMs);
		await sleep(RETRY_MS * (0.5 + Math.random()));
	}
}

function held(directory: string, owner: string): ShellLock {
	const isOurs = (): boolean => read(directory) === owner;
	return {
		isOurs,
		dispose: () => {
			if (isOurs()) rmSync(directory, { recursive: true, force: true });
		},
	};
}

/** False when it is there already. */
function make(directory: string, owner: string, now: () => number): boolean {
	const began = now();
	try {
		mkdirSync(directory);
	} catch (error) {
		const isThere = lstatSync(directory, { throwIfNoEntry: false }) !== undefined;
		// Windows says EPERM while it is being removed.
		if (isThere || systemCodeOf(error) === 'EEXIST') return false;
		throw refused(error, directory);
	}
	try {
		writeFileSync(join(directory, 'owner'), owner, { flag: 'wx' });
		// Slept in between: the directory may be another's by now.
		return now() - began < STALE_MS;
	} catch (error) {
		// Taken over between the two steps.
		if (['EEXIST', 'ENOENT'].includes(systemCodeOf(error))) return false;
		rmSync(directory, { recursive: true, force: true });
		throw refused(error, directory);
	}
}

/** "<pid> <host> <token>" as it stands there; `null` when nobody signed. */
function read(directory: string): string | null {
	const file = join(directory, 'owner');
	try {
		// A pipe, or a link to a device, would never end.
		const stats = lstatSync(file);
		return stats.isFile() && stats.size <= LARGEST_OWNER_BYTES ? readFileSync(file, 'utf8') : null;
	} catch {
		// A script's lock, or one that is being made or removed.
		return null;
	}
}

/** True when it was removed, or is gone: try again at once. */
function removeStale(directory: string, now: number): boolean {
	const before = identityOf(directory);
	if (before === null) return true;
	const owner = read(directory);
	// A clock that was set, here or there, must not keep a lock for ever.
	const isOld = Math.abs(now - before.changedAt) > STALE_MS;
	if (!isOld && !isGone(owner)) return false;
	const aside = `${directory}.${randomUUID()}`;
	try {
		renameSync(directory, aside);
	} catch (error) {
		if (systemCodeOf(error) === 'ENOENT') return true;
		throw refused(error, directory);
	}
	// Only one can have renamed it; was it still the one that was judged?
	if (identityOf(aside)?.inode === before.inode && read(aside) === owner) {
		rmSync(aside, { recursive: true, force: true });
		return true;
	}
	putBack(aside, directory);
	return false;
}

/** It was another's new lock. If yet another one stands there by now, its owner notices that it was lost. */
function putBack(aside: string, directory: string): void {
	try {
		if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) renameSync(aside, directory);
		else rmSync(aside, { recursive: true, force: true });
	} catch (error) {
		throw refused(error, directory);
	}
}

/** True when it was a process of this machine that does not exist any more. */
function isGone(owner: string | null): boolean {
	const [pid, host] = (owner ?? '').trim().split(/\s+/);
	if (!pid || !/^\d{1,10}$/.test(pid) || host !== hostname()) return false;
	try {
		process.kill(Number(pid), 0);
		return false;
	} catch (error) {
		return systemCodeOf(error) === 'ESRCH';
	}
}

function identityOf(directory: string): { readonly inode: bigint; readonly changedAt: number } | null {
	// Of the name itself: a link to nothing stands there all the same, and would be looked for without end.
	const stats = lstatSync(directory, { bigint: true, throwIfNoEntry: false });
	return stats ? { inode: stats.ino, changedAt: Number(stats.mtimeMs) } : null;
}

const meaning = 'What was to be kept in the file it guards was not written.';

function kept(directory: string, patienceMs: number): StoreError {
	return new StoreError({
		code: 'busy',
		message: `A script has kept the lock ${directory} for more than ${patienceMs} ms.`,
		meaning,
		remedy: `If it happens again, end the script that hangs, and remove ${directory}.`,
	});
}

function refused(error: unknown, directory: string): StoreError {
	return storeErrorFrom(error, `make the lock ${directory}`, meaning);
}
