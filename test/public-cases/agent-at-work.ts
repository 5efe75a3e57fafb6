/** An agent on a floor with the limits that everybody gets, which works while the heartbeat goes on. */
import type { EventContext, Happening } from '../../src/main/floor/events.ts';
import { viewOf } from '../../src/main/floor/view.ts';
import type { AgentView } from '../../src/shared/agent-view.ts';
import { BEAT_MS, FloorFixture, T0 } from '../support/floor-fixture.ts';
import { usageView } from '../support/usage-views.ts';

interface CallOutcome {
	/** `null`: nobody tells what came back. */
	readonly result?: string | null;
	readonly failed?: boolean;
	readonly changedFile?: string;
	readonly seconds?: number;
}

export class AgentAtWork extends FloorFixture {
	#nextBeatAt = T0 + BEAT_MS;
	#calls = 0;
	#output = 0;
	/** How often each arm has tripped, over all beats. */
	readonly arms = new Set<string>();

	/** Lets time pass, with every beat that is due in it. */
	wait(seconds: number): this {
		const until = this.now + seconds * 1000;
		while (this.#nextBeatAt <= until) {
			this.now = this.#nextBeatAt;
			this.floor.beat(this.now);
			this.#nextBeatAt += BEAT_MS;
			const arm = this.floor.agentOfSession('claude-code', 's1')?.evidence?.arm;
			if (arm) this.arms.add(arm);
		}
		this.now = until;
		return this;
	}

	/** A call that takes some seconds, and the model's thoughts before it. Refused ones end at once. */
	call(tool: string, input: unknown, outcome: CallOutcome = {}, context: Partial<EventContext> = {}): this {
		const { result = '', failed = false, changedFile = null, seconds = 5 } = outcome;
		this.#calls += 1;
		const callId = `made-${this.#calls}`;
		this.spend(200);
		const { verdict } = this.happen({ kind: 'tool-call', callId, tool, input }, context);
		this.wait(seconds);
		if (verdict.kind === 'deny' || verdict.kind === 'halt' || result === null) return this;
		const ended: Happening = {
			kind: 'tool-result',
			callId,
			tool,
			input,
			result,
			failed,
			interrupted: false,
			durationMs: seconds * 1000,
			changedFile,
		};
		this.happen(ended, context);
		return this.wait(1);
	}

	/** The model wrote so many tokens more. */
	spend(output: number): this {
		const agent = this.floor.agentOfSession('claude-code', 's1');
		if (!agent) return this;
		this.#output += output;
		const sample = {
			model: 'claude-sonnet-4-5',
			input: 0,
			output: this.#output,
			cacheRead: 0,
			cacheCreation: 0,
			usd: null,
		};
		const usage = { view: usageView({ output: this.#output }), sample, model: null };
		this.floor.observe(agent.id, { usage }, this.now);
		return this;
	}

	/** So many times, or until the ladder leaves healthy; how often it was. */
	untilSteered(most: number, what: (index: number) => unknown): number {
		for (let index = 0; index < most; index += 1) {
			what(index);
			if (this.transitions().length > 0) return index + 1;
		}
		return most;
	}

	repeat(times: number, what: (index: number) => unknown): this {
		for (let index = 0; index < times; index += 1) what(index);
		return this;
	}

	view(sessionId = 's1'): AgentView {
		return viewOf(this.agent(sessionId), this.now);
	}
}
