/**
 * Several counts of one session become one: they are compared, never added. Each source may have seen a part only (the
 * gateway was connected later, telemetry was switched on later, a file is read behind), so the largest is the truest.
 * Pure; the clock is passed in.
 */
import type { UsageAmount, UsageSource, UsageView } from '../../shared/usage-view.ts';
import type { AgentUsageSample } from '../floor/breaker.ts';
import { startOfDay, startOfWeek } from './periods.ts';

/** What one source counted of one session, whole, since it began to count. */
export interface SessionCount {
	readonly source: UsageSource;
	/** Ms since the epoch. */
	readonly asOf: number;
	readonly total: UsageAmount;
	/** Since midnight before `asOf`; `null`: not known. */
	readonly today: UsageAmount | null;
	/** Since the Monday before `asOf`; `null`: not known. */
	readonly week: UsageAmount | null;
	/** Part of it is work from before that is seen only now (a file was opened): it says nothing about speed. */
	readonly hasEarlierWork: boolean;
	/** Of the gateway: other models answered than those that were asked, and the session's file names the latter. */
	readonly hasStandIns?: boolean;
}

type Reached = Pick<UsageAmount, 'work' | 'output' | 'cacheRead'>;

/** For the ladder. */
export interface CountedSample {
	/**
	 * Cumulative; input + output + cache creation, the output and the cost go back only where they were too much, which
	 * `corrections` counts.
	 */
	readonly sample: AgentUsageSample;
	/** Growth since the sample before may be old work: see `BreakerInput.earlierWork`. */
	readonly hasEarlierWork: boolean;
}

/** Between equal counts the exact one: what was answered, then what was written down, then what was reported. */
const sources: readonly UsageSource[] = ['gateway', 'transcript', 'telemetry'];

/** The largest count, and what the others say. `null` when there is none. The order of `counts` does not matter. */
export function reconcile(counts: readonly SessionCount[], now: number): UsageView | null {
	const [best, ...others] = leading(bySource(counts));
	if (best === undefined) return null;
	const { total, source, asOf } = best;
	return {
		...total,
		asOf,
		source,
		otherCounts: others.map((other) => ({ source: other.source, work: other.total.work })),
		// What was counted yesterday says nothing about today.
		today: startOfDay(asOf) === startOfDay(now) ? best.today : null,
		week: startOfWeek(asOf) === startOfWeek(now) ? best.week : null,
	};
}

/** One agent's usage over its sessions, each of them reconciled: different sessions are added. */
export function ofSessions(views: readonly UsageView[]): UsageView | null {
	const [first, ...rest] = views;
	if (first === undefined) return null;
	const works = new Map<UsageSource, number>();
	const led = new Map<UsageSource, number>();
	for (const { source, work, otherCounts } of views) {
		led.set(source, (led.get(source) ?? 0) + work);
		for (const count of [{ source, work }, ...otherCounts]) {
			works.set(count.source, (works.get(count.source) ?? 0) + count.work);
		}
	}
	const [source = first.source] = [...led.keys()].sort(
		(a, b) => (led.get(b) ?? 0) - (led.get(a) ?? 0) || rankOf(a) - rankOf(b),
	);
	return {
		...rest.reduce<UsageAmount>(addAmounts, amountOf(first)),
		asOf: Math.max(...views.map(({ asOf }) => asOf)),
		source,
		otherCounts: sources.flatMap((other) => {
			const work = works.get(other);
			return other === source || work === undefined ? [] : [{ source: other, work }];
		}),
		today: sumOf(views.map(({ today }) => today)),
		week: sumOf(views.map(({ week }) => week)),
	};
}

/** Samples of different sessions of one agent, added. */
export function addSamples(model: string | null, parts: readonly CountedSample[]): CountedSample | null {
	if (parts.length === 0) return null;
	const sum = (of: (sample: AgentUsageSample) => number): number =>
		parts.reduce((total, { sample }) => total + of(sample), 0);
	const costs = parts.flatMap(({ sample }) => sample.usd ?? []);
	return {
		sample: {
			model,
			input: sum(({ input }) => input),
			output: sum(({ output }) => output),
			cacheRead: sum(({ cacheRead }) => cacheRead),
			cacheCreation: sum(({ cacheCreation }) => cacheCreation),
			usd: costs.length === 0 ? null : costs.reduce((total, usd) => total + usd, 0),
			corrections: sum(({ corrections = 0 }) => corrections),
		},
		hasEarlierWork: parts.some(({ hasEarlierWork }) => hasEarlierWork),
	};
}

/**
 * The counts of one session as they come in, each time whole. A counter that began again is no smaller truth: what it
 * had reached stands until it is passed. Files are no counter: what they say less of now went to the session that did it.
 *
 * The ladder must not see a change of the leading source as a burst, nor as a counter that began again. So its sample
 * is not the leader's: work and output are each the largest that anybody tells. Then they never grow faster than the one
 * source did that leads now, and they go back only when files say less: what that was counts against nobody's cap.
 */
export class CountedSession {
	readonly #counts = new Map<UsageSource, SessionCount>();
	/** What each of them has reached. */
	readonly #reached = new Map<UsageSource, Reached>();
	#peak: Reached = { work: 0, output: 0, cacheRead: 0 };
	#usd: number | null = null;
	#corrections = 0;
	#hasEarlierWork = false;

	tell(count: SessionCount): void {
		const { source } = count;
		const known = this.#counts.get(source);
		const isNew = known === undefined && this.#counts.size > 0;
		const stands = known ? standing(known, count) : count;
		this.#counts.set(source, stands);
		this.#reached.set(source, source === 'transcript' ? stands.total : this.#reachedBy(count));
		const before = this.#peak;
		const peak = [...this.#reached.values()].reduce(furthest);
		this.#peak = peak;
		const raises = peak.work > before.work || peak.output > before.output;
		if (raises && (isNew || count.hasEarlierWork)) this.#hasEarlierWork = true;
		// Of the leader alone, so that the cap judges the cost that the card shows.
		const usdBefore = this.#usd;
		this.#usd = this.#leader?.costUsd ?? usdBefore;
		const costsLess = usdBefore !== null && this.#usd !== null && this.#usd < usdBefore;
		if (peak.work < before.work || peak.output < before.output || costsLess) this.#corrections += 1;
	}

	view(now: number): UsageView | null {
		return reconcile([...this.#counts.values()], now);
	}

	/** Somebody else than the session's files counts it too. */
	get hasOtherCounts(): boolean {
		return [...this.#counts.keys()].some((source) => source !== 'transcript');
	}

	/** The view with that count in place of the one that stands. */
	viewWith(count: SessionCount, now: number): UsageView | null {
		const others = [...this.#counts.values()].filter(({ source }) => source !== count.source);
		return reconcile([...others, count], now);
	}

	/** Once for each beat: what `hasEarlierWork` says is said once. `null` before the first count. */
	takeSample(model: string | null): CountedSample | null {
		const leader = this.#leader;
		if (leader === null) return null;
		const hasEarlierWork = this.#hasEarlierWork;
		this.#hasEarlierWork = false;
		const { work, output, cacheRead } = this.#peak;
		const rest = work - output;
		const cacheCreation = Math.min(leader.cacheCreation, rest);
		return {
			sample: {
				model,
				input: rest - cacheCreation,
				output,
				cacheRead,
				cacheCreation,
				usd: this.#usd,
				corrections: this.#corrections,
			},
			hasEarlierWork,
		};
	}

	#reachedBy({ source, total }: SessionCount): Reached {
		const known = this.#reached.get(source);
		return known === undefined ? total : furthest(known, total);
	}

	get #leader(): UsageAmount | null {
		return leading([...this.#counts.values()])[0]?.total ?? null;
	}
}

/** The largest count first. Its money is the gateway's where the file prices models that did not answer. */
function leading(counts: readonly SessionCount[]): SessionCount[] {
	const [best, ...others] = [...counts].sort(byWork);
	if (best === undefined) return [];
	const served = others.find(({ hasStandIns }) => hasStandIns === true);
	if (served === undefined || best.source !== 'transcript') return [best, ...others];
	const { total, today, week } = best;
	const settled = {
		...best,
		total: priced(total, served.total),
		today: today && served.today ? priced(today, served.today) : today,
		week: week && served.week ? priced(week, served.week) : week,
	};
	return [settled, ...others];
}

/** What was read, with the cost of what is known to have served it: the file's own prices are of the rest alone. */
function priced(read: UsageAmount, served: UsageAmount): UsageAmount {
	const rest = read.work > served.work ? 1 - served.work / read.work : 0;
	const ofRest = read.costUsd === null ? null : rest * read.costUsd;
	const unpriced = rest === 0 ? [] : read.unpricedModels;
	return {
		...read,
		localWork: Math.min(read.work, Math.max(read.localWork, served.localWork)),
		costUsd: rest === 0 || ofRest === null ? served.costUsd : (served.costUsd ?? 0) + ofRest,
		unpricedModels: [...new Set([...served.unpricedModels, ...unpriced])].sort(),
	};
}

function bySource(counts: readonly SessionCount[]): SessionCount[] {
	const known = new Map<UsageSource, SessionCount>();
	for (const count of counts) {
		const other = known.get(count.source);
		known.set(count.source, other ? held(other, count) : count);
	}
	return [...known.values()];
}

/** What one source says, of two counts of it. Files say it whole each time, so the newest holds. */
function standing(a: SessionCount, b: SessionCount): SessionCount {
	if (a.source !== 'transcript' || a.asOf === b.asOf) return held(a, b);
	return a.asOf > b.asOf ? a : b;
}

/** Two counts of one source: the larger of each. Which of them came first does not matter. */
function held(a: SessionCount, b: SessionCount): SessionCount {
	const newer = a.asOf >= b.asOf ? a : b;
	const older = newer === a ? b : a;
	return {
		source: newer.source,
		asOf: newer.asOf,
		total: larger(newer.total, older.total),
		today: ofPeriod(newer, older, startOfDay, 'today'),
		week: ofPeriod(newer, older, startOfWeek, 'week'),
		hasEarlierWork: newer.hasEarlierWork,
		hasStandIns: newer.hasStandIns === true || older.hasStandIns === true,
	};
}

function ofPeriod(
	newer: SessionCount,
	older: SessionCount,
	startOf: (at: number) => number,
	period: 'today' | 'week',
): UsageAmount | null {
	const isSame = startOf(newer.asOf) === startOf(older.asOf);
	const [one, other] = [newer[period], isSame ? older[period] : null];
	return one === null || other === null ? (one ?? other) : larger(one, other);
}

function furthest(a: Reached, b: Reached): Reached {
	return {
		work: Math.max(a.work, b.work),
		output: Math.max(a.output, b.output),
		cacheRead: Math.max(a.cacheRead, b.cacheRead),
	};
}

function larger(newer: UsageAmount, older: UsageAmount): UsageAmount {
	return older.work > newer.work ? older : newer;
}

function byWork(a: SessionCount, b: SessionCount): number {
	return b.total.work - a.total.work || rankOf(a.source) - rankOf(b.source);
}

function rankOf(source: UsageSource): number {
	return sources.indexOf(source);
}

/** `null` when it is not known of one of them. */
function sumOf(amounts: readonly (UsageAmount | null)[]): UsageAmount | null {
	const [first, ...rest] = amounts;
	if (!first) return null;
	return rest.reduce<UsageAmount | null>(
		(sum, more) => sum && more && addAmounts(sum, more),
		amountOf(first),
	);
}

/** Two stretches of work that have nothing in common. */
export function addAmounts(a: UsageAmount, b: UsageAmount): UsageAmount {
	return {
		input: a.input + b.input,
		output: a.output + b.output,
		cacheRead: a.cacheRead + b.cacheRead,
		cacheCreation: a.cacheCreation + b.cacheCreation,
		work: a.work + b.work,
		localWork: a.localWork + b.localWork,
		costUsd: a.costUsd === null ? b.costUsd : a.costUsd + (b.costUsd ?? 0),
		unpricedModels: [...new Set([...a.unpricedModels, ...b.unpricedModels])].sort(),
	};
}

function amountOf(view: UsageAmount): UsageAmount {
	const { input, output, cacheRead, cacheCreation, work, localWork, costUsd, unpricedModels } = view;
	return { input, output, cacheRead, cacheCreation, work, localWork, costUsd, unpricedModels };
}
