/**
 * What the last calls of one actor amount to, by what they told: the counts of the arms that judge by results. Pure.
 * A streak counts over a window and not over the tail: news in between does not end it while it stays below a good
 * quarter. Two pieces of news after its last call say that the agent has gone on to something else.
 */
import { isMeasurement } from './call-window.ts';
import { callEndedAt, type Judged } from './standstill.ts';
import { isOneStreak } from './time.ts';
import { type Occurrence, SHOWN_OCCURRENCES } from './trip.ts';

const MAX_NEWS_SHARE = 0.28;
/** Where calls of any kind are counted, more would be work that goes on slowly. */
const MAX_NEWS_SHARE_OF_ANY = 0.2;
const MAX_TRAILING_NEWS = 1;
const PERIODS = [2, 3, 4] as const;

export interface ResultStreak {
	/** Calls, or rounds of a cycle. */
	readonly count: number;
	/** The call by label; of a cycle those of one round, in order. */
	readonly labels: readonly string[];
	readonly isFailure: boolean;
	readonly since: number;
	readonly lastAt: number;
	readonly last: readonly Occurrence[];
}

/** `null`: not even two. */
export interface ResultStreaks {
	readonly sameResult: ResultStreak | null;
	readonly cycle: ResultStreak | null;
	readonly polling: ResultStreak | null;
	readonly noNewResult: ResultStreak | null;
}

/** How many calls must be remembered so that the arms can exceed these limits. */
export function callsNeededForResults(limits: {
	readonly polling: number | null;
	readonly noNewResult: number | null;
}): number {
	// Between two looks there may be a wait; a call that told little that is new counts a quarter.
	return Math.max(
		limits.polling === null ? 0 : Math.ceil(((limits.polling + 1) * 2) / (1 - MAX_NEWS_SHARE)),
		limits.noNewResult === null ? 0 : Math.ceil(((limits.noNewResult + 1) * 4) / (1 - MAX_NEWS_SHARE)),
	);
}

/** `judged`: oldest first. */
export function streaksOf(judged: readonly Judged[], now: number): ResultStreaks {
	const isPatience = ({ isPoll, says }: Judged) => isPoll && says !== 'news';
	const calls = judged.filter((one) => !isPatience(one));
	const clear = calls.filter(({ says }) => says !== 'unclear');
	return {
		sameResult: sameResultOf(calls, now),
		cycle: cycleOf(clear, now),
		polling: pollingOf(judged, now),
		noNewResult: noNewResultOf(clear, now),
	};
}

/** Equal calls with the same result. An empty result says little; one that the floor refused is one more attempt. */
function sameResultOf(calls: readonly Judged[], now: number): ResultStreak | null {
	const runs = new Map<string, { readonly lesson: string | null; positions: number[] }>();
	/** Pieces of news, and calls that can be judged, up to each position. */
	const news: number[] = [];
	const clear: number[] = [];
	for (const [position, { call, says }] of calls.entries()) {
		news.push((news[position - 1] ?? 0) + (says === 'news' ? 1 : 0));
		clear.push((clear[position - 1] ?? 0) + (says === 'unclear' ? 0 : 1));
		const key = call.identity.nonceSignature ?? call.identity.signature;
		if (key === null) continue;
		const run = runs.get(key);
		// More of the same, but never the reason why it is the same.
		if (call.denied && run !== undefined && run.positions.length > 1) run.positions.push(position);
		if (call.denied || call.told === null || call.emptyResult || isMeasurement(call)) continue;
		const lastCall = calls[run?.positions.at(-1) ?? -1]?.call;
		const goesOn =
			run !== undefined &&
			run.lesson === call.lesson &&
			lastCall !== undefined &&
			isOneStreak(restedFrom(lastCall, now), call.at);
		if (!goesOn) {
			runs.set(key, { lesson: call.lesson, positions: [position] });
			continue;
		}
		run.positions.push(position);
		const at = (counts: readonly number[], index: number | undefined) => counts[index ?? 0] ?? 0;
		while (run.positions.length > 1) {
			const [first] = run.positions;
			const newsSince = at(news, position) - at(news, first);
			if (newsSince <= (at(clear, position) - at(clear, first) + 1) * MAX_NEWS_SHARE) break;
			run.positions.shift();
		}
	}
	let longest: number[] = [];
	for (const { positions } of runs.values()) {
		const trailing = (news.at(-1) ?? 0) - (news[positions.at(-1) ?? 0] ?? 0);
		if (trailing <= MAX_TRAILING_NEWS && positions.length > longest.length) longest = positions;
	}
	const counted = longest.flatMap((position) => calls[position] ?? []);
	return streakFrom(counted, counted.length, counted.slice(-1), now);
}

/** What fails after ten minutes and is tried again at once goes on; what succeeds as slowly may be a wait. */
function restedFrom(call: Judged['call'], now: number): number {
	return call.failed ? callEndedAt(call, now) : call.at;
}

/** Rounds of the same calls with the same results. What came up only once stands beside the rounds. */
function cycleOf(clear: readonly Judged[], now: number): ResultStreak | null {
	const often = new Map<number, number>();
	for (const one of clear) {
		const fact = factOf(one);
		if (fact !== null) often.set(fact, (often.get(fact) ?? 0) + 1);
	}
	const round: Judged[] = [];
	const facts: number[] = [];
	/** Calls that stand beside, from the newest up to each member. */
	const beside: number[] = [];
	let single = 0;
	let later: Judged | null = null;
	for (const one of clear.toReversed()) {
		if (later && !isOneStreak(callEndedAt(one.call, now), later.call.at)) break;
		later = one;
		const fact = factOf(one);
		if (fact === null || (often.get(fact) ?? 0) < 2) {
			single += 1;
			if (facts.length === 0 && single > MAX_TRAILING_NEWS) return null;
			continue;
		}
		facts.push(fact);
		round.push(one);
		beside.push(single);
	}
	let best = { rounds: 1, period: 0 };
	for (const period of PERIODS) {
		const members = new Set(facts.slice(0, period));
		if (members.size < 2 || round.slice(0, period).every(({ call }) => call.emptyResult)) continue;
		let length = Math.min(period, facts.length);
		while (length < facts.length && facts[length] === facts[length - period]) length += 1;
		const rounds = Math.floor(length / period);
		const aside = beside[rounds * period - 1] ?? 0;
		// News once a round belongs to it: then it is no cycle.
		const isWork = aside >= rounds - 1 || aside > (aside + rounds * period) * MAX_NEWS_SHARE;
		if (rounds <= best.rounds || (aside > 0 && isWork)) continue;
		best = { rounds, period };
	}
	const counted = round.slice(0, best.rounds * best.period).reverse();
	return best.period === 0 ? null : streakFrom(counted, best.rounds, counted.slice(-best.period), now);
}

/** Waits and looks that got an answer already known. A wait without an answer of its own belongs to the next look. */
function pollingOf(judged: readonly Judged[], now: number): ResultStreak | null {
	const counted: Judged[] = [];
	let news = 0;
	let calls = 0;
	let later: Judged | null = null;
	for (const one of judged.toReversed()) {
		if (!one.isPoll) {
			if (one.says === 'news') news += 1;
			if (one.says !== 'unclear') calls += 1;
			const isOver = counted.length === 0 ? news > MAX_TRAILING_NEWS : news > (calls + 1) * MAX_NEWS_SHARE;
			if (isOver) break;
			continue;
		}
		// From start to start: a wait that itself takes five minutes is patience.
		if (later && !isOneStreak(one.call.at, later.call.at)) break;
		calls += 1;
		const isMereWait = one.call.emptyResult && later !== null && !later.call.emptyResult;
		later = one;
		if (isMereWait) continue;
		counted.push(one);
		// The first look at another thing, or another answer: from there on it waits for this.
		if (one.weight < 1) break;
	}
	counted.reverse();
	return streakFrom(counted, counted.length, counted.slice(-1), now);
}

/** Calls that told nothing new, of whatever kind. Some count in part: the sum is rounded down. */
function noNewResultOf(clear: readonly Judged[], now: number): ResultStreak | null {
	let weight = 0;
	let news = 0;
	let best = { weight: 0, from: 0 };
	let later: Judged | null = null;
	for (let index = clear.length - 1; index >= 0; index -= 1) {
		const one = clear[index];
		if (!one || (later && !isOneStreak(callEndedAt(one.call, now), later.call.at))) break;
		later = one;
		if (one.says === 'news') {
			news += 1;
			if (weight === 0 && news > MAX_TRAILING_NEWS) break;
			continue;
		}
		weight += one.weight;
		if (news <= (clear.length - index) * MAX_NEWS_SHARE_OF_ANY) best = { weight, from: index };
	}
	const counted = clear.slice(best.from).filter(({ says }) => says === 'nothing');
	return streakFrom(counted, Math.floor(best.weight), counted.slice(-1), now);
}

function factOf({ call }: Judged): number | null {
	return call.told?.exact ?? null;
}

function streakFrom(
	counted: readonly Judged[],
	count: number,
	named: readonly Judged[],
	now: number,
): ResultStreak | null {
	const first = counted[0]?.call;
	const newest = counted.at(-1)?.call;
	if (count < 2 || !first || !newest) return null;
	return {
		count,
		labels: named.map(({ call }) => call.identity.label),
		isFailure: newest.failed,
		since: first.at,
		lastAt: callEndedAt(newest, now),
		last: counted.slice(-SHOWN_OCCURRENCES).map(({ call }) => ({ at: call.at, text: textOf(call) })),
	};
}

function textOf({ identity, denied, open, failed }: Judged['call']): string {
	const outcome = denied
		? 'refused by Agent Floor'
		: open
			? 'never answered'
			: failed
				? 'failed'
				: 'succeeded';
	return `${identity.label}: ${outcome}`;
}
