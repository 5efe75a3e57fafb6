/** What a Claude Code session sends to the hook server, and what it gets back. */
import { randomUUID } from 'node:crypto';
import type { FloorProcess } from './floor-process.ts';

export type HookReply = Record<string, unknown> & {
	hookSpecificOutput?: {
		permissionDecision?: string;
		permissionDecisionReason?: string;
		additionalContext?: string;
	};
};

export class ClaudeSession {
	readonly sessionId = randomUUID();
	readonly cwd: string;
	readonly #floor: FloorProcess;
	#calls = 0;

	constructor(floor: FloorProcess, cwd = '/home/dev/shop') {
		this.#floor = floor;
		this.cwd = cwd;
	}

	async send(event: string, fields: Record<string, unknown> = {}): Promise<HookReply> {
		const { url, agentToken } = this.#floor.server;
		const response = await fetch(`${url}/hooks/claude-code/${event}`, {
			method: 'POST',
			headers: { authorization: `Bearer ${agentToken}`, 'content-type': 'application/json' },
			body: JSON.stringify({ session_id: this.sessionId, cwd: this.cwd, hook_event_name: event, ...fields }),
		});
		return (await response.json()) as HookReply;
	}

	prompt(text = 'make the tests green'): Promise<HookReply> {
		return this.send('UserPromptSubmit', { prompt: text });
	}

	/** A failing shell command, unless it is refused. Both replies come back. */
	async run(command: string): Promise<{ before: HookReply; after: HookReply | null }> {
		return this.use('Bash', { command }, `Exit code 1\n${command} failed`);
	}

	async use(
		tool: string,
		input: Record<string, unknown>,
		error = '',
	): Promise<{ before: HookReply; after: HookReply | null }> {
		this.#calls += 1;
		const common = { tool_name: tool, tool_input: input, tool_use_id: `toolu_${this.#calls}` };
		const before = await this.send('PreToolUse', common);
		if (before.hookSpecificOutput?.permissionDecision === 'deny') return { before, after: null };
		const after =
			error === ''
				? await this.send('PostToolUse', { ...common, tool_response: `done ${this.#calls}`, duration_ms: 5 })
				: await this.send('PostToolUseFailure', { ...common, error, duration_ms: 5 });
		return { before, after };
	}

	async loop(times: number, command = 'npm test'): Promise<void> {
		for (let i = 0; i < times; i += 1) await this.run(command);
	}
}
