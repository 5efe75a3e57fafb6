/** Each reader against a server on a real port: its own kind, another program, and every way of not answering. */
import { afterEach, describe, expect, it } from 'vitest';
import { LocalHttp } from '../../src/main/local-servers/local-http.ts';
import { createReader } from '../../src/main/local-servers/readers.ts';
import type { ServerReading } from '../../src/main/local-servers/reading.ts';
import type { LocalServerKind } from '../../src/shared/failover-settings.ts';
import { startLocalServerStub } from '../support/local-server-stub.ts';
import { type JsonRoutes, startJsonServer } from './json-server.ts';
import { startTcpServer } from './tcp-server.ts';

const http = new LocalHttp();
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const server of open.splice(0)) await server.close();
});

function keep<T extends { close(): Promise<void> }>(server: T): T {
	open.push(server);
	return server;
}

function read(kind: LocalServerKind, baseUrl: string, signal?: AbortSignal): Promise<ServerReading> {
	return createReader(kind, { http, baseUrl, token: null }).read(signal ?? new AbortController().signal);
}

async function readRoutes(kind: LocalServerKind, routes: JsonRoutes): Promise<ServerReading> {
	return read(kind, keep(await startJsonServer(routes)).url);
}

const kinds: LocalServerKind[] = ['ollama', 'lmstudio', 'llamacpp', 'vllm', 'openai'];

describe('Ollama', () => {
	it('lists chat models with what it knows of each, and asks about a model once', async () => {
		const stub = keep(
			await startLocalServerStub({
				models: [
					{ name: 'coder:30b', contextInUse: 65_536 },
					{ name: 'thinker:8b', loaded: false, thinking: true, tools: false },
					{ name: 'embedder', embedding: true },
					{ name: 'far:120b', remoteHost: 'https://ollama.com' },
				],
				version: '0.14.2',
			}),
		);
		const reader = createReader('ollama', { http, baseUrl: stub.url, token: null });
		const reading = await reader.read(new AbortController().signal);
		expect(reading).toMatchObject({
			state: 'running',
			version: '0.14.2',
			models: [
				{
					model: 'coder:30b',
					loaded: true,
					context: { inUse: 65_536, max: 262_144 },
					tools: true,
					thinking: false,
				},
				{ model: 'thinker:8b', loaded: false, context: { inUse: null }, tools: false, thinking: true },
			],
		});
		await reader.read(new AbortController().signal);
		expect(stub.requestsTo('/api/show').map((request) => request.body)).toEqual([
			{ model: 'coder:30b' },
			{ model: 'thinker:8b' },
			{ model: 'embedder' },
		]);
	});

	it('tells what it has when nothing is told of a model, and asks again at the next look', async () => {
		const stub = keep(await startLocalServerStub({ models: [{ name: 'coder' }] }));
		stub.fail('/api/show', { status: 500 });
		stub.fail('/api/ps', 'reset');
		stub.fail('/api/version', { status: 200, body: 'x' });
		const reader = createReader('ollama', { http, baseUrl: stub.url, token: null });
		const signal = new AbortController().signal;
		expect(await reader.read(signal)).toMatchObject({
			state: 'running',
			version: null,
			models: [{ model: 'coder', loaded: null, tools: null, context: { inUse: null, max: null } }],
		});
		stub.heal('/api/show');
		expect(await reader.read(signal)).toMatchObject({ models: [{ tools: true }] });
	});

	it('lists its models although it hangs on a question about one', async () => {
		const stub = keep(await startLocalServerStub({ models: [{ name: 'coder' }] }));
		const time = new AbortController();
		stub.handle('/api/show', () => time.abort());
		expect(await read('ollama', stub.url, time.signal)).toMatchObject({
			models: [{ model: 'coder', tools: null }],
		});
	});
});

describe('LM Studio', () => {
	const unexpected = { body: { error: 'Unexpected endpoint or method. (GET /api/v1/models)' } };
	const older = { body: { data: [{ id: 'b', type: 'llm', state: 'loaded', loaded_context_length: 8192 }] } };

	it('is asked for the newest list first', async () => {
		const reading = await readRoutes('lmstudio', {
			'/api/v1/models': { body: { models: [{ type: 'llm', key: 'a', loaded_instances: [] }] } },
		});
		expect(reading).toMatchObject({ state: 'running', models: [{ model: 'a', loaded: false }] });
	});

	it.each([
		['a 404', { status: 404, body: 'no' }],
		['status 200 with an error', unexpected],
	])('falls back when the newest is %s', async (_what, first) => {
		const reading = await readRoutes('lmstudio', { '/api/v1/models': first, '/api/v0/models': older });
		expect(reading).toMatchObject({ models: [{ model: 'b', context: { inUse: 8192 } }] });
		const last = await readRoutes('lmstudio', {
			'/api/v1/models': first,
			'/api/v0/models': unexpected,
			'/v1/models': { body: { data: [{ id: 'c' }, { id: 'text-embedding-nomic' }] } },
		});
		expect(last).toMatchObject({ models: [{ model: 'c', loaded: null }] });
	});
});

describe('llama.cpp', () => {
	const health = { body: { status: 'ok' } };
	it('with one model', async () => {
		const reading = await readRoutes('llamacpp', {
			'/health': health,
			'/v1/models': { body: { data: [{ id: 'coder', meta: { n_ctx_train: 262_144 } }] } },
			'/props': { body: { default_generation_settings: { n_ctx: 32_768 }, build_info: 'b9014' } },
		});
		expect(reading).toMatchObject({
			state: 'running',
			version: 'b9014',
			models: [{ model: 'coder', loaded: true, context: { inUse: 32_768, max: 262_144 } }],
		});
	});

	it('while it loads', async () => {
		const loading = { status: 503, body: { error: { code: 503, message: 'Loading model' } } };
		const reading = await readRoutes('llamacpp', { '/health': loading, '/v1/models': loading });
		expect(reading).toEqual({ state: 'loading', version: null, problem: '', models: [] });
	});

	it('as a router: loads nothing by being asked, offers nothing that cannot answer', async () => {
		const status = (value: string, rest: object = {}) => ({ status: { value, ...rest } });
		const server = keep(
			await startJsonServer({
				'/health': health,
				'/v1/models': {
					body: {
						data: [
							{ id: 'org/a:Q4', ...status('loaded') },
							{ id: 'b', ...status('unloaded', { args: ['-c', '16384'] }) },
							{ id: 'c', ...status('unloaded', { failed: true, exit_code: 1 }) },
							{ id: 'd', ...status('downloading') },
							{ id: 'e', ...status('sleeping') },
						],
					},
				},
				'/props': { body: { default_generation_settings: { n_ctx: 8192 } } },
			}),
		);
		expect(await read('llamacpp', server.url)).toMatchObject({
			problem: 'c failed to load (exit code 1); it is not offered.',
			models: [
				{ model: 'org/a:Q4', loaded: true, context: { inUse: 8192 } },
				{ model: 'b', loaded: false, context: { inUse: 16_384 } },
				{ model: 'e', loaded: false },
			],
		});
		const props = server.asked.filter((asked) => asked.includes('/props'));
		expect(props).toEqual(['GET /props?model=org%2Fa%3AQ4&autoload=false']);
	});
});

describe('vLLM', () => {
	const list = { body: { data: [{ id: 'acme/coder', max_model_len: 131_072 }] } };
	it('tells the context and the version', async () => {
		const routes = {
			'/v1/models': list,
			'/health': { body: '' },
			'/version': { body: { version: '0.32.0' } },
		};
		expect(await readRoutes('vllm', routes)).toMatchObject({
			state: 'running',
			version: '0.32.0',
			models: [{ model: 'acme/coder', loaded: true, context: { inUse: 131_072 } }],
		});
	});

	it('offers nothing when its engine has died', async () => {
		const reading = await readRoutes('vllm', { '/v1/models': list, '/health': { status: 503, body: '' } });
		expect(reading).toMatchObject({ state: 'unreadable', problem: expect.stringContaining('status 503') });
	});
});

describe.each(kinds)('%s: what is not such a server', (kind) => {
	it('nothing listens: absent', async () => {
		const server = await startTcpServer(() => undefined);
		await server.close();
		expect(await read(kind, server.url)).toEqual({ state: 'absent' });
	});

	it.each<[string, JsonRoutes[string], RegExp]>([
		['HTML', { body: '<html>Jenkins</html>' }, /another program has this port/],
		['an empty answer', { body: '' }, /another program|no JSON/],
		['JSON of another shape', { body: { hello: 'world' } }, /another shape/],
		['a list', { body: [1, 2] }, /another shape/],
		['models that are no list', { body: { models: 'x', data: 7 } }, /another shape/],
		['404 everywhere', { status: 404, body: { error: 'no such page' } }, /status 404, "no such page"/],
		['500 everywhere', { status: 500, body: 'boom' }, /status 500, "boom"/],
		['503 without a word', { status: 503, body: '' }, /status 503/],
		['a token is wanted', { status: 401, body: {} }, /wants a token/],
	])('%s: unreadable, with a sentence that says so', async (_what, answer, sentence) => {
		const server = keep(await startJsonServer(everything(answer)));
		const reading = await read(kind, server.url);
		expect(reading).toMatchObject({ state: 'unreadable', problem: expect.stringMatching(sentence) });
	});

	it('a redirect is not followed', async () => {
		const other = keep(await startJsonServer({}));
		const answer = { status: 302, headers: { location: `${other.url}/api/tags` } };
		const server = keep(await startJsonServer(everything(answer)));
		expect(await read(kind, server.url)).toMatchObject({ state: 'unreadable' });
		expect(other.asked).toEqual([]);
	});

	it.each<[string, Parameters<typeof startTcpServer>[0]]>([
		['closes at once', (socket) => socket.destroy()],
		['half-closes without a word', (socket) => socket.end()],
		['speaks another protocol', (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
		['breaks off in the head', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le')],
		[
			'breaks off in the body',
			(socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"models":['),
		],
	])('%s: unreadable', async (_what, onConnection) => {
		const server = keep(await startTcpServer(onConnection));
		expect(await read(kind, server.url)).toMatchObject({
			state: 'unreadable',
			problem: expect.stringContaining('No model of it is offered.'),
		});
	});

	it.each<[string, Parameters<typeof startTcpServer>[0]]>([
		['never answers', () => undefined],
		['stops in the body', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{')],
	])('%s: ends with its time', async (_what, onConnection) => {
		const time = new AbortController();
		const server = keep(
			await startTcpServer((socket) => {
				onConnection(socket);
				socket.once('data', () => time.abort());
			}),
		);
		expect(await read(kind, server.url, time.signal)).toMatchObject({
			state: 'unreadable',
			problem: expect.stringContaining('no answer in time'),
		});
	});

	it('answers without end: cut at its limit', async () => {
		const server = keep(
			await startTcpServer((socket) => {
				socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[');
				const more = () => {
					while (!socket.destroyed && socket.write(' '.repeat(65_536)));
				};
				socket.on('drain', more);
				more();
			}),
		);
		expect(await read(kind, server.url)).toMatchObject({
			state: 'unreadable',
			problem: expect.stringContaining('larger than 8 MB'),
		});
	});
});

/** The same answer at every path that is asked. */
function everything(answer: JsonRoutes[string]): JsonRoutes {
	return new Proxy({}, { get: () => answer });
}
