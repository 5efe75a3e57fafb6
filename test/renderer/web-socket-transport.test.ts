import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { backoffDelay } from '../../src/renderer/transport/backoff.ts';
import { WebSocketTransport } from '../../src/renderer/transport/web-socket-transport.ts';
import type { ConnectionState } from '../../src/shared/transport.ts';
import { aDelta, anAgent, aSnapshot } from './agents.ts';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

/** A socket whose far end is the test. */
class FakeSocket extends EventTarget {
	readonly sent: { id: number; channel: string; input: unknown }[] = [];

	send(text: string): void {
		this.sent.push(JSON.parse(text));
	}
	close(): void {
		this.dispatchEvent(new Event('close'));
	}
	opens(): void {
		this.dispatchEvent(new Event('open'));
	}
	says(message: unknown): void {
		const data = typeof message === 'string' ? message : JSON.stringify(message);
		this.dispatchEvent(new MessageEvent('message', { data }));
	}
}

function connect(isRefused = async () => false) {
	const sockets: FakeSocket[] = [];
	const states: ConnectionState[] = [];
	const unreadable: string[] = [];
	const transport = new WebSocketTransport({
		url: 'ws://127.0.0.1:47100/floor',
		open: () => {
			const socket = new FakeSocket();
			sockets.push(socket);
			return socket as unknown as WebSocket;
		},
		random: () => 1,
		requestTimeoutMs: 5000,
		isRefused,
		onUnreadable: (problem) => unreadable.push(problem),
	});
	transport.onConnection((state) => states.push(state));
	const latest = () => {
		const socket = sockets.at(-1);
		if (!socket) throw new Error('no socket was opened');
		return socket;
	};
	return { transport, sockets, states, unreadable, latest };
}

const coded = (code: string) => expect.objectContaining({ data: expect.objectContaining({ code }) });

describe('requests', () => {
	it('are matched to their answers by id, in any order', async () => {
		const { transport, latest } = connect();
		latest().opens();
		const first = transport.request('demo:start', {});
		const second = transport.request('demo:stop', {});
		const [one, two] = latest().sent;
		expect(one).toMatchObject({ channel: 'demo:start', input: {} });
		latest().says({ id: two?.id, ok: true, output: { agents: 2 } });
		latest().says({ id: one?.id, ok: true, output: { agents: 1 } });
		expect(await first).toEqual({ agents: 1 });
		expect(await second).toEqual({ agents: 2 });
	});

	it('reject with the engine’s own words', async () => {
		const { transport, latest } = connect();
		latest().opens();
		const asked = transport.request('control:hold', { agentId: 'gone' });
		const error = {
			code: 'unknown-agent',
			message: 'No such agent.',
			meaning: 'Nothing.',
			remedy: 'Reload.',
		};
		latest().says({ id: latest().sent[0]?.id, ok: false, error });
		await expect(asked).rejects.toMatchObject({ data: error });
	});

	it('reject at once while there is no connection, and send nothing later', async () => {
		const { transport, latest } = connect();
		await expect(transport.request('demo:start', {})).rejects.toEqual(coded('disconnected'));
		latest().opens();
		expect(latest().sent).toEqual([]);
	});

	it('reject when the connection goes away meanwhile', async () => {
		const { transport, latest } = connect();
		latest().opens();
		const asked = transport.request('demo:start', {});
		latest().close();
		await expect(asked).rejects.toEqual(coded('disconnected'));
	});

	it('give up after the time limit and ignore an answer that comes later', async () => {
		const { transport, latest, unreadable } = connect();
		latest().opens();
		const asked = transport.request('demo:start', {});
		const refused = expect(asked).rejects.toEqual(coded('internal'));
		await vi.advanceTimersByTimeAsync(5000);
		await refused;
		latest().says({ id: latest().sent[0]?.id, ok: true, output: { agents: 1 } });
		expect(unreadable).toEqual([]);
	});

	it('reject an answer of another version instead of passing it on', async () => {
		const { transport, latest } = connect();
		latest().opens();
		const asked = transport.request('floor:snapshot', {});
		latest().says({ id: latest().sent[0]?.id, ok: true, output: { agents: 'many' } });
		await expect(asked).rejects.toEqual(coded('internal'));
	});

	it('bring a whole snapshot', async () => {
		const { transport, latest } = connect();
		latest().opens();
		const asked = transport.request('floor:snapshot', {});
		const snapshot = aSnapshot([anAgent('a')]);
		latest().says({ id: latest().sent[0]?.id, ok: true, output: snapshot });
		expect(await asked).toEqual(snapshot);
	});
});

describe('pushes', () => {
	it('reach the listeners of their channel until they leave', () => {
		const { transport, latest } = connect();
		latest().opens();
		const got: number[] = [];
		const leave = transport.subscribe('floor:delta', ({ sequence }) => got.push(sequence));
		latest().says({ push: 'floor:delta', payload: aDelta(1) });
		leave();
		latest().says({ push: 'floor:delta', payload: aDelta(2) });
		expect(got).toEqual([1]);
	});

	it.each([
		['not JSON', '{'],
		['another protocol', { jsonrpc: '2.0' }],
		['an unknown channel', { push: '__proto__', payload: {} }],
		['a payload of another version', { push: 'floor:delta', payload: { sequence: 'x' } }],
		['null', 'null'],
	])('that cannot be read (%s) are reported and change nothing', (_name, message) => {
		const { transport, latest, unreadable } = connect();
		latest().opens();
		const got: unknown[] = [];
		transport.subscribe('floor:delta', (delta) => got.push(delta));
		latest().says(message);
		expect(unreadable).toHaveLength(1);
		expect(got).toEqual([]);
	});
});

describe('the connection', () => {
	it('is "connecting" until it was reached once, then "disconnected" until it is back', async () => {
		const { states, latest } = connect();
		latest().close();
		await vi.advanceTimersByTimeAsync(250);
		latest().opens();
		latest().close();
		await vi.advanceTimersByTimeAsync(10_000);
		latest().opens();
		expect(states).toEqual(['connecting', 'connected', 'disconnected', 'connected']);
	});

	it('knocks ever more slowly, and quickly again after the engine has spoken', async () => {
		const { sockets, latest } = connect();
		const waits: number[] = [];
		for (let attempt = 0; attempt < 8; attempt++) {
			const before = sockets.length;
			latest().close();
			let waited = 0;
			while (sockets.length === before) {
				await vi.advanceTimersByTimeAsync(250);
				waited += 250;
			}
			waits.push(waited);
		}
		expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
		latest().opens();
		latest().says({ push: 'floor:delta', payload: aDelta(1) });
		latest().close();
		const before = sockets.length;
		await vi.advanceTimersByTimeAsync(250);
		expect(sockets.length).toBe(before + 1);
	});

	it('asks why after three failed attempts, and says "refused" only while the engine does refuse', async () => {
		let refuses = true;
		let asked = 0;
		const { states, latest } = connect(async () => {
			asked += 1;
			return refuses;
		});
		const fail = async () => {
			latest().close();
			await vi.advanceTimersByTimeAsync(10_000);
		};
		latest().opens();
		// The loss itself, then two attempts.
		for (let times = 0; times < 3; times++) await fail();
		expect(asked).toBe(0);
		await fail();
		expect(states).toEqual(['connecting', 'connected', 'disconnected', 'refused']);
		refuses = false;
		await fail();
		expect(states.at(-1)).toBe('disconnected');
		latest().opens();
		expect(states.at(-1)).toBe('connected');
	});

	it('does not let a late answer to "why" talk over a connection', async () => {
		const answers: ((refused: boolean) => void)[] = [];
		const { states, latest } = connect(() => new Promise((resolve) => answers.push(resolve)));
		for (let times = 0; times < 3; times++) {
			latest().close();
			await vi.advanceTimersByTimeAsync(10_000);
		}
		latest().opens();
		for (const answer of answers) answer(true);
		await vi.advanceTimersByTimeAsync(0);
		expect(answers).toHaveLength(1);
		expect(states).toEqual(['connecting', 'connected']);
	});

	it('stays closed once closed', async () => {
		const { transport, sockets, states, latest } = connect();
		latest().opens();
		transport.close();
		await vi.advanceTimersByTimeAsync(60_000);
		expect(sockets).toHaveLength(1);
		expect(states.at(-1)).toBe('disconnected');
	});
});

describe('backoff', () => {
	it('leaves between half and all of each step to chance and never passes its longest', () => {
		const backoff = { firstMs: 100, longestMs: 1000 };
		expect([0, 1, 2].map((attempt) => backoffDelay(attempt, 0, backoff))).toEqual([50, 100, 200]);
		expect([0, 1, 2].map((attempt) => backoffDelay(attempt, 1, backoff))).toEqual([100, 200, 400]);
		expect(backoffDelay(10_000, 1, backoff)).toBe(1000);
	});
});
