/** A floor behind the real routes that speaks with every program, and sessions that tell it of their work. */
import Fastify from 'fastify';
import type { FloorEvent } from '../../src/main/floor/events.ts';
import { Floor } from '../../src/main/floor/floor.ts';
import { viewOf } from '../../src/main/floor/view.ts';
import type { Payload } from '../../src/main/hooks/dialect.ts';
import { createDialects } from '../../src/main/hooks/dialects.ts';
import { hookRoutes } from '../../src/main/hooks/routes.ts';
import type { AgentView } from '../../src/shared/agent-view.ts';
import { type NeedsYou, needsYou } from '../../src/shared/attention.ts';
import { settingsSchema } from '../../src/shared/settings.ts';
import type { Recorded } from '../hooks/dialect-payloads.ts';

const AT = 1_796_000_000_000;

/** How one program tells of its session. `n`: another one for each event. */
interface Program {
	readonly client: string;
	/** What it says in every payload. */
	readonly common: (session: string, n: number) => Payload;
	readonly start: Recorded;
	readonly prompt: (text: string) => Recorded;
	readonly call: (id: string, command: string | undefined) => Recorded;
	readonly result: (id: string, command: string | undefined, output: string) => Recorded;
	/** A person is asked whether a command may run. */
	readonly permission: (command: string) => Recorded;
	readonly turnEnd: (text: string) => Recorded;
	readonly end: Recorded;
	/** The turn came to nothing at the provider; `null`: it tells nobody. */
	readonly trouble: ((error: string, message: string) => Recorded) | null;
	/** A person pressed Esc while this command ran; `null`: it tells nobody. */
	readonly interrupted: ((id: string, command: string) => Recorded) | null;
	/** What makes an event a subagent's; `null`: it has none of its own. */
	readonly subagent: Payload | null;
}

const bash = (command: string | undefined) => ({
	tool_name: 'Bash',
	...(command !== undefined && { tool_input: { command } }),
});

const claudeCode: Program = {
	client: 'claude-code',
	common: (session_id) => ({ session_id, cwd: '/w/app' }),
	start: { event: 'SessionStart', body: { source: 'startup' } },
	prompt: (prompt) => ({ event: 'UserPromptSubmit', body: { prompt } }),
	call: (tool_use_id, command) => ({ event: 'PreToolUse', body: { ...bash(command), tool_use_id } }),
	result: (tool_use_id, command, stdout) => ({
		event: 'PostToolUse',
		body: { ...bash(command), tool_use_id, tool_response: { stdout, stderr: '', interrupted: false } },
	}),
	permission: (command) => ({ event: 'PermissionRequest', body: bash(command) }),
	turnEnd: (last_assistant_message) => ({ event: 'Stop', body: { last_assistant_message } }),
	end: { event: 'SessionEnd', body: { reason: 'other' } },
	trouble: (error, last_assistant_message) => ({
		event: 'StopFailure',
		body: { error, last_assistant_message },
	}),
	interrupted: (tool_use_id, command) => ({
		event: 'PostToolUseFailure',
		body: { ...bash(command), tool_use_id, error: 'Interrupted by user', is_interrupt: true },
	}),
	subagent: { agent_id: 'sub-1', agent_type: 'Explore' },
};

const codex: Program = {
	...claudeCode,
	client: 'codex',
	common: (session_id) => ({ session_id, turn_id: 'turn-1', cwd: '/w/app', model: 'gpt-5.5' }),
	prompt: (prompt) => ({ event: 'UserPromptSubmit', body: { prompt, turn_id: `turn of ${prompt}` } }),
	result: (tool_use_id, command, tool_response) => ({
		event: 'PostToolUse',
		body: { ...bash(command), tool_use_id, tool_response },
	}),
	interrupted: () => ({ event: 'Interrupt', body: {} }),
};

const shell = (command: string | undefined) => ({
	tool_name: 'run_shell_command',
	...(command !== undefined && { tool_input: { command } }),
});

const geminiCli: Program = {
	client: 'gemini-cli',
	common: (session_id, n) => ({ session_id, cwd: '/w/app', timestamp: new Date(AT + n).toISOString() }),
	start: { event: 'SessionStart', body: { source: 'startup' } },
	prompt: (prompt) => ({ event: 'BeforeAgent', body: { prompt } }),
	call: (_id, command) => ({ event: 'BeforeTool', body: shell(command) }),
	result: (_id, command, output) => ({
		event: 'AfterTool',
		body: { ...shell(command), tool_response: { llmContent: `Output: ${output}` } },
	}),
	permission: (command) => ({
		event: 'Notification',
		body: { notification_type: 'ToolPermission', message: 'asks', details: { type: 'exec', command } },
	}),
	turnEnd: (prompt_response) => ({ event: 'AfterAgent', body: { prompt_response } }),
	end: { event: 'SessionEnd', body: { reason: 'exit' } },
	trouble: null,
	interrupted: (_id, command) => ({
		event: 'AfterTool',
		body: {
			...shell(command),
			tool_response: { llmContent: 'Command was cancelled by user before it could complete.' },
		},
	}),
	subagent: null,
};

const copilotBash = (command: string | undefined) => ({
	toolName: 'bash',
	...(command !== undefined && { toolArgs: { command } }),
});

const copilotCli: Program = {
	client: 'copilot-cli',
	common: (sessionId, n) => ({ sessionId, timestamp: AT + n, cwd: '/w/app' }),
	start: { event: 'sessionStart', body: { source: 'new' } },
	prompt: (prompt) => ({ event: 'userPromptSubmitted', body: { prompt } }),
	call: (_id, command) => ({ event: 'preToolUse', body: copilotBash(command) }),
	result: (_id, command, output) => ({
		event: 'postToolUse',
		body: { ...copilotBash(command), toolResult: { resultType: 'success', textResultForLlm: output } },
	}),
	permission: (command) => ({
		event: 'notification',
		body: { notification_type: 'permission_prompt', message: `Run command: ${command}` },
	}),
	turnEnd: () => ({ event: 'agentStop', body: { stopReason: 'end_turn' } }),
	end: { event: 'sessionEnd', body: { reason: 'complete' } },
	trouble: (code, message) => ({
		event: 'errorOccurred',
		body: {
			errorContext: 'model_call',
			recoverable: false,
			error: { name: 'Error', message: JSON.stringify({ message, code }) },
		},
	}),
	interrupted: null,
	subagent: null,
};

const opencodeBash = (callID: string, command: string | undefined) => ({
	tool: 'bash',
	callID,
	...(command !== undefined && { args: { command } }),
});

const opencode: Program = {
	client: 'opencode',
	common: (sessionID, n) => ({
		sessionID,
		rootID: sessionID,
		parentID: null,
		directory: '/w/app',
		delivery: `d-${n}`,
	}),
	start: { event: 'session.seen', body: { source: 'new' } },
	prompt: (prompt) => ({ event: 'chat.message', body: { prompt } }),
	call: (id, command) => ({ event: 'tool.execute.before', body: opencodeBash(id, command) }),
	result: (id, command, output) => ({
		event: 'tool.execute.after',
		body: { ...opencodeBash(id, command), output, exit: 0 },
	}),
	permission: (command) => ({ event: 'permission.asked', body: { permission: 'bash', command } }),
	turnEnd: () => ({ event: 'session.idle', body: {} }),
	end: { event: 'session.end', body: {} },
	trouble: (_error, message) => ({
		event: 'session.error',
		body: { error: { name: 'APIError', data: { message, statusCode: 529, isRetryable: true } } },
	}),
	interrupted: () => ({
		event: 'session.error',
		body: { error: { name: 'MessageAbortedError', data: { message: 'aborted' } } },
	}),
	subagent: { sessionID: 'a child', agent: 'general' },
};

/** All that the floor understands. */
export const PROGRAMS: readonly Program[] = [claudeCode, codex, geminiCli, copilotCli, opencode];

/** One row each for `it.each`. */
export const rows = PROGRAMS.map((program) => [program.client, program] as const);

export class EveryProgram {
	readonly floor: Floor;
	readonly dialects = createDialects();
	/** Events that were counted, in order. */
	readonly counted: FloorEvent[] = [];
	readonly errors: unknown[] = [];
	now = AT;
	url = '';
	/** Until it is released, no process is found. */
	processes: Promise<void> = Promise.resolve();
	serial = 0;
	readonly #server = Fastify();
	readonly #waiting: (() => void)[] = [];

	private constructor() {
		const settings = settingsSchema.parse({});
		const isReadOnly = () => ({ readOnly: false, why: 'it may write' });
		this.floor = new Floor({ getSettings: () => settings, isReadOnly });
	}

	static async start(): Promise<EveryProgram> {
		const started = new EveryProgram();
		await started.#server.register(hookRoutes, {
			floor: started.floor,
			dialects: started.dialects,
			now: () => started.now,
			identifyProcess: async (pid: number) => {
				await started.processes;
				return { pid, startTime: 'then' };
			},
			onEvent: (event: FloorEvent) => {
				started.counted.push(event);
				for (const wake of started.#waiting.splice(0)) wake();
			},
			consent: () => null,
			isDemoPlaying: () => false,
			onError: (error: unknown) => started.errors.push(error),
		});
		started.url = await started.#server.listen({ host: '127.0.0.1', port: 0 });
		return started;
	}

	async stop(): Promise<void> {
		await this.#server.close();
	}

	async post(client: string, { event, body }: Recorded, pid?: number): Promise<unknown> {
		const response = await fetch(`${this.url}/hooks/${client}/${event}`, {
			method: 'POST',
			headers: pid === undefined ? {} : { 'x-agent-floor-pid': String(pid) },
			body: JSON.stringify(body),
		});
		return response.json();
	}

	/** Replies go out before events are counted. */
	async untilCounted(events: number): Promise<void> {
		while (this.counted.length < events) await new Promise<void>((resolve) => this.#waiting.push(resolve));
	}

	needsYou(): NeedsYou {
		return needsYou({ agents: this.floor.views(this.now), incidents: this.floor.incidents.all() });
	}

	session(program: Program): Session {
		this.serial += 1;
		return new Session(this, program, `session-${this.serial}`);
	}
}

/** A new session of one program. */
export class Session {
	readonly program: Program;
	readonly id: string;
	readonly #floor: EveryProgram;
	#calls = 0;

	constructor(floor: EveryProgram, program: Program, id: string) {
		this.#floor = floor;
		this.program = program;
		this.id = id;
	}

	/** One of its payloads, whole. */
	payload({ event, body }: Recorded): Recorded {
		this.#floor.serial += 1;
		return { event, body: { ...this.program.common(this.id, this.#floor.serial), ...body } };
	}

	/** Tells the floor, waits until it is counted, and gives the reply. A second passes before it. */
	async tell(recorded: Recorded, pid?: number): Promise<unknown> {
		const { counted } = this.#floor;
		const before = counted.length;
		this.#floor.now += 1_000;
		const reply = await this.#floor.post(this.program.client, this.payload(recorded), pid);
		await this.#floor.untilCounted(before + 1);
		return reply;
	}

	async prompt(text = 'go'): Promise<unknown> {
		return this.tell(this.program.prompt(text));
	}

	/** A command with its output. `undefined`: what is run is not told. */
	async run(command: string | undefined, output: string): Promise<void> {
		this.#calls += 1;
		const id = `call-${this.#calls}`;
		await this.tell(this.program.call(id, command));
		await this.tell(this.program.result(id, command, output));
	}

	view(): AgentView {
		const agent = this.#floor.floor.agentOfSession(this.program.client, this.id);
		if (!agent) throw new Error(`${this.program.client} is not on the floor`);
		return viewOf(agent, this.#floor.now);
	}
}
