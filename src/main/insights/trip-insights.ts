/** What tripped, and how often rightly. Pure. */
import type { ArmRecord, Insights, Trip, TripVerdict } from '../../shared/insights-view.ts';

interface TripFact {
	readonly day: string;
	readonly arm: Trip['arm'];
	readonly verdict: TripVerdict | null;
}

/** `days`: every day of the time, oldest first. `list`: the newest, whole. */
export function tripInsights(
	facts: readonly TripFact[],
	days: readonly string[],
	list: readonly Trip[],
): Insights['trips'] {
	const byDay = new Map(days.map((day): [string, Record<string, number>] => [day, {}]));
	for (const { day, arm } of facts) {
		const counts = byDay.get(day);
		const key = arm ?? 'unknown';
		if (counts) counts[key] = (counts[key] ?? 0) + 1;
	}
	const arms = [...Map.groupBy(facts, ({ arm }) => arm)]
		.map(([arm, own]) => recordOf(arm, own))
		.sort((a, b) => b.trips - a.trips || ((a.arm ?? '') < (b.arm ?? '') ? -1 : 1));
	return {
		days: [...byDay].map(([day, counts]) => ({ day, counts })),
		arms,
		total: recordOf(null, facts),
		list: [...list],
		more: Math.max(0, facts.length - list.length),
	};
}

function recordOf(arm: Trip['arm'], facts: readonly Pick<TripFact, 'verdict'>[]): ArmRecord {
	const right = facts.filter(({ verdict }) => verdict === 'right').length;
	const falseAlarms = facts.filter(({ verdict }) => verdict === 'false-alarm').length;
	const judged = right + falseAlarms;
	return { arm, trips: facts.length, right, falseAlarms, precision: judged === 0 ? null : right / judged };
}
