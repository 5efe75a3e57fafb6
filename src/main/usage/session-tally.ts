/** What one source counts of one session, as it comes in: each answer once, by model and day. Pure. */
import { localDay, mondayOf } from '../../shared/local-day.ts';
import { NO_USAGE, type UsageAmount, type UsageSource } from '../../shared/usage-view.ts';
import type { SessionCount } from './reconcile.ts';
import {
	addUsage,
	isNothing,
	isTokenCount,
	largerOf,
	MOST_IN_SESSION,
	NO_TOKENS,
	sameUsage,
	type TokenUsage,
} from './token-usage.ts';

export interface TalliedAnswer {
	/** Names this answer and no other; of several reports of one the larger counts hold. */
	readonly key: string;
	/** That served it. */
	readonly model: string;
	/** Ms since the epoch. */
	readonly at: number;
	readonly usage: TokenUsage;
	/** It was served on this machine, for free. */
	readonly isLocal: boolean;
}

/** What a counter grew by, of which nobody tells the single answers. */
export interface CounterGrowth {
	readonly model: string;
	readonly usage: TokenUsage;
	/** US dollars, as its program reckons; `null`: this counter counts tokens. */
	readonly costUsd: number | null;
	/** When it began to grow by that, and when it had; ms since the epoch. */
	readonly from: number;
	readonly at: number;
}

export interface SessionTallyOptions {
	/** US dollars of one answer; `null`: unknown. */
	readonly price: (model: string, usage: TokenUsage, at: number) => number | null;
	/** A model of this machine, by its name, where an answer does not say so itself. */
	readonly isLocal: (model: string) => boolean;
}

interface Bucket {
	readonly model: string;
	readonly isLocal: boolean;
	/** `null`: of several days, which cannot be told apart. */
	readonly day: string | null;
	usage: TokenUsage;
	/** Billionths of a dollar, whole: sums are exact and do not depend on the order. */
	nanoUsd: number;
	priced: number;
	unpriced: number;
}

/** Plain, for JSON. */
export interface KeptTally {
	readonly asOf: number;
	readonly buckets: readonly Readonly<Bucket>[];
}

interface Counted {
	readonly bucket: Bucket;
	readonly at: number;
	usage: TokenUsage;
	nanoUsd: number | null;
}

/** Answers of one session that are remembered so that a repeated report counts once. */
const REMEMBERED = 5_000;
/** A counter is read about once a minute: growth over longer than this is earlier work, ms. */
const LONGEST_INTERVAL_MS = 15 * 60_000;

export class SessionTally {
	readonly #source: UsageSource;
	readonly #options: SessionTallyOptions;
	readonly #buckets = new Map<string, Bucket>();
	readonly #answers = new Map<string, Counted>();
	/** Days and weeks (their Mondays) of which part is in a bucket without a day. */
	readonly #vague = new Set<string>();
	#asOf = 0;
	#hasEarlierWork = false;

	constructor(source: UsageSource, options: SessionTallyOptions) {
		this.#source = source;
		this.#options = options;
	}

	/** Counts that no response can have are garbage, whoever tells them: they are left out. */
	answer({ key, model, at, usage, isLocal }: TalliedAnswer): void {
		if (!Object.values(usage).every((count) => isTokenCount(count))) return;
		this.#asOf = Math.max(this.#asOf, at);
		const known = this.#answers.get(key);
		if (!known) {
			const bucket = this.#bucketOf(model, isLocal, localDay(at));
			const counted = { bucket, at, usage, nanoUsd: this.#nanoUsd(bucket, usage, at) };
			this.#answers.set(key, counted);
			add(counted, 1);
			const [oldest] = this.#answers.keys();
			if (this.#answers.size > REMEMBERED && oldest !== undefined) this.#answers.delete(oldest);
			return;
		}
		const larger = largerOf(known.usage, usage);
		if (sameUsage(larger, known.usage)) return;
		add(known, -1);
		known.usage = larger;
		known.nanoUsd = this.#nanoUsd(known.bucket, larger, known.at);
		add(known, 1);
	}

	grow({ model, usage, costUsd, from, at }: CounterGrowth): void {
		this.#asOf = Math.max(this.#asOf, at);
		const isEarlier = at - from > LONGEST_INTERVAL_MS;
		if (isEarlier) this.#hasEarlierWork = true;
		const day = localDay(at);
		const isSpread = isEarlier && localDay(from) !== day;
		if (isSpread) this.#vague.add(day);
		if (isSpread && mondayOf(localDay(from)) !== mondayOf(day)) this.#vague.add(`week ${mondayOf(day)}`);
		// Within one week the day does not matter to the week: Monday stands for all of them.
		const isThisWeek = mondayOf(localDay(from)) === mondayOf(day);
		const told = isSpread ? (isThisWeek ? mondayOf(day) : null) : day;
		const bucket = this.#bucketOf(model, false, told);
		const grown = addUsage(bucket.usage, usage);
		if (!Object.values(grown).every((count) => isTokenCount(count, MOST_IN_SESSION))) return;
		bucket.usage = grown;
		if (costUsd === null) return;
		bucket.nanoUsd += Math.round(costUsd * 1e9);
		bucket.priced += 1;
	}

	/** `null` while nothing was counted. Says once that there is work from before. */
	takeCount(now: number): SessionCount | null {
		if (this.#buckets.size === 0) return null;
		const hasEarlierWork = this.#hasEarlierWork;
		this.#hasEarlierWork = false;
		const day = localDay(now);
		const monday = mondayOf(day);
		// A name may turn out to be a local model's only after it was counted.
		const buckets = [...this.#buckets.values()].map((bucket) => ({
			...bucket,
			isLocal: bucket.isLocal || this.#options.isLocal(bucket.model),
		}));
		const today = buckets.filter((bucket) => bucket.day === day);
		const week = buckets.filter((bucket) => bucket.day !== null && bucket.day >= monday);
		return {
			source: this.#source,
			asOf: this.#asOf,
			total: amountOf(buckets),
			today: this.#vague.has(day) ? null : amountOf(today),
			week: this.#vague.has(`week ${monday}`) ? null : amountOf(week),
			hasEarlierWork,
		};
	}

	/** What it came to, for a later run of the floor. */
	kept(): KeptTally {
		return { asOf: this.#asOf, buckets: [...this.#buckets.values()] };
	}

	/** Goes on from there. Of what was kept no answer is told again. */
	restore({ asOf, buckets }: KeptTally): void {
		this.#asOf = Math.max(this.#asOf, asOf);
		for (const { model, isLocal, day, usage, nanoUsd, priced, unpriced } of buckets) {
			const bucket = this.#bucketOf(model, isLocal, day);
			bucket.usage = addUsage(bucket.usage, usage);
			bucket.nanoUsd += nanoUsd;
			bucket.priced += priced;
			bucket.unpriced += unpriced;
		}
	}

	#bucketOf(model: string, isLocal: boolean, day: string | null): Bucket {
		const key = `${day ?? ''} ${isLocal} ${model}`;
		const known = this.#buckets.get(key);
		if (known) return known;
		const bucket = { model, isLocal, day, usage: NO_TOKENS, nanoUsd: 0, priced: 0, unpriced: 0 };
		this.#buckets.set(key, bucket);
		return bucket;
	}

	#nanoUsd({ model, isLocal }: Bucket, usage: TokenUsage, at: number): number | null {
		const usd = isLocal ? 0 : this.#options.price(model, usage, at);
		return usd === null ? null : Math.round(usd * 1e9);
	}
}

function add({ bucket, usage, nanoUsd }: Counted, sign: 1 | -1): void {
	if (isNothing(usage)) return;
	bucket.usage = addUsage(bucket.usage, usage, sign);
	if (nanoUsd === null) bucket.unpriced += sign;
	else {
		bucket.nanoUsd += sign * nanoUsd;
		bucket.priced += sign;
	}
}

function amountOf(buckets: readonly Bucket[]): UsageAmount {
	const { input, output, cacheRead, cacheCreation } = usageOf(buckets);
	const workOf = (of: TokenUsage): number => of.input + of.output + of.cacheCreation;
	const paid = buckets.filter(({ isLocal }) => !isLocal);
	const priced = buckets.filter((bucket) => bucket.isLocal || bucket.priced > 0);
	const unpriced = paid.filter(
		({ usage, priced: known, unpriced: unknown }) => unknown > 0 || (known === 0 && !isNothing(usage)),
	);
	return {
		...NO_USAGE,
		input,
		output,
		cacheRead,
		cacheCreation,
		work: input + output + cacheCreation,
		localWork: workOf(usageOf(buckets.filter(({ isLocal }) => isLocal))),
		costUsd: priced.length === 0 ? null : paid.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0) / 1e9,
		unpricedModels: [...new Set(unpriced.map(({ model }) => model))].sort(),
	};
}

function usageOf(buckets: readonly Bucket[]): TokenUsage {
	return buckets.reduce((sum, { usage }) => addUsage(sum, usage), NO_TOKENS);
}
