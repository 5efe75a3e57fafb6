/** How much work an agent did lately, in equal steps of time. Pure; fed by its usage samples. */
import type { Spark } from '../../shared/agent-view.ts';

const STEP_MS = 3 * 60_000;
const STEPS = 20;

/** Work tokens in each step, by the number of the step since the epoch. */
export class WorkSteps {
	readonly #steps = new Map<number, number>();
	/** Since when it is watched: before, nothing is known. */
	#firstStep: number | null = null;
	#work: number | null = null;

	/**
	 * `work`: cumulative work tokens. `isEarlier`: work came in that was done before it was known; it belongs to no step.
	 * A count that goes down (another counter leads) is a new beginning.
	 */
	sample(work: number, at: number, isEarlier: boolean): void {
		const step = Math.floor(at / STEP_MS);
		const before = this.#work;
		this.#work = work;
		this.#firstStep ??= step;
		if (before === null || isEarlier || work <= before) return;
		this.#steps.set(step, (this.#steps.get(step) ?? 0) + work - before);
		for (const old of this.#steps.keys()) if (old <= step - STEPS) this.#steps.delete(old);
	}

	/**
	 * `null`: never sampled. It ends with the last step in which there was work, so that time alone changes nothing: what
	 * is after `endsAt` is nothing.
	 */
	view(): Spark | null {
		if (this.#firstStep === null) return null;
		const last = Math.max(this.#firstStep, ...this.#steps.keys());
		const work = Array.from({ length: STEPS }, (_, index) => {
			const step = last - STEPS + 1 + index;
			if (this.#firstStep === null || step < this.#firstStep) return null;
			return this.#steps.get(step) ?? 0;
		});
		return { stepMs: STEP_MS, endsAt: (last + 1) * STEP_MS, work };
	}
}
