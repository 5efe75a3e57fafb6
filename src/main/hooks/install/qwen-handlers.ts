/**
 * Which events of Qwen Code the floor asks for, and the handler that each of them gets. Measured with Qwen Code 0.24.4:
 * hooks are on unless `disableAllHooks` is true; a command that cannot be started, exits with whatever code and prints
 * nothing, or takes too long, stops nothing; no hook of any event gets more than 60 s.
 *
 * As commands, although it could call a URL itself: once the person has a proxy (`HTTPS_PROXY`, `proxy`), it sends hooks
 * for this machine through that proxy, too, payload and token included (measured), and no hook reaches the floor. A
 * command also carries the process of the agent, and neither a port nor a token stands in the settings.
 */
import { forwardTimeout } from './forward-deadlines.ts';
import { forwardCommand, forwardDataDirectory, isForwardCommand } from './forward-program.ts';
import { trailingComma } from './gemini-handlers.ts';
import { type DesiredHook, type Handler, type HookKind, ownHandlers } from './hook-settings.ts';
import { memberNamed, parseSettings, unreadable } from './settings-document.ts';

const CLIENT = 'qwen-code';

/** What `/hooks` shows. */
const HOOK_NAME = 'agent-floor';

/**
 * Left out: MessageDisplay, which comes five times a second while an answer streams; TodoCreated, TodoCompleted,
 * UserPromptExpansion, PermissionDenied and InstructionsLoaded, which say nothing that others have not said.
 */
export const QWEN_EVENTS = [
	'SessionStart',
	'SessionEnd',
	// Before every call of the model: the only place where it can be halted within a turn.
	'UserPromptSubmit',
	'PreToolUse',
	'PermissionRequest',
	'PostToolUse',
	'PostToolUseFailure',
	// The only event of a call that the program itself rejected.
	'PostToolBatch',
	'Notification',
	'SubagentStart',
	'SubagentStop',
	'Stop',
	'StopFailure',
	'PreCompact',
	'PostCompact',
] as const;

/** One handler per event, without a matcher: every tool and every kind. */
export function desiredQwenHooks(dataDirectory: string, platform: NodeJS.Platform): DesiredHook[] {
	return QWEN_EVENTS.map((event) => ({
		event,
		handler: {
			name: HOOK_NAME,
			type: 'command',
			command: forwardCommand(dataDirectory, platform, CLIENT, event),
			// Seconds; from 1000 on it would be read as milliseconds.
			timeout: forwardTimeout(event),
		},
	}));
}

/** Of the floor whose hooks stand in `text`; `null` where there are none. @throws UnreadableSettings */
export function dataDirectoryIn(text: string, platform: NodeJS.Platform): string | null {
	for (const { fields } of ownHandlers(qwenHooks, text)) {
		const found = typeof fields.command === 'string' ? forwardDataDirectory(fields.command, platform) : null;
		if (found !== null) return found;
	}
	return null;
}

export const qwenHooks: HookKind = {
	newFile: '{}\n',
	grouped: true,
	isOurs: ({ type, command }) =>
		type === 'command' && typeof command === 'string' && isForwardCommand(command, CLIENT),
	// Its name, timeout and whatever else stands in it are the person's.
	callsAsDesired: (handler, desired) => handler.type === desired.type && handler.command === desired.command,
	brought: (handler, desired): Handler => ({ ...desired, ...handler, command: desired.command }),
	strings: () => [['command']],
	obstacleIn,
};

/** What in the settings keeps Qwen Code from running hooks that stand in them. @throws UnreadableSettings */
function obstacleIn(text: string): string {
	const root = parseSettings(text);
	if (root === null) return '';
	const comma = trailingComma(text);
	if (comma !== null) {
		const { message } = unreadable('a comma with nothing after it', text, comma);
		return `Qwen Code does not start with this file: ${message}. It reads comments, but no such commas.`;
	}
	return memberNamed(root, 'disableAllHooks')?.value === true
		? 'Qwen Code runs none of these hooks: "disableAllHooks" is true in this file.'
		: '';
}
