/** Incidents: put away, taken back, read from the store. */
import { ChannelError, type RequestHandlers } from '../../shared/channels.ts';

export type IncidentHandlers = Pick<RequestHandlers, 'incident:restore' | 'incident:history'>;

export function createIncidentHandlers(): IncidentHandlers {
	return {
		'incident:restore': notYet,
		'incident:history': notYet,
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
