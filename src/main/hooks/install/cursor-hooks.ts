/** Cursor: its hooks files, and the floor's hooks in them. The work is done in settings-installer.ts. */
import { join, resolve } from 'node:path';
import type { HookPlan } from '../../../shared/channels.ts';
import { cursorHooks, dataDirectoryIn, desiredCursorHooks } from './cursor-handlers.ts';
import { applyHooks, planHooks } from './settings-installer.ts';
import { type Installation, type InstallHost, thisMachine } from './sight.ts';

/** Where the hooks live and whom they call. */
export interface CursorHookTarget {
	/** The hooks file to edit. */
	readonly file: string;
	/** Of the floor, absolute: the hooks call the forwarder in it. */
	readonly dataDirectory: string;
	/** It is the file of a project: the hooks name a path of this machine, which must not be committed. */
	readonly inProject?: boolean;
}

/** The hooks of all projects. */
export function cursorHooksFile(homeDirectory: string): string {
	return hooksIn(homeDirectory);
}

/** The hooks of one project. They run beside those of all projects: an event may come twice. */
export function cursorProjectHooksFile(directory: string): string {
	return hooksIn(directory);
}

function hooksIn(directory: string): string {
	return join(resolve(directory), '.cursor', 'hooks.json');
}

/** What stands in the file, and the diff of what `applyCursorHooks` would change. Reads only. */
export async function planCursorHooks(
	target: CursorHookTarget,
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
export async function applyCursorHooks(
	target: CursorHookTarget,
	remove: boolean,
	host: InstallHost = thisMachine,
): Promise<HookPlan> {
	return applyHooks(installationOf(target, host), remove, host);
}

function installationOf(target: CursorHookTarget, { platform }: InstallHost): Installation {
	return {
		program: 'Cursor',
		file: target.file,
		kind: cursorHooks,
		desired: desiredCursorHooks(target.dataDirectory, platform),
		desiredIn: (text) => {
			const dataDirectory = dataDirectoryIn(text, platform);
			return dataDirectory === null ? null : desiredCursorHooks(dataDirectory, platform);
		},
		authorization: null,
		keptFromGit: target.inProject === true ? 'names a path of this machine' : null,
	};
}
