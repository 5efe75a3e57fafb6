/** What the window asks when it looks back. */
import { ChannelError, type RequestHandlers } from '../../shared/channels.ts';

export type InsightsHandlers = Pick<RequestHandlers, 'insights:read' | 'insights:export' | 'trip:judge'>;

export function createInsightsHandlers(): InsightsHandlers {
	return {
		'insights:read': notYet,
		'insights:export': notYet,
		'trip:judge': notYet,
	};
}

function notYet(): never {
	throw new ChannelError({
		code: 'not-possible',
		message: 'This floor does not answer that yet.',
		meaning: 'Nothing was changed.',
		remedy: 'Use a newer version.',
	});
}
