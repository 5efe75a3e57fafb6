import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isRequestChannel } from '../../src/shared/channel-names.ts';
import type { WindowApi } from '../../src/shared/window-api.ts';

/** The three things of Electron that the preload may use. */
const electron = vi.hoisted(() => ({
	exposed: new Map<string, unknown>(),
	invoked: [] as unknown[][],
	sent: [] as unknown[][],
	listeners: new Map<string, Set<(...args: unknown[]) => void>>(),
	answer: (): unknown => ({ ok: true, output: 'answer' }),
}));

vi.mock('electron', () => ({
	contextBridge: { exposeInMainWorld: (name: string, api: unknown) => electron.exposed.set(name, api) },
	ipcRenderer: {
		invoke: async (...args: unknown[]) => {
			electron.invoked.push(args);
			return electron.answer();
		},
		send: (...args: unknown[]) => electron.sent.push(args),
		on: (channel: string, listener: (...args: unknown[]) => void) => {
			electron.listeners.set(channel, (electron.listeners.get(channel) ?? new Set()).add(listener));
		},
		off: (channel: string, listener: (...args: unknown[]) => void) => {
			electron.listeners.get(channel)?.delete(listener);
		},
	},
}));

/** A window may call with anything; types do not cross the bridge. */
interface UntypedApi {
	request(channel: unknown, input?: unknown): Promise<unknown>;
	subscribe(channel: unknown, listener: (...args: unknown[]) => void): () => void;
}

function emit(channel: string, payload: unknown): void {
	for (const listener of electron.listeners.get(channel) ?? []) listener({ sender: 'ipcRenderer' }, payload);
}

let api: UntypedApi;

beforeEach(async () => {
	electron.exposed.clear();
	electron.listeners.clear();
	electron.invoked.length = 0;
	electron.sent.length = 0;
	electron.answer = () => ({ ok: true, output: 'answer' });
	vi.resetModules();
	await import('../../src/preload/index.ts');
	api = electron.exposed.get('agentFloor') as WindowApi as unknown as UntypedApi;
});

describe('the preload', () => {
	it('exposes one object with two functions', () => {
		expect([...electron.exposed.keys()]).toEqual(['agentFloor']);
		expect(Object.keys(api).sort()).toEqual(['request', 'subscribe']);
	});

	it('asks on listed channels and passes the answer on', async () => {
		expect(await api.request('control:steer', { agentId: 'a', words: 'look at the log' })).toEqual({
			ok: true,
			output: 'answer',
		});
		expect(electron.invoked).toEqual([['control:steer', { agentId: 'a', words: 'look at the log' }]]);
	});

	it.each(['window:listens', 'control:breakerState', 'fs:read', '__proto__', 7, undefined])(
		'does not ask on %s',
		async (channel) => {
			expect(isRequestChannel(channel)).toBe(false);
			expect(await api.request(channel)).toMatchObject({ ok: false, error: { code: 'invalid-argument' } });
			expect(electron.invoked).toEqual([]);
		},
	);

	it('answers in words when main does not', async () => {
		electron.answer = () => {
			throw new Error("Error invoking remote method 'settings:get': /home/someone/floor/out/main/index.js");
		};
		const answer = await api.request('settings:get');
		expect(answer).toMatchObject({ ok: false, error: { code: 'disconnected' } });
		expect(JSON.stringify(answer)).not.toContain('/home/someone');
	});

	it('gives listeners the payload alone, never the event, until they unsubscribe', () => {
		const heard: unknown[][] = [];
		const end = api.subscribe('floor:delta', (...args) => heard.push(args));
		emit('floor:delta', { sequence: 1 });
		end();
		emit('floor:delta', { sequence: 2 });
		expect(heard).toEqual([[{ sequence: 1 }]]);
	});

	it('does not listen on other channels', () => {
		expect(() => api.subscribe('floor:snapshot', () => {})).toThrow(TypeError);
		expect(electron.listeners.size).toBe(0);
	});

	it('says once that the page listens, after the first listener is in place', () => {
		api.subscribe('floor:delta', () => {});
		expect(electron.listeners.get('floor:delta')?.size).toBe(1);
		api.subscribe('settings:changed', () => {});
		expect(electron.sent).toEqual([['window:listens']]);
	});
});
