/** Counted responses added up by model and day, and those sums as people see them. */
import { NO_USAGE, type UsageAmount } from '../../shared/usage-view.ts';
import type { TokenUsage } from './token-usage.ts';

/** What responses of one model on one day add up to. */
export interface Sum {
	input: number;
	output: number;
	cacheRead: number;
	cacheCreation: number;
	/** Billionths of a dollar, of the responses with a known price. */
	nanoUsd: number;
	/** Responses with a known price, and without one. */
	priced: number;
	unpriced: number;
}

/** Days of which nothing is told apart any more: earlier than any that begins with a digit. */
export const LONG_AGO = '';

/** Gives each name a number, the same for the life of the process. */
export class Names {
	readonly #numbers = new Map<string, number>();
	readonly #names: string[] = [];

	numberOf(name: string): number {
		const known = this.#numbers.get(name);
		if (known !== undefined) return known;
		const number = this.#names.push(name) - 1;
		this.#numbers.set(name, number);
		return number;
	}

	nameOf(number: number): string {
		return this.#names[number] ?? '';
	}
}

/** The sums of one session or one program. Models and days are numbers given out by `Names`. */
export class Sums {
	readonly #sums = new Map<number, Sum>();

	add(model: number, day: number, usage: TokenUsage, nanoUsd: number | null, sign: 1 | -1): void {
		const key = keyOf(model, day);
		const sum = this.#sums.get(key) ?? emptySum();
		sum.input += sign * usage.input;
		sum.output += sign * usage.output;
		sum.cacheRead += sign * usage.cacheRead;
		sum.cacheCreation += sign * usage.cacheCreation;
		if (nanoUsd === null) sum.unpriced += sign;
		else {
			sum.nanoUsd += sign * nanoUsd;
			sum.priced += sign;
		}
		if (sum.priced === 0 && sum.unpriced === 0) this.#sums.delete(key);
		else this.#sums.set(key, sum);
	}

	/** Adds a whole sum. */
	addSum(model: number, day: number, more: Sum): void {
		const sum = this.#sums.get(keyOf(model, day)) ?? emptySum();
		sum.input += more.input;
		sum.output += more.output;
		sum.cacheRead += more.cacheRead;
		sum.cacheCreation += more.cacheCreation;
		sum.nanoUsd += more.nanoUsd;
		sum.priced += more.priced;
		sum.unpriced += more.unpriced;
		this.#sums.set(keyOf(model, day), sum);
	}

	get isEmpty(): boolean {
		return this.#sums.size === 0;
	}

	*entries(): Generator<{ readonly model: number; readonly day: number; readonly sum: Readonly<Sum> }> {
		for (const [key, sum] of this.#sums) {
			yield { model: Math.floor(key / DAYS), day: key % DAYS, sum };
		}
	}
}

const DAYS = 2 ** 20;

function keyOf(model: number, day: number): number {
	return model * DAYS + day;
}

function emptySum(): Sum {
	return { input: 0, output: 0, cacheRead: 0, cacheCreation: 0, nanoUsd: 0, priced: 0, unpriced: 0 };
}

/** What several sums are to people. A model on this machine is free: its work costs nothing, and says so. */
export class AmountBuilder {
	readonly #isLocal: (model: string) => boolean;
	readonly #total = emptySum();
	readonly #unpriced = new Set<string>();
	#localWork = 0;

	constructor(isLocal: (model: string) => boolean) {
		this.#isLocal = isLocal;
	}

	add(model: string, sum: Readonly<Sum>): void {
		const total = this.#total;
		total.input += sum.input;
		total.output += sum.output;
		total.cacheRead += sum.cacheRead;
		total.cacheCreation += sum.cacheCreation;
		if (this.#isLocal(model)) {
			this.#localWork += sum.input + sum.output + sum.cacheCreation;
			total.priced += 1;
			return;
		}
		total.nanoUsd += sum.nanoUsd;
		total.priced += sum.priced;
		if (sum.unpriced > 0) this.#unpriced.add(model);
	}

	build(): UsageAmount {
		const { input, output, cacheRead, cacheCreation, nanoUsd, priced } = this.#total;
		return {
			...NO_USAGE,
			input,
			output,
			cacheRead,
			cacheCreation,
			work: input + output + cacheCreation,
			localWork: this.#localWork,
			costUsd: priced === 0 ? null : nanoUsd / 1e9,
			unpricedModels: [...this.#unpriced].sort(),
		};
	}
}
