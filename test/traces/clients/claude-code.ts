/** Payloads as Claude Code 2.1 sends them (see the recordings beside the hook tests). */
import type { Deed, Outcome } from '../trace.ts';
import type { ClientPayloads, ClientSession, Told, ToldCall } from './client.ts';

export const claudeCode: ClientPayloads = {
	start: (session) => [told(session, 'SessionStart', { source: 'startup' })],
	prompt: (session, prompt) => [told(session, 'UserPromptSubmit', { prompt_id: session.turnId, prompt })],
	begin(session, call) {
		// What it rejects itself, it does not announce.
		if (call.outcome.ended === 'rejected') return [];
		return [told(session, 'PreToolUse', { ...callFields(call) })];
	},
	end(session, call) {
		const { text, ended } = call.outcome;
		const duration_ms = call.tookMs;
		const common = callFields(call);
		switch (ended) {
			case 'ok':
				return [
					told(session, 'PostToolUse', {
						...common,
						tool_response: responseOf(call.deed, text),
						duration_ms,
					}),
				];
			case 'failed':
				return [
					told(session, 'PostToolUseFailure', {
						...common,
						error: call.deed.does === 'shell' ? `Exit code 1\n${text}` : text,
						is_interrupt: false,
						duration_ms,
					}),
				];
			case 'rejected':
				return [
					told(session, 'PostToolBatch', {
						tool_calls: [{ ...common, tool_response: `<tool_use_error>${text}</tool_use_error>` }],
					}),
				];
			case 'untold':
				return [];
		}
	},
	turnEnd: (session, text) => [
		told(session, 'Stop', { stop_hook_active: false, last_assistant_message: text }),
	],
	turnFailed: (session, error, message) => [
		told(session, 'StopFailure', { error, last_assistant_message: message }),
	],
	compactStart: (session) => [told(session, 'PreCompact', { trigger: 'auto', custom_instructions: '' })],
	compactEnd: (session) => [
		told(session, 'SessionStart', { source: 'compact' }),
		told(session, 'PostCompact', { trigger: 'auto' }),
	],
	subagent: (session, id, ends) => [
		told(session, ends ? 'SubagentStop' : 'SubagentStart', { agent_id: id, agent_type: 'Explore' }),
	],
};

function told(session: ClientSession, event: string, fields: Record<string, unknown>): Told {
	return [
		event,
		{
			session_id: session.sessionId,
			transcript_path: `/home/dev/.claude/projects/-home-dev-app/${session.sessionId}.jsonl`,
			cwd: session.directory,
			permission_mode: 'acceptEdits',
			hook_event_name: event,
			...fields,
		},
	];
}

function callFields({ deed, callId, actor }: ToldCall): Record<string, unknown> {
	return {
		...(actor !== null && { agent_id: actor, agent_type: 'Explore' }),
		...claudeCodeCall(deed),
		tool_use_id: `toolu_${callId}`,
	};
}

/** Also the names under which rules of others see a call. */
export function claudeCodeCall(deed: Deed): { tool_name: string; tool_input: Record<string, unknown> } {
	switch (deed.does) {
		case 'shell':
			return { tool_name: 'Bash', tool_input: { command: deed.command, description: 'Run it' } };
		case 'read': {
			const { path, from, lines } = deed;
			const range = {
				...(from !== undefined && { offset: from }),
				...(lines !== undefined && { limit: lines }),
			};
			return { tool_name: 'Read', tool_input: { file_path: path, ...range } };
		}
		case 'search':
			return {
				tool_name: 'Grep',
				tool_input: { pattern: deed.pattern, path: deed.path, output_mode: 'content', '-n': true },
			};
		case 'edit':
			return {
				tool_name: 'Edit',
				tool_input: { file_path: deed.path, old_string: deed.before, new_string: deed.after },
			};
		case 'write':
			return { tool_name: 'Write', tool_input: { file_path: deed.path, content: deed.text } };
		case 'look':
			return { tool_name: 'BashOutput', tool_input: { bash_id: deed.shell } };
		case 'connector':
			return { tool_name: `mcp__${deed.server}__${deed.tool}`, tool_input: { ...deed.input } };
		case 'plan':
			return { tool_name: 'TodoWrite', tool_input: { todos: todosOf(deed.items) } };
	}
}

function todosOf(items: readonly string[]): unknown[] {
	return items.map((item) => ({ content: item, status: 'pending', activeForm: item }));
}

function responseOf(deed: Deed, text: Outcome['text']): unknown {
	switch (deed.does) {
		case 'shell':
			return { stdout: text, stderr: '', interrupted: false, isImage: false, noOutputExpected: false };
		case 'read': {
			const numLines = text.split('\n').length;
			const file = {
				filePath: deed.path,
				content: text,
				numLines,
				startLine: deed.from ?? 1,
				totalLines: 480,
			};
			return { type: 'text', file };
		}
		case 'search':
			return {
				mode: 'content',
				numFiles: 0,
				filenames: [],
				content: text,
				numLines: text.split('\n').length,
			};
		case 'edit':
			return {
				filePath: deed.path,
				oldString: deed.before,
				newString: deed.after,
				structuredPatch: [],
				userModified: false,
				replaceAll: false,
			};
		case 'write':
			return { type: 'update', filePath: deed.path, content: deed.text, structuredPatch: [] };
		case 'look':
			return { shellId: deed.shell, command: deed.command, status: 'running', stdout: text, stderr: '' };
		case 'connector':
			return [{ type: 'text', text }];
		case 'plan':
			return { oldTodos: [], newTodos: todosOf(deed.items) };
	}
}
