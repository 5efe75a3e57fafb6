/** What is known about single models, whatever chain they stand in: limited until when, not served where, out of money. */
import { usable } from '../../shared/retry-after.ts';
import { modelKey } from './model-names.ts';

/** First pause of a limited fallback, ms; each further limit without a success between doubles it. */
const FIRST_PAUSE_MS = 60_000;
/** How long a model is not asked again where it was not served, ms. */
const UNSERVED_MS = 60 * 60_000;
/** Facts kept of each kind; the oldest that are over go first. */
const MAX_FACTS = 500;

export interface ModelLimit {
	/** Account that it holds for; `null`: any. */
	readonly account: string | null;
	readonly model: string;
	/** Of the first of the limits that belong together. */
	readonly at: number;
	/** Not asked before. */
	readonly until: number;
	/** Limits one after the other, without a success between. At least 1. */
	readonly count: number;
	/** Tickets with a smaller number were out when it was noted. */
	readonly serial: number;
	/** Words of the provider. Untrusted. */
	readonly said: string;
}

export interface SpendTrouble {
	readonly account: string | null;
	readonly model: string;
	readonly at: number;
	/** Untrusted. */
	readonly said: string;
}

export interface UnservedModel {
	readonly provider: string;
	readonly model: string;
	readonly until: number;
	/** Untrusted. */
	readonly said: string;
}

export interface LimitNews {
	readonly account: string | null;
	readonly model: string;
	readonly now: number;
	/** As the provider wished, ms from now. */
	readonly wishMs: number | null;
	/** Longest pause without a wish. */
	readonly cooldownMs: number;
	/** Number of the call's ticket; `null`: it had none. */
	readonly ticketSerial: number | null;
	readonly nextSerial: () => number;
	readonly said: string;
}

export class ModelFacts {
	readonly #limits = new Map<string, ModelLimit>();
	readonly #spends = new Map<string, SpendTrouble>();
	readonly #unserved = new Map<string, UnservedModel>();

	limit(account: string | null, model: string): ModelLimit | null {
		return this.#limits.get(modelKey(account, model)) ?? null;
	}

	/** Until when the model is not asked; 0 when it may be. `provider`: where it would be called. */
	pausedUntil(account: string | null, provider: string | null, model: string): number {
		const unserved = provider === null ? undefined : this.#unserved.get(modelKey(provider, model));
		return Math.max(this.limit(account, model)?.until ?? 0, unserved?.until ?? 0);
	}

	/** Returns whether it is a new limit; `false`: news of a call that was out already, which may lengthen the pause. */
	noteLimit(news: LimitNews): boolean {
		const { account, model, now, wishMs, cooldownMs, ticketSerial, said } = news;
		const known = this.limit(account, model);
		const isLate = known !== null && ticketSerial !== null && ticketSerial < known.serial;
		if (known !== null && (isLate || known.until > now)) {
			this.extendLimit(known, now + (usable(wishMs) ?? 0));
			return false;
		}
		const count = (known?.count ?? 0) + 1;
		const pause = Math.min(cooldownMs, FIRST_PAUSE_MS * 2 ** Math.min(count - 1, 30));
		this.putLimit(
			{
				account,
				model,
				at: now,
				until: now + Math.max(usable(wishMs) ?? 0, pause),
				count,
				serial: news.nextSerial(),
				said,
			},
			now,
		);
		return true;
	}

	extendLimit(limit: ModelLimit, until: number): void {
		if (until > limit.until) this.#limits.set(modelKey(limit.account, limit.model), { ...limit, until });
	}

	/**
	 * The model answered. A call that was out before the limit proves nothing, nor does one without a ticket while the
	 * limit holds. Returns whether something was forgotten.
	 */
	noteAnswer(account: string | null, model: string, ticketSerial: number | null, now: number): boolean {
		const known = this.limit(account, model);
		if (known === null) return false;
		const isProof = ticketSerial === null ? known.until <= now : ticketSerial > known.serial;
		return isProof && this.forgetLimit(account, model);
	}

	forgetLimit(account: string | null, model: string): boolean {
		return this.#limits.delete(modelKey(account, model));
	}

	spendTrouble(account: string | null, model: string): SpendTrouble | null {
		return this.#spends.get(modelKey(account, model)) ?? null;
	}

	/** Returns whether it is news. */
	noteSpendTrouble(trouble: SpendTrouble): boolean {
		const at = modelKey(trouble.account, trouble.model);
		const isNews = !this.#spends.has(at);
		if (isNews) putBounded(this.#spends, at, trouble, () => true);
		return isNews;
	}

	clearSpendTrouble(account: string | null, model: string): boolean {
		return this.#spends.size > 0 && this.#spends.delete(modelKey(account, model));
	}

	noteUnserved(provider: string, model: string, said: string, now: number): void {
		this.putUnserved({ provider, model, said, until: now + UNSERVED_MS }, now);
	}

	unserved(provider: string | null, model: string, now: number): UnservedModel | null {
		const fact = provider === null ? undefined : this.#unserved.get(modelKey(provider, model));
		return fact !== undefined && fact.until > now ? fact : null;
	}

	/** Takes over a fact as it was saved, or noted for a chain that is gone. */
	putLimit(limit: ModelLimit, now: number): void {
		putBounded(this.#limits, modelKey(limit.account, limit.model), limit, ({ until }) => until <= now);
	}

	putUnserved(fact: UnservedModel, now: number): void {
		putBounded(this.#unserved, modelKey(fact.provider, fact.model), fact, ({ until }) => until <= now);
	}

	all(): {
		readonly limits: ModelLimit[];
		readonly spends: SpendTrouble[];
		readonly unserved: UnservedModel[];
	} {
		return {
			limits: [...this.#limits.values()],
			spends: [...this.#spends.values()],
			unserved: [...this.#unserved.values()],
		};
	}

	clear(): void {
		this.#limits.clear();
		this.#spends.clear();
		this.#unserved.clear();
	}
}

/** Sets it as the newest; over the bound the oldest goes that is over, or else the oldest of all. */
function putBounded<T>(facts: Map<string, T>, at: string, fact: T, isOver: (fact: T) => boolean): void {
	facts.delete(at);
	if (facts.size >= MAX_FACTS) {
		const over = [...facts].find(([, known]) => isOver(known))?.[0] ?? facts.keys().next().value;
		if (over !== undefined) facts.delete(over);
	}
	facts.set(at, fact);
}
