/**
 * Judges the last calls of one actor by what they told. Pure. Each is news, told nothing new, or cannot be judged:
 * - The same call (but for values that are volatile by name) with the same result told nothing new; so did a failure
 *   that was told before, of whatever call.
 * - Weaker, and counted in part: a failure that differs in words of the input only; the same answer to a call that
 *   asks for another place in the same list, or searches for the same in other words; a call that never came back.
 * - Weakest: the same answer to a call that differs in numbers only; the same long answer of the same tool. That is what
 *   bulk work looks like: forty things of which each is done, or well.
 * - A measurement that was taken again cannot be judged: its figures are its news.
 * - A short failure of quite another call ("Exit code 1") says nothing either way.
 * - A success of a call that may change things is news when it is the first of its kind, whatever it answers.
 * - Unknown input or unknown result is never identical. A call that the floor refused says nothing of the agent.
 * - A call that brought news at last had a purpose each time it was tried: those tries say nothing any more.
 * - An equal call of the same turn is no call of its own. What comes before a changed file, a prompt or a compaction is
 *   not compared with what comes after it.
 */
import { type Call, isLook, isMeasurement, isWait } from './call-window.ts';
import type { ToldFacts } from './told-facts.ts';

/** What being told the like again counts, in calls that told nothing new. */
const WEIGHT = { same: 1, alike: 0.5, weak: 0.25, bulk: 0.2, bulkByName: 0.1 } as const;
/** A call that began this soon after another was asked for in the same turn, ms. */
const SAME_TURN_MS = 500;

export interface Judged {
	readonly call: Call;
	says: 'news' | 'nothing' | 'unclear';
	/** Of a call that says nothing: 0 to 1. */
	readonly weight: number;
	/** It waits, or looks at something that runs: it has a budget of its own. */
	readonly isPoll: boolean;
}

/** Calls that say something about where the agent stands now, oldest first. Spent and forgotten ones are left out. */
export function judge(calls: readonly Call[]): Judged[] {
	const known = new Facts();
	// One that tells no success at all (some bridges) may well have come through with all that is not answered.
	const tellsSuccess = calls.some(({ told, failed }) => told !== null && !failed);
	const judged: Judged[] = [];
	const tries = new Map<string, Judged[]>();
	let before: Call | null = null;
	for (const [index, call] of calls.entries()) {
		if (call.spent || call.forgotten || isTwin(call)) continue;
		const isAfterWait = before !== null && isWait(before);
		const isPoll = isWait(call) || isAfterWait || isLook(call);
		const weight = weightOf(call, known, tellsSuccess && isSuperseded(calls, index));
		const says = weight === null ? 'unclear' : weight === 0 ? 'news' : 'nothing';
		const one: Judged = { call, says, weight: weight ?? 0, isPoll: isPoll && call.told !== null };
		judged.push(one);
		takeAsTry(one, tries);
		known.add(call);
		before = call;
	}
	return judged;
}

function takeAsTry(one: Judged, tries: Map<string, Judged[]>): void {
	const { signature } = one.call.identity;
	if (signature === null || one.isPoll) return;
	const before = tries.get(signature);
	if (one.says !== 'news') {
		if (before) before.push(one);
		else tries.set(signature, [one]);
		return;
	}
	for (const earlier of before ?? []) if (earlier.says === 'nothing') earlier.says = 'unclear';
	tries.delete(signature);
}

/** An equal call of the same turn told the same, or is about to. */
function isTwin({ besides, told }: Call): boolean {
	if (besides === null) return false;
	return told === null || besides.told === null || told.exact === besides.told.exact;
}

/** `null`: not to be judged; 0: news. */
function weightOf(call: Call, known: Facts, isUnanswered: boolean): number | null {
	if (call.denied) return null;
	if (call.open) return isUnanswered ? WEIGHT.weak : null;
	if (isMeasurement(call)) return null;
	if (call.told === null) return call.distinct ? 0 : null;
	const { exact, failure, blunt, alike, place, kin, ofTool, ofNothing, isTelling } = call.told;
	if (known.has(exact) || (isTelling && known.has(failure))) return WEIGHT.same;
	if (known.has(kin)) return WEIGHT.weak;
	if (known.has(ofNothing) || (isTelling && (known.has(place) || known.has(blunt)))) return WEIGHT.alike;
	if (known.has(place)) return WEIGHT.weak;
	if (known.has(alike)) return WEIGHT.bulk;
	if (known.has(ofTool)) return WEIGHT.bulkByName;
	return call.identity.keepsOwnList || known.has(failure) || known.has(blunt) ? null : 0;
}

/** Nobody will tell how it ended: the same actor went on, and not in the same turn. */
function isSuperseded(calls: readonly Call[], index: number): boolean {
	const next = calls[index + 1];
	const call = calls[index];
	return call !== undefined && next !== undefined && next.at - call.at > SAME_TURN_MS;
}

class Facts {
	readonly #facts = new Set<number>();

	has(fact: number | null): boolean {
		return fact !== null && this.#facts.has(fact);
	}

	add({ told }: Call): void {
		// Who told exactly that told all the rest of it as well.
		if (told === null || this.has(told.exact)) return;
		for (const fact of factsOf(told)) {
			if (fact !== null) this.#facts.add(fact);
		}
	}
}

function factsOf({
	exact,
	failure,
	blunt,
	alike,
	place,
	kin,
	ofTool,
	ofNothing,
}: ToldFacts): (number | null)[] {
	return [exact, failure, blunt, alike, place, kin, ofTool, ofNothing];
}

/** When the result of a call came, or when it began. Never later than `now`. */
export function callEndedAt({ at, endedAt }: Call, now: number): number {
	return Math.max(at, Math.min(endedAt ?? at, now));
}
