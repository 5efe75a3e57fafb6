/** Which programs are there and how they are connected. */
import { ChannelError, type RequestHandlers } from '../../shared/channels.ts';

export type ConnectionHandlers = Pick<RequestHandlers, 'connections:read'>;

export function createConnectionHandlers(): ConnectionHandlers {
	return {
		'connections:read': notYet,
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
