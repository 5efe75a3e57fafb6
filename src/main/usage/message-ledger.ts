/**
 * Every model response once, whoever reports it and however often: one response is written as several lines, and a
 * resumed session copies old ones into its own file.
 */
import type { PriceFunction } from './prices.ts';
import { addUsage, isNothing, largerOf, NO_TOKENS, sameUsage, type TokenUsage } from './token-usage.ts';

/** What one owner's responses by one model add up to. */
export interface ModelTotals {
	readonly usage: TokenUsage;
	/** US dollars of the responses with a known price; `null` when none has one. */
	readonly usd: number | null;
	/** True when a part has no known price: then `usd` is "at least". */
	readonly unpriced: boolean;
}

interface Entry {
	readonly owner: string;
	readonly model: string;
	readonly at: number;
	usage: TokenUsage;
	/** Billionths of a dollar, whole: sums are exact and do not depend on the order. `null`: unpriced. */
	nanoUsd: number | null;
}

interface Sum {
	usage: TokenUsage;
	nanoUsd: number;
	priced: number;
	unpriced: number;
}

export interface LedgerMessage {
	readonly key: string;
	readonly model: string;
	/** Ms since the epoch. */
	readonly at: number;
	readonly usage: TokenUsage;
}

/** Counts responses by key. A key belongs to the owner that reported it first; later reports can only raise it. */
export class MessageLedger {
	readonly #price: PriceFunction;
	readonly #entries = new Map<string, Entry>();
	readonly #sums = new Map<string, Map<string, Sum>>();
	/** Reported since the last `settle`: not yet in the sums. */
	readonly #reported = new Map<string, { readonly owner: string; message: LedgerMessage }>();

	constructor(price: PriceFunction) {
		this.#price = price;
	}

	/** Notes a report. It counts after `settle`, so that the rows of one response are priced once. */
	report(owner: string, message: LedgerMessage): void {
		const earlier = this.#reported.get(message.key);
		if (!earlier) this.#reported.set(message.key, { owner, message });
		else earlier.message = { ...earlier.message, usage: largerOf(earlier.message.usage, message.usage) };
	}

	/** Prices what was reported and adds it to the sums. */
	settle(): void {
		for (const [key, { owner, message }] of this.#reported) this.#count(key, owner, message);
		this.#reported.clear();
	}

	/** The settled sums of `owner` by model. */
	totalsOf(owner: string): Map<string, ModelTotals> {
		const sums = this.#sums.get(owner) ?? new Map<string, Sum>();
		return new Map(
			[...sums].map(([model, sum]) => [
				model,
				{
					usage: sum.usage,
					usd: sum.priced === 0 ? null : sum.nanoUsd / 1e9,
					unpriced: sum.unpriced > 0,
				},
			]),
		);
	}

	/** Lets go of everything that `owner` reported. */
	forget(owner: string): void {
		this.#sums.delete(owner);
		for (const [key, entry] of this.#entries) if (entry.owner === owner) this.#entries.delete(key);
		for (const [key, report] of this.#reported) if (report.owner === owner) this.#reported.delete(key);
	}

	#count(key: string, owner: string, message: LedgerMessage): void {
		const known = this.#entries.get(key);
		if (!known) {
			const { model, at, usage } = message;
			const entry: Entry = { owner, model, at, usage, nanoUsd: this.#nanoUsd(model, usage, at) };
			this.#entries.set(key, entry);
			this.#add(entry, 1);
			return;
		}
		const usage = largerOf(known.usage, message.usage);
		if (sameUsage(usage, known.usage)) return;
		this.#add(known, -1);
		known.usage = usage;
		known.nanoUsd = this.#nanoUsd(known.model, usage, known.at);
		this.#add(known, 1);
	}

	#nanoUsd(model: string, usage: TokenUsage, at: number): number | null {
		const usd = this.#price(model, usage, at);
		return usd === null ? null : Math.round(usd * 1e9);
	}

	#add(entry: Entry, sign: 1 | -1): void {
		if (isNothing(entry.usage)) return;
		const sums = this.#sums.get(entry.owner) ?? new Map<string, Sum>();
		this.#sums.set(entry.owner, sums);
		const sum = sums.get(entry.model) ?? { usage: NO_TOKENS, nanoUsd: 0, priced: 0, unpriced: 0 };
		sum.usage = addUsage(sum.usage, entry.usage, sign);
		if (entry.nanoUsd === null) sum.unpriced += sign;
		else {
			sum.nanoUsd += sign * entry.nanoUsd;
			sum.priced += sign;
		}
		sums.set(entry.model, sum);
	}
}
