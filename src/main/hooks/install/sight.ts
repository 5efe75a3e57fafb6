/** The settings file as it is at one moment, and what it would be without the floor. Reads only. */
import { resolve } from 'node:path';
import { type ClaudeHookTarget, type DesiredHook, desiredHooks } from './claude-handlers.ts';
import {
	type FoundContainers,
	foundContainers,
	hasOwnHooks,
	installationIn,
	isEmptySettings,
	withHooks,
	withoutHooks,
} from './claude-settings.ts';
import { type Disk, type FileFacts, ifThere, nodeDisk } from './disk.ts';
import { authorizationLine } from './forwarder.ts';
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

/** @throws RangeError for a base URL or token that cannot be written into a settings file. */
export function desiredFor(target: ClaudeHookTarget, host: InstallHost): DesiredHook[] {
	return desiredHooks(target, host.platform, authorizationFile(resolve(target.file)));
}

/**
 * @throws UnreadableSettings when hooks cannot be merged into the file.
 * @throws ErrnoException when it cannot be read.
 */
export async function look(target: ClaudeHookTarget, host: InstallHost): Promise<Sight> {
	const { disk } = host;
	const named = resolve(target.file);
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
		authorized: sameBytes(authorization, Buffer.from(authorizationLine(target.agentToken))),
	};
	return { ...sight, original: originalOf(sight, host) };
}

/** `bytes` with the desired hooks. @throws UnreadableSettings */
export function installedInto(bytes: Uint8Array, desired: readonly DesiredHook[]): Uint8Array {
	const { text, byteOrderMark } = decodeSettings(bytes);
	return encodeSettings({ text: withHooks(text, desired), byteOrderMark });
}

function originalOf(sight: Omit<Sight, 'original'>, host: InstallHost): Original {
	const { named, bytes, text, byteOrderMark, record, backups } = sight;
	if (bytes === null || !hasOwnHooks(text)) return { bytes, exact: true };
	if (record?.left === fingerprint(bytes)) return { bytes: record.found, exact: true };
	const installation = installationIn(text);
	if (installation !== null) {
		// Without the record, a copy is what was found if installing into it gives the present file.
		const copy = backups.find((backup) =>
			unlessUnfit(() =>
				sameBytes(installedInto(backup.bytes, desiredFor({ file: named, ...installation }, host)), bytes),
			),
		);
		if (copy !== undefined) return { bytes: copy.bytes, exact: true };
	}
	const known = record === null ? (backups[0]?.bytes ?? null) : record.found;
	const rest = withoutHooks(text, known === null ? undefined : containersIn(known));
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
