/**
 * Installs the floor's hooks in a settings file of a CLI and takes them out again. The file is replaced as a whole or
 * not at all; what is there at the last moment is what gets merged, so another program's change is not lost; and what
 * is reported is what was read back. There is no lock that a crash or a sleeping machine could leave behind.
 */
import { dirname } from 'node:path';
import type { HookPlan } from '../../../shared/channels.ts';
import { applied, planned } from './attempts.ts';
import { type Disk, errorCode, ifThere } from './disk.ts';
import { excludeFromGit, includeInGit } from './git-exclude.ts';
import { inspect } from './hook-settings.ts';
import {
	authorizationFile,
	fingerprint,
	forgetInstallation,
	keepBackup,
	writeBeside,
	writeRecord,
} from './install-record.ts';
import {
	readIfThere,
	refuseReadOnly,
	removeAbandoned,
	removeFile,
	replaceFile,
	sameBytes,
} from './replace-file.ts';
import { diffOf, type Installation, type InstallHost, look, type Sight, wanted } from './sight.ts';

/** What stands in the file, and the diff of what `applyHooks` would change. Reads only. */
export async function planHooks(
	installation: Installation,
	remove: boolean,
	host: InstallHost,
): Promise<HookPlan> {
	return planned(installation.file, async () => {
		const sight = await look(installation, host);
		const diff = diffOf(sight, wanted(installation, sight, remove));
		return { ...reportOf(installation, sight), diff };
	});
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
	const { kind, desired } = installation;
	return applied(installation, remove, async () => {
		const sight = await look(installation, host);
		const settings = wanted(installation, sight, remove);
		if (!(await bringAbout(installation, sight, settings, remove, host))) return null;
		if (!sameBytes(await readIfThere(host.disk, sight.file), settings)) return null;
		await tidyUp(installation, sight, settings, remove, host);
		const readBack = await look(installation, host);
		if (inspect(kind, readBack.text, desired).state !== (remove ? 'absent' : 'installed')) return null;
		return { ...reportOf(installation, readBack), diff: '' };
	});
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
	if (!unchanged) await refuseReadOnly(disk, sight.file, sight.facts);
	if (!remove && settings !== null) await remember(installation, sight, settings, host);
	if (unchanged) return true;
	if (settings !== null) return replaceFile(disk, sight.file, sight.bytes, settings);
	return sight.bytes === null || removeFile(disk, sight.file, sight.bytes);
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
