/** How well the floor held when providers did not. Pure. */
import type { Insights } from '../../shared/insights-view.ts';

/** `days`: every day of the time, oldest first. */
export function reliabilityInsights(days: Insights['reliability']['days']): Insights['reliability'] {
	const turns = days.reduce((sum, day) => sum + day.turns, 0);
	const fallback = days.reduce((sum, day) => sum + day.fallbackTurns, 0);
	return { days, fallbackRate: turns === 0 ? null : fallback / turns };
}
