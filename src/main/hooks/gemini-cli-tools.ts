/**
 * Gemini CLI's tools under the names that the floor knows (Claude Code's), so that "does it only read?", "does it
 * destroy?" and "is it the same call again?" see what they know. Names and parameters: docs/reference/tools.md of
 * Gemini CLI 0.61.0 and its tool declarations; older names are in the table too.
 */
import { field, isWindowsPath, shorten, textField, toolName } from './payload-fields.ts';

export interface KnownCall {
	readonly tool: string;
	/** `undefined`: not told. */
	readonly input: unknown;
}

interface Known {
	readonly tool: string;
	/** Old name → the floor's name of parameters. */
	readonly renamed?: Readonly<Record<string, string>>;
	/** Parameters that say nothing about what is done. */
	readonly dropped?: readonly string[];
}

const DIRECTORY = { dir_path: 'path' };
const FILE = { absolute_path: 'file_path' };

const known: ReadonlyMap<string, Known> = new Map<string, Known>([
	['read_file', { tool: 'Read', renamed: FILE }],
	['read_many_files', { tool: 'Read' }],
	// The CLI's own documentation.
	['get_internal_docs', { tool: 'Read', renamed: { path: 'file_path' } }],
	['glob', { tool: 'Glob', renamed: DIRECTORY }],
	['grep_search', { tool: 'Grep', renamed: DIRECTORY }],
	['search_file_content', { tool: 'Grep', renamed: DIRECTORY }],
	['list_directory', { tool: 'LS', renamed: DIRECTORY }],
	['write_file', { tool: 'Write', renamed: FILE }],
	// Prose for a person, worded anew when the same edit is tried again.
	['replace', { tool: 'Edit', renamed: FILE, dropped: ['instruction'] }],
	['web_fetch', { tool: 'WebFetch' }],
	['google_web_search', { tool: 'WebSearch' }],
	['write_todos', { tool: 'TodoWrite' }],
	['ask_user', { tool: 'AskUserQuestion' }],
	['enter_plan_mode', { tool: 'EnterPlanMode' }],
	['exit_plan_mode', { tool: 'ExitPlanMode' }],
	['complete_task', { tool: 'StructuredOutput' }],
	['invoke_agent', { tool: 'Agent' }],
	['activate_skill', { tool: 'Skill' }],
	['list_mcp_resources', { tool: 'ListMcpResourcesTool' }],
	['read_mcp_resource', { tool: 'ReadMcpResourceTool' }],
	['tracker_create_task', { tool: 'TaskCreate' }],
	['tracker_update_task', { tool: 'TaskUpdate' }],
	['tracker_add_dependency', { tool: 'TaskUpdate' }],
	['tracker_get_task', { tool: 'TaskGet' }],
	['tracker_list_tasks', { tool: 'TaskList' }],
	['tracker_visualize', { tool: 'TaskList' }],
]);

export const SHELL_TOOL = 'run_shell_command';

/** The call that a BeforeTool or AfterTool payload is about. */
export function knownCall(payload: unknown): KnownCall {
	const name = toolName(payload);
	const input = field(payload, 'tool_input');
	if (name === SHELL_TOOL) {
		// Gemini CLI runs commands with bash, on Windows with PowerShell.
		const tool = isWindowsPath(textField(payload, 'cwd')) ? 'PowerShell' : 'Bash';
		return { tool, input: rewritten(input, { renamed: { is_background: 'run_in_background' } }) };
	}
	const mapping = known.get(name);
	if (mapping) return { tool: mapping.tool, input: rewritten(input, mapping) };
	return { tool: mcpName(payload, name) ?? ownName(name), input };
}

/** True for the tools that write the file named in their input. */
export function writesFile(tool: string): boolean {
	return tool === 'Write' || tool === 'Edit';
}

/** `mcp_<server>_<tool>` as `mcp__<server>__<tool>`. */
function mcpName(payload: unknown, name: string): string | null {
	const context = field(payload, 'mcp_context');
	const server = textField(context, 'server_name');
	const tool = textField(context, 'tool_name');
	if (server !== null && tool !== null) return shorten(`mcp__${server}__${tool}`, 200);
	return name.startsWith('mcp_') ? `mcp__${name.replace(/^mcp_+/, '')}` : null;
}

/** A tool of an extension may be called what it likes: it must not pass for one that the floor knows. */
function ownName(name: string): string {
	return /^[A-Z]/.test(name) ? `gemini-cli ${name}` : name;
}

export function rewritten(input: unknown, { renamed = {}, dropped = [] }: Omit<Known, 'tool'>): unknown {
	if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
	const kept = Object.entries(input).filter(([name]) => !dropped.includes(name));
	// `fromEntries` defines own properties, `__proto__` included.
	return Object.fromEntries(kept.map(([name, value]) => [newName(name, input, renamed), value]));
}

function newName(name: string, input: object, renamed: Readonly<Record<string, string>>): string {
	const to = Object.hasOwn(renamed, name) ? renamed[name] : undefined;
	// A parameter that already has the new name is not written over.
	return to === undefined || Object.hasOwn(input, to) ? name : to;
}
