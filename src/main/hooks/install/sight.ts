/** The settings file as it is at one moment, and what it would be without the floor. Reads only. */
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

export interface Sight {
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
 * @throws UnreadableSettings when hooks cannot be merged into the file.
 * @throws ErrnoException when it cannot be read.
 */
export async function look(installation: Installation, { disk }: InstallHost): Promise<Sight> {
	const named = resolve(installation.file);
	const file = await linkTarget(disk, named);
	const bytes = await readIfThere(disk, file);
	const authorization = await readIfThere(disk, authorizationFile(named));
	const sight = {
		named,
		file,
		bytes,
		...decodeSettings(bytes ?? new Uint8Array()),
		facts: await ifThere(disk.facts(file)),
		record: await readRecord(disk, named),
		backups: await readBackups(disk, named),
		authorized: installation.authorization === null || sameBytes(authorization, installation.authorization),
	};
	return { ...sight, original: originalOf(sight, installation) };
}

/** `bytes` with the desired hooks. @throws UnreadableSettings */
export function installedInto(
	kind: HookKind,
	bytes: Uint8Array,
	desired: readonly DesiredHook[],
): Uint8Array {
	const { text, byteOrderMark } = decodeSettings(bytes);
	return encodeSettings({ text: withHooks(kind, text, desired), byteOrderMark });
}

function originalOf(sight: Omit<Sight, 'original'>, { kind, desiredIn }: Installation): Original {
	const { bytes, text, byteOrderMark, record, backups } = sight;
	if (bytes === null || !hasOwnHooks(kind, text)) return { bytes, exact: true };
	if (record?.left === fingerprint(bytes)) return { bytes: record.found, exact: true };
	const desired = unlessUnfit(() => desiredIn(text));
	if (desired) {
		// Without the record, a copy is what was found if installing into it gives the present file.
		const copy = backups.find((backup) =>
			unlessUnfit(() => sameBytes(installedInto(kind, backup.bytes, desired), bytes)),
		);
		if (copy !== undefined) return { bytes: copy.bytes, exact: true };
	}
	const known = record === null ? (backups[0]?.bytes ?? null) : record.found;
	const rest = withoutHooks(kind, text, known === null ? undefined : containersIn(known));
	if (known === null && isEmptySettings(rest)) return { bytes: null, exact: false };
	return { bytes: encodeSettings({ text: rest, byteOrderMark }), exact: false };
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
