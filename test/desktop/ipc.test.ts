import { describe, expect, it } from 'vitest';
import { PushOutlet, type PushTarget, WAITING_LIMIT } from '../../src/main/desktop/ipc/push-outlet.ts';
import { type RequestRegistrar, serveRequests } from '../../src/main/desktop/ipc/request-transport.ts';
import { isTrustedSender, type SenderEvent } from '../../src/main/desktop/ipc/sender.ts';
import { isPushChannel, isRequestChannel } from '../../src/shared/channel-names.ts';
import {
	ChannelError,
	pushChannels,
	type RequestHandlers,
	requestChannels,
} from '../../src/shared/channels.ts';
import { emptyFailoverView } from '../../src/shared/failover-view.ts';
import { emptyModelsView, type ModelChoiceView } from '../../src/shared/models-view.ts';
import { applyDelta, hasGap, pictureOf } from '../../src/shared/picture.ts';
import { defaultSettings } from '../../src/shared/settings.ts';
import type { FloorDelta } from '../../src/shared/snapshot.ts';
import { agent, floor, incident, NOON } from './floor-fixture.ts';

const WINDOW = 7;
const page = { origin: 'app://floor', url: 'app://floor/#agent=a', parent: null };
const fromWindow: SenderEvent = { sender: { id: WINDOW }, senderFrame: page };

const strangers: [string, SenderEvent][] = [
	['another web contents', { sender: { id: 8 }, senderFrame: page }],
	['a frame inside the page', { sender: { id: WINDOW }, senderFrame: { ...page, parent: {} } }],
	['a foreign origin', { sender: { id: WINDOW }, senderFrame: { ...page, origin: 'https://evil.example' } }],
	['an opaque origin', { sender: { id: WINDOW }, senderFrame: { ...page, origin: 'null' } }],
	['a foreign address', { sender: { id: WINDOW }, senderFrame: { ...page, url: 'https://evil.example/' } }],
	['a file', { sender: { id: WINDOW }, senderFrame: { ...page, origin: 'file://', url: 'file:///x.html' } }],
	['a frame that is gone', { sender: { id: WINDOW }, senderFrame: null }],
];

/** Stands in for `ipcMain`. */
class FakeIpc implements RequestRegistrar {
	readonly handled = new Map<string, Parameters<RequestRegistrar['handle']>[1]>();

	handle(channel: string, listener: Parameters<RequestRegistrar['handle']>[1]): void {
		if (this.handled.has(channel)) throw new Error(`second handler for ${channel}`);
		this.handled.set(channel, listener);
	}

	removeHandler(channel: string): void {
		this.handled.delete(channel);
	}

	invoke(channel: string, input: unknown, event: SenderEvent = fromWindow): Promise<unknown> {
		const listener = this.handled.get(channel);
		if (!listener) throw new Error(`no handler for ${channel}`);
		return listener(event, input);
	}
}

const choice: ModelChoiceView = {
	model: 'claude-sonnet-5',
	preferredModel: 'claude-sonnet-5',
	state: 'closed',
	isFallback: false,
	isProbe: false,
	resumeAt: null,
	why: '',
};

function unused(): never {
	throw new Error('not asked in these tests');
}

function handlers(changes: Partial<RequestHandlers> = {}): RequestHandlers {
	const one = (): ReturnType<typeof agent> => agent('a');
	return {
		'floor:snapshot': () => floor(),
		'agent:history': () => [],
		'control:steer': one,
		'control:hold': one,
		'control:constrain': one,
		'control:stop': one,
		'control:resume': one,
		'control:resetEvidence': one,
		'incident:dismiss': () => incident('i'),
		'incident:restore': () => incident('i'),
		'incident:history': () => ({ incidents: [], more: false }),
		'agent:timeline': () => ({ entries: [], olderBefore: null, missing: '' }),
		'agent:changes': () => ({ asOf: NOON, source: 'none', files: [], more: 0, note: '' }),
		'agent:usage': () => [],
		'insights:read': unused,
		'insights:export': () => ({ name: 'a.csv', mediaType: 'text/csv', text: '' }),
		'trip:judge': unused,
		'settings:preview': unused,
		'connections:read': () => ({ clients: [], gatewayAddress: '' }),
		'settings:get': () => defaultSettings,
		'settings:update': () => defaultSettings,
		'hooks:plan': () => ({ file: '', status: 'absent', problem: '', diff: '' }),
		'hooks:apply': () => ({ file: '', status: 'installed', problem: '', diff: '' }),
		'failover:switch': () => emptyFailoverView,
		'failover:wait': () => emptyFailoverView,
		'failover:queue': () => emptyFailoverView,
		'failover:refresh': () => emptyFailoverView,
		'capability:get': () => emptyFailoverView.capability,
		'consent:answer': () => emptyFailoverView,
		'improve:ask': () => emptyFailoverView,
		'improve:read': () => {
			throw new Error('no offer');
		},
		'improve:dismiss': () => emptyFailoverView,
		'outbox:retry': () => emptyFailoverView,
		'outbox:discard': () => emptyFailoverView,
		'outbox:answer': () => null,
		'models:pull': () => emptyFailoverView,
		'model:current': () => choice,
		'model:report': () => choice,
		'model:probe': () => emptyModelsView,
		'model:hold': () => emptyModelsView,
		'slo:read': () => [],
		'gateway:guide': () => [],
		'demo:start': () => ({ agents: 5 }),
		'demo:stop': () => ({ agents: 0 }),
		...changes,
	};
}

function serve(changes: Partial<RequestHandlers> = {}, checkOutput = true) {
	const ipc = new FakeIpc();
	const unexpected: unknown[] = [];
	const refused: string[] = [];
	const served = serveRequests(ipc, handlers(changes), {
		isOwnWindow: (id) => id === WINDOW,
		checkOutput,
		onUnexpected: (_channel, error) => unexpected.push(error),
		onRefused: (channel) => refused.push(channel),
	});
	return { ipc, served, unexpected, refused };
}

describe('isTrustedSender', () => {
	it('trusts the main frame of the own window on a page of ours', () => {
		expect(isTrustedSender(fromWindow, (id) => id === WINDOW)).toBe(true);
	});

	it.each(strangers)('does not trust %s', (_name, event) => {
		expect(isTrustedSender(event, (id) => id === WINDOW)).toBe(false);
	});
});

describe('requests over IPC', () => {
	it('serves each channel of the map and no other, until disposed', () => {
		const { ipc, served } = serve();
		expect([...ipc.handled.keys()].sort()).toEqual(Object.keys(requestChannels).sort());
		served.dispose();
		expect([...ipc.handled.keys()]).toEqual([]);
	});

	it('knows the same channel names without schemas as the map with them', () => {
		const names = [...Object.keys(requestChannels), ...Object.keys(pushChannels)];
		expect(names.filter(isRequestChannel)).toEqual(Object.keys(requestChannels));
		expect(names.filter(isPushChannel)).toEqual(Object.keys(pushChannels));
		expect(['constructor', '__proto__', 'toString', '', 7, null].filter(isRequestChannel)).toEqual([]);
	});

	it('hands the handler parsed arguments, defaults applied and strangers removed', async () => {
		const seen: unknown[] = [];
		const { ipc } = serve({
			'control:stop': (args) => {
				seen.push(args);
				return agent('a');
			},
		});
		const answer = await ipc.invoke('control:stop', { agentId: 'a', level: 'stopped' });
		expect(answer).toEqual({ ok: true, output: agent('a') });
		expect(seen).toEqual([{ agentId: 'a', endProcess: false }]);
	});

	it.each([
		['control:steer', { agentId: 'a', words: '   ' }, 'words'],
		['control:steer', { agentId: 7, words: 'x' }, 'agentId'],
		['control:stop', null, ''],
		['agent:history', 'a', ''],
	])('refuses what %s does not take before any handler sees it', async (channel, input, where) => {
		const never = (): never => {
			throw new Error('a handler was called');
		};
		const { ipc, unexpected } = serve({
			'control:steer': never,
			'control:stop': never,
			'agent:history': never,
		});
		expect(await ipc.invoke(channel, input)).toMatchObject({
			ok: false,
			error: { code: 'invalid-argument', message: expect.stringContaining(where) },
		});
		expect(unexpected).toEqual([]);
	});

	it('carries an error people can act on as data', async () => {
		const data = {
			code: 'unknown-agent',
			message: 'No such agent.',
			meaning: 'Nothing.',
			remedy: 'Reload.',
		} as const;
		const { ipc } = serve({
			'control:resume': () => {
				throw new ChannelError(data);
			},
		});
		expect(await ipc.invoke('control:resume', { agentId: 'gone' })).toEqual({ ok: false, error: data });
	});

	it('keeps the words and the stack of an unexpected error to itself, and reports it', async () => {
		const fault = new Error('EACCES: /home/someone/.agent-floor/token');
		const { ipc, unexpected } = serve({ 'settings:get': () => Promise.reject(fault) });
		const answer = await ipc.invoke('settings:get', undefined);
		expect(answer).toMatchObject({ ok: false, error: { code: 'internal' } });
		expect(JSON.stringify(answer)).not.toMatch(/EACCES|token|\.ts:/);
		expect(unexpected).toEqual([fault]);
	});

	it('checks what a handler answers, where that is asked for', async () => {
		const wrong = { 'demo:start': () => ({ agents: 'five' }) as unknown as { agents: number } };
		expect(await serve(wrong).ipc.invoke('demo:start', undefined)).toMatchObject({
			ok: false,
			error: { code: 'internal' },
		});
		expect(await serve(wrong, false).ipc.invoke('demo:start', undefined)).toEqual({
			ok: true,
			output: { agents: 'five' },
		});
	});

	it.each(strangers)('does nothing for %s', async (_name, event) => {
		const called: string[] = [];
		const { ipc, refused } = serve({
			'control:stop': () => {
				called.push('control:stop');
				return agent('a');
			},
		});
		const answer = await ipc.invoke('control:stop', { agentId: 'a' }, event);
		expect(answer).toMatchObject({ ok: false, error: { code: 'not-possible' } });
		expect({ called, refused }).toEqual({ called: [], refused: ['control:stop'] });
	});
});

class FakePage implements PushTarget {
	readonly sent: { channel: string; payload: unknown }[] = [];
	destroyed = false;
	crashed = false;
	dying = false;

	isDestroyed(): boolean {
		return this.destroyed;
	}

	isCrashed(): boolean {
		return this.crashed;
	}

	send(channel: string, payload: unknown): void {
		if (this.destroyed || this.crashed || this.dying) throw new Error('Render frame was disposed');
		this.sent.push({ channel, payload });
	}
}

const delta = (sequence: number): FloorDelta => ({
	epoch: 'e1',
	sequence,
	at: NOON,
	agents: [agent(`n${sequence}`)],
});

describe('pushes over IPC', () => {
	const outletOf = (target: FakePage) => {
		const reported: string[] = [];
		return { outlet: new PushOutlet(target, (doing) => reported.push(doing)), reported };
	};
	const sequences = (target: FakePage): number[] =>
		target.sent.map(({ payload }) => (payload as FloorDelta).sequence);

	it('holds pushes back until the page listens, then sends them in order', () => {
		const target = new FakePage();
		const { outlet } = outletOf(target);
		outlet.push('floor:delta', delta(1));
		outlet.push('floor:delta', delta(2));
		expect(target.sent).toEqual([]);
		outlet.listening();
		outlet.push('floor:delta', delta(3));
		expect(sequences(target)).toEqual([1, 2, 3]);
	});

	it('waits again while the page is replaced', () => {
		const target = new FakePage();
		const { outlet } = outletOf(target);
		outlet.listening();
		outlet.silent();
		outlet.push('floor:delta', delta(1));
		expect(target.sent).toEqual([]);
		outlet.listening();
		expect(sequences(target)).toEqual([1]);
	});

	it('keeps a bounded number, and what it drops shows as a gap, so that the page asks for a snapshot', () => {
		const target = new FakePage();
		const { outlet } = outletOf(target);
		const last = WAITING_LIMIT + 5;
		for (let sequence = 2; sequence <= last; sequence += 1) outlet.push('floor:delta', delta(sequence));
		outlet.listening();
		expect(target.sent).toHaveLength(WAITING_LIMIT);
		const stale = pictureOf(floor({ sequence: 1 }));
		expect(
			hasGap(target.sent.reduce((picture, { payload }) => applyDelta(picture, payload as FloorDelta), stale)),
		).toBe(true);
		const fresh = pictureOf(floor({ sequence: last }));
		expect(
			hasGap(target.sent.reduce((picture, { payload }) => applyDelta(picture, payload as FloorDelta), fresh)),
		).toBe(false);
	});

	it.each(['destroyed', 'crashed'] as const)('sends nothing to a page that is %s', (state) => {
		const target = new FakePage();
		const { outlet, reported } = outletOf(target);
		outlet.listening();
		target[state] = true;
		outlet.push('floor:delta', delta(1));
		expect({ sent: target.sent, reported }).toEqual({ sent: [], reported: [] });
	});

	it('does not let the engine feel a frame that dies while it is sent to', () => {
		const target = new FakePage();
		const { outlet, reported } = outletOf(target);
		outlet.listening();
		target.dying = true;
		outlet.push('floor:delta', delta(1));
		outlet.push('floor:delta', delta(2));
		expect(reported).toEqual(['sending floor:delta to the window']);
	});
});
