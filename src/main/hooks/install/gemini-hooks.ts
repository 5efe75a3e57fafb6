/** Gemini CLI: its settings files, and the floor's hooks in them. The work is done in settings-installer.ts. */
import { join, resolve } from 'node:path';
import type { HookPlan } from '../../../shared/channels.ts';
import { dataDirectoryIn, desiredGeminiHooks, geminiHooks } from './gemini-handlers.ts';
import { applyHooks, planHooks } from './settings-installer.ts';
import { type Installation, type InstallHost, thisMachine } from './sight.ts';

/** Where the hooks live and whom they call. */
export interface GeminiHookTarget {
	/** The settings file to edit. */
	readonly file: string;
	/** Of the floor, absolute: the hooks call the forwarder in it. */
	readonly dataDirectory: string;
	/** It is the file of a project: the hooks name a path of this machine, which must not be committed. */
	readonly inProject?: boolean;
}

/** The settings of all projects: `GEMINI_CLI_HOME`, where it is set, stands for the home directory as in Gemini CLI. */
export function geminiSettingsFile(env: NodeJS.ProcessEnv, homeDirectory: string): string {
	return settingsIn(env.GEMINI_CLI_HOME || homeDirectory);
}

/** The settings of one project. Read when its folder is trusted and is not the home directory. */
export function geminiProjectSettingsFile(directory: string): string {
	return settingsIn(directory);
}

function settingsIn(directory: string): string {
	return join(resolve(directory), '.gemini', 'settings.json');
}

/** What stands in the file, and the diff of what `applyGeminiHooks` would change. Reads only. */
export async function planGeminiHooks(
	target: GeminiHookTarget,
	remove: boolean,
	host: InstallHost = thisMachine,
): Promise<HookPlan> {
	return planHooks(installationOf(target, host), remove, host);
}

/**
 * Installs the hooks, brings stale ones up to date, or takes them out; what is right already stays untouched.
 * @returns the state of the file as read back after the change; its diff is empty.
 * @throws ChannelError `refused-file` when the file cannot be read, merged, written or verified. It is whole then: it
 * holds what it held before, or what another program wrote.
 */
export async function applyGeminiHooks(
	target: GeminiHookTarget,
	remove: boolean,
	host: InstallHost = thisMachine,
): Promise<HookPlan> {
	return applyHooks(installationOf(target, host), remove, host);
}

function installationOf(target: GeminiHookTarget, { platform }: InstallHost): Installation {
	return {
		program: 'Gemini CLI',
		file: target.file,
		kind: geminiHooks,
		desired: desiredGeminiHooks(target.dataDirectory, platform),
		desiredIn: (text) => {
			const dataDirectory = dataDirectoryIn(text, platform);
			return dataDirectory === null ? null : desiredGeminiHooks(dataDirectory, platform);
		},
		authorization: null,
		keptFromGit: target.inProject === true ? 'names a path of this machine' : null,
	};
}
