/** What the window asks about one agent's past and work tree. */
import { ChannelError, type RequestHandlers } from '../../shared/channels.ts';

export type TimelineHandlers = Pick<RequestHandlers, 'agent:timeline' | 'agent:changes' | 'agent:usage'>;

export function createTimelineHandlers(): TimelineHandlers {
	return {
		'agent:timeline': notYet,
		'agent:changes': notYet,
		'agent:usage': notYet,
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
