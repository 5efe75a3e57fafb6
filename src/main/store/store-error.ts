/** What can go wrong with the floor's files, in words for the person whose files they are. */

export type StoreErrorCode =
	/** The directory or file cannot be written or opened. */
	| 'not-writable'
	| 'disk-full'
	/** Written by a newer floor. */
	| 'newer-version'
	/** Another floor holds the data directory. */
	| 'in-use'
	/** Another program holds the database for the moment. */
	| 'busy'
	| 'corrupt'
	/** More came than could be written in time. */
	| 'overloaded'
	| 'failed';

export interface StoreErrorData {
	readonly code: StoreErrorCode;
	/** What happened. */
	readonly message: string;
	/** What it means for the agents. */
	readonly meaning: string;
	/** What to do. */
	readonly remedy: string;
}

export class StoreError extends Error {
	readonly code: StoreErrorCode;
	readonly meaning: string;
	readonly remedy: string;

	constructor(data: StoreErrorData, cause?: unknown) {
		super(data.message, { cause });
		this.name = 'StoreError';
		this.code = data.code;
		this.meaning = data.meaning;
		this.remedy = data.remedy;
	}
}

const codes: readonly (readonly [RegExp, StoreErrorCode])[] = [
	[/^(SQLITE_FULL|ENOSPC|EDQUOT)/, 'disk-full'],
	[/^(SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|SQLITE_AUTH)/, 'not-writable'],
	[/^(EACCES|EPERM|EROFS|ENOTDIR|EISDIR|EEXIST|ENOENT|ELOOP|ENAMETOOLONG)$/, 'not-writable'],
	[/^(SQLITE_BUSY|SQLITE_LOCKED)/, 'busy'],
	[/^(SQLITE_CORRUPT|SQLITE_NOTADB)/, 'corrupt'],
];

const remedies: Readonly<Record<StoreErrorCode, string>> = {
	'not-writable': 'Make it writable for you, or start the floor with another --data directory.',
	'disk-full': 'Free some space on that disk; the floor tries again by itself.',
	'newer-version': 'Start the newer floor, or start this one with another --data directory.',
	'in-use': 'Use the floor that runs, or start this one with another --data directory.',
	busy: 'Close the other program that has it open; the floor tries again by itself.',
	corrupt: 'Start the floor again: it sets the damaged file aside and begins a new one.',
	overloaded: 'Nothing; if it stays, the disk is too slow for so many agents.',
	failed: 'Start the floor again; if it stays, look at the disk and at the directory.',
};

/**
 * The typed error for whatever SQLite or the file system threw. `doing` completes "Could not …"; `meaning` says what
 * that costs the agents or the operator.
 */
export function storeErrorFrom(error: unknown, doing: string, meaning: string): StoreError {
	if (error instanceof StoreError) return error;
	const code = storeErrorCode(error);
	const words = error instanceof Error ? error.message : String(error);
	return new StoreError(
		{ code, message: `Could not ${doing}: ${words}`, meaning, remedy: remedies[code] },
		error,
	);
}

/** The kind of trouble behind an error of SQLite or of the file system. */
export function storeErrorCode(error: unknown): StoreErrorCode {
	if (error instanceof StoreError) return error.code;
	const systemCode = systemCodeOf(error);
	return codes.find(([pattern]) => pattern.test(systemCode))?.[1] ?? 'failed';
}

/** "ENOENT", "SQLITE_BUSY" …; empty when the error carries none. */
export function systemCodeOf(error: unknown): string {
	return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
