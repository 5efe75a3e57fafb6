/**
 * The tools of opencode by the names and fields that the floor's judges know. What has no counterpart keeps its own name,
 * MCP tools (`<server>_<tool>`) among them, and so is never taken to only read. Names and arguments: the tool list that
 * 1.18.33 sends to its model; those that it offers only to some models or accounts stand in the program by name.
 */
import type { Payload } from './dialect.ts';
import { field, shorten, textField, UNKNOWN_TOOL } from './payload-fields.ts';

export interface OpencodeCall {
	readonly tool: string;
	/** undefined: the client did not tell. */
	readonly input: unknown;
}

interface Translation {
	readonly tool: string;
	/** Its fields by the judges' names; the others keep theirs. */
	readonly fields?: Readonly<Record<string, string>>;
}

const FILE = { filePath: 'file_path' } as const;
const REPLACEMENT = { ...FILE, oldString: 'old_string', newString: 'new_string', replaceAll: 'replace_all' };

const translations: ReadonlyMap<string, Translation> = new Map<string, Translation>([
	['bash', { tool: 'Bash' }],
	['read', { tool: 'Read', fields: FILE }],
	['write', { tool: 'Write', fields: FILE }],
	['edit', { tool: 'Edit', fields: REPLACEMENT }],
	['multiedit', { tool: 'MultiEdit', fields: FILE }],
	['glob', { tool: 'Glob' }],
	['grep', { tool: 'Grep', fields: { include: 'glob' } }],
	['list', { tool: 'LS' }],
	['lsp', { tool: 'LSP', fields: FILE }],
	['webfetch', { tool: 'WebFetch' }],
	['websearch', { tool: 'WebSearch' }],
	['task', { tool: 'Task' }],
	['skill', { tool: 'Skill', fields: { name: 'skill' } }],
	['todowrite', { tool: 'TodoWrite' }],
	['todoread', { tool: 'TodoRead' }],
	['question', { tool: 'AskUserQuestion' }],
	['plan_exit', { tool: 'ExitPlanMode' }],
	['plan_enter', { tool: 'EnterPlanMode' }],
	['list_mcp_resources', { tool: 'ListMcpResourcesTool' }],
	['read_mcp_resource', { tool: 'ReadMcpResourceTool' }],
]);

/** Tools that leave a changed file behind when they succeed. */
const FILE_WRITERS: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'Write']);

export function opencodeCall(payload: Payload): OpencodeCall {
	const name = textField(payload, 'tool');
	const told = field(payload, 'args') ?? undefined;
	if (name === null) return { tool: UNKNOWN_TOOL, input: told };
	// What the model called and does not exist, or with arguments that are no JSON.
	const meant = name === 'invalid' ? textField(told, 'tool') : null;
	if (meant !== null) return { tool: shorten(meant, 200), input: told };
	if (name === 'patch' || name === 'apply_patch') return patch(told);
	const known = translations.get(name);
	if (known === undefined) return { tool: shorten(name, 200), input: told };
	return { tool: known.tool, input: renamed(told, known.fields ?? {}) };
}

/** The file that a call wrote, if it is known to write one. */
export function fileWrittenBy({ tool, input }: OpencodeCall): string | null {
	return FILE_WRITERS.has(tool) ? textField(input, 'file_path') : null;
}

function patch(told: unknown): OpencodeCall {
	const text = textField(told, 'patchText') ?? textField(told, 'patch');
	if (text === null) return { tool: 'apply_patch', input: told };
	const path = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(text)?.[1]?.trim();
	return { tool: 'Edit', input: path === undefined ? { patch: text } : { file_path: path, patch: text } };
}

function renamed(told: unknown, to: Readonly<Record<string, string>>): unknown {
	if (typeof told !== 'object' || told === null || Array.isArray(told)) return told;
	const entries = Object.entries(told).map(([name, value]): [string, unknown] => [
		(Object.hasOwn(to, name) && to[name]) || name,
		value,
	]);
	return Object.fromEntries(entries);
}
