/** What the window asks when it looks back. */
import { ChannelError, type RequestHandlers } from '../../shared/channels.ts';
import { localDay } from '../../shared/local-day.ts';
import { exportInsights } from '../insights/export.ts';
import type { InsightsPart } from './insights-part.ts';

export type InsightsHandlers = Pick<RequestHandlers, 'insights:read' | 'insights:export' | 'trip:judge'>;

export function createInsightsHandlers(insights: InsightsPart): InsightsHandlers {
	return {
		'insights:read': ({ days }) => insights.read(days),
		'insights:export': async ({ days, what, format }) => {
			const read = await insights.read(days);
			return exportInsights(read, what, format, localDay(read.to));
		},
		'trip:judge': ({ tripId, verdict }) => {
			const trip = insights.judge(tripId, verdict);
			if (trip) return trip;
			throw new ChannelError({
				code: 'not-possible',
				message: 'That trip is not kept any more.',
				meaning: 'Nothing was changed.',
				remedy: 'Read the page again to see what is kept.',
			});
		},
	};
}
