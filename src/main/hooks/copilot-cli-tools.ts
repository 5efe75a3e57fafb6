/**
 * The tools of Copilot CLI by the names and fields that the floor's judges know. What has no counterpart keeps its own
 * name, and so is never taken to only read. Names and arguments: the tool list that 1.0.102 sends to its model; those that
 * it offers only with an account, on autopilot or to some models stand in the program by name; github/copilot-cli#407
 * lists those of older versions (write_bash).
 */
import type { Payload } from './dialect.ts';
import { readPayload } from './payload.ts';
import { field, shorten, textField, UNKNOWN_TOOL } from './payload-fields.ts';

export interface CopilotCall {
	readonly tool: string;
	/** undefined: the client did not tell. */
	readonly input: unknown;
}

type Arguments = Readonly<Record<string, unknown>>;

/** `command`: the line in its arguments. A file's name goes by `path`. */
const translations: ReadonlyMap<string, (given: Arguments) => CopilotCall> = new Map([
	['bash', (given: Arguments) => shell('Bash', given)],
	['powershell', (given: Arguments) => shell('PowerShell', given)],
	// It types into a program that runs: not provably reading, but what it types can be judged as a command.
	['write_bash', (given: Arguments) => typing('write_bash', given)],
	['write_powershell', (given: Arguments) => typing('write_powershell', given)],
	['view', (given: Arguments) => ({ tool: 'Read', input: onFile(given) })],
	['create', (given: Arguments) => ({ tool: 'Write', input: onFile(given, { file_text: 'content' }) })],
	['edit', (given: Arguments) => ({ tool: 'Edit', input: onFile(given, REPLACEMENT) })],
	['str_replace_editor', editor],
	['apply_patch', (given: Arguments) => patch(textField(given, 'input') ?? textField(given, 'patch'), given)],
	[
		'report_intent',
		(given: Arguments) => ({ tool: 'TaskUpdate', input: renamed(given, { intent: 'description' }) }),
	],
]);

/** Those whose arguments stay as they are, and the others where no arguments are told. */
const names: ReadonlyMap<string, string> = new Map([
	['read_bash', 'BashOutput'],
	['read_powershell', 'BashOutput'],
	['list_bash', 'TaskList'],
	['list_powershell', 'TaskList'],
	['read_agent', 'AgentOutput'],
	['list_agents', 'ListAgents'],
	['grep', 'Grep'],
	['glob', 'Glob'],
	['web_fetch', 'WebFetch'],
	['web_search', 'WebSearch'],
	['task', 'Task'],
	['skill', 'Skill'],
	['update_todo', 'TodoWrite'],
	['ask_user', 'AskUserQuestion'],
	['exit_plan_mode', 'ExitPlanMode'],
	// How an agent on autopilot hands in its work; without it, it is told to go on for ever.
	['task_complete', 'StructuredOutput'],
	['bash', 'Bash'],
	['powershell', 'PowerShell'],
	['view', 'Read'],
	['create', 'Write'],
	['edit', 'Edit'],
	['report_intent', 'TaskUpdate'],
]);

const REPLACEMENT = { old_str: 'old_string', new_str: 'new_string' } as const;

/** Tools that leave a changed file behind when they succeed. */
const FILE_WRITERS: ReadonlySet<string> = new Set(['Edit', 'Write']);

export function callOf(payload: Payload): CopilotCall {
	const name = textField(payload, 'toolName');
	const given = argumentsOf(field(payload, 'toolArgs'));
	if (name === null) return { tool: UNKNOWN_TOOL, input: given };
	// Freely written, not JSON: models that are trained on it send the patch as it is.
	if (name === 'apply_patch' && typeof given === 'string') return patch(given, {});
	const translate = isObject(given) ? translations.get(name) : undefined;
	if (translate !== undefined && isObject(given)) return translate(given);
	return { tool: toolNamed(name), input: given };
}

/** The file that a call wrote, if it is known to write one. */
export function fileWrittenBy({ tool, input }: CopilotCall): string | null {
	return FILE_WRITERS.has(tool) ? textField(input, 'file_path') : null;
}

/** True for what runs or reads a shell: its result ends in a line about the shell. */
export function isOfShell(payload: Payload): boolean {
	return /^(?:\w+_)?(?:bash|powershell)$/.test(textField(payload, 'toolName') ?? '');
}

function toolNamed(name: string): string {
	const known = names.get(name);
	if (known !== undefined) return known;
	// `<server>-<tool>`: its own tools have no hyphen in their names. Where the server's name ends is not told.
	return shorten(name.includes('-') ? `mcp__${name}` : name, 200);
}

/** An object, or the JSON text of one as older versions sent it. */
function argumentsOf(given: unknown): unknown {
	if (given === null) return undefined;
	if (typeof given !== 'string') return given;
	const read = /^\s*\{/.test(given) ? readPayload(Buffer.from(given)) : null;
	return read?.ok ? read.payload : given;
}

function isObject(value: unknown): value is Arguments {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Every command runs in a fresh process (1.0.102), so that the id of its shell and how long is waited for it do not say
 * what is done: without them, equal calls are equal.
 */
function shell(tool: string, given: Arguments): CopilotCall {
	const { shellId: _, sessionId: __, initial_wait: ___, mode, detach, ...kept } = given;
	const goesOn = (mode !== undefined && mode !== 'sync') || (detach !== undefined && detach !== false);
	return { tool, input: goesOn ? { ...kept, run_in_background: true } : kept };
}

function typing(tool: string, given: Arguments): CopilotCall {
	const typed = textField(given, 'input');
	return { tool, input: typed === null ? given : { ...given, command: typed } };
}

function editor(given: Arguments): CopilotCall {
	const { command, ...rest } = given;
	switch (command) {
		case 'view':
			return { tool: 'Read', input: onFile(rest) };
		case 'create':
			return { tool: 'Write', input: onFile(rest, { file_text: 'content' }) };
		case 'str_replace':
		case 'insert':
		case 'undo_edit':
			return { tool: 'Edit', input: { ...onFile(rest, REPLACEMENT), edit: command } };
		default:
			return { tool: 'str_replace_editor', input: given };
	}
}

function patch(text: string | null, given: Arguments): CopilotCall {
	if (text === null) return { tool: 'apply_patch', input: given };
	const path = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(text)?.[1]?.trim();
	return { tool: 'Edit', input: path === undefined ? { patch: text } : { file_path: path, patch: text } };
}

function onFile(given: Arguments, more: Readonly<Record<string, string>> = {}): Record<string, unknown> {
	return renamed(given, { path: 'file_path', ...more });
}

function renamed(given: Arguments, to: Readonly<Record<string, string>>): Record<string, unknown> {
	const entries = Object.entries(given).map(([name, value]): [string, unknown] => [
		(Object.hasOwn(to, name) && to[name]) || name,
		value,
	]);
	return Object.fromEntries(entries);
}
