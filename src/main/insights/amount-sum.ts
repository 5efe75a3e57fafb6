/** Many amounts added up in place, as `addAmounts` adds two: one object for a sum of thousands. */
import type { UsageAmount } from '../../shared/usage-view.ts';

export class AmountSum {
	#input = 0;
	#output = 0;
	#cacheRead = 0;
	#cacheCreation = 0;
	#work = 0;
	#localWork = 0;
	#costUsd: number | null = null;
	readonly #unpriced = new Set<string>();

	add(amount: UsageAmount): void {
		this.#input += amount.input;
		this.#output += amount.output;
		this.#cacheRead += amount.cacheRead;
		this.#cacheCreation += amount.cacheCreation;
		this.#work += amount.work;
		this.#localWork += amount.localWork;
		if (amount.costUsd !== null) this.#costUsd = (this.#costUsd ?? 0) + amount.costUsd;
		for (const model of amount.unpricedModels) this.#unpriced.add(model);
	}

	/** Money that turned out not to have been spent leaves less than nothing by a rounding only: then it is nothing. */
	build(): UsageAmount {
		return {
			input: this.#input,
			output: this.#output,
			cacheRead: this.#cacheRead,
			cacheCreation: this.#cacheCreation,
			work: this.#work,
			localWork: this.#localWork,
			costUsd: this.#costUsd === null ? null : Math.max(0, this.#costUsd),
			unpricedModels: [...this.#unpriced].sort(),
		};
	}
}
