/**
 * Installs the floor's hooks in a settings file of a CLI and takes them out again. The file is replaced as a whole or
 * not at all; what is there at the last moment is what gets merged, so another program's change is not lost; and what
 * is reported is what was read back. There is no lock that a crash or a sleeping machine could leave behind.
 */
import { dirname } from 'node:path';
import type { HookPlan } from '../../../shared/channels.ts';
import { type Disk, errorCode, ifThere } from './disk.ts';
import { excludeFromGit, includeInGit } from './git-exclude.ts';
import { inspect, withHooks } from './hook-settings.ts';
import {
	authorizationFile,
	fingerprint,
	forgetInstallation,
	keepBackup,
	writeBeside,
	writeRecord,
} from './install-record.ts';
import { givenUp, isRefusal, reasonOf, refusal } from './refusal.ts';
import { readIfThere, removeAbandoned, removeFile, replaceFile, sameBytes } from './replace-file.ts';
import { encodeSettings } from './settings-document.ts';
import { type Installation, type InstallHost, installedInto, look, type Sight } from './sight.ts';
import { unifiedDiff } from './unified-diff.ts';

export type { Installation } from './sight.ts';

/** Another program that writes the same file at the same time gets this many turns. */
const ATTEMPTS = 8;

/** What stands in the file, and the diff of what `applyHooks` would change. Reads only. */
export async function planHooks(
	installation: Installation,
	remove: boolean,
	host: InstallHost,
): Promise<HookPlan> {
	try {
		const sight = await look(installation, host);
		const diff = diffOf(sight, wanted(installation, sight, remove));
		return { ...reportOf(installation, sight), diff };
	} catch (error) {
		if (!isRefusal(error)) throw error;
		return { file: installation.file, status: 'unreadable', problem: reasonOf(error), diff: '' };
	}
}

/**
 * Installs the hooks, brings stale ones up to date, or takes them out; what is right already stays untouched.
 * @returns the state of the file as read back after the change; its diff is empty.
 * @throws ChannelError `refused-file` when the file cannot be read, merged, written or verified. It is whole then: it
 * holds what it held before, or what another program wrote.
 */
export async function applyHooks(
	installation: Installation,
	remove: boolean,
	host: InstallHost,
): Promise<HookPlan> {
	const { program, file, kind, desired } = installation;
	try {
		for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
			const sight = await look(installation, host);
			const settings = wanted(installation, sight, remove);
			if (!(await bringAbout(installation, sight, settings, remove, host))) continue;
			if (!sameBytes(await readIfThere(host.disk, sight.file), settings)) continue;
			await tidyUp(installation, sight, settings, remove, host);
			const readBack = await look(installation, host);
			if (inspect(kind, readBack.text, desired).state !== (remove ? 'absent' : 'installed')) continue;
			return { ...reportOf(installation, readBack), diff: '' };
		}
	} catch (error) {
		if (!isRefusal(error)) throw error;
		throw refusal(program, file, remove, error);
	}
	throw givenUp(program, file);
}

/** What the file is to hold; `null`: no file. */
function wanted({ kind, desired }: Installation, sight: Sight, remove: boolean): Uint8Array | null {
	const { bytes, exact } = sight.original;
	if (remove) return bytes;
	// From the original where it is known, so that bringing up to date and installing afresh give the same file.
	if (exact) return installedInto(kind, bytes ?? new Uint8Array(), desired);
	return encodeSettings({ text: withHooks(kind, sight.text, desired), byteOrderMark: sight.byteOrderMark });
}

/** @returns false, with the settings unchanged, when another program changed them meanwhile. */
async function bringAbout(
	installation: Installation,
	sight: Sight,
	settings: Uint8Array | null,
	remove: boolean,
	host: InstallHost,
): Promise<boolean> {
	const { disk } = host;
	const unchanged = sameBytes(sight.bytes, settings);
	if (!unchanged) await refuseReadOnly(sight, disk);
	if (!remove && settings !== null) await remember(installation, sight, settings, host);
	if (unchanged) return true;
	if (settings !== null) return replaceFile(disk, sight.file, sight.bytes, settings);
	return sight.bytes === null || removeFile(disk, sight.file, sight.bytes);
}

/** A rename would replace a read-only file without asking, and root may write everywhere. */
async function refuseReadOnly(sight: Sight, disk: Disk): Promise<void> {
	if (sight.facts === undefined) return;
	if ((sight.facts.mode & 0o222) === 0) {
		throw Object.assign(new Error(`${sight.file} is read-only`), { code: 'EACCES' });
	}
	await disk.checkWritable(sight.file);
	await disk.checkWritable(dirname(sight.file));
}

/** Before the change, so that a crash after it leaves a way back. */
async function remember(
	installation: Installation,
	sight: Sight,
	settings: Uint8Array,
	{ disk, now }: InstallHost,
): Promise<void> {
	const { named, original } = sight;
	const made = await makeDirectoryIfMissing(disk, dirname(sight.file));
	const { keptFromGit, authorization } = installation;
	if (keptFromGit !== null) await excludeFromGit(disk, named, keptFromGit);
	if (authorization !== null) await writeBeside(disk, authorizationFile(named), authorization);
	if (original.bytes !== null && original.exact) {
		await keepBackup(disk, named, original.bytes, sight.facts?.mode ?? 0o600, now());
	}
	await writeRecord(disk, named, {
		found: original.bytes,
		left: fingerprint(settings),
		madeDirectory: made || sight.record?.madeDirectory === true,
	});
}

/** One level only: a directory above it that is missing is a mistyped path. */
async function makeDirectoryIfMissing(disk: Disk, directory: string): Promise<boolean> {
	if ((await ifThere(disk.facts(directory))) !== undefined) return false;
	await disk.makeDirectory(directory);
	return true;
}

async function tidyUp(
	{ keptFromGit }: Installation,
	sight: Sight,
	settings: Uint8Array | null,
	remove: boolean,
	{ disk, now }: InstallHost,
): Promise<void> {
	await removeAbandoned(disk, sight.named, now());
	await removeAbandoned(disk, sight.file, now());
	if (!remove) return;
	await forgetInstallation(disk, sight.named, settings);
	if (keptFromGit !== null) await includeInGit(disk, sight.named, keptFromGit);
	if (settings !== null || sight.record?.madeDirectory !== true) return;
	try {
		await ifThere(disk.removeDirectory(dirname(sight.file)));
	} catch (error) {
		// Somebody keeps other files there by now.
		if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
	}
}

function reportOf({ file, kind, desired }: Installation, sight: Sight): Omit<HookPlan, 'diff'> {
	const { state, obstacle } = inspect(kind, sight.text, desired);
	const runs = obstacle === '' && sight.authorized;
	return { file, status: state === 'installed' && !runs ? 'partly' : state, problem: obstacle };
}

function diffOf(sight: Sight, settings: Uint8Array | null): string {
	const shown = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString('utf8'));
	return unifiedDiff(sight.file, shown(sight.bytes), shown(settings));
}
