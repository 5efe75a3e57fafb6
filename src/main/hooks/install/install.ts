/** Claude Code: its settings files, and the floor's hooks in them. The work is done in settings-installer.ts. */
import { basename, join, resolve } from 'node:path';
import type { HookPlan } from '../../../shared/channels.ts';
import { type ClaudeHookTarget, desiredHooks } from './claude-handlers.ts';
import { claudeHooks, installationIn } from './claude-settings.ts';
import { authorizationLine } from './forwarder.ts';
import { authorizationFile } from './install-record.ts';
import { applyHooks, planHooks } from './settings-installer.ts';
import { type Installation, type InstallHost, thisMachine } from './sight.ts';

export type { ClaudeHookTarget } from './claude-handlers.ts';

const PROJECT_SETTINGS = 'settings.local.json';

/** The settings of all projects: `CLAUDE_CONFIG_DIR`, where it is set, replaces `~/.claude` as in Claude Code. */
export function userSettingsFile(env: NodeJS.ProcessEnv, homeDirectory: string): string {
	const configured = env.CLAUDE_CONFIG_DIR;
	const directory =
		configured === undefined || configured === '' ? join(homeDirectory, '.claude') : configured;
	return join(resolve(directory).normalize('NFC'), 'settings.json');
}

/**
 * The personal settings of one project. Not `.claude/settings.json`, which a team commits: the hooks hold the token of
 * this machine's floor, which must not be committed, and an address that exists on this machine only.
 */
export function projectSettingsFile(directory: string): string {
	return join(resolve(directory), '.claude', PROJECT_SETTINGS);
}

/**
 * What stands in the file, and the diff of what `applyClaudeHooks` would change. Reads only.
 * @throws RangeError for a base URL or token that cannot be written into a settings file.
 */
export async function planClaudeHooks(
	target: ClaudeHookTarget,
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
 * @throws RangeError for a base URL or token that cannot be written into a settings file.
 */
export async function applyClaudeHooks(
	target: ClaudeHookTarget,
	remove: boolean,
	host: InstallHost = thisMachine,
): Promise<HookPlan> {
	return applyHooks(installationOf(target, host), remove, host);
}

/** @throws RangeError for a base URL or token that cannot be written into a settings file. */
function installationOf(target: ClaudeHookTarget, { platform }: InstallHost): Installation {
	const beside = authorizationFile(resolve(target.file));
	return {
		program: 'Claude Code',
		file: target.file,
		kind: claudeHooks,
		desired: desiredHooks(target, platform, beside),
		desiredIn: (text) => {
			const other = installationIn(text);
			return other && desiredHooks({ file: target.file, ...other }, platform, beside);
		},
		authorization: Buffer.from(authorizationLine(target.agentToken)),
		// Claude Code asks git to ignore this file only when it makes it itself; the installer may be first.
		keptFromGit:
			basename(target.file) === PROJECT_SETTINGS ? 'holds the token of the floor on this machine' : null,
	};
}
