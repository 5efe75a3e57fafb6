/** What an agent has spent, from cumulative samples that may start again at zero or be nonsense. */
import type { AgentUsageSample } from './breaker-input.ts';
import { SHOWN_OCCURRENCES } from './trip.ts';

/** More than this is no usage of one agent but a broken counter. */
const MAX_USD = 1e9;

/** A beat on which the agent spent something. */
export interface Spending {
	readonly at: number;
	readonly output: number;
	readonly work: number;
	readonly usd: number;
}

interface Reading {
	readonly output: number;
	/** input + output + cache creation. */
	readonly work: number;
	/** `null`: no price is known, or 0 was reported for tokens that cost something. */
	readonly usd: number | null;
}

const NOTHING: Omit<Spending, 'at'> = { output: 0, work: 0, usd: 0 };

export class UsageTrack {
	#reading: Reading | null = null;
	/** Highest known cost since the counter last began. */
	#usd = 0;
	/** Sums of the peaks that earlier runs of the counter reached. */
	#earlierWork = 0;
	#earlierUsd = 0;
	/** Spent before the operator reset the count. */
	#forgottenWork = 0;
	#forgottenUsd = 0;
	/** As the last sample gave them. */
	#corrections = 0;
	#recent: Spending[] = [];
	/** When counting began; `null` before the first sample. */
	since: number | null = null;
	/** Growth since the beat before. */
	grown: Omit<Spending, 'at'> = NOTHING;
	/**
	 * `sample`: a counter to go on from. `restart`: it began again. `corrected`: it had said too much output. `none`: nothing
	 * (believable) was read.
	 */
	seen: 'none' | 'first' | 'sample' | 'restart' | 'corrected' = 'none';
	/** Why the sample of this beat was not believed; empty otherwise. */
	problem = '';

	/** Output tokens as the counter gives them. */
	get output(): number {
		return this.#reading?.output ?? 0;
	}

	/** Work tokens that count against caps. */
	get work(): number {
		return this.#earlierWork + (this.#reading?.work ?? 0) - this.#forgottenWork;
	}

	/** US dollars that count against caps; what has no price contributes nothing. */
	get usd(): number {
		return this.#earlierUsd + this.#usd - this.#forgottenUsd;
	}

	/** It works, and no price is known for it. */
	get isUnpriced(): boolean {
		return this.#reading !== null && this.#reading.work > 0 && this.#reading.usd === null;
	}

	/** The last beats on which it spent something, oldest first. */
	get recent(): readonly Spending[] {
		return this.#recent;
	}

	/**
	 * Takes the sample of one beat. `firstIsSpending`: what a first sample shows was spent just now, as far as
	 * anyone knows; not so for an agent that was there before the floor was started.
	 */
	observe(sample: AgentUsageSample | null | undefined, now: number, firstIsSpending: boolean): void {
		this.grown = NOTHING;
		this.seen = 'none';
		this.problem = '';
		if (sample === null || sample === undefined) return;
		this.problem = problemOf(sample);
		if (this.problem !== '') return;
		const reading = readingOf(sample);
		const before = this.#reading;
		const corrections = sample.corrections ?? 0;
		const isCorrected = corrections > this.#corrections;
		this.#corrections = corrections;
		if (before === null) this.#takeFirst(reading, now, firstIsSpending);
		else if (isCorrected) this.#correct(before, reading);
		else if (reading.work < before.work || reading.output < before.output) this.#restart(before, reading);
		else this.#grow(before, reading);
		this.#reading = reading;
		const { output, work, usd } = this.grown;
		if (work <= 0 && usd <= 0) return;
		this.#recent.push({ at: now, output, work, usd });
		if (this.#recent.length > SHOWN_OCCURRENCES) this.#recent.shift();
	}

	/** What this beat's sample grew by was not spent on this beat. */
	discountGrowth(): void {
		if (this.grown !== NOTHING) this.#recent.pop();
		this.grown = NOTHING;
	}

	/** The operator starts the count again: what was spent so far counts no more. */
	forgetSpent(now: number): void {
		this.#forgottenWork += this.work;
		this.#forgottenUsd += this.usd;
		this.#recent = [];
		this.grown = NOTHING;
		this.since = now;
	}

	settle(now: number): void {
		if (this.since !== null && this.since > now) this.since = now;
		if (this.#recent.some((spending) => spending.at > now)) {
			this.#recent = this.#recent.map((spending) => ({ ...spending, at: Math.min(spending.at, now) }));
		}
	}

	#takeFirst(reading: Reading, now: number, isSpending: boolean): void {
		this.seen = 'first';
		this.since ??= now;
		this.#usd = reading.usd ?? 0;
		if (isSpending) this.grown = { output: 0, work: reading.work, usd: this.#usd };
	}

	/** The counter began again (the agent was restarted): what it had reached stays spent. */
	#restart(before: Reading, reading: Reading): void {
		this.seen = 'restart';
		this.#earlierWork += before.work;
		this.#earlierUsd += this.#usd;
		this.#usd = reading.usd ?? 0;
		this.grown = { output: 0, work: reading.work, usd: this.#usd };
	}

	/** Less was spent than it said: that was neither spent before nor now, and what it grew by all the same is. */
	#correct(before: Reading, reading: Reading): void {
		this.seen = reading.output < before.output ? 'corrected' : 'sample';
		const usdBefore = this.#usd;
		this.#usd = reading.usd ?? 0;
		const output = Math.max(0, reading.output - before.output);
		const work = Math.max(0, reading.work - before.work);
		const usd = Math.max(0, this.#usd - usdBefore);
		if (output > 0 || work > 0 || usd > 0) this.grown = { output, work, usd };
		// What was reset is no credit: whatever is spent from here on counts at once.
		this.#forgottenWork = Math.min(this.#forgottenWork, this.#earlierWork + reading.work);
		this.#forgottenUsd = Math.min(this.#forgottenUsd, this.#earlierUsd + this.#usd);
	}

	#grow(before: Reading, reading: Reading): void {
		this.seen = 'sample';
		let usd = 0;
		if (reading.usd !== null && reading.usd < this.#usd) {
			this.#earlierUsd += this.#usd;
			this.#usd = reading.usd;
			usd = reading.usd;
		} else if (reading.usd !== null) {
			usd = reading.usd - this.#usd;
			this.#usd = reading.usd;
		}
		const output = reading.output - before.output;
		const work = reading.work - before.work;
		if (output > 0 || work > 0 || usd > 0) this.grown = { output, work, usd };
	}
}

function readingOf(sample: AgentUsageSample): Reading {
	const { output, usd } = sample;
	const work = (sample.input ?? 0) + (output ?? 0) + (sample.cacheCreation ?? 0);
	return { output: output ?? 0, work, usd: usd === 0 && work > 0 ? null : (usd ?? null) };
}

/** Names the field that cannot be true; empty when all can. A field that is not there counts as 0. */
function problemOf(sample: AgentUsageSample): string {
	if (typeof sample !== 'object') return `a ${typeof sample}`;
	for (const field of ['input', 'output', 'cacheRead', 'cacheCreation'] as const) {
		const value: unknown = sample[field] ?? 0;
		const isCount = typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
		if (!isCount) return `${field}: ${shown(value)}`;
	}
	const usd: unknown = sample.usd ?? 0;
	return typeof usd === 'number' && usd >= 0 && usd <= MAX_USD ? '' : `usd: ${shown(usd)}`;
}

function shown(value: unknown): string {
	return typeof value === 'number' ? String(value) : `a ${typeof value}`;
}
