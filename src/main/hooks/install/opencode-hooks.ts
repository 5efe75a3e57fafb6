/**
 * Installs the floor's plugin for opencode and takes it out again. opencode runs every script in a directory, so the
 * plugin is a file of the floor's own there: written as a whole, removed as a whole, and never where a file by that name
 * is not just as the floor wrote it. It is replaced as a whole or not at all, and what is reported is what was read back.
 */
import { dirname, join, resolve } from 'node:path';
import { ChannelError, type HookPlan } from '../../../shared/channels.ts';
import { applied, planned } from './attempts.ts';
import { type Disk, errorCode, ifThere } from './disk.ts';
import { floorConfigurationFile, isUntouchedPlugin, opencodePlugin } from './opencode-plugin.ts';
import {
	readIfThere,
	refuseReadOnly,
	removeAbandoned,
	removeFile,
	replaceFile,
	sameBytes,
} from './replace-file.ts';
import { diffOf, type FileSight, type InstallHost, lookAtFile, thisMachine } from './sight.ts';

export interface OpencodeHookTarget {
	/** The plugin's file. */
	readonly file: string;
	/** Of the floor: the plugin reads there where the floor listens. */
	readonly dataDirectory: string;
}

const FILE_NAME = 'agent-floor.js';
/** It holds no token, only the path of the file that does. */
const FILE_MODE = 0o644;

const NO_CONFIGURATION =
	'The file that tells this plugin where the floor listens is missing, so that it does nothing: start Agent Floor, which writes it anew.';
const OUTDATED = 'It is the plugin of another version or another floor; connecting again renews it.';
const NOT_OURS =
	'It is not as Agent Floor wrote it: somebody else made this file, or changed it. Agent Floor neither overwrites nor removes it.';

/**
 * For all projects. `XDG_CONFIG_HOME`, where it is set, replaces `~/.config`, on Windows too; OPENCODE_CONFIG_DIR only adds
 * a directory (1.18.33).
 */
export function userOpencodePluginFile(env: NodeJS.ProcessEnv, homeDirectory: string): string {
	const configured = env.XDG_CONFIG_HOME;
	const directory =
		configured === undefined || configured === '' ? join(homeDirectory, '.config') : configured;
	return join(resolve(directory), 'opencode', 'plugins', FILE_NAME);
}

/**
 * For one project. A team commits this directory. The file holds no token, but a path on this machine: it does nothing
 * anywhere else, and does not belong into a commit.
 */
export function projectOpencodePluginFile(directory: string): string {
	return join(resolve(directory), '.opencode', 'plugins', FILE_NAME);
}

/** What stands in the file, and the diff of what `applyOpencodeHooks` would change. Reads only. */
export async function planOpencodeHooks(
	target: OpencodeHookTarget,
	remove: boolean,
	host: InstallHost = thisMachine,
): Promise<HookPlan> {
	return planned(target.file, async () => {
		const sight = await lookAtFile(target.file, host.disk);
		const report = await reportOf(target, sight, host);
		if (isForeign(sight)) return { ...report, diff: '' };
		return { ...report, diff: diffOf(sight, wanted(target, remove, host)) };
	});
}

/**
 * Installs the plugin, brings it up to date, or takes it out; what is right already stays untouched.
 * @returns the state of the file as read back after the change; its diff is empty.
 * @throws ChannelError `refused-file` when the file is not the floor's, or cannot be read, written or verified. It is whole
 * then: it holds what it held before, or what another program wrote.
 */
export async function applyOpencodeHooks(
	target: OpencodeHookTarget,
	remove: boolean,
	host: InstallHost = thisMachine,
): Promise<HookPlan> {
	const { file } = target;
	const { disk } = host;
	return applied({ program: 'opencode', file }, remove, async () => {
		const sight = await lookAtFile(file, disk);
		if (isForeign(sight)) throw foreign(file, remove);
		const bytes = wanted(target, remove, host);
		if (!(await bringAbout(sight, bytes, disk))) return null;
		if (!sameBytes(await readIfThere(disk, sight.file), bytes)) return null;
		await tidyUp(sight, remove, host);
		return { ...(await reportOf(target, await lookAtFile(file, disk), host)), diff: '' };
	});
}

function wanted(
	{ dataDirectory }: OpencodeHookTarget,
	remove: boolean,
	host: InstallHost,
): Uint8Array | null {
	return remove ? null : Buffer.from(opencodePlugin(dataDirectory, host.platform));
}

/** A file that the floor did not write, or that somebody changed since. */
function isForeign({ bytes, text, byteOrderMark }: FileSight): boolean {
	return bytes !== null && (byteOrderMark || !isUntouchedPlugin(text));
}

/** @returns false, with the file unchanged, when another program changed it meanwhile. */
async function bringAbout(sight: FileSight, bytes: Uint8Array | null, disk: Disk): Promise<boolean> {
	if (sameBytes(sight.bytes, bytes)) return true;
	await refuseReadOnly(disk, sight.file, sight.facts);
	if (bytes === null) return sight.bytes === null || removeFile(disk, sight.file, sight.bytes);
	for (const missing of ownDirectories(sight.file).toReversed()) {
		if ((await ifThere(disk.facts(missing))) === undefined) await disk.makeDirectory(missing);
	}
	return replaceFile(disk, sight.file, sight.bytes, bytes, FILE_MODE);
}

async function tidyUp(sight: FileSight, remove: boolean, { disk, now }: InstallHost): Promise<void> {
	await removeAbandoned(disk, sight.named, now());
	await removeAbandoned(disk, sight.file, now());
	if (!remove || sight.bytes === null) return;
	// Empty ones mean nothing to opencode or to git, whoever made them.
	for (const directory of ownDirectories(sight.file)) await removeIfEmpty(disk, directory);
}

/** `plugins` and what holds it (`opencode` in `.config`, `.opencode`); one above that is missing is a mistyped path. */
function ownDirectories(file: string): string[] {
	const plugins = dirname(file);
	const holder = dirname(plugins);
	const isProject = holder.endsWith('.opencode');
	return isProject ? [plugins, holder] : [plugins, holder, dirname(holder)];
}

async function removeIfEmpty(disk: Disk, directory: string): Promise<void> {
	try {
		await ifThere(disk.removeDirectory(directory));
	} catch (error) {
		// Others keep files there, or it is not ours to remove.
		if (!['ENOTEMPTY', 'EEXIST', 'EACCES', 'EPERM', 'EBUSY'].includes(errorCode(error) ?? '')) throw error;
	}
}

async function reportOf(
	{ file, dataDirectory }: OpencodeHookTarget,
	sight: FileSight,
	{ disk, platform }: InstallHost,
): Promise<Omit<HookPlan, 'diff'>> {
	if (sight.bytes === null) return { file, status: 'absent', problem: '' };
	if (isForeign(sight)) return { file, status: 'unreadable', problem: NOT_OURS };
	if (sight.text !== opencodePlugin(dataDirectory, platform))
		return { file, status: 'partly', problem: OUTDATED };
	const configuration = await ifThere(disk.facts(floorConfigurationFile(dataDirectory, platform)));
	if (configuration === undefined) return { file, status: 'partly', problem: NO_CONFIGURATION };
	return { file, status: 'installed', problem: '' };
}

function foreign(file: string, remove: boolean): ChannelError {
	return new ChannelError({
		code: 'refused-file',
		message: `opencode's plugin ${file} cannot be ${remove ? 'removed' : 'written'}: it is not as Agent Floor wrote it.`,
		meaning: remove
			? 'Somebody else made this file, or changed it. It was left as it is, and opencode goes on running it.'
			: 'Somebody else made this file, or changed it. It was left as it is; sessions of opencode may not be seen by the floor.',
		remedy: 'Look at the file, move it away or delete it, and try again.',
	});
}
