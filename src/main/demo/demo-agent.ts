/** One scripted agent of the demo: speaks to the hook server over real HTTP and obeys replies as Claude Code does. */
import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface DemoContext {
	readonly baseUrl: string;
	readonly agentToken: string;
	/** Where the demo's own transcripts go. */
	readonly directory: string;
	/** Resolves after `ms`; rejects when the demo is stopped. */
	readonly pause: (ms: number) => Promise<void>;
}

/** What came back from the floor, as far as a script cares. */
export interface DemoReply {
	readonly denied: boolean;
	readonly halted: boolean;
	readonly note: string;
}

export interface DemoTool {
	readonly tool: string;
	readonly input: Record<string, unknown>;
	/** Text of the result; a failure when `failed`. */
	readonly result: string;
	readonly failed?: boolean;
	readonly tookMs?: number;
}

const MODEL = 'claude-sonnet-4-5';

export class DemoAgent {
	readonly #context: DemoContext;
	readonly #sessionId = `demo-${randomUUID()}`;
	readonly #cwd: string;
	readonly #transcript: string;
	/** Set when the floor told the agent to stop; a script then ends its turn. */
	halted = false;
	#calls = 0;

	constructor(context: DemoContext, name: string) {
		this.#context = context;
		this.#cwd = `/home/dev/${name}`;
		this.#transcript = join(context.directory, `${this.#sessionId}.jsonl`);
	}

	start(): Promise<DemoReply> {
		return this.send('SessionStart', { source: 'startup', model: MODEL });
	}

	async prompt(text: string): Promise<DemoReply> {
		this.halted = false;
		const reply = await this.send('UserPromptSubmit', { prompt: text });
		if (reply.denied) this.halted = true;
		return reply;
	}

	/** A call with its result, unless it is refused. */
	async use(call: DemoTool): Promise<DemoReply> {
		this.#calls += 1;
		const id = `toolu_demo_${this.#sessionId.slice(5, 13)}_${this.#calls}`;
		const common = { tool_name: call.tool, tool_input: call.input, tool_use_id: id };
		await this.#spend(2_400, 180 + (this.#calls % 7) * 60);
		const before = await this.send('PreToolUse', common);
		if (before.denied) return before;
		const took = call.tookMs ?? 400;
		await this.#context.pause(took);
		const after = call.failed
			? await this.send('PostToolUseFailure', { ...common, error: call.result, duration_ms: took })
			: await this.send('PostToolUse', { ...common, tool_response: call.result, duration_ms: took });
		return { ...after, denied: false, note: before.note || after.note };
	}

	stop(message: string): Promise<DemoReply> {
		return this.send('Stop', { stop_hook_active: false, last_assistant_message: message });
	}

	/** Any event of Claude Code. */
	async send(event: string, fields: Record<string, unknown>): Promise<DemoReply> {
		const response = await fetch(`${this.#context.baseUrl}/hooks/claude-code/${event}`, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${this.#context.agentToken}`,
				'content-type': 'application/json',
				'x-agent-floor-demo': '1',
			},
			body: JSON.stringify({
				session_id: this.#sessionId,
				transcript_path: this.#transcript,
				cwd: this.#cwd,
				permission_mode: 'default',
				hook_event_name: event,
				...fields,
			}),
		});
		const reply = readReply((await response.json()) as Record<string, unknown>);
		if (reply.halted) this.halted = true;
		return reply;
	}

	/** One model request in the agent's transcript, so that its tokens and cost are read like a real one's. */
	async #spend(input: number, output: number): Promise<void> {
		const id = `msg_demo_${this.#sessionId.slice(5, 13)}_${this.#calls}`;
		const usage = {
			input_tokens: 12,
			output_tokens: output,
			cache_creation_input_tokens: input,
			cache_read_input_tokens: 14_000 + this.#calls * 900,
		};
		const line = {
			type: 'assistant',
			uuid: randomUUID(),
			sessionId: this.#sessionId,
			requestId: `req_${id}`,
			isSidechain: false,
			timestamp: new Date().toISOString(),
			message: { id, model: MODEL, role: 'assistant', content: [], stop_reason: 'tool_use', usage },
		};
		await appendFile(this.#transcript, `${JSON.stringify(line)}\n`);
	}
}

function readReply(body: Record<string, unknown>): DemoReply {
	const specific = (body.hookSpecificOutput ?? {}) as Record<string, unknown>;
	return {
		denied: specific.permissionDecision === 'deny' || body.decision === 'block',
		halted: body.continue === false,
		note: typeof specific.additionalContext === 'string' ? specific.additionalContext : '',
	};
}
