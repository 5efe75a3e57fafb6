/**
 * What the installer remembers, beside the settings file: a dated copy of the file as it was found (for people, and
 * in case the record is lost), a record (what was found and what was left, in case the copy is lost) and the
 * forwarder's authorisation. They stand beside the path that was asked for, not beside what a link leads to: a
 * settings file that links into a repository of dotfiles must not fill that repository with copies and tokens.
 */
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { type Disk, ifThere } from './disk.ts';
import { readIfThere, replaceFile, sameBytes } from './replace-file.ts';

const recordSchema = z.object({
	version: z.literal(1),
	/** The file as it was before the floor's hooks, base64; `null`: there was none. */
	found: z.base64().nullable(),
	/** SHA-256, hex, of the file as the installer left it. */
	left: z.hex().length(64),
	/** The installer made the directory of the file. */
	madeDirectory: z.boolean(),
});

export interface InstallRecord {
	readonly found: Uint8Array | null;
	readonly left: string;
	readonly madeDirectory: boolean;
}

export interface Backup {
	readonly file: string;
	readonly bytes: Uint8Array;
}

export function recordFile(settingsFile: string): string {
	return `${settingsFile}.agent-floor-record.json`;
}

export function authorizationFile(settingsFile: string): string {
	return `${settingsFile}.agent-floor-authorization`;
}

function backupPrefix(settingsFile: string): string {
	return `${settingsFile}.agent-floor-backup-`;
}

export function fingerprint(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}

/** `null` where there is none or it cannot be understood: the dated copies then serve in its place. */
export async function readRecord(disk: Disk, settingsFile: string): Promise<InstallRecord | null> {
	const bytes = await readIfThere(disk, recordFile(settingsFile));
	if (bytes === null) return null;
	const parsed = recordSchema.safeParse(jsonOrNull(Buffer.from(bytes).toString('utf8')));
	if (!parsed.success) return null;
	const { found, left, madeDirectory } = parsed.data;
	return { found: found === null ? null : Buffer.from(found, 'base64'), left, madeDirectory };
}

function jsonOrNull(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		return null;
	}
}

/** Mode 0600: settings can hold secrets. */
export async function writeRecord(disk: Disk, settingsFile: string, record: InstallRecord): Promise<void> {
	const text = JSON.stringify({
		version: 1,
		found: record.found === null ? null : Buffer.from(record.found).toString('base64'),
		left: record.left,
		madeDirectory: record.madeDirectory,
	} satisfies z.infer<typeof recordSchema>);
	await writeBeside(disk, recordFile(settingsFile), Buffer.from(`${text}\n`));
}

/** Newest first. */
export async function readBackups(disk: Disk, settingsFile: string): Promise<Backup[]> {
	const directory = dirname(settingsFile);
	const prefix = basename(backupPrefix(settingsFile));
	const names = (await ifThere(disk.names(directory))) ?? [];
	const backups: Backup[] = [];
	for (const name of names) {
		if (!name.startsWith(prefix) || !/^[\dTZ-]+$/.test(name.slice(prefix.length))) continue;
		const file = join(directory, name);
		const bytes = await readIfThere(disk, file);
		if (bytes !== null) backups.push({ file, bytes });
	}
	return backups.sort((one, other) => (one.file < other.file ? 1 : -1));
}

/** Keeps `bytes` under a dated name, with the mode of the original. A copy that is there already is enough. */
export async function keepBackup(
	disk: Disk,
	settingsFile: string,
	bytes: Uint8Array,
	mode: number,
	nowMs: number,
): Promise<void> {
	const there = await readBackups(disk, settingsFile);
	if (there.some((backup) => sameBytes(backup.bytes, bytes))) return;
	for (let at = nowMs; ; at++) {
		// No colons: they are not allowed in file names on Windows.
		const date = new Date(at).toISOString().replaceAll(/[:.]/g, '-');
		if (await replaceFile(disk, backupPrefix(settingsFile) + date, null, bytes, mode)) return;
	}
}

/** Leaves nothing of the installer's behind but the copies that differ from `settings`, which someone may want. */
export async function forgetInstallation(
	disk: Disk,
	settingsFile: string,
	settings: Uint8Array | null,
): Promise<void> {
	await ifThere(disk.remove(recordFile(settingsFile)));
	await ifThere(disk.remove(authorizationFile(settingsFile)));
	for (const backup of await readBackups(disk, settingsFile)) {
		if (sameBytes(backup.bytes, settings)) await ifThere(disk.remove(backup.file));
	}
}

/** Writes a file of the installer's own, unless it holds just these bytes. */
export async function writeBeside(disk: Disk, file: string, bytes: Uint8Array): Promise<void> {
	const there = await readIfThere(disk, file);
	if (sameBytes(there, bytes)) return;
	// A concurrent installer that wrote in between wrote its own, and will go on to write the settings.
	await replaceFile(disk, file, there, bytes);
}
