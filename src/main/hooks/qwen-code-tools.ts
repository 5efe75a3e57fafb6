/**
 * Qwen Code's tools under the names that the floor knows (Claude Code's), so that "does it only read?", "does it
 * destroy?" and "is it the same call again?" see what they know. Names and parameters: the tools that 0.24.4 offers its
 * model, and the names in its source. MCP tools are called `mcp__<server>__<tool>` by itself.
 */
import { rewritten } from './gemini-cli-tools.ts';
import { field, isWindowsPath, textField, toolName } from './payload-fields.ts';

export interface QwenCall {
	readonly tool: string;
	/** `undefined`: not told. */
	readonly input: unknown;
}

export const SHELL_TOOL = 'run_shell_command';

const names: ReadonlyMap<string, string> = new Map([
	['read_file', 'Read'],
	['zoom_image', 'Read'],
	['glob', 'Glob'],
	['grep_search', 'Grep'],
	['list_directory', 'LS'],
	['lsp', 'LSP'],
	['write_file', 'Write'],
	['edit', 'Edit'],
	['notebook_edit', 'NotebookEdit'],
	['web_fetch', 'WebFetch'],
	['web_search', 'WebSearch'],
	['todo_write', 'TodoWrite'],
	['task_create', 'TaskCreate'],
	['task_update', 'TaskUpdate'],
	['task_list', 'TaskList'],
	['get_goal', 'TaskGet'],
	['update_goal', 'TaskUpdate'],
	['ask_user_question', 'AskUserQuestion'],
	['enter_plan_mode', 'EnterPlanMode'],
	['exit_plan_mode', 'ExitPlanMode'],
	['structured_output', 'StructuredOutput'],
	['tool_search', 'ToolSearch'],
	['list_agents', 'ListAgents'],
	['cron_list', 'CronList'],
	['read_mcp_resource', 'ReadMcpResourceTool'],
	['agent', 'Agent'],
	['skill', 'Skill'],
	['workflow', 'Workflow'],
]);

/** The call that `from` is about: a payload of a tool's event, or one call of a batch. */
export function knownCall(from: unknown, directory: string | null): QwenCall {
	const name = toolName(from);
	const input = field(from, 'tool_input');
	if (name === SHELL_TOOL) {
		// bash; on Windows cmd.exe or PowerShell, which no grammar of bash can judge.
		const tool = isWindowsPath(directory) ? 'PowerShell' : 'Bash';
		return { tool, input: rewritten(input, { renamed: { is_background: 'run_in_background' } }) };
	}
	const known = names.get(name);
	if (known !== undefined) return { tool: known, input };
	// A tool that a program brought along may be called as it likes: it must not pass for one that the floor knows.
	return { tool: /^[A-Z]/.test(name) ? `qwen-code ${name}` : name, input };
}

/** The file that a call writes when it succeeds, if it is known to write one. */
export function fileWrittenBy({ tool, input }: QwenCall): string | null {
	if (tool === 'NotebookEdit') return textField(input, 'notebook_path');
	return tool === 'Write' || tool === 'Edit' ? textField(input, 'file_path') : null;
}
