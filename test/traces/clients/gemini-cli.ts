/** Payloads as Gemini CLI 0.61 sends them: no ids of calls, and a PreCompress before every turn of the model. */
import { hashOf } from '../random.ts';
import type { Deed } from '../trace.ts';
import type { ClientPayloads, ClientSession, Told, ToldCall } from './client.ts';

export const geminiCli: ClientPayloads = {
	start: (session) => [told(session, 'SessionStart', { source: 'startup' })],
	prompt: (session, prompt) => [told(session, 'BeforeAgent', { prompt })],
	begin: (session, call) => [
		told(session, 'PreCompress', { trigger: 'auto' }),
		told(session, 'BeforeTool', nameAndInput(call.deed)),
	],
	end(session, call) {
		if (call.outcome.ended === 'untold') return [];
		return [told(session, 'AfterTool', { ...nameAndInput(call.deed), tool_response: responseOf(call) })];
	},
	turnEnd: (session, text) => [
		told(session, 'AfterAgent', { prompt_response: text, stop_hook_active: false }),
	],
	turnFailed: () => [],
	compactStart: (session) => [told(session, 'PreCompress', { trigger: 'auto' })],
	compactEnd: () => [],
	subagent: () => [],
};

function told(session: ClientSession, event: string, fields: Record<string, unknown>): Told {
	return [
		event,
		{
			session_id: session.sessionId,
			transcript_path: `/home/dev/.gemini/tmp/app/chats/session-2026-11-30T09-14-${session.sessionId.slice(0, 8)}.jsonl`,
			cwd: session.directory,
			hook_event_name: event,
			timestamp: new Date(session.at).toISOString(),
			...fields,
		},
	];
}

function nameAndInput(deed: Deed): Record<string, unknown> {
	switch (deed.does) {
		case 'shell':
			return shell(deed.command);
		case 'look':
			return shell(`tail -n 3 ${deed.shell}.log`);
		case 'read': {
			const { path, from, lines } = deed;
			const range = from === undefined ? {} : { start_line: from, end_line: from + (lines ?? 200) - 1 };
			return { tool_name: 'read_file', tool_input: { file_path: path, ...range } };
		}
		case 'search':
			return { tool_name: 'grep_search', tool_input: { pattern: deed.pattern, dir_path: deed.path } };
		case 'edit':
			return {
				tool_name: 'replace',
				tool_input: {
					file_path: deed.path,
					instruction: 'Make the change',
					old_string: deed.before,
					new_string: deed.after,
				},
			};
		case 'write':
			return { tool_name: 'write_file', tool_input: { file_path: deed.path, content: deed.text } };
		case 'connector':
			return {
				tool_name: `mcp_${deed.server}_${deed.tool}`,
				tool_input: { ...deed.input },
				mcp_context: { server_name: deed.server, tool_name: deed.tool },
			};
		case 'plan':
			return {
				tool_name: 'write_todos',
				tool_input: { todos: deed.items.map((description) => ({ description, status: 'pending' })) },
			};
	}
}

function shell(command: string): Record<string, unknown> {
	return { tool_name: 'run_shell_command', tool_input: { command, description: 'Run it' } };
}

function responseOf({ deed, outcome, callId }: ToldCall): unknown {
	const { text, ended } = outcome;
	const isShell = deed.does === 'shell' || deed.does === 'look';
	if (isShell) {
		const code = ended === 'ok' ? '' : '\nExit Code: 1';
		const group = 10_000 + (hashOf(callId) % 20_000);
		return {
			llmContent: `<untrusted_context>\nOutput: ${text || '(empty)'}${code}\nProcess Group PGID: ${group}\n</untrusted_context>`,
			returnDisplay: text,
		};
	}
	if (ended !== 'ok')
		return { llmContent: text, returnDisplay: text, error: { message: text, type: 'failed' } };
	if (deed.does === 'edit')
		return { llmContent: `Successfully modified file: ${deed.path} (1 replacements).`, returnDisplay: {} };
	if (deed.does === 'write')
		return { llmContent: `Successfully overwrote file: ${deed.path}.`, returnDisplay: {} };
	return { llmContent: text, returnDisplay: '' };
}
