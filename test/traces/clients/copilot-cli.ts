/** Payloads as Copilot CLI 1.0 sends them: no ids of calls, and a shell's exit code in its last line only. */
import { hashOf } from '../random.ts';
import type { Deed } from '../trace.ts';
import type { ClientPayloads, ClientSession, Told, ToldCall } from './client.ts';

export const copilotCli: ClientPayloads = {
	start: (session) => [told(session, 'sessionStart', { source: 'new' })],
	prompt: (session, prompt) => [told(session, 'userPromptSubmitted', { prompt })],
	begin: (session, call) => [told(session, 'preToolUse', nameAndArguments(call.deed))],
	end(session, call) {
		const { text, ended } = call.outcome;
		if (ended === 'untold') return [];
		const common = nameAndArguments(call.deed);
		const isShell = call.deed.does === 'shell';
		if (ended !== 'ok' && !isShell) return [told(session, 'postToolUseFailure', { ...common, error: text })];
		const code = ended === 'ok' ? 0 : 1;
		const shellId = hashOf(call.callId) % 90;
		const result = isShell ? `${text}\n<shellId: ${shellId} completed with exit code ${code}>` : said(call);
		const toolResult = { resultType: 'success', textResultForLlm: result };
		return [told(session, 'postToolUse', { ...common, toolResult })];
	},
	turnEnd: (session) => [told(session, 'agentStop', { stopReason: 'end_turn', stop_hook_active: false })],
	turnFailed: () => [],
	compactStart: (session) => [told(session, 'preCompact', { trigger: 'auto' })],
	compactEnd: () => [],
	subagent: () => [],
};

function told(session: ClientSession, event: string, fields: Record<string, unknown>): Told {
	return [event, { sessionId: session.sessionId, timestamp: session.at, cwd: session.directory, ...fields }];
}

function said({ deed, outcome }: ToldCall): string {
	if (deed.does === 'edit') return `File ${deed.path} updated with changes.`;
	if (deed.does === 'write') return `Created file ${deed.path} with ${deed.text.length} characters`;
	if (deed.does === 'look') return `${outcome.text}\n<command with shellId: ${deed.shell} is still running>`;
	return outcome.text;
}

function nameAndArguments(deed: Deed): Record<string, unknown> {
	switch (deed.does) {
		case 'shell':
			return { toolName: 'bash', toolArgs: { command: deed.command, description: 'Run it' } };
		case 'look':
			return { toolName: 'read_bash', toolArgs: { shellId: deed.shell, delay: 5 } };
		case 'read': {
			const { path, from, lines } = deed;
			const range = from === undefined ? {} : { view_range: [from, from + (lines ?? 200) - 1] };
			return { toolName: 'view', toolArgs: { path, ...range } };
		}
		case 'search':
			return { toolName: 'grep', toolArgs: { pattern: deed.pattern, path: deed.path } };
		case 'edit':
			return {
				toolName: 'edit',
				toolArgs: { path: deed.path, old_str: deed.before, new_str: deed.after },
			};
		case 'write':
			return { toolName: 'create', toolArgs: { path: deed.path, file_text: deed.text } };
		case 'connector':
			return { toolName: `${deed.server}-${deed.tool}`, toolArgs: { ...deed.input } };
		case 'plan':
			return {
				toolName: 'update_todo',
				toolArgs: { todos: deed.items.map((item) => `- [ ] ${item}`).join('\n') },
			};
	}
}
