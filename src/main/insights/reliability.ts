/** How well the floor held when providers did not. Pure. */
import type { Insights } from '../../shared/insights-view.ts';

type Day = Insights['reliability']['days'][number];

/** What is known of days; those without a turn may be missing. */
export function reliabilityInsights(known: readonly Day[], days: readonly string[]): Insights['reliability'] {
	const byDay = new Map(known.map((day) => [day.day, day]));
	const whole = days.map((day): Day => byDay.get(day) ?? { day, ...NOTHING });
	const turns = whole.reduce((sum, day) => sum + day.turns, 0);
	const fallback = whole.reduce((sum, day) => sum + day.fallbackTurns, 0);
	return { days: whole, fallbackRate: turns === 0 ? null : fallback / turns };
}

const NOTHING: Omit<Day, 'day'> = {
	turns: 0,
	fallbackTurns: 0,
	refusedTurns: 0,
	queuedTurns: 0,
	degradedMs: 0,
	queueDepthMax: 0,
};
