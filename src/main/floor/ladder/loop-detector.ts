/**
 * Finds a loop in the last calls of one actor. Pure. The rules, and why:
 * - The loop must still go on: only what the newest calls are part of is looked at.
 * - Between two occurrences lie at most three other calls: cycles of period 1 to 4, and single calls in between.
 * - At most a good quarter of the run is new: `git status` after each *different* step is work, not a loop.
 * - A result that this call has not had in the run is new information; the count starts again there. A
 *   failure with other numbers is none: where nothing was changed in between, it has taught nothing.
 * - Calls that are only alike (any number, id or date differs) are weak evidence: it takes five times as many.
 */
import { type Call, isLike, type Likeness, mayBeLike } from './call-window.ts';
import { isOneStreak } from './time.ts';
import { type Occurrence, SHOWN_OCCURRENCES } from './trip.ts';

const MAX_PERIOD = 4;
const MAX_NOVEL_SHARE = 0.28;
/** New calls after the last occurrence: with two, the agent has gone on to something else. */
const MAX_TRAILING = 1;
/** A scan over numbered things ends sooner; a call that varies one number for ever does not. */
const ALIKE_FACTOR = 5;
/** Part of a cycle: occurs at least this often per occurrence of the counted call ("AAAB" has a quarter of B). */
const MEMBER_SHARE = 0.25;

export interface Loop {
	readonly label: string;
	readonly count: number;
	readonly since: number;
	readonly lastAt: number;
	/** Calls from one occurrence to the next, most often; 1 when it is called again and again. */
	readonly period: number;
	/** The calls of one round by label, in order. */
	readonly cycle: readonly string[];
	/** Every counted result is known and says the same; `failed`: the same failure. */
	readonly sameResult: 'ok' | 'failed' | null;
	/** Only numbers, ids or dates of the input change. */
	readonly varies: boolean;
	readonly last: readonly Occurrence[];
}

/** How many calls must be remembered so that a cycle of four can exceed `limit`. */
export function callsNeededFor(limit: number): number {
	return Math.ceil(((limit + 1) * MAX_PERIOD) / (1 - MAX_NOVEL_SHARE));
}

/** The loop with the highest count above `limit` that the newest calls of `calls` (oldest first) are part of. */
export function findLoop(calls: readonly Call[], limit: number): Loop | null {
	return search(calls, limit, 'same') ?? search(calls, limit * ALIKE_FACTOR, 'alike');
}

/** The longest repetition of one call, however short: what is shown while `findLoop` finds nothing. */
export function findRepetition(calls: readonly Call[]): Loop | null {
	return search(calls, 1, 'same');
}

function search(calls: readonly Call[], limit: number, likeness: Likeness): Loop | null {
	if (calls.length <= limit) return null;
	let found: Loop | null = null;
	for (let index = calls.length - 1; index >= Math.max(0, calls.length - MAX_PERIOD); index -= 1) {
		const candidate = calls[index];
		if (!candidate || candidate.spent) break;
		if (wasTried(calls, index)) continue;
		const streak = streakOf(calls, index, limit, likeness);
		if (streak !== null && streak.length > (found?.count ?? 0)) found = loopOf(calls, streak);
	}
	return found;
}

/** A later call with the same input, and its result, gives the same count. */
function wasTried(calls: readonly Call[], index: number): boolean {
	const identity = calls[index]?.identity;
	for (let later = index + 1; later < calls.length; later += 1) {
		const call = calls[later];
		if (call && call.identity === identity && !call.open) return true;
	}
	return false;
}

/** Positions of the occurrences that count, oldest first, or `null` when they do not exceed `limit`. */
function streakOf(calls: readonly Call[], from: number, limit: number, likeness: Likeness): number[] | null {
	const run = occurrencesUpTo(calls, from, likeness);
	if (run.length <= limit) return null;
	const streak = run.slice(newestNews(calls, run));
	for (let skipped = 0; streak.length - skipped > limit; skipped += 1) {
		const kept = streak.slice(skipped);
		if (isMostlyRepetition(calls, kept, likeness)) return kept;
	}
	return null;
}

function occurrencesUpTo(calls: readonly Call[], from: number, likeness: Likeness): number[] {
	const newest = calls[from];
	if (!newest) return [];
	const run = [from];
	let last = newest;
	let lastIndex = from;
	for (let index = from - 1; index >= Math.max(0, lastIndex - MAX_PERIOD); index -= 1) {
		const call = calls[index];
		if (!call || call.spent) break;
		if (!isLike(newest, call, likeness)) continue;
		if (!isOneStreak(call.at, last.at)) break;
		run.push(index);
		last = call;
		lastIndex = index;
	}
	return run.reverse();
}

/** Index in `run` of the newest occurrence whose known result had not been seen in the run before. */
function newestNews(calls: readonly Call[], run: readonly number[]): number {
	const seen = new Set<string>();
	let newest = 0;
	for (const [index, position] of run.entries()) {
		const lesson = calls[position]?.lesson ?? null;
		if (lesson === null) continue;
		if (seen.size > 0 && !seen.has(lesson)) newest = index;
		seen.add(lesson);
	}
	return newest;
}

/** Nearly everything since the first occurrence repeats too, and so does everything after the last one. */
function isMostlyRepetition(calls: readonly Call[], streak: readonly number[], likeness: Likeness): boolean {
	const first = streak[0] ?? 0;
	const last = streak.at(-1) ?? 0;
	const counted = calls[last];
	if (!counted) return false;
	const range = calls.slice(first);
	const enough = Math.max(2, streak.length * MEMBER_SHARE);
	let novel = 0;
	let trailing = 0;
	for (const [index, call] of range.entries()) {
		if (isLike(counted, call, likeness) || mayBeLike(counted, call, likeness)) continue;
		if (frequencyIn(range, call, enough) >= enough) continue;
		novel += 1;
		if (first + index > last) trailing += 1;
		if (trailing > MAX_TRAILING) return false;
	}
	return novel <= range.length * MAX_NOVEL_SHARE;
}

/** How often `call` occurs in `range`, with the same result or one that is not known; counted up to `enough`. */
function frequencyIn(range: readonly Call[], call: Call, enough: number): number {
	let count = 0;
	for (const other of range) {
		if (!isLike(call, other, 'same')) continue;
		if (call.lesson === null || other.lesson === null || call.lesson === other.lesson) count += 1;
		if (count >= enough) break;
	}
	return count;
}

function loopOf(calls: readonly Call[], streak: readonly number[]): Loop | null {
	const counted = streak.flatMap((position) => calls[position] ?? []);
	const first = counted[0];
	const newest = counted.at(-1);
	if (!first || !newest) return null;
	const period = usualGap(streak);
	const roundStart = streak.findLast((position, index) => (streak[index + 1] ?? 0) - position === period);
	const round = calls.slice(roundStart ?? streak[0], (roundStart ?? streak[0] ?? 0) + period);
	const same = newest.result !== null && counted.every((call) => call.result === newest.result);
	return {
		label: newest.identity.label,
		count: counted.length,
		since: first.at,
		lastAt: newest.at,
		period,
		cycle: round.map((call) => call.identity.label),
		sameResult: same ? (newest.failed ? 'failed' : 'ok') : null,
		varies: counted.some((call) => call.identity.signature !== newest.identity.signature),
		last: counted.slice(-SHOWN_OCCURRENCES).map((call) => ({ at: call.at, text: occurrenceText(call) })),
	};
}

function usualGap(streak: readonly number[]): number {
	const votes = new Map<number, number>();
	for (const [index, position] of streak.entries()) {
		const gap = (streak[index + 1] ?? position) - position;
		if (gap > 0) votes.set(gap, (votes.get(gap) ?? 0) + 1);
	}
	const [usual] = [...votes].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
	return usual?.[0] ?? 1;
}

function occurrenceText(call: Call): string {
	const outcome = call.open ? 'refused or running' : call.failed ? 'failed' : 'succeeded';
	return `${call.identity.label}: ${outcome}`;
}
