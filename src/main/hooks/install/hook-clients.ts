/** Whose hooks the floor can install: where each program keeps them, and how they are planned and applied there. */
import type { HookPlan } from '../../../shared/channels.ts';
import type { HookClient } from '../../../shared/words.ts';
import { applyCodexHooks, codexHooksFile, planCodexHooks } from './codex-hooks.ts';
import {
	applyCopilotHooks,
	planCopilotHooks,
	projectCopilotHooksFile,
	userCopilotHooksFile,
} from './copilot-hooks.ts';
import {
	applyCursorHooks,
	cursorHooksFile,
	cursorProjectHooksFile,
	planCursorHooks,
} from './cursor-hooks.ts';
import type { FloorAddress } from './floor-address.ts';
import {
	applyGeminiHooks,
	geminiProjectSettingsFile,
	geminiSettingsFile,
	planGeminiHooks,
} from './gemini-hooks.ts';
import { applyClaudeHooks, planClaudeHooks, projectSettingsFile, userSettingsFile } from './install.ts';
import {
	applyOpencodeHooks,
	planOpencodeHooks,
	projectOpencodePluginFile,
	userOpencodePluginFile,
} from './opencode-hooks.ts';
import { applyQwenHooks, planQwenHooks, qwenProjectSettingsFile, qwenSettingsFile } from './qwen-hooks.ts';

/** What an installation is made for. */
export interface HookPlace extends FloorAddress {
	readonly file: string;
	/** It is a file of one project. */
	readonly inProject: boolean;
	/** Of the floor: the forwarder lies in it. */
	readonly dataDirectory: string;
}

export interface HookClientInstaller {
	/** Runs the forwarder of the data directory, or reads what it reads: it must be there first. */
	readonly needsForwarder: boolean;
	/** The file for all projects. */
	userFile(env: NodeJS.ProcessEnv, homeDirectory: string): string;
	/** The file of one project; `null`: the program has none that could be used. */
	projectFile(directory: string): string | null;
	plan(place: HookPlace, remove: boolean): Promise<HookPlan>;
	/** Rejects with a `ChannelError` when the file cannot be changed; it is then as it was. */
	apply(place: HookPlace, remove: boolean): Promise<HookPlan>;
}

export const hookClients: Readonly<Record<HookClient, HookClientInstaller>> = {
	'claude-code': {
		needsForwarder: false,
		userFile: userSettingsFile,
		projectFile: projectSettingsFile,
		plan: planClaudeHooks,
		apply: applyClaudeHooks,
	},
	codex: {
		needsForwarder: true,
		userFile: codexHooksFile,
		projectFile: () => null,
		plan: planCodexHooks,
		apply: applyCodexHooks,
	},
	'gemini-cli': {
		needsForwarder: true,
		userFile: geminiSettingsFile,
		projectFile: geminiProjectSettingsFile,
		plan: planGeminiHooks,
		apply: applyGeminiHooks,
	},
	'copilot-cli': {
		needsForwarder: true,
		userFile: userCopilotHooksFile,
		projectFile: projectCopilotHooksFile,
		plan: planCopilotHooks,
		apply: applyCopilotHooks,
	},
	opencode: {
		needsForwarder: true,
		userFile: userOpencodePluginFile,
		projectFile: projectOpencodePluginFile,
		plan: planOpencodeHooks,
		apply: applyOpencodeHooks,
	},
	'qwen-code': {
		needsForwarder: true,
		userFile: qwenSettingsFile,
		projectFile: qwenProjectSettingsFile,
		plan: planQwenHooks,
		apply: applyQwenHooks,
	},
	cursor: {
		needsForwarder: true,
		userFile: (_, homeDirectory) => cursorHooksFile(homeDirectory),
		projectFile: cursorProjectHooksFile,
		plan: planCursorHooks,
		apply: applyCursorHooks,
	},
};
