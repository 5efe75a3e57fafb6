/**
 * Which events of Gemini CLI the floor asks for, and the handler that each of them gets. Measured with Gemini CLI
 * 0.61.0: hooks are on unless `hooksConfig.enabled` is false; no hook at all runs in a folder that is not trusted, nor
 * one whose name stands in `hooksConfig.disabled`; the same command in the user's and in a project's settings runs once.
 */
import { type ParseError, parse } from 'jsonc-parser';
import { forwardTimeout } from './forward-deadlines.ts';
import {
	forwardCommand,
	forwardDataDirectory,
	forwardProgramFile,
	isForwardCommand,
} from './forward-program.ts';
import { type DesiredHook, type Handler, type HookKind, ownHandlers } from './hook-settings.ts';
import { powershellQuoted, shellQuoted } from './quoting.ts';
import { elementsOf, memberNamed, parseSettings, textOf, unreadable } from './settings-document.ts';

const CLIENT = 'gemini-cli';

/** What `/hooks` shows, and what a person names to switch the hooks off. */
export const HOOK_NAME = 'agent-floor';

/**
 * Left out, because each starts a process that the agent waits for: AfterModel comes with every piece of an answer,
 * BeforeModel and BeforeToolSelection carry the whole conversation with every call of the model, and PreCompress comes
 * before every turn and says nothing.
 */
export const GEMINI_EVENTS = [
	'SessionStart',
	'SessionEnd',
	'BeforeAgent',
	'BeforeTool',
	'AfterTool',
	'AfterAgent',
	'Notification',
] as const;

/** One handler per event, without a matcher: every tool and every kind. */
export function desiredGeminiHooks(dataDirectory: string, platform: NodeJS.Platform): DesiredHook[] {
	return GEMINI_EVENTS.map((event) => ({
		event,
		handler: {
			name: HOOK_NAME,
			type: 'command',
			command: guarded(dataDirectory, platform, event),
			// Milliseconds, unlike everywhere else.
			timeout: forwardTimeout(event) * 1000,
		},
	}));
}

/**
 * A command that cannot be started ends with 127 and a message, which Gemini CLI takes for a denial of the tool call: if
 * the data directory is gone, nothing may be started. With `exec` the shell becomes the forwarder. The shell is bash, on
 * Windows PowerShell.
 */
function guarded(dataDirectory: string, platform: NodeJS.Platform, event: string): string {
	const program = forwardProgramFile(dataDirectory, platform);
	const command = forwardCommand(dataDirectory, platform, CLIENT, event);
	return platform === 'win32'
		? `if (Test-Path -LiteralPath ${powershellQuoted(program)}) { ${command} }`
		: `test ! -x ${shellQuoted(program)} || exec ${command}`;
}

const IN_BASH = /^test ! -x '(?:[^']|'\\'')*' \|\| exec (.*)$/s;
const IN_POWERSHELL = /^if \(Test-Path -LiteralPath '(?:[^']|'')*'\) \{ (.*) \}$/s;

/** The line in `command` that calls the forwarder; `null` where it is not guarded as the floor does it. */
function guardedIn(command: string): string | null {
	return (IN_BASH.exec(command) ?? IN_POWERSHELL.exec(command))?.[1] ?? null;
}

function isOurs({ type, command }: Handler): boolean {
	if (type !== 'command' || typeof command !== 'string') return false;
	return isForwardCommand(guardedIn(command) ?? command, CLIENT);
}

/** Of the floor whose hooks stand in `text`; `null` where there are none. @throws UnreadableSettings */
export function dataDirectoryIn(text: string, platform: NodeJS.Platform): string | null {
	for (const { fields } of ownHandlers(geminiHooks, text)) {
		const line = typeof fields.command === 'string' ? guardedIn(fields.command) : null;
		const dataDirectory = line === null ? null : forwardDataDirectory(line, platform);
		if (dataDirectory !== null) return dataDirectory;
	}
	return null;
}

export const geminiHooks: HookKind = {
	newFile: '{}\n',
	grouped: true,
	isOurs,
	// Its name, timeout and whatever else stands in it are the person's.
	callsAsDesired: (handler, desired) => handler.type === desired.type && handler.command === desired.command,
	brought: (handler, desired): Handler => ({
		...desired,
		...handler,
		type: desired.type,
		command: desired.command,
	}),
	strings: () => [['command']],
	obstacleIn,
};

/** What in the settings keeps Gemini CLI from running hooks that stand in them. @throws UnreadableSettings */
function obstacleIn(text: string, desired: readonly DesiredHook[]): string {
	const root = parseSettings(text);
	if (root === null) return '';
	const comma = trailingComma(text);
	if (comma !== null) {
		const { message } = unreadable('a comma with nothing after it', text, comma);
		return `Gemini CLI does not start with this file: ${message}. It reads comments, but no such commas.`;
	}
	const configuration = memberNamed(root, 'hooksConfig');
	if (configuration?.type !== 'object') return '';
	if (memberNamed(configuration, 'enabled')?.value === false) {
		return 'Gemini CLI runs no hooks: "hooksConfig.enabled" is false in this file.';
	}
	const disabled = memberNamed(configuration, 'disabled');
	const names = disabled?.type === 'array' ? elementsOf(disabled).flatMap((node) => textOf(node) ?? []) : [];
	const off = names.find(
		(name) => name === HOOK_NAME || desired.some(({ handler }) => handler.command === name),
	);
	return off === undefined
		? ''
		: `Gemini CLI runs none of these hooks: "hooksConfig.disabled" in this file names ${JSON.stringify(off)}.`;
}

/** Where the parser stumbles over it; nothing else is wrong with a text that `parseSettings` takes. */
export function trailingComma(text: string): number | null {
	const errors: ParseError[] = [];
	parse(text, errors, { allowTrailingComma: false });
	return errors[0]?.offset ?? null;
}
