/** Why the outbox cannot do what was asked, in words. */
import { ChannelError } from '../../shared/channels.ts';

export function outboxGone(): ChannelError {
	return new ChannelError({
		code: 'not-possible',
		message: 'That entry is not in the outbox any more.',
		meaning: 'Nothing was changed.',
		remedy: 'Look at the list again: it may have been done meanwhile.',
	});
}

export function outboxSent(): ChannelError {
	return new ChannelError({
		code: 'not-possible',
		message: 'That entry has arrived already.',
		meaning: 'It was not sent a second time.',
		remedy: 'Nothing; discard it if you do not want to see it.',
	});
}

export function outboxFull(): ChannelError {
	return new ChannelError({
		code: 'not-possible',
		message: 'The outbox is full.',
		meaning: 'Nothing was queued; what waits in it stays as it is.',
		remedy: 'Discard entries that nobody needs, or wait until it has been drained.',
	});
}
