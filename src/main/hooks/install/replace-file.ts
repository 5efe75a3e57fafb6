/**
 * Whole-file replacement: the bytes are complete and on the disk under another name before they take the file's name,
 * so a crash at any point leaves the old file or the new one.
 */
import { randomBytes } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import { type Disk, errorCode, type FileFacts, ifThere } from './disk.ts';

/** In the names of unfinished files, so that a later run can tell and remove them. */
const UNFINISHED = '.agent-floor-unfinished-';
/** Another process may be writing right now; a file this old was left by one that died. */
const ABANDONED_AFTER_MS = 60_000;
const MAX_LINKS = 40;

/** The file that a chain of links leads to, there or not. A file that is no link is its own target. */
export async function linkTarget(disk: Disk, file: string): Promise<string> {
	let at = resolve(file);
	for (let links = 0; links < MAX_LINKS; links++) {
		const next = await linkAt(disk, at);
		if (next === null) return at;
		at = resolve(dirname(at), next);
	}
	throw Object.assign(new Error(`${file} is a link that leads to itself`), { code: 'ELOOP' });
}

async function linkAt(disk: Disk, file: string): Promise<string | null> {
	try {
		return await disk.readLink(file);
	} catch (error) {
		// EINVAL: not a link. UNKNOWN: the same on some file systems of Windows.
		if (['EINVAL', 'ENOENT', 'UNKNOWN'].includes(errorCode(error) ?? '')) return null;
		throw error;
	}
}

/**
 * A rename would replace a read-only file without asking, and root may write everywhere.
 * @param facts of the file; `undefined`: there is none.
 */
export async function refuseReadOnly(disk: Disk, file: string, facts: FileFacts | undefined): Promise<void> {
	if (facts === undefined) return;
	if ((facts.mode & 0o222) === 0) {
		throw Object.assign(new Error(`${file} is read-only`), { code: 'EACCES' });
	}
	await disk.checkWritable(file);
	await disk.checkWritable(dirname(file));
}

/**
 * Replaces what `file` holds, keeping mode and owner, provided it still holds `expected` (`null`: no file). Between
 * that last look and the rename another program can still write; no file system offers Node a way to close this gap.
 * @returns false, with nothing changed, when the file holds something else by now.
 */
export async function replaceFile(
	disk: Disk,
	file: string,
	expected: Uint8Array | null,
	bytes: Uint8Array,
	newFileMode = 0o600,
): Promise<boolean> {
	const facts = await ifThere(disk.facts(file));
	const unfinished = `${file}${UNFINISHED}${randomBytes(6).toString('hex')}`;
	try {
		const handle = await disk.create(unfinished);
		try {
			await handle.write(bytes);
			const made = await disk.facts(unfinished);
			if (facts !== undefined && (facts.uid !== made.uid || facts.gid !== made.gid)) {
				await handle.chown(facts.uid, facts.gid);
			}
			await handle.chmod(facts?.mode ?? newFileMode);
			await handle.sync();
		} finally {
			await handle.close();
		}
		if (!sameBytes(await readIfThere(disk, file), expected)) {
			await disk.remove(unfinished);
			return false;
		}
		await disk.rename(unfinished, file);
	} catch (error) {
		await removeQuietly(disk, unfinished, error);
		throw error;
	}
	await disk.syncDirectory(dirname(file));
	return true;
}

/** @returns false, with nothing changed, when the file holds something else than `expected`. */
export async function removeFile(disk: Disk, file: string, expected: Uint8Array): Promise<boolean> {
	if (!sameBytes(await readIfThere(disk, file), expected)) return false;
	await disk.remove(file);
	await disk.syncDirectory(dirname(file));
	return true;
}

/** Removes what writers that died left beside `file`. @param nowMs ms since the epoch */
export async function removeAbandoned(disk: Disk, file: string, nowMs: number): Promise<void> {
	const directory = dirname(file);
	for (const name of (await ifThere(disk.names(directory))) ?? []) {
		if (!name.startsWith(basename(file)) || !name.includes(UNFINISHED)) continue;
		const path = join(directory, name);
		const facts = await ifThere(disk.facts(path));
		if (facts !== undefined && nowMs - facts.modifiedAt > ABANDONED_AFTER_MS) {
			await ifThere(disk.remove(path));
		}
	}
}

export async function readIfThere(disk: Disk, file: string): Promise<Uint8Array | null> {
	return (await ifThere(disk.read(file))) ?? null;
}

export function sameBytes(one: Uint8Array | null, other: Uint8Array | null): boolean {
	return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}

/** The first error is the one to report; a second one, on cleaning up, goes with it. */
async function removeQuietly(disk: Disk, file: string, cause: unknown): Promise<void> {
	try {
		await ifThere(disk.remove(file));
	} catch (error) {
		if (cause instanceof Error && cause.cause === undefined) cause.cause = error;
	}
}
