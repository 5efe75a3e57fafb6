/** Steps of an agent as the lines of a replay file: the payloads of its program, its usage, times like real ones. */

import { claudeCode, claudeCodeCall } from './clients/claude-code.ts';
import type { ClientPayloads, ClientSession, Told } from './clients/client.ts';
import { codex } from './clients/codex.ts';
import { copilotCli } from './clients/copilot-cli.ts';
import { geminiCli } from './clients/gemini-cli.ts';
import type { Random } from './random.ts';
import type { Attempt, Call, Deed, Step, Trace, TraceClient, TraceLabel } from './trace.ts';

const payloads: Readonly<Record<TraceClient, ClientPayloads>> = {
	'claude-code': claudeCode,
	codex,
	'gemini-cli': geminiCli,
	'copilot-cli': copilotCli,
};

/** Seconds that the model thinks before such a call, and that the tool takes. */
const TIMES: Readonly<Record<Deed['does'], readonly [think: [number, number], run: [number, number]]>> = {
	shell: [
		[2, 8],
		[3, 12],
	],
	read: [
		[0.9, 2.6],
		[0.05, 0.3],
	],
	search: [
		[0.9, 2.6],
		[0.1, 0.4],
	],
	edit: [
		[3, 8],
		[0.05, 0.3],
	],
	write: [
		[4, 10],
		[0.05, 0.3],
	],
	look: [
		[1, 3],
		[4, 9],
	],
	connector: [
		[1.5, 4],
		[0.3, 2.5],
	],
	plan: [
		[1, 3],
		[0.02, 0.1],
	],
};

/** Output tokens of a call without the text it writes. */
const CALL_TOKENS = [60, 240] as const;
const CHARACTERS_PER_TOKEN = 3.6;
const BEGINS_AT = Date.UTC(2026, 10, 30, 9, 0, 0);

export interface RenderOptions {
	readonly label: Omit<TraceLabel, 'onset'>;
	readonly random: Random;
	/** Of each hook. */
	readonly deliveries: 1 | 2;
}

/** `label.onset` is found here. Times and tokens depend on `random` and how many attempts came before, not on texts. */
export function render(steps: readonly Step[], options: RenderOptions): Trace {
	return new Rendering(options).play(steps);
}

class Rendering {
	readonly #label: Omit<TraceLabel, 'onset'>;
	readonly #random: Random;
	readonly #deliveries: 1 | 2;
	readonly #client: ClientPayloads;
	readonly #sessionId: string;
	/** Some models are quicker than others. */
	readonly #pace: number;
	readonly #lines: { readonly at: number; readonly text: string }[] = [];
	readonly #attempts: Attempt[] = [];
	#onset: number | null = null;
	#now = BEGINS_AT;
	/** When the newest call began. */
	#began = BEGINS_AT;
	#turn = 0;
	#afterPrompt = false;
	readonly #spent = { input: 2_000, output: 0, cacheRead: 0, cacheCreation: 12_000 };

	constructor({ label, random, deliveries }: RenderOptions) {
		this.#label = label;
		this.#deliveries = deliveries;
		this.#random = random;
		this.#client = payloads[label.client];
		this.#sessionId = random.fork(label.stuck ? 'stuck session' : 'healthy session').uuid();
		this.#pace = random.fork('pace').between(0.85, 1.3);
	}

	play(steps: readonly Step[]): Trace {
		this.#tell(this.#now, this.#client.start(this.#session()));
		this.#now += 2_000;
		for (const step of steps) this.#take(step);
		const label: TraceLabel = { ...this.#label, onset: this.#onset };
		// A parallel call ends after the next one began: what is told is told in the order of time.
		const told = this.#lines.toSorted((a, b) => a.at - b.at);
		return {
			label,
			lines: [JSON.stringify({ label }), ...told.map(({ text }) => text)],
			attempts: this.#attempts,
			endsAt: told.at(-1)?.at ?? this.#now,
		};
	}

	#take(step: Step): void {
		switch (step.kind) {
			case 'call':
				this.#call(step);
				break;
			case 'changed':
				this.#write(this.#now + 100, { progress: { sessionId: this.#sessionId, path: step.path } });
				break;
			case 'prompt':
				this.#turn += 1;
				this.#afterPrompt ||= step.notice !== true;
				this.#now += 1_000;
				this.#tell(this.#now, this.#client.prompt(this.#session(), step.text));
				break;
			case 'words':
				this.#words(step.tokens, step.seconds);
				break;
			case 'compaction':
				this.#tell(this.#now + 500, this.#client.compactStart(this.#session()));
				this.#now += this.#draw('compaction', 15, 40) * 1000;
				this.#tell(this.#now, this.#client.compactEnd(this.#session()));
				this.#use(this.#draw('summary', 800, 2_500));
				break;
			case 'turn-end':
				this.#now += 1_500;
				this.#tell(this.#now, this.#client.turnEnd(this.#session(), step.text));
				break;
			case 'turn-failed':
				this.#now += this.#draw('failing', 3, 9) * 1000;
				this.#attempted('turn', {}, step.message, true, step.onset);
				this.#tell(this.#now, this.#client.turnFailed(this.#session(), step.error, step.message));
				break;
			case 'subagent':
				this.#now += 300;
				this.#tell(this.#now, this.#client.subagent(this.#session(), step.id, step.ends));
				break;
		}
	}

	#call({ deed, outcome, seconds, tokensMeanwhile = 0, actor, parallel = false, onset }: Call): void {
		const [think, run] = TIMES[deed.does];
		const thinks = this.#draw('think', ...think) * this.#pace * 1000;
		const tookMs = Math.round((seconds ?? this.#draw('run', ...run)) * 1000);
		const began = Math.round(parallel ? this.#began + 40 : this.#now + thinks);
		const ended = began + tookMs;
		this.#began = began;
		const callId = this.#random.fork(`call ${this.#attempts.length}`).hex(12);
		const told = { deed, outcome, callId, actor: actor ?? null, tookMs };
		const { tool_name, tool_input } = claudeCodeCall(deed);
		const result = outcome.ended === 'untold' ? null : outcome.text;
		this.#now = Math.max(this.#now, began);
		this.#attempted(tool_name, tool_input, result, outcome.ended !== 'ok', onset, began);
		this.#tell(began, this.#client.begin({ ...this.#session(), at: began }, told));
		if (tokensMeanwhile > 0) this.#words(tokensMeanwhile, tookMs / 1000);
		this.#tell(ended, this.#client.end({ ...this.#session(), at: ended }, told));
		this.#now = Math.max(this.#now, ended);
		const written = deed.does === 'edit' ? deed.after : deed.does === 'write' ? deed.text : '';
		this.#use(this.#draw('tokens', ...CALL_TOKENS) + written.length / CHARACTERS_PER_TOKEN);
	}

	#attempted(
		tool: string,
		input: unknown,
		result: string | null,
		failed: boolean,
		onset = false,
		at = this.#now,
	): void {
		this.#attempts.push({ at, tool, input, result, failed, afterPrompt: this.#afterPrompt });
		this.#afterPrompt = false;
		if (onset && this.#onset === null) this.#onset = this.#attempts.length;
	}

	/** Transcripts are written a block at a time. */
	#words(tokens: number, seconds: number): void {
		const blocks = Math.max(1, Math.round(seconds / 12));
		for (let block = 0; block < blocks; block += 1) {
			this.#now += (seconds / blocks) * 1000;
			this.#use(tokens / blocks);
		}
	}

	#use(output: number): void {
		this.#spent.output += Math.round(output);
		this.#spent.input += 12;
		this.#spent.cacheCreation += Math.round(output * 3);
		this.#spent.cacheRead += this.#spent.cacheCreation;
		const usage = { sessionId: this.#sessionId, model: null, ...this.#spent, usd: null };
		this.#write(this.#now + 250, { usage });
	}

	#draw(what: string, from: number, to: number): number {
		return this.#random.fork(`${what} ${this.#attempts.length}`).between(from, to);
	}

	#session(): ClientSession {
		const turnId = this.#random.fork(`turn ${this.#turn}`).uuid();
		return { sessionId: this.#sessionId, directory: '/home/dev/app', turnId, at: Math.round(this.#now) };
	}

	#tell(at: number, told: readonly Told[]): void {
		for (const [event, body] of told) {
			const line = { client: this.#label.client, event, body };
			for (let delivery = 0; delivery < this.#deliveries; delivery += 1) this.#write(at, line);
		}
	}

	#write(at: number, line: Record<string, unknown>): void {
		const time = Math.round(at);
		this.#lines.push({ at: time, text: JSON.stringify({ at: time, ...line }) });
	}
}
