/** Qwen Code: its settings files, and the floor's hooks in them. The work is done in settings-installer.ts. */
import { join, resolve } from 'node:path';
import type { HookPlan } from '../../../shared/channels.ts';
import { dataDirectoryIn, desiredQwenHooks, qwenHooks } from './qwen-handlers.ts';
import { applyHooks, planHooks } from './settings-installer.ts';
import { type Installation, type InstallHost, thisMachine } from './sight.ts';

/** Where the hooks live and whom they call. */
export interface QwenHookTarget {
	/** The settings file to edit. */
	readonly file: string;
	/** Of the floor, absolute: the hooks call the forwarder in it. */
	readonly dataDirectory: string;
	/** It is the file of a project: the hooks name a path of this machine, which must not be committed. */
	readonly inProject?: boolean;
}

/** The settings of all projects: `QWEN_HOME`, where it is set, replaces `~/.qwen` as in Qwen Code. */
export function qwenSettingsFile(env: NodeJS.ProcessEnv, homeDirectory: string): string {
	const configured = env.QWEN_HOME?.replace(/^~(?=$|[\\/])/, homeDirectory);
	return join(resolve(configured || join(homeDirectory, '.qwen')), 'settings.json');
}

/** The settings of one project; its hooks run when its folder is trusted. */
export function qwenProjectSettingsFile(directory: string): string {
	return join(resolve(directory), '.qwen', 'settings.json');
}

/** What stands in the file, and the diff of what `applyQwenHooks` would change. Reads only. */
export async function planQwenHooks(
	target: QwenHookTarget,
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
export async function applyQwenHooks(
	target: QwenHookTarget,
	remove: boolean,
	host: InstallHost = thisMachine,
): Promise<HookPlan> {
	return applyHooks(installationOf(target, host), remove, host);
}

function installationOf(target: QwenHookTarget, { platform }: InstallHost): Installation {
	return {
		program: 'Qwen Code',
		file: target.file,
		kind: qwenHooks,
		desired: desiredQwenHooks(target.dataDirectory, platform),
		desiredIn: (text) => {
			const dataDirectory = dataDirectoryIn(text, platform);
			return dataDirectory === null ? null : desiredQwenHooks(dataDirectory, platform);
		},
		authorization: null,
		keptFromGit: target.inProject === true ? 'names a path of this machine' : null,
	};
}
