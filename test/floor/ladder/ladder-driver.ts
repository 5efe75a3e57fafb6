/** Drives a circuit breaker on a clock of its own, the way a heartbeat and a hook server would. */
import {
	type AgentUsageSample,
	type BreakerDecision,
	type BreakerInput,
	CircuitBreaker,
	type CircuitBreakerConfig,
} from '../../../src/main/floor/breaker.ts';

export const BEAT_MS = 30_000;
export const MINUTE_MS = 60_000;
/** The seed's literal. */
export const SEED_CONFIG: CircuitBreakerConfig = {
	enabled: true,
	hardStop: false,
	repeatedToolLimit: 8,
	errorStormLimit: 5,
	tokenVelocityPerMin: 60_000,
};

export function sampleOf(usage: Partial<AgentUsageSample> = {}): AgentUsageSample {
	return { model: 'claude-sonnet', input: 0, output: 0, cacheRead: 0, cacheCreation: 0, usd: null, ...usage };
}

export function inputOf(agentId: string, rest: Partial<BreakerInput> = {}): BreakerInput {
	return { agentId, sample: null, progressing: false, ...rest };
}

export class LadderDriver {
	config: CircuitBreakerConfig;
	now = Date.UTC(2026, 0, 5, 9);
	readonly breaker: CircuitBreaker;
	#calls = 0;

	constructor(config: Partial<CircuitBreakerConfig> = {}) {
		this.config = { ...SEED_CONFIG, ...config };
		this.breaker = new CircuitBreaker(() => this.config);
	}

	wait(milliseconds: number): this {
		this.now += milliseconds;
		return this;
	}

	/** A call with its result, a second long, as a hook server tells it. Without `result` it is never answered. */
	call(
		tool: string,
		input: unknown,
		{
			agent = 'a',
			actor = null,
			...answer
		}: { agent?: string; actor?: string | null; result?: string; failed?: boolean } = {},
	): this {
		this.#calls += 1;
		const callId = `call-${this.#calls}`;
		this.breaker.recordToolUse(agent, tool, input, { callId, actor, at: this.now });
		this.now += 1_000;
		if (answer.result === undefined) return this;
		const { result, failed = false } = answer;
		this.breaker.recordToolResult(agent, { callId, tool, input, actor, result, failed, at: this.now });
		return this;
	}

	times(count: number, what: (index: number) => void): this {
		for (let index = 0; index < count; index += 1) what(index);
		return this;
	}

	/** One beat of one agent after `BEAT_MS`. */
	beat(rest: Partial<BreakerInput> = {}): BreakerDecision {
		this.now += BEAT_MS;
		return this.tick([inputOf('a', rest)])[0] ?? absent();
	}

	tick(inputs: readonly BreakerInput[]): BreakerDecision[] {
		return this.breaker.tick(inputs, this.now);
	}
}

function absent(): never {
	throw new Error('the breaker returned no decision');
}
