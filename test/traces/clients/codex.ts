/** Payloads as Codex 0.171 sends them: nearly everything is a shell command or a patch. */
import type { Deed } from '../trace.ts';
import type { ClientPayloads, ClientSession, Told, ToldCall } from './client.ts';

export const codex: ClientPayloads = {
	start: (session) => [told(session, 'SessionStart', { source: 'startup' })],
	prompt: (session, prompt) => [told(session, 'UserPromptSubmit', { prompt })],
	begin: (session, call) => [told(session, 'PreToolUse', callFields(call))],
	end(session, call) {
		// A patch that does not apply ends without an event.
		const { text, ended } = call.outcome;
		if (ended === 'untold' || ended === 'rejected') return [];
		return [
			told(session, 'PostToolUse', {
				...callFields(call),
				tool_response: responseOf(call, text, ended === 'failed'),
			}),
		];
	},
	turnEnd: (session, text) => [
		told(session, 'Stop', { stop_hook_active: false, last_assistant_message: text }),
	],
	turnFailed: (session, error, message) => [
		told(session, 'StopFailure', { error, last_assistant_message: message }),
	],
	compactStart: (session) => [told(session, 'PreCompact', { trigger: 'auto' })],
	compactEnd: (session) => [
		told(session, 'PostCompact', { trigger: 'auto' }),
		told(session, 'SessionStart', { source: 'compact' }),
	],
	subagent: (session, id, ends) => [
		told(session, ends ? 'SubagentStop' : 'SubagentStart', { agent_id: id, agent_type: 'default' }),
	],
};

function told(session: ClientSession, event: string, fields: Record<string, unknown>): Told {
	return [
		event,
		{
			session_id: session.sessionId,
			turn_id: session.turnId,
			transcript_path: `/home/dev/.codex/sessions/2026/11/30/rollout-2026-11-30T09-14-13-${session.sessionId}.jsonl`,
			cwd: session.directory,
			hook_event_name: event,
			model: 'gpt-5.5',
			permission_mode: 'bypassPermissions',
			...fields,
		},
	];
}

function callFields({ deed, callId, actor }: ToldCall): Record<string, unknown> {
	return {
		...(actor !== null && { agent_id: actor, agent_type: 'default' }),
		...nameAndInput(deed),
		tool_use_id: `call_${callId}`,
	};
}

function nameAndInput(deed: Deed): { tool_name: string; tool_input: Record<string, unknown> } {
	switch (deed.does) {
		case 'shell':
			return bash(deed.command);
		case 'read': {
			const from = deed.from ?? 1;
			return bash(`sed -n '${from},${from + (deed.lines ?? 200) - 1}p' ${deed.path}`);
		}
		case 'search':
			return bash(`rg -n "${deed.pattern}" ${deed.path}`);
		case 'look':
			return bash(`tail -n 3 ${deed.shell}.log`);
		case 'edit':
			return patch(
				`*** Update File: ${deed.path}\n@@\n${marked('-', deed.before)}\n${marked('+', deed.after)}`,
			);
		case 'write':
			return patch(`*** Add File: ${deed.path}\n${marked('+', deed.text)}`);
		case 'connector':
			return { tool_name: `mcp__${deed.server}__${deed.tool}`, tool_input: { ...deed.input } };
		case 'plan':
			return {
				tool_name: 'update_plan',
				tool_input: { plan: deed.items.map((step) => ({ step, status: 'pending' })) },
			};
	}
}

function bash(command: string): { tool_name: string; tool_input: Record<string, unknown> } {
	return { tool_name: 'Bash', tool_input: { command } };
}

function patch(change: string): { tool_name: string; tool_input: Record<string, unknown> } {
	return {
		tool_name: 'apply_patch',
		tool_input: { command: `*** Begin Patch\n${change}\n*** End Patch\n` },
	};
}

function marked(mark: string, text: string): string {
	return text
		.split('\n')
		.map((line) => mark + line)
		.join('\n');
}

function responseOf({ deed, tookMs }: ToldCall, text: string, failed: boolean): unknown {
	if (deed.does === 'connector') return { content: [{ type: 'text', text }], isError: failed };
	if (deed.does !== 'edit' && deed.does !== 'write') return text === '' ? '' : `${text}\n`;
	const took = `Wall time: ${(tookMs / 1000).toFixed(1)} seconds`;
	const said = failed ? text : `Success. Updated the following files:\nM ${deed.path}`;
	return `Exit code: ${failed ? 1 : 0}\n${took}\nOutput:\n${said}\n`;
}
