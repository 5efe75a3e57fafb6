/** Verdicts as rows, and whether they meet the targets. */
import type { Family } from '../../test/traces/family.ts';
import type { TraceSet } from '../../test/traces/trace.ts';
import type { BenchRow } from '../support/results.ts';
import type { Verdict } from './judge.ts';
import { type Tally, tally } from './tally.ts';

/** All verdicts on one family in one set. */
export interface Judged {
	readonly family: Family;
	readonly set: TraceSet;
	readonly floor: readonly Verdict[];
	readonly others: readonly { readonly name: string; readonly verdicts: readonly Verdict[] }[];
}

export interface Target {
	readonly text: string;
	readonly met: boolean;
}

const RECALL_TARGET = 0.95;
const FALSE_TRIP_BOUND_TARGET = 0.01;
const MEDIAN_CALLS_TARGET = 6;

export function familyRows(results: readonly Judged[], set: TraceSet): BenchRow[] {
	return results
		.filter((judged) => judged.set === set)
		.map(({ family, floor, others }) => {
			const own = tally(floor);
			return {
				family: family.name,
				caught: own.stuck === 0 ? '–' : `${own.caught}/${own.stuck}`,
				'false trips': falseTripsOf(own),
				'bound %': percent(own.falseTripBound),
				'calls, median': callsOf(own.medianCalls),
				'calls, p90': callsOf(own.p90Calls),
				arms: own.arms.map(([arm, count]) => `${arm} ${count}`).join(', ') || '–',
				...Object.fromEntries(others.map(({ name, verdicts }) => [name, inShort(tally(verdicts))])),
			};
		});
}

/** One row for the floor and for each set of rules, by set. */
export function totalRows(results: readonly Judged[]): BenchRow[] {
	const rows: BenchRow[] = [];
	for (const set of ['tuning', 'held-out'] as const) {
		const some = results.filter((judged) => judged.set === set);
		rows.push(
			totalRow(
				`agent floor, ${set}`,
				some.flatMap(({ floor }) => floor),
			),
		);
		for (const [index, other] of (some[0]?.others ?? []).entries())
			rows.push(
				totalRow(
					`${other.name}, ${set}`,
					some.flatMap(({ others }) => others[index]?.verdicts ?? []),
				),
			);
	}
	return rows;
}

function totalRow(name: string, verdicts: readonly Verdict[]): BenchRow {
	const own = tally(verdicts);
	return {
		rules: name,
		'recall %': percent(own.caught / own.stuck),
		'at least %': percent(own.recallBound),
		caught: `${own.caught}/${own.stuck}`,
		'false trips': falseTripsOf(own),
		'bound %': percent(own.falseTripBound),
		'calls, median': callsOf(own.medianCalls),
		'calls, p90': callsOf(own.p90Calls),
	};
}

const SPACINGS: readonly (readonly [name: string, from: number, to: number])[] = [
	['under 3 s', 0, 3],
	['3 to 8 s', 3, 8],
	['8 to 20 s', 8, 20],
	['over 20 s', 20, Number.POSITIVE_INFINITY],
];

/** Between two beats a quick loop makes many calls: the delay by how fast it is. */
export function spacingRows(verdicts: readonly Verdict[]): BenchRow[] {
	return SPACINGS.map(([name, from, to]) => {
		const own = tally(verdicts.filter(({ spacing }) => spacing >= from && spacing < to));
		return {
			'from call to call': name,
			caught: `${own.caught}/${own.stuck}`,
			'false trips': falseTripsOf(own),
			'calls, median': callsOf(own.medianCalls),
			'calls, p90': callsOf(own.p90Calls),
		};
	});
}

/** Families of which some are missed or falsely tripped, one sentence each. */
export function openSentences(results: readonly Judged[]): string[] {
	return results.flatMap(({ family, set, floor }) => {
		const { stuck, caught, falseTrips, healthy, early } = tally(floor);
		const missed = stuck - caught - early;
		const parts = [
			...(missed > 0 ? [`${missed} of ${stuck} stuck ones missed`] : []),
			...(early > 0 ? [`${early} steered before they were stuck`] : []),
			...(falseTrips > 0 ? [`${falseTrips} of ${healthy} healthy ones steered`] : []),
		];
		return parts.length === 0 ? [] : [`${family.name} (${set}): ${parts.join(', ')}.`];
	});
}

export function targetsOf(results: readonly Judged[]): Target[] {
	return (['tuning', 'held-out'] as const).flatMap((set) => {
		const own = tally(results.filter((judged) => judged.set === set).flatMap(({ floor }) => floor));
		const recall = own.caught / own.stuck;
		return [
			{
				text: `${set}: false trips on healthy twins 0: ${falseTripsOf(own)}`,
				met: own.falseTrips === 0 && own.early === 0,
			},
			{
				text: `${set}: upper bound of false trips at most 1 %: ${percent(own.falseTripBound)} %`,
				met: own.falseTripBound <= FALSE_TRIP_BOUND_TARGET,
			},
			{ text: `${set}: recall at least 95 %: ${percent(recall)} %`, met: recall >= RECALL_TARGET },
			{
				text: `${set}: median at most 6 calls after onset: ${callsOf(own.medianCalls)}`,
				met: own.medianCalls <= MEDIAN_CALLS_TARGET,
			},
		];
	});
}

function falseTripsOf({ falseTrips, healthy, early }: Tally): string {
	return `${falseTrips}/${healthy}${early === 0 ? '' : `, ${early} too early`}`;
}

function inShort({ stuck, caught, healthy, falseTrips }: Tally): string {
	return `${stuck === 0 ? '–' : `${caught}/${stuck}`}, false ${falseTrips}/${healthy}`;
}

function callsOf(calls: number): string | number {
	return Number.isNaN(calls) ? '–' : calls;
}

function percent(share: number): string {
	return Number.isNaN(share) ? '–' : (share * 100).toFixed(2);
}
