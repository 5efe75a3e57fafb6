/**
 * Installs the floor's hooks for Copilot CLI and takes them out again. Copilot CLI reads every `*.json` in a directory,
 * so the floor has a file of its own there: written as a whole, removed as a whole. Whatever a person changed in it is
 * kept. The file is replaced as a whole or not at all, and what is reported is what was read back.
 */
import { dirname, join, resolve } from 'node:path';
import type { HookPlan } from '../../../shared/channels.ts';
import { copilotHooks, isAsWritten, ownHooks, withoutHooks } from './copilot-file.ts';
import { type CopilotHookTarget, desiredHooks, inOrder } from './copilot-handlers.ts';
import { type Disk, errorCode, type FileFacts, ifThere } from './disk.ts';
import { forwardProgramFile } from './forward-program.ts';
import { type DesiredHook, inspect, withHooks } from './hook-settings.ts';
import { forgetInstallation, keepBackup, readBackups } from './install-record.ts';
import { givenUp, isRefusal, reasonOf, refusal } from './refusal.ts';
import {
	linkTarget,
	readIfThere,
	removeAbandoned,
	removeFile,
	replaceFile,
	sameBytes,
} from './replace-file.ts';
import { decodeSettings, encodeSettings, UnreadableSettings } from './settings-document.ts';
import { type InstallHost, installedInto, thisMachine } from './sight.ts';
import { unifiedDiff } from './unified-diff.ts';

export type { CopilotHookTarget } from './copilot-handlers.ts';

const PROGRAM = 'Copilot CLI';
const FILE_NAME = 'agent-floor.json';
/** Another program that writes the same file at the same time gets this many turns. */
const ATTEMPTS = 8;
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

interface Sight {
	/** Absolute path as asked for. */
	readonly named: string;
	/** The file itself, links followed. */
	readonly file: string;
	/** `null`: no file. */
	readonly bytes: Uint8Array | null;
	/** Empty where there is no file. */
	readonly text: string;
	readonly byteOrderMark: boolean;
	readonly facts: FileFacts | undefined;
	/** The file without the floor; `null`: no file. */
	readonly original: Uint8Array | null;
	/** False: `original` is the present file less the floor's hooks, with what somebody else changed in it. */
	readonly exact: boolean;
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
	try {
		const sight = await look(target, host);
		const settings = wanted(sight, desired, remove);
		return { ...reportOf(target, sight, desired), diff: diffOf(sight, settings) };
	} catch (error) {
		if (!isRefusal(error)) throw error;
		return { file: target.file, status: 'unreadable', problem: reasonOf(error), diff: '' };
	}
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
	const desired = desiredHooks(target, host.platform);
	try {
		for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
			const sight = await look(target, host);
			const settings = wanted(sight, desired, remove);
			if (!(await bringAbout(sight, settings, remove, host))) continue;
			if (!sameBytes(await readIfThere(host.disk, sight.file), settings)) continue;
			await tidyUp(sight, settings, remove, host);
			const readBack = await look(target, host);
			if (inspect(copilotHooks, readBack.text, desired).state !== (remove ? 'absent' : 'installed')) continue;
			const report = reportOf(target, readBack, desired);
			const isLeft = remove && settings !== null && !sight.exact;
			return { ...report, problem: isLeft ? LEFT_BEHIND : report.problem, diff: '' };
		}
	} catch (error) {
		if (!isRefusal(error)) throw error;
		throw refusal(PROGRAM, target.file, remove, error);
	}
	throw givenUp(PROGRAM, target.file);
}

async function look(target: CopilotHookTarget, { disk, platform }: InstallHost): Promise<Sight> {
	const named = resolve(target.file);
	const file = await linkTarget(disk, named);
	const bytes = await readIfThere(disk, file);
	const forwarder = forwardProgramFile(target.dataDirectory, platform);
	const present = { named, file, bytes, ...decodeSettings(bytes ?? new Uint8Array()) };
	return {
		...present,
		...(await originalOf(present, disk)),
		facts: await ifThere(disk.facts(file)),
		hasForwarder: (await ifThere(disk.facts(forwarder))) !== undefined,
	};
}

async function originalOf(
	{ named, bytes, text, byteOrderMark }: Pick<Sight, 'named' | 'bytes' | 'text' | 'byteOrderMark'>,
	disk: Disk,
): Promise<Pick<Sight, 'original' | 'exact'>> {
	const own = bytes === null ? [] : ownHooks(text);
	if (bytes === null || own.length === 0) return { original: bytes, exact: true };
	// A copy is what was found if installing into it gives the present file.
	for (const backup of await readBackups(disk, named)) {
		if (sameBytes(installedIntoCopy(backup.bytes, own), bytes))
			return { original: backup.bytes, exact: true };
	}
	if (!byteOrderMark && isAsWritten(text)) return { original: null, exact: true };
	const rest = withoutHooks(text);
	return { original: rest === null ? null : encodeSettings({ text: rest, byteOrderMark }), exact: false };
}

/** `null` for a copy that is no hooks file (any more). */
function installedIntoCopy(bytes: Uint8Array, hooks: readonly DesiredHook[]): Uint8Array | null {
	try {
		return installedInto(copilotHooks, bytes, inOrder(hooks));
	} catch (error) {
		if (error instanceof UnreadableSettings) return null;
		throw error;
	}
}

/** What the file is to hold; `null`: no file. */
function wanted(sight: Sight, desired: readonly DesiredHook[], remove: boolean): Uint8Array | null {
	const { original, exact, text, byteOrderMark } = sight;
	if (remove) return original;
	if (!exact) return encodeSettings({ text: withHooks(copilotHooks, text, desired), byteOrderMark });
	// From the original, so that bringing up to date and installing afresh give the same file.
	return installedInto(copilotHooks, original ?? new Uint8Array(), desired);
}

/** @returns false, with the file unchanged, when another program changed it meanwhile. */
async function bringAbout(
	sight: Sight,
	settings: Uint8Array | null,
	remove: boolean,
	{ disk, now }: InstallHost,
): Promise<boolean> {
	if (sameBytes(sight.bytes, settings)) return true;
	await refuseReadOnly(sight, disk);
	if (!remove) {
		await makeDirectories(disk, dirname(sight.file));
		const { named, original, exact, facts } = sight;
		if (original !== null && exact) await keepBackup(disk, named, original, facts?.mode ?? FILE_MODE, now());
	}
	if (settings !== null) return replaceFile(disk, sight.file, sight.bytes, settings, FILE_MODE);
	return sight.bytes === null || removeFile(disk, sight.file, sight.bytes);
}

/** A rename would replace a read-only file without asking, and root may write everywhere. */
async function refuseReadOnly({ file, facts }: Sight, disk: Disk): Promise<void> {
	if (facts === undefined) return;
	if ((facts.mode & 0o222) === 0) {
		throw Object.assign(new Error(`${file} is read-only`), { code: 'EACCES' });
	}
	await disk.checkWritable(file);
	await disk.checkWritable(dirname(file));
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

function diffOf(sight: Sight, settings: Uint8Array | null): string {
	const shown = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString('utf8'));
	return unifiedDiff(sight.file, shown(sight.bytes), shown(settings));
}
