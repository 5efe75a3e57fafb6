/**
 * Which events of Cursor the floor asks for, and the handler that each of them gets, by Cursor's public description: its
 * hooks file is `{"version": 1, "hooks": {"<event>": [<handler>]}}`, timeouts are seconds, a handler that fails or is not
 * there stops nothing (`failClosed` is not set), and a key that it does not know it passes over without a word.
 */
import { forwardTimeout } from './forward-deadlines.ts';
import { forwardCommand, forwardDataDirectory, isForwardCommand } from './forward-program.ts';
import { type DesiredHook, type Handler, type HookKind, ownHandlers } from './hook-settings.ts';
import { memberNamed, parseSettings } from './settings-document.ts';

const CLIENT = 'cursor';

/**
 * Left out: beforeShellExecution, beforeMCPExecution, beforeReadFile and their ends, which tell of a call that preToolUse
 * has told of; what comes with every piece of an answer or a thought; what needs its end to be told (preCompact).
 */
export const CURSOR_EVENTS = [
	'sessionStart',
	'sessionEnd',
	'beforeSubmitPrompt',
	'preToolUse',
	'postToolUse',
	'postToolUseFailure',
	'afterFileEdit',
	'stop',
] as const;

/** One handler per event, without a matcher: every tool. */
export function desiredCursorHooks(dataDirectory: string, platform: NodeJS.Platform): DesiredHook[] {
	return CURSOR_EVENTS.map((event) => ({
		event,
		handler: {
			command: forwardCommand(dataDirectory, platform, CLIENT, event),
			timeout: forwardTimeout(event),
		},
	}));
}

/** Of the floor whose hooks stand in `text`; `null` where there are none. @throws UnreadableSettings */
export function dataDirectoryIn(text: string, platform: NodeJS.Platform): string | null {
	for (const { fields } of ownHandlers(cursorHooks, text)) {
		const found = typeof fields.command === 'string' ? forwardDataDirectory(fields.command, platform) : null;
		if (found !== null) return found;
	}
	return null;
}

export const cursorHooks: HookKind = {
	newFile: '{\n  "version": 1\n}\n',
	grouped: false,
	isOurs: ({ command }) => typeof command === 'string' && isForwardCommand(command, CLIENT),
	// Its timeout, matcher and whatever else stands in it are the person's.
	callsAsDesired: (handler, desired) => handler.command === desired.command,
	brought: (handler, desired): Handler => ({ ...desired, ...handler, command: desired.command }),
	strings: () => [['command']],
	obstacleIn,
};

/** What in the file keeps Cursor from running hooks that stand in it. @throws UnreadableSettings */
function obstacleIn(text: string, desired: readonly DesiredHook[]): string {
	const root = parseSettings(text);
	if (root === null) return '';
	if (memberNamed(root, 'version')?.value !== 1) {
		return 'Cursor reads hooks of version 1 only: write "version": 1 into this file.';
	}
	const own = ownHandlers(cursorHooks, text);
	const misspelt = own.find(({ event }) => desired.every((hook) => hook.event !== event));
	const meant = desired.find(({ event }) => event.toLowerCase() === misspelt?.event.toLowerCase());
	return misspelt === undefined || meant === undefined
		? ''
		: `Cursor does not know "${misspelt.event}" and passes over it: "${meant.event}" is meant.`;
}
