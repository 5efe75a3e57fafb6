/** What the window may ask about failover, answered. */
import { ChannelError, type RequestHandlers } from '../../shared/channels.ts';

export type FailoverHandlers = Pick<
	RequestHandlers,
	| 'failover:switch'
	| 'failover:wait'
	| 'failover:queue'
	| 'failover:refresh'
	| 'capability:get'
	| 'consent:answer'
	| 'improve:ask'
	| 'improve:read'
	| 'improve:dismiss'
	| 'outbox:retry'
	| 'outbox:discard'
	| 'models:pull'
	| 'slo:read'
	| 'gateway:guide'
>;

export function createFailoverHandlers(): FailoverHandlers {
	const absent = (): never => {
		throw new ChannelError({
			code: 'not-possible',
			message: 'Failover is not running.',
			meaning: 'Nothing was changed.',
			remedy: 'Restart the floor.',
		});
	};
	return {
		'failover:switch': absent,
		'failover:wait': absent,
		'failover:queue': absent,
		'failover:refresh': absent,
		'capability:get': absent,
		'consent:answer': absent,
		'improve:ask': absent,
		'improve:read': absent,
		'improve:dismiss': absent,
		'outbox:retry': absent,
		'outbox:discard': absent,
		'models:pull': absent,
		'slo:read': absent,
		'gateway:guide': absent,
	};
}
