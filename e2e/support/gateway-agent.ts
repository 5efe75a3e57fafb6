/**
 * An agent that speaks Anthropic Messages through the floor's gateway, as Claude Code does: it keeps the conversation,
 * runs the tools it is told to run, sends its hooks, and reads answers strictly.
 */
import { ask, type OpenCall } from '../../test/support/fault-matrix/observe.ts';
import type { AnswerRead } from '../../test/support/strict-client/answer-read.ts';
import { readStrictly } from '../../test/support/strict-client.ts';
import { ClaudeSession } from './claude-session.ts';
import type { FloorProcess } from './floor-process.ts';

const TOOLS = [
	{
		name: 'Bash',
		description: 'Runs a command',
		input_schema: { type: 'object', properties: { command: { type: 'string' } } },
	},
];

export class GatewayAgent {
	/** Its hooks; the same session as its model calls. */
	readonly session: ClaudeSession;
	readonly messages: Record<string, unknown>[] = [];
	/** Every answer, as it was read. */
	readonly answers: AnswerRead[] = [];
	readonly commands: string[] = [];
	/** The call that is under way. */
	call: OpenCall | null = null;
	readonly #floor: FloorProcess;

	constructor(floor: FloorProcess) {
		this.#floor = floor;
		this.session = new ClaudeSession(floor);
	}

	/** One turn: calls until the model wants no more tools. Resolves with the last answer. */
	async turn(prompt: string): Promise<AnswerRead> {
		await this.session.prompt(prompt);
		this.messages.push({ role: 'user', content: prompt });
		for (;;) {
			const answer = await this.#ask();
			this.answers.push(answer);
			if (answer.end !== 'clean' || answer.toolCalls.length === 0) return answer;
			await this.#runTools(answer);
		}
	}

	async #ask(): Promise<AnswerRead> {
		const { url, agentToken } = this.#floor.server;
		this.call = ask(`${url}/gateway/${agentToken}`, 'anthropic-messages', true, {
			session: this.session.sessionId,
			// A person decides meanwhile.
			patienceMs: 100_000,
			body: {
				model: 'claude-sonnet-4-5',
				max_tokens: 1024,
				stream: true,
				system: [{ type: 'text', text: 'You fix tests.' }],
				messages: this.messages,
				tools: TOOLS,
			},
		});
		const seen = await this.call.observed;
		return readStrictly('anthropic-messages', seen.status === 200, seen.bytes);
	}

	async #runTools(answer: AnswerRead): Promise<void> {
		const calls = answer.toolCalls.map(({ name, input }, at) => ({
			type: 'tool_use',
			id: `toolu_${this.answers.length}_${at}`,
			name,
			input,
		}));
		const texts = answer.texts.map((text) => ({ type: 'text', text }));
		this.messages.push({ role: 'assistant', content: [...texts, ...calls] });
		const results: Record<string, unknown>[] = [];
		for (const { id, name, input } of calls) {
			const command = String((input as Record<string, unknown>).command);
			const { after } = await this.session.use(name, { command });
			if (after) this.commands.push(command);
			results.push({ type: 'tool_result', tool_use_id: id, content: after ? 'done' : 'refused' });
		}
		this.messages.push({ role: 'user', content: results });
	}
}
