/**
 * Codex: its hooks.json, and the floor's hooks in it. The work is done in settings-installer.ts. config.toml is read to
 * tell whether Codex will run them, and never written.
 */
import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { HookPlan } from '../../../shared/channels.ts';
import { type CodexConfig, readCodexConfig } from './codex-config.ts';
import { type CodexSurroundings, codexHooks, desiredCodexHooks } from './codex-handlers.ts';
import { type Disk, ifThere } from './disk.ts';
import { forwardDataDirectory } from './forward-program.ts';
import { ownHandlers } from './hook-settings.ts';
import { isRefusal, reasonOf } from './refusal.ts';
import { linkTarget, readIfThere } from './replace-file.ts';
import { decodeSettings, UnreadableSettings } from './settings-document.ts';
import { applyHooks, planHooks } from './settings-installer.ts';
import { type Installation, type InstallHost, thisMachine } from './sight.ts';

export interface CodexHookTarget {
	/** The hooks.json to edit. */
	readonly file: string;
	/** Where the forwarder lies. */
	readonly dataDirectory: string;
}

/** The hooks of all projects: `CODEX_HOME`, where it is set, replaces `~/.codex` as in Codex. */
export function codexHooksFile(env: NodeJS.ProcessEnv, homeDirectory: string): string {
	const configured = env.CODEX_HOME;
	return join(
		configured === undefined || configured === '' ? join(homeDirectory, '.codex') : resolve(configured),
		'hooks.json',
	);
}

/** What stands in the file, whether Codex runs it, and the diff of what `applyCodexHooks` would change. Reads only. */
export async function planCodexHooks(
	target: CodexHookTarget,
	remove: boolean,
	host: InstallHost = thisMachine,
): Promise<HookPlan> {
	const { installation, problem } = await installationOf(target, host);
	return withProblem(await planHooks(installation, remove, host), problem);
}

/**
 * Installs the hooks, brings stale ones up to date, or takes them out; what is right already stays untouched. New ones go
 * behind other people's, whose place in the list is part of what Codex trusts.
 * @returns the state of the file as read back after the change; its diff is empty. `partly` with a problem while Codex
 * waits for the person's trust.
 * @throws ChannelError `refused-file` when the file cannot be read, merged, written or verified. It is whole then.
 */
export async function applyCodexHooks(
	target: CodexHookTarget,
	remove: boolean,
	host: InstallHost = thisMachine,
): Promise<HookPlan> {
	const { installation, problem } = await installationOf(target, host);
	return withProblem(await applyHooks(installation, remove, host), problem);
}

/** A config.toml that cannot be read keeps nobody from installing, but then nobody knows whether the hooks run. */
function withProblem(plan: HookPlan, problem: string): HookPlan {
	if (problem === '' || plan.status === 'unreadable' || plan.status === 'absent') return plan;
	return { ...plan, status: 'partly', problem };
}

async function installationOf(
	{ file, dataDirectory }: CodexHookTarget,
	host: InstallHost,
): Promise<{ installation: Installation; problem: string }> {
	const { surroundings, problem } = await surroundingsOf(file, host.disk);
	const kind = codexHooks(surroundings);
	const { platform } = host;
	const installation: Installation = {
		program: 'Codex',
		file,
		kind,
		desired: desiredCodexHooks(dataDirectory, platform),
		desiredIn: (text) => {
			const command = ownHandlers(kind, text)[0]?.fields.command;
			const data = typeof command === 'string' ? forwardDataDirectory(command, platform) : null;
			return data === null ? null : desiredCodexHooks(data, platform);
		},
		authorization: null,
		keptFromGit: null,
	};
	return { installation, problem };
}

async function surroundingsOf(
	file: string,
	disk: Disk,
): Promise<{ surroundings: CodexSurroundings; problem: string }> {
	const named = resolve(file);
	const directory = dirname(named);
	try {
		const { config, problem } = await configOf(directory, disk);
		const bytes = await readIfThere(disk, await linkTarget(disk, named));
		// Codex follows links on the way to CODEX_HOME, and names its files after what it found.
		const real = (await ifThere(realpath(directory))) ?? directory;
		return {
			surroundings: {
				config,
				files: [...new Set([named, join(real, 'hooks.json')])],
				byteOrderMark: bytes !== null && decodeSettings(bytes).byteOrderMark,
			},
			problem,
		};
	} catch (error) {
		// The installer meets the same fault at the file itself, and says so.
		if (!isRefusal(error)) throw error;
		return { surroundings: { config: null, files: [named], byteOrderMark: false }, problem: '' };
	}
}

async function configOf(
	directory: string,
	disk: Disk,
): Promise<{ config: CodexConfig | null; problem: string }> {
	const file = join(directory, 'config.toml');
	try {
		const bytes = await readIfThere(disk, file);
		return {
			config: bytes === null ? null : readCodexConfig(decodeSettings(bytes).text),
			problem: '',
		};
	} catch (error) {
		if (!isRefusal(error)) throw error;
		const why = error instanceof UnreadableSettings ? error.message : reasonOf(error);
		return {
			config: null,
			problem: `Whether Codex runs the hooks is not known: ${file} cannot be read (${why}).`,
		};
	}
}
