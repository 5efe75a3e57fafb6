/**
 * Codex's tools under the names that the floor knows (Claude Code's), so that "does it only read?", "does it destroy?"
 * and "is it the same call again?" see what they know. Names and inputs as codex-cli 0.171.0 sent them: shells come as
 * `Bash`, patches as `apply_patch` with the patch as `command`, MCP tools as `mcp__server__tool`.
 */
import { isAbsolute, join } from 'node:path';
import { filesOfPatch } from './codex-patch.ts';
import { field, isWindowsPath, textField, toolName } from './payload-fields.ts';

export interface CodexCall {
	readonly tool: string;
	/** `undefined`: not told. */
	readonly input: unknown;
	/** The file that it writes when it succeeds; of several the first. */
	readonly file: string | null;
}

/** Codex's own tools, with the floor's name of their parameters where it has another. */
const known: ReadonlyMap<
	string,
	{ readonly tool: string; readonly renamed?: Readonly<Record<string, string>> }
> = new Map([
	['view_image', { tool: 'Read', renamed: { path: 'file_path' } }],
	['read_file', { tool: 'Read' }],
	['grep_files', { tool: 'Grep' }],
	['list_dir', { tool: 'LS', renamed: { dir_path: 'path' } }],
	['list_mcp_resources', { tool: 'ListMcpResourcesTool' }],
	['list_mcp_resource_templates', { tool: 'ListMcpResourcesTool' }],
	['read_mcp_resource', { tool: 'ReadMcpResourceTool' }],
	['update_plan', { tool: 'TodoWrite' }],
	['get_goal', { tool: 'TaskGet' }],
	['request_user_input', { tool: 'AskUserQuestion' }],
	['tool_search', { tool: 'ToolSearch' }],
	['list_agents', { tool: 'ListAgents' }],
	['wait_agent', { tool: 'AgentOutput' }],
	['spawn_agent', { tool: 'Agent' }],
	['web_search', { tool: 'WebSearch' }],
]);

const PATCH_TOOL = 'apply_patch';

/** The call that a payload of PreToolUse, PostToolUse or PermissionRequest is about. Never throws. */
export function codexCall(payload: unknown): CodexCall {
	const name = toolName(payload);
	const input = field(payload, 'tool_input');
	const directory = textField(payload, 'cwd');
	if (name === PATCH_TOOL) return patchCall(input, directory);
	// On Windows Codex runs commands with PowerShell, which no grammar of bash can judge.
	if (name === 'Bash') return { tool: isWindowsPath(directory) ? 'PowerShell' : name, input, file: null };
	const mapping = known.get(name);
	if (mapping) return { tool: mapping.tool, input: renamed(input, mapping.renamed ?? {}), file: null };
	return { tool: foreignName(name), input, file: null };
}

/**
 * Only new files: Write; else Edit. The patch is kept whole under its own name: two patches of one file are two calls,
 * and a patch must never be read as a command.
 */
function patchCall(input: unknown, directory: string | null): CodexCall {
	const patch = textField(input, 'command') ?? textField(input, 'input');
	if (patch === null) return { tool: 'Edit', input, file: null };
	const files = filesOfPatch(patch).map((file) => ({ ...file, path: absolute(file.path, directory) }));
	const [first] = files;
	const isNew = first !== undefined && files.every(({ change }) => change === 'add');
	return {
		tool: isNew ? 'Write' : 'Edit',
		input: {
			...(first && { file_path: first.path }),
			...(files.length > 1 && { files: files.map(({ path }) => path) }),
			patch,
		},
		file: first?.path ?? null,
	};
}

function absolute(path: string, directory: string | null): string {
	return directory === null || isAbsolute(path) || isWindowsPath(path) ? path : join(directory, path);
}

/** The words of a call for a sentence on a card: its command, else its file. */
export function objectOf({ input }: CodexCall): string | null {
	const named = ['command', 'file_path', 'path', 'url'].map((name) => textField(input, name));
	return named.find((text) => text !== null) ?? null;
}

function renamed(input: unknown, names: Readonly<Record<string, string>>): unknown {
	if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
	return Object.fromEntries(Object.entries(input).map(([name, value]) => [names[name] ?? name, value]));
}

/**
 * A tool that a program brought along may be called as it likes; it must not pass for one that is known to read. All of
 * Codex's own begin with a small letter.
 */
function foreignName(name: string): string {
	return /^[a-z]/.test(name) ? name : `codex:${name}`;
}
