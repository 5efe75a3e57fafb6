/** What tripped, and how often rightly. Pure. */
import type { ArmRecord, Insights, Trip, TripVerdict } from '../../shared/insights-view.ts';

/** Equal trips of one day. */
export interface CountedTrips {
	/** Local, `YYYY-MM-DD`. */
	readonly day: string;
	readonly arm: Trip['arm'];
	readonly verdict: TripVerdict | null;
	readonly trips: number;
}

/** `days`: every day of the time, oldest first. `list`: the newest, whole. */
export function tripInsights(
	counted: readonly CountedTrips[],
	days: readonly string[],
	list: readonly Trip[],
): Insights['trips'] {
	const byDay = new Map(days.map((day): [string, Record<string, number>] => [day, {}]));
	for (const { day, arm, trips } of counted) {
		const counts = byDay.get(day);
		const key = arm ?? 'unknown';
		if (counts) counts[key] = (counts[key] ?? 0) + trips;
	}
	const arms = [...Map.groupBy(counted, ({ arm }) => arm)]
		.map(([arm, own]) => recordOf(arm, own))
		.sort((a, b) => b.trips - a.trips || ((a.arm ?? '') < (b.arm ?? '') ? -1 : 1));
	const total = recordOf(null, counted);
	return {
		days: [...byDay].map(([day, counts]) => ({ day, counts })),
		arms,
		total,
		list: [...list],
		more: Math.max(0, total.trips - list.length),
	};
}

function recordOf(arm: Trip['arm'], counted: readonly Omit<CountedTrips, 'day'>[]): ArmRecord {
	const sum = (own: readonly Omit<CountedTrips, 'day'>[]) => own.reduce((all, { trips }) => all + trips, 0);
	const right = sum(counted.filter(({ verdict }) => verdict === 'right'));
	const falseAlarms = sum(counted.filter(({ verdict }) => verdict === 'false-alarm'));
	const judged = right + falseAlarms;
	return { arm, trips: sum(counted), right, falseAlarms, precision: judged === 0 ? null : right / judged };
}
