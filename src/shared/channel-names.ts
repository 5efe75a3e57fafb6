/**
 * The names of all channels as plain values, for code that must not carry the schemas (the preload). `satisfies`
 * fails to compile when a channel of the map is missing here or a name here is in no map.
 */
import type { PushChannel, RequestChannel } from './channels.ts';

const requestNames = {
	'floor:snapshot': true,
	'agent:history': true,
	'agent:timeline': true,
	'agent:changes': true,
	'agent:usage': true,
	'control:steer': true,
	'control:hold': true,
	'control:constrain': true,
	'control:stop': true,
	'control:resume': true,
	'control:resetEvidence': true,
	'incident:dismiss': true,
	'incident:restore': true,
	'incident:history': true,
	'insights:read': true,
	'insights:export': true,
	'trip:judge': true,
	'failover:switch': true,
	'failover:wait': true,
	'failover:queue': true,
	'failover:refresh': true,
	'capability:get': true,
	'consent:answer': true,
	'improve:ask': true,
	'improve:read': true,
	'improve:dismiss': true,
	'outbox:retry': true,
	'outbox:discard': true,
	'outbox:answer': true,
	'models:pull': true,
	'model:current': true,
	'model:report': true,
	'model:probe': true,
	'model:hold': true,
	'slo:read': true,
	'gateway:guide': true,
	'settings:get': true,
	'settings:preview': true,
	'connections:read': true,
	'settings:update': true,
	'hooks:plan': true,
	'hooks:apply': true,
	'demo:start': true,
	'demo:stop': true,
} as const satisfies Record<RequestChannel, true>;

const pushNames = {
	'floor:delta': true,
	'control:breakerState': true,
	'failover:capability': true,
	'settings:changed': true,
	'floor:notices': true,
} as const satisfies Record<PushChannel, true>;

/** True for a name the window may ask on. */
export function isRequestChannel(name: unknown): name is RequestChannel {
	return typeof name === 'string' && Object.hasOwn(requestNames, name);
}

/** True for a name the engine tells on. */
export function isPushChannel(name: unknown): name is PushChannel {
	return typeof name === 'string' && Object.hasOwn(pushNames, name);
}

/** Preload → main, Electron only: the page has subscribed, pushes may come. */
export const WINDOW_LISTENS = 'window:listens';
