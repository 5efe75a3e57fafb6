/** Does an agent that writes also get on? Steps forward are changed files, prompts, and calls that are new. */
import { type Occurrence, SHOWN_OCCURRENCES } from './trip.ts';
import { grouped } from './wording.ts';

/** Beats in a row without progress that trip. */
export const NO_PROGRESS_BEATS = 2;
/** Time without a step forward before a beat counts, ms. */
export const NO_PROGRESS_WINDOW_MS = 5 * 60_000;
/** A call that takes this long is work in itself, ms. */
export const LONG_CALL_MS = 60_000;
/** Fruitless calls in a row after which starting yet another different one is no step forward by itself. */
const FRUITLESS_CALLS = 3;

export interface IdleBeats {
	readonly count: number;
	readonly output: number;
	/** The first beat of the run. */
	readonly since: number;
	readonly last: readonly Occurrence[];
}

export class ProgressTrack {
	/** When the agent was first heard of; `null` before. */
	#knownSince: number | null = null;
	#lastStepAt = Number.NEGATIVE_INFINITY;
	/** When a long call last ended: time that a tool took is no time without progress. */
	#workedUntil = Number.NEGATIVE_INFINITY;
	#fruitless = 0;
	#idle: IdleBeats = { count: 0, output: 0, since: 0, last: [] };
	/** Steps forward so far. */
	steps = 0;

	get idle(): IdleBeats {
		return this.#idle;
	}

	/** Something was heard of the agent. */
	heard(at: number): void {
		this.#knownSince ??= at;
	}

	/** Call after call came to nothing. */
	get isFruitless(): boolean {
		return this.#fruitless >= FRUITLESS_CALLS;
	}

	/** A long call ended at `at`. */
	worked(at: number): void {
		this.#workedUntil = Math.max(this.#workedUntil, at);
	}

	/** A file changed or a person spoke. */
	step(at: number): void {
		this.#lastStepAt = Math.max(this.#lastStepAt, at);
		this.#fruitless = 0;
		this.steps += 1;
	}

	/** A different call began. That is a step, unless call after call before it came to nothing. */
	triedSomethingNew(at: number): void {
		if (this.isFruitless) return;
		this.#lastStepAt = Math.max(this.#lastStepAt, at);
		this.steps += 1;
	}

	/** A call was refused, never answered, or said nothing that was not known. */
	cameToNothing(): void {
		this.#fruitless += 1;
	}

	/** One beat. `output`: tokens written since the one before, `null` when that is not known or not to be counted. */
	beat(output: number | null, now: number): void {
		this.#knownSince ??= now;
		const isQuiet =
			output !== null &&
			output > 0 &&
			now - Math.max(this.#lastStepAt, this.#workedUntil) >= NO_PROGRESS_WINDOW_MS &&
			now - this.#knownSince >= NO_PROGRESS_WINDOW_MS;
		if (!isQuiet) {
			if (this.#idle.count > 0) this.#idle = { count: 0, output: 0, since: 0, last: [] };
			return;
		}
		const { count, output: before, since, last } = this.#idle;
		const text = `${grouped(output)} output tokens, nothing new`;
		this.#idle = {
			count: count + 1,
			output: before + output,
			since: count === 0 ? now : since,
			last: [...last, { at: now, text }].slice(-SHOWN_OCCURRENCES),
		};
	}

	settle(now: number): void {
		if (this.#knownSince !== null && this.#knownSince > now) this.#knownSince = now;
		if (this.#lastStepAt > now) this.#lastStepAt = now;
		if (this.#workedUntil > now) this.#workedUntil = now;
		const { since, last } = this.#idle;
		if (since <= now && last.every(({ at }) => at <= now)) return;
		this.#idle = {
			...this.#idle,
			since: Math.min(since, now),
			last: last.map((beat) => ({ ...beat, at: Math.min(beat.at, now) })),
		};
	}
}
