import { afterEach, describe, expect, it, vi } from 'vitest';
import { ModelWarmer, type WarmableModel, type WarmState } from '../../src/main/local-servers/warm.ts';
import type { LocalServerKind } from '../../src/shared/failover-settings.ts';
import { type LocalServerStub, startLocalServerStub } from '../support/local-server-stub.ts';
import { type JsonRoutes, type JsonServer, startJsonServer } from './json-server.ts';

const open: { close(): Promise<void> }[] = [];
const warmers: ModelWarmer[] = [];
afterEach(async () => {
	for (const warmer of warmers.splice(0)) warmer.dispose();
	for (const server of open.splice(0)) await server.close();
});

function warmerAt(url: string | null): { warmer: ModelWarmer; states: WarmState[] } {
	const states: WarmState[] = [];
	const warmer = new ModelWarmer({
		targetOf: () => (url === null ? null : { baseUrl: url, token: null }),
		now: () => 7,
		onState: (state) => states.push(state),
		pollMs: 1,
	});
	warmers.push(warmer);
	return { warmer, states };
}

function modelOf(serverKind: LocalServerKind, model = 'coder:30b'): WarmableModel {
	return { id: `s/${model}`, serverId: 's', serverKind, model, name: model };
}

async function cold(loadMs = 0): Promise<LocalServerStub> {
	const server = await startLocalServerStub({ models: [{ name: 'coder:30b', loaded: false, loadMs }] });
	open.push(server);
	return server;
}

async function json(routes: JsonRoutes): Promise<JsonServer> {
	const server = await startJsonServer(routes);
	open.push(server);
	return server;
}

describe('Ollama', () => {
	it('loads with an empty generation and tells how it goes', async () => {
		const server = await cold();
		const { warmer, states } = warmerAt(server.url);
		expect(await warmer.warm(modelOf('ollama'))).toBe('loaded');
		expect(server.loaded.has('coder:30b')).toBe(true);
		expect(server.requestsTo('/api/generate').map((request) => request.body)).toEqual([
			{ model: 'coder:30b', stream: false, keep_alive: '30m' },
		]);
		expect(states).toEqual([
			{ modelId: 's/coder:30b', state: 'loading', text: 'loading coder:30b', since: 7 },
			{ modelId: 's/coder:30b', state: 'loaded', text: 'coder:30b is loaded', since: 7 },
		]);
		expect(warmer.states()).toEqual([]);
	});

	it('asks for a context only when it is told to', async () => {
		const server = await cold();
		await warmerAt(server.url).warmer.warm(modelOf('ollama'), { contextTokens: 65_536 });
		expect(server.requestsTo('/api/generate')[0]?.body).toMatchObject({ options: { num_ctx: 65_536 } });
	});

	it('loads once for all who wait, and goes on when one of them leaves', async () => {
		const server = await cold();
		let finish = () => {};
		server.handle('/api/generate', (_request, response) => {
			finish = () => response.end('{"done":true}');
		});
		const { warmer, states } = warmerAt(server.url);
		const leaving = new AbortController();
		const left = warmer.warm(modelOf('ollama'), { signal: leaving.signal });
		const stays = warmer.warm(modelOf('ollama'));
		await vi.waitFor(() => expect(server.requestsTo('/api/generate')).toHaveLength(1));
		expect(warmer.states()).toMatchObject([{ state: 'loading' }]);
		leaving.abort();
		await expect(left).rejects.toMatchObject({ kind: 'aborted' });
		finish();
		expect(await stays).toBe('loaded');
		expect(server.requestsTo('/api/generate')).toHaveLength(1);
		expect(states.map((state) => state.state)).toEqual(['loading', 'loaded']);
	});

	it('goes on when everybody has left, and its failure then troubles nobody', async () => {
		const server = await cold();
		server.fail('/api/generate', { status: 500, body: { error: 'out of memory' } });
		const { warmer, states } = warmerAt(server.url);
		const gone = AbortSignal.abort();
		await expect(warmer.warm(modelOf('ollama'), { signal: gone })).rejects.toMatchObject({ kind: 'aborted' });
		await vi.waitFor(() => expect(states.at(-1)?.state).toBe('failed'));
	});

	it('has a budget of its own', async () => {
		const server = await cold();
		server.fail('/api/generate', 'hang');
		const { warmer, states } = warmerAt(server.url);
		await expect(warmer.warm(modelOf('ollama'), { budgetMs: 50 })).rejects.toMatchObject({
			kind: 'timeout',
			message: expect.stringContaining('choose another model'),
		});
		expect(states.at(-1)?.state).toBe('failed');
	});

	it('tries again after a failure', async () => {
		const server = await cold();
		server.fail('/api/generate', { status: 500 });
		const { warmer } = warmerAt(server.url);
		await expect(warmer.warm(modelOf('ollama'))).rejects.toMatchObject({ kind: 'failed' });
		server.heal('/api/generate');
		expect(await warmer.warm(modelOf('ollama'))).toBe('loaded');
	});

	it('ends with dispose', async () => {
		const server = await cold();
		server.fail('/api/generate', 'hang');
		const { warmer } = warmerAt(server.url);
		const load = warmer.warm(modelOf('ollama'));
		warmer.dispose();
		await expect(load).rejects.toMatchObject({ kind: 'aborted' });
	});
});

describe('what goes wrong is said with its reason and its cure', () => {
	it.each<[string, (server: LocalServerStub) => void, string, RegExp]>([
		[
			'no memory',
			(server) =>
				server.fail('/api/generate', { status: 500, body: { error: 'model requires more system memory' } }),
			'failed',
			/could not be loaded by Ollama: model requires more system memory\. Choose a smaller model/,
		],
		['no such model', (server) => server.set({ models: [] }), 'no-such-model', /not on this server any more/],
		['broken off', (server) => server.fail('/api/generate', 'reset'), 'failed', /broke the connection off/],
	])('%s', async (_what, spoil, kind, message) => {
		const server = await cold();
		spoil(server);
		await expect(warmerAt(server.url).warmer.warm(modelOf('ollama'))).rejects.toMatchObject({
			name: 'LocalServerError',
			kind,
			message: expect.stringMatching(message),
		});
	});

	it('the server is not there', async () => {
		const server = await cold();
		await server.close();
		for (const kind of ['ollama', 'lmstudio', 'llamacpp'] as const) {
			await expect(warmerAt(server.url).warmer.warm(modelOf(kind))).rejects.toMatchObject({ kind: 'absent' });
		}
	});

	it('the server is not in the settings', async () => {
		await expect(warmerAt(null).warmer.warm(modelOf('ollama'))).rejects.toMatchObject({ kind: 'absent' });
	});
});

describe('LM Studio', () => {
	it('loads by its own interface', async () => {
		const server = await json({ '/api/v1/models/load': { body: { status: 'loaded', instance_id: 'x' } } });
		expect(await warmerAt(server.url).warmer.warm(modelOf('lmstudio'), { contextTokens: 8192 })).toBe(
			'loaded',
		);
		expect(server.bodies).toEqual([{ model: 'coder:30b', context_length: 8192 }]);
	});

	it.each<[string, JsonRoutes]>([
		['404', {}],
		[
			'status 200 with an error',
			{ '/api/v1/models/load': { body: { error: 'Unexpected endpoint or method.' } } },
		],
	])('an older one (%s) loads with the first request', async (_what, routes) => {
		const { warmer, states } = warmerAt((await json(routes)).url);
		expect(await warmer.warm(modelOf('lmstudio'))).toBe('on-request');
		expect(states.at(-1)?.text).toBe('coder:30b loads when it is asked');
	});

	it('says why it did not', async () => {
		const answer = { status: 404, body: { error: { message: 'Model not found' } } };
		const server = await json({ '/api/v1/models/load': answer });
		await expect(warmerAt(server.url).warmer.warm(modelOf('lmstudio'))).rejects.toMatchObject({
			kind: 'no-such-model',
			said: 'Model not found',
		});
	});
});

describe('llama.cpp', () => {
	const list = (value: string, rest: object = {}) => ({
		body: { data: [{ id: 'coder:30b', status: { value, ...rest } }] },
	});

	it('a router is told to load and watched until it has', async () => {
		const steps = [list('loading'), list('loading'), list('loaded')];
		const server = await json({
			'/models/load': { body: { success: true } },
			'/models': () => steps.shift() ?? list('loaded'),
		});
		expect(await warmerAt(server.url).warmer.warm(modelOf('llamacpp'))).toBe('loaded');
		expect(server.bodies).toEqual([{ model: 'coder:30b' }]);
		expect(steps).toEqual([]);
	});

	it.each([
		['is running', 'loaded'],
		['is already loading', 'loading'],
	])('a router whose model %s says so with an error', async (words, value) => {
		const steps = [list(value)];
		const server = await json({
			'/models/load': { status: 400, body: { error: { message: `model ${words}` } } },
			'/models': () => steps.shift() ?? list('loaded'),
		});
		expect(await warmerAt(server.url).warmer.warm(modelOf('llamacpp'))).toBe('loaded');
	});

	it('a load that fails', async () => {
		const server = await json({
			'/models/load': { body: { success: true } },
			'/models': list('unloaded', { failed: true, exit_code: 137 }),
		});
		await expect(warmerAt(server.url).warmer.warm(modelOf('llamacpp'))).rejects.toMatchObject({
			kind: 'failed',
			message: expect.stringContaining('exit code 137'),
		});
	});

	it('a server of one model is waited for', async () => {
		const steps = [{ status: 503, body: { error: 'Loading model' } }];
		const server = await json({ '/health': () => steps.shift() ?? { body: { status: 'ok' } } });
		expect(await warmerAt(server.url).warmer.warm(modelOf('llamacpp'))).toBe('loaded');
		expect(steps).toEqual([]);
	});
});

it.each([
	['vllm', 'loaded'],
	['openai', 'on-request'],
] as const)('%s is asked nothing', async (kind, outcome) => {
	const server = await json({});
	expect(await warmerAt(server.url).warmer.warm(modelOf(kind))).toBe(outcome);
	expect(server.asked).toEqual([]);
});
