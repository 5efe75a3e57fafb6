/** What other settings would have done. */
import { ChannelError, type RequestHandlers } from '../../shared/channels.ts';

export type PreviewHandlers = Pick<RequestHandlers, 'settings:preview'>;

export function createPreviewHandlers(): PreviewHandlers {
	return {
		'settings:preview': notYet,
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
