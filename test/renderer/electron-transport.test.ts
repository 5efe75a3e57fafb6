import { describe, expect, it } from 'vitest';
import { ElectronTransport } from '../../src/renderer/transport/electron-transport.ts';
import type { RequestChannel } from '../../src/shared/channels.ts';
import type { WindowApi, WindowReply } from '../../src/shared/window-api.ts';

const error = {
	code: 'not-possible',
	message: 'It has exited.',
	meaning: 'Nothing was done.',
	remedy: 'None.',
} as const;

function transportOver(reply: () => Promise<unknown>) {
	const asked: unknown[] = [];
	const api: WindowApi = {
		request: <C extends RequestChannel>(channel: C, input: unknown) => {
			asked.push([channel, input]);
			return reply() as Promise<WindowReply<C>>;
		},
		subscribe: () => () => {},
	};
	return { transport: new ElectronTransport(api), asked };
}

describe('the window inside Electron', () => {
	it('unwraps answers', async () => {
		const { transport, asked } = transportOver(async () => ({ ok: true, output: { agents: 5 } }));
		expect(await transport.request('demo:start', {})).toEqual({ agents: 5 });
		expect(asked).toEqual([['demo:start', {}]]);
	});

	it('turns an error envelope into a rejection that keeps every field', async () => {
		const { transport } = transportOver(async () => ({ ok: false, error }));
		await expect(transport.request('demo:start', {})).rejects.toMatchObject({
			name: 'ChannelError',
			data: error,
		});
	});

	it('says what a failing bridge means', async () => {
		const { transport } = transportOver(async () => {
			throw new Error('no handler registered');
		});
		await expect(transport.request('demo:start', {})).rejects.toMatchObject({
			data: { code: 'internal', message: expect.stringContaining('no handler registered') },
		});
	});

	it('is connected from the start', () => {
		const states: string[] = [];
		transportOver(async () => null).transport.onConnection((state) => states.push(state));
		expect(states).toEqual(['connected']);
	});
});
