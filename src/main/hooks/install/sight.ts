/** The settings file as it is at one moment, what it would be without the floor, and what it is to be. Reads only. */
import { resolve } from 'node:path';
import { type Disk, type FileFacts, ifThere, nodeDisk } from './disk.ts';
import {
	type DesiredHook,
	type FoundContainers,
	foundContainers,
	type HookKind,
	hasOwnHooks,
	isEmptySettings,
	withHooks,
	withoutHooks,
} from './hook-settings.ts';
import {
	authorizationFile,
	type Backup,
	fingerprint,
	type InstallRecord,
	readBackups,
	readRecord,
} from './install-record.ts';
import { linkTarget, readIfThere, sameBytes } from './replace-file.ts';
import { decodeSettings, encodeSettings, UnreadableSettings } from './settings-document.ts';
import { unifiedDiff } from './unified-diff.ts';

/** What the installer needs of the machine. */
export interface InstallHost {
	readonly disk: Disk;
	readonly platform: NodeJS.Platform;
	/** Milliseconds since the epoch. */
	now(): number;
}

export const thisMachine: InstallHost = { disk: nodeDisk, platform: process.platform, now: Date.now };

/** The hooks of one CLI in one settings file. */
export interface Installation {
	/** The CLI as people call it: "Claude Code". */
	readonly program: string;
	/** The settings file to edit. */
	readonly file: string;
	readonly kind: HookKind;
	readonly desired: readonly DesiredHook[];
	/**
	 * All that was desired by the installation whose hooks stand in `text`, which may be another floor's. `null` where
	 * that cannot be told.
	 * @throws UnreadableSettings, RangeError
	 */
	desiredIn(text: string): readonly DesiredHook[] | null;
	/** What the hooks need in a file beside the settings (`authorizationFile`); `null`: nothing. */
	readonly authorization: Uint8Array | null;
	/** Why the file must stay out of commits, as the comment in git's list of exclusions; `null`: it need not. */
	readonly keptFromGit: string | null;
}

export interface FileSight {
	/** Absolute path as asked for: what the installer remembers stands beside it. */
	readonly named: string;
	/** The file itself, links followed. */
	readonly file: string;
	/** `null`: no file. */
	readonly bytes: Uint8Array | null;
	/** Empty where there is no file. */
	readonly text: string;
	readonly byteOrderMark: boolean;
	readonly facts: FileFacts | undefined;
}

export interface Sight extends FileSight {
	readonly record: InstallRecord | null;
	readonly backups: readonly Backup[];
	/** The forwarder would be let in. */
	readonly authorized: boolean;
	readonly original: Original;
}

/** The file without the floor. */
export interface Original {
	/** `null`: no file. */
	readonly bytes: Uint8Array | null;
	/** The very bytes that were found; otherwise the present file less the floor's hooks. */
	readonly exact: boolean;
}

/**
 * @throws UnreadableSettings when the file is not UTF-8 text.
 * @throws ErrnoException when it cannot be read.
 */
export async function lookAtFile(path: string, disk: Disk): Promise<FileSight> {
	const named = resolve(path);
	const file = await linkTarget(disk, named);
	const bytes = await readIfThere(disk, file);
	const facts = await ifThere(disk.facts(file));
	return { named, file, bytes, ...decodeSettings(bytes ?? new Uint8Array()), facts };
}

/**
 * @throws UnreadableSettings when hooks cannot be merged into the file.
 * @throws ErrnoException when it cannot be read.
 */
export async function look(installation: Installation, { disk }: InstallHost): Promise<Sight> {
	const present = await lookAtFile(installation.file, disk);
	const { named } = present;
	const authorization = await readIfThere(disk, authorizationFile(named));
	const sight = {
		...present,
		record: await readRecord(disk, named),
		backups: await readBackups(disk, named),
		authorized: installation.authorization === null || sameBytes(authorization, installation.authorization),
	};
	return { ...sight, original: originalOf(sight, installation) };
}

/** What the file is to hold; `null`: no file. @throws UnreadableSettings */
export function wanted(
	{ kind, desired }: Pick<Installation, 'kind' | 'desired'>,
	sight: FileSight & Pick<Sight, 'original'>,
	remove: boolean,
): Uint8Array | null {
	const { bytes, exact } = sight.original;
	if (remove) return bytes;
	// From the original where it is known, so that bringing up to date and installing afresh give the same file.
	if (exact) return installedInto(kind, bytes ?? new Uint8Array(), desired);
	return encodeSettings({ text: withHooks(kind, sight.text, desired), byteOrderMark: sight.byteOrderMark });
}

/** From the file as it is to `settings`. */
export function diffOf({ file, bytes }: FileSight, settings: Uint8Array | null): string {
	const shown = (all: Uint8Array | null) => (all === null ? null : Buffer.from(all).toString('utf8'));
	return unifiedDiff(file, shown(bytes), shown(settings));
}

/** `bytes` with the desired hooks. @throws UnreadableSettings */
function installedInto(kind: HookKind, bytes: Uint8Array, desired: readonly DesiredHook[]): Uint8Array {
	const { text, byteOrderMark } = decodeSettings(bytes);
	return encodeSettings({ text: withHooks(kind, text, desired), byteOrderMark });
}

function originalOf(sight: Omit<Sight, 'original'>, { kind, desiredIn }: Installation): Original {
	const { bytes, text, byteOrderMark, record, backups } = sight;
	if (bytes === null || !hasOwnHooks(kind, text)) return { bytes, exact: true };
	if (record?.left === fingerprint(bytes)) return { bytes: record.found, exact: true };
	const desired = unlessUnfit(() => desiredIn(text));
	const copy = desired && foundCopy(kind, backups, desired, bytes);
	if (copy) return { bytes: copy.bytes, exact: true };
	const known = record === null ? (backups[0]?.bytes ?? null) : record.found;
	const rest = withoutHooks(kind, text, known === null ? undefined : containersIn(known));
	if (known === null && isEmptySettings(rest)) return { bytes: null, exact: false };
	return { bytes: encodeSettings({ text: rest, byteOrderMark }), exact: false };
}

/** Without a record, the copy is what was found that gives the present `bytes` when `desired` is installed into it. */
export function foundCopy(
	kind: HookKind,
	backups: readonly Backup[],
	desired: readonly DesiredHook[],
	bytes: Uint8Array,
): Backup | undefined {
	return backups.find((backup) =>
		unlessUnfit(() => sameBytes(installedInto(kind, backup.bytes, desired), bytes)),
	);
}

function containersIn(bytes: Uint8Array): FoundContainers | undefined {
	return unlessUnfit(() => foundContainers(decodeSettings(bytes).text));
}

/** `undefined` for a copy that is no settings file (any more), and for hooks with an address that nobody would write. */
function unlessUnfit<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch (error) {
		if (error instanceof UnreadableSettings || error instanceof RangeError) return undefined;
		throw error;
	}
}
