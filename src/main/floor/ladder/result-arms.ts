/** The arms that judge by what calls told, after the seed's: same result, cycle, polling, nothing new. */
import type { TripArm } from '../../../shared/words.ts';
import type { AgentEvidence } from './agent-evidence.ts';
import type { CallCounts, FoundStreak } from './call-history.ts';
import type { Limits } from './configuration.ts';
import type { GaugeSheet } from './gauge-sheet.ts';
import { EVIDENCE_MAX_AGE_MS } from './time.ts';
import type { Trip } from './trip.ts';
import { grouped, oneLine, span } from './wording.ts';

export type ResultArm = Extract<TripArm, 'same-result' | 'cycle' | 'polling' | 'no-new-result'>;

interface ArmOfResults {
	readonly arm: ResultArm;
	readonly limit: (limits: Limits) => number | null;
	readonly streak: (counts: CallCounts) => FoundStreak | null;
	readonly unit: 'calls' | 'rounds';
	/** What is counted while there is nothing to name. */
	readonly counted: string;
	readonly countedOf: (streak: FoundStreak) => string;
	readonly says: (streak: FoundStreak) => string;
	readonly clears: string;
}

const AGE = span(EVIDENCE_MAX_AGE_MS);
const WHAT_ENDS_ALL = `a file changes, a person writes to it, or ${AGE} pass`;

const ARMS: readonly ArmOfResults[] = [
	{
		arm: 'same-result',
		limit: ({ sameResult }) => sameResult,
		streak: ({ sameResult }) => sameResult,
		unit: 'calls',
		counted: 'equal calls with the same result',
		countedOf: (streak) => `equal calls with the same ${outcome(streak)}: ${names(streak)}`,
		says: (streak) =>
			`Called ${names(streak)} ${grouped(streak.count)} times and got the same ${outcome(streak)}`,
		clears: `The call comes back with another result, other calls tell something new, ${WHAT_ENDS_ALL} without this call.`,
	},
	{
		arm: 'cycle',
		limit: ({ cycle }) => cycle,
		streak: ({ cycle }) => cycle,
		unit: 'rounds',
		counted: 'rounds of the same two to four calls with the same results',
		countedOf: (streak) =>
			`rounds of the same ${streak.labels.length} calls with the same results: ${names(streak)}`,
		says: (streak) =>
			`Went ${grouped(streak.count)} rounds through the same ${streak.labels.length} calls with the same results (${names(streak)})`,
		clears: `One of these calls comes back with another result, other calls tell something new, ${WHAT_ENDS_ALL} without such a round.`,
	},
	{
		arm: 'polling',
		limit: ({ polling }) => polling,
		streak: ({ polling }) => polling,
		unit: 'calls',
		counted: 'waits and looks with the same answer',
		countedOf: (streak) => `waits and looks with the same answer: ${names(streak)}`,
		says: (streak) =>
			`Waited or looked ${grouped(streak.count)} times and got the same answer, last with ${names(streak)}`,
		clears: `A look gets another answer, other calls tell something new, or ${AGE} pass between two looks.`,
	},
	{
		arm: 'no-new-result',
		limit: ({ noNewResult }) => noNewResult,
		streak: ({ noNewResult }) => noNewResult,
		unit: 'calls',
		counted: 'calls that told nothing new',
		countedOf: (streak) => `calls that told nothing new, last ${names(streak)}`,
		says: (streak) => `Made ${grouped(streak.count)} calls that told nothing new, last ${names(streak)}`,
		clears: `Its calls tell something new, ${WHAT_ENDS_ALL} without a call.`,
	},
];

const SWITCHED_OFF = 'Switched off in the settings.';
const NOT_TOLD = 'Results are not told by this program.';

/** Reads all four; returns the trip of the first that trips. */
export function readResultArms(
	evidence: AgentEvidence,
	limits: Limits,
	counts: CallCounts,
	sheet: GaugeSheet,
): Trip | null {
	let trip: Trip | null = null;
	for (const one of ARMS) {
		const limit = one.limit(limits);
		const streak = one.streak(counts);
		const untold = evidence.tellsNoResults;
		const note = limit === null ? SWITCHED_OFF : untold ? NOT_TOLD : '';
		const count = untold ? null : (streak?.count ?? 0);
		const counted = streak === null ? one.counted : phraseOf(one, streak);
		const trips = sheet.put(one.arm, counted, count, limit, one.unit, note);
		if (trips && trip === null && streak !== null && limit !== null) trip = tripOf(one, streak, limit);
	}
	return trip;
}

/** Phrases of streaks, which are the same objects from beat to beat while nothing happens. */
const phrases = new WeakMap<FoundStreak, string>();

function phraseOf(arm: ArmOfResults, streak: FoundStreak): string {
	const known = phrases.get(streak);
	if (known !== undefined) return known;
	const phrase = `${arm.countedOf(streak)}${actorOf(streak)}`;
	phrases.set(streak, phrase);
	return phrase;
}

function tripOf(arm: ArmOfResults, streak: FoundStreak, limit: number): Trip {
	return {
		reason: `${arm.says(streak)}${actorOf(streak)} (limit ${grouped(limit)})`,
		evidence: {
			arm: arm.arm,
			counted: phraseOf(arm, streak),
			count: streak.count,
			limit,
			unit: arm.unit,
			since: streak.since,
			lastAt: streak.lastAt,
			lastOccurrences: [...streak.last],
			clears: arm.clears,
		},
	};
}

function outcome({ isFailure }: FoundStreak): string {
	return isFailure ? 'failure' : 'result';
}

function names({ labels }: FoundStreak): string {
	return labels.join(', ');
}

function actorOf({ actor }: FoundStreak): string {
	return actor === null ? '' : ` in subagent ${oneLine(actor, 40)}`;
}
