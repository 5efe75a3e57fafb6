/**
 * Installs the floor's hooks for Copilot CLI and takes them out again. Copilot CLI reads every `*.json` in a directory,
 * so the floor has a file of its own there: written as a whole, removed as a whole. Whatever a person changed in it is
 * kept. The file is replaced as a whole or not at all, and what is reported is what was read back.
 */
import { dirname, join, resolve } from 'node:path';
import type { HookPlan } from '../../../shared/channels.ts';
import { applied, planned } from './attempts.ts';
import { copilotHooks, isAsWritten, ownHooks, withoutHooks } from './copilot-file.ts';
import { type CopilotHookTarget, desiredHooks, inOrder } from './copilot-handlers.ts';
import { type Disk, errorCode, ifThere } from './disk.ts';
import { forwardProgramFile } from './forward-program.ts';
import { type DesiredHook, inspect } from './hook-settings.ts';
import { forgetInstallation, keepBackup, readBackups } from './install-record.ts';
import {
	readIfThere,
	refuseReadOnly,
	removeAbandoned,
	removeFile,
	replaceFile,
	sameBytes,
} from './replace-file.ts';
import { encodeSettings } from './settings-document.ts';
import {
	diffOf,
	type FileSight,
	foundCopy,
	type InstallHost,
	lookAtFile,
	type Original,
	thisMachine,
	wanted,
} from './sight.ts';

export type { CopilotHookTarget } from './copilot-handlers.ts';

const FILE_NAME = 'agent-floor.json';
/** It holds no token, only the path of the forwarder. */
const FILE_MODE = 0o644;

const LEFT_BEHIND =
	'The floor’s hooks are out. The file stays, because it holds changes that are not the floor’s: remove it by hand when nobody needs it.';
const NO_FORWARDER =
	'The forwarder that these hooks run is missing, so that they do nothing: start Agent Floor, which writes it anew.';

/** For all projects: `COPILOT_HOME`, where it is set, replaces `~/.copilot`; XDG_CONFIG_HOME does nothing (1.0.102). */
export function userCopilotHooksFile(env: NodeJS.ProcessEnv, homeDirectory: string): string {
	const configured = env.COPILOT_HOME;
	const directory =
		configured === undefined || configured === '' ? join(homeDirectory, '.copilot') : configured;
	return join(resolve(directory), 'hooks', FILE_NAME);
}

/**
 * For one project. A team commits this directory. The file holds no token, but the path of the forwarder on this
 * machine: it does nothing anywhere else, and does not belong into a commit. Without a person, hooks of a project run
 * only in a folder that was trusted (1.0.102).
 */
export function projectCopilotHooksFile(directory: string): string {
	return join(resolve(directory), '.github', 'hooks', FILE_NAME);
}

interface Sight extends FileSight {
	readonly original: Original;
	/** The program that the hooks run is there. */
	readonly hasForwarder: boolean;
}

/** What stands in the file, and the diff of what `applyCopilotHooks` would change. Reads only. */
export async function planCopilotHooks(
	target: CopilotHookTarget,
	remove: boolean,
	host: InstallHost = thisMachine,
): Promise<HookPlan> {
	const desired = desiredHooks(target, host.platform);
	return planned(target.file, async () => {
		const sight = await look(target, host);
		const diff = diffOf(sight, wanted({ kind: copilotHooks, desired }, sight, remove));
		return { ...reportOf(target, sight, desired), diff };
	});
}

/**
 * Installs the hooks, brings stale ones up to date, or takes them out; what is right already stays untouched.
 * @returns the state of the file as read back after the change; its diff is empty.
 * @throws ChannelError `refused-file` when the file cannot be read, merged, written or verified. It is whole then: it
 * holds what it held before, or what another program wrote.
 */
export async function applyCopilotHooks(
	target: CopilotHookTarget,
	remove: boolean,
	host: InstallHost = thisMachine,
): Promise<HookPlan> {
	const { file } = target;
	const desired = desiredHooks(target, host.platform);
	return applied({ program: 'Copilot CLI', file }, remove, async () => {
		const sight = await look(target, host);
		const settings = wanted({ kind: copilotHooks, desired }, sight, remove);
		if (!(await bringAbout(sight, settings, remove, host))) return null;
		if (!sameBytes(await readIfThere(host.disk, sight.file), settings)) return null;
		await tidyUp(sight, settings, remove, host);
		const readBack = await look(target, host);
		if (inspect(copilotHooks, readBack.text, desired).state !== (remove ? 'absent' : 'installed'))
			return null;
		const report = reportOf(target, readBack, desired);
		const isLeft = remove && settings !== null && !sight.original.exact;
		return { ...report, problem: isLeft ? LEFT_BEHIND : report.problem, diff: '' };
	});
}

async function look(target: CopilotHookTarget, { disk, platform }: InstallHost): Promise<Sight> {
	const present = await lookAtFile(target.file, disk);
	const forwarder = forwardProgramFile(target.dataDirectory, platform);
	return {
		...present,
		original: await originalOf(present, disk),
		hasForwarder: (await ifThere(disk.facts(forwarder))) !== undefined,
	};
}

async function originalOf({ named, bytes, text, byteOrderMark }: FileSight, disk: Disk): Promise<Original> {
	const own = bytes === null ? [] : ownHooks(text);
	if (bytes === null || own.length === 0) return { bytes, exact: true };
	const copy = foundCopy(copilotHooks, await readBackups(disk, named), inOrder(own), bytes);
	if (copy !== undefined) return { bytes: copy.bytes, exact: true };
	if (!byteOrderMark && isAsWritten(text)) return { bytes: null, exact: true };
	const rest = withoutHooks(text);
	return { bytes: rest === null ? null : encodeSettings({ text: rest, byteOrderMark }), exact: false };
}

/** @returns false, with the file unchanged, when another program changed it meanwhile. */
async function bringAbout(
	sight: Sight,
	settings: Uint8Array | null,
	remove: boolean,
	{ disk, now }: InstallHost,
): Promise<boolean> {
	if (sameBytes(sight.bytes, settings)) return true;
	await refuseReadOnly(disk, sight.file, sight.facts);
	if (!remove) {
		await makeDirectories(disk, dirname(sight.file));
		const { named, original, facts } = sight;
		if (original.bytes !== null && original.exact) {
			await keepBackup(disk, named, original.bytes, facts?.mode ?? FILE_MODE, now());
		}
	}
	if (settings !== null) return replaceFile(disk, sight.file, sight.bytes, settings, FILE_MODE);
	return sight.bytes === null || removeFile(disk, sight.file, sight.bytes);
}

/** `hooks` and what holds it (`.copilot`, `.github`); a directory above that is missing is a mistyped path. */
async function makeDirectories(disk: Disk, directory: string): Promise<void> {
	for (const missing of [dirname(directory), directory]) {
		if ((await ifThere(disk.facts(missing))) === undefined) await disk.makeDirectory(missing);
	}
}

async function tidyUp(
	sight: Sight,
	settings: Uint8Array | null,
	remove: boolean,
	{ disk, now }: InstallHost,
): Promise<void> {
	await removeAbandoned(disk, sight.named, now());
	await removeAbandoned(disk, sight.file, now());
	if (!remove) return;
	await forgetInstallation(disk, sight.named, settings);
	if (settings !== null || sight.bytes === null) return;
	// An empty directory means nothing to Copilot CLI or to git, whoever made it.
	await removeIfEmpty(disk, dirname(sight.file));
	await removeIfEmpty(disk, dirname(dirname(sight.file)));
}

async function removeIfEmpty(disk: Disk, directory: string): Promise<void> {
	try {
		await ifThere(disk.removeDirectory(directory));
	} catch (error) {
		// Others keep files there, or it is not ours to remove.
		if (!['ENOTEMPTY', 'EEXIST', 'EACCES', 'EPERM', 'EBUSY'].includes(errorCode(error) ?? '')) throw error;
	}
}

function reportOf(
	{ file }: CopilotHookTarget,
	sight: Sight,
	desired: readonly DesiredHook[],
): Omit<HookPlan, 'diff'> {
	const { state, obstacle } = inspect(copilotHooks, sight.text, desired);
	if (state === 'absent') return { file, status: state, problem: '' };
	const ignored = sight.byteOrderMark
		? 'Copilot CLI ignores this whole file: it begins with a byte order mark.'
		: obstacle;
	const problem = ignored === '' && !sight.hasForwarder ? NO_FORWARDER : ignored;
	return { file, status: problem === '' ? state : 'partly', problem };
}
