/**
 * One session as its program's telemetry tells it, twice over: log records name each answer, metrics are counters of the
 * same tokens. The two are compared, never added; log records may be switched off, or be lost when a batch is.
 */
import type { SessionCount } from './reconcile.ts';
import {
	type CounterGrowth,
	SessionTally,
	type SessionTallyOptions,
	type TalliedAnswer,
} from './session-tally.ts';
import { NO_TOKENS, type TokenUsage } from './token-usage.ts';

export class TelemetrySession {
	readonly #options: SessionTallyOptions;
	readonly #answers: SessionTally;
	readonly #counters: SessionTally;

	constructor(options: SessionTallyOptions) {
		this.#options = options;
		this.#answers = new SessionTally('telemetry', options);
		this.#counters = new SessionTally('telemetry', options);
	}

	answer(answer: Omit<TalliedAnswer, 'isLocal'>): void {
		this.#answers.answer({ ...answer, isLocal: false });
	}

	/** What the program reckons for a model that no price list has is a guess, and is left out. */
	grow(growth: CounterGrowth): void {
		const { costUsd, model, at } = growth;
		if (costUsd !== null && this.#options.price(model, ONE_TOKEN, at) === null) return;
		this.#counters.grow(growth);
	}

	/** The larger of the two; of equal ones the one with the single answers. `null` while nothing was counted. */
	takeCount(now: number): SessionCount | null {
		const answers = this.#answers.takeCount(now);
		const counters = this.#counters.takeCount(now);
		if (answers === null || counters === null) return answers ?? counters;
		return counters.total.work > answers.total.work ? counters : answers;
	}
}

const ONE_TOKEN: TokenUsage = { ...NO_TOKENS, input: 1 };
