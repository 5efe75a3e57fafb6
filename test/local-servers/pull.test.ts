import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PullProgress, pull } from '../../src/main/local-servers/pull.ts';
import { type LocalServerStub, type StubPull, startLocalServerStub } from '../support/local-server-stub.ts';
import { type JsonRoutes, type JsonServer, startJsonServer } from './json-server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const server of open.splice(0)) await server.close();
});

async function ollama(script: StubPull = {}): Promise<LocalServerStub> {
	const server = await startLocalServerStub({ models: [], pull: script });
	open.push(server);
	return server;
}

async function lmstudio(routes: JsonRoutes): Promise<JsonServer> {
	const server = await startJsonServer(routes);
	open.push(server);
	return server;
}

type Progress = [number | null, string];

function options(progress: Progress[] = [], rest: { signal?: AbortSignal; idleMs?: number } = {}) {
	return {
		signal: new AbortController().signal,
		onProgress: (share: number | null, text: string) => progress.push([share, text]),
		pollMs: 1,
		...rest,
	};
}

describe('Ollama', () => {
	it('tells its progress and ends with success; asking again is done at once', async () => {
		const server = await ollama({ steps: 2, totalBytes: 1000 });
		const progress: Progress[] = [];
		await pull('ollama', server.url, 'coder:30b', options(progress));
		expect(progress).toEqual([
			[null, 'pulling manifest'],
			[0.5, 'pulling 8a1b'],
			[1, 'pulling 8a1b'],
			[1, 'verifying sha256 digest'],
			[1, 'writing manifest'],
			[1, 'done'],
		]);
		await pull('ollama', server.url, 'coder:30b', options());
		const tags = await (await fetch(`${server.url}/api/tags`)).json();
		expect(tags).toMatchObject({ models: [{ name: 'coder:30b' }] });
	});

	it.each([
		['pull model manifest: file does not exist', 'no-such-model'],
		['write /models/x: no space left on device', 'failed'],
		['', 'failed'],
	])('an error in the middle of the stream (%j)', async (message, kind) => {
		const server = await ollama({ errorAfterSteps: { steps: 2, message } });
		await expect(pull('ollama', server.url, 'coder', options())).rejects.toMatchObject({
			name: 'LocalServerError',
			kind,
			said: message,
			message: expect.stringContaining(message || 'did not say why'),
		});
	});

	it.each<[string, (server: LocalServerStub) => void, string, RegExp]>([
		[
			'refuses',
			(server) => server.fail('/api/pull', { status: 400, body: { error: 'invalid name' } }),
			'failed',
			/invalid name/,
		],
		['breaks off before', (server) => server.fail('/api/pull', 'reset'), 'cut', /ask again to go on/],
		[
			'ends without an end',
			(server) =>
				server.handle(
					'/api/pull',
					(_request, response) => void response.end('{"status":"pulling manifest"}\n'),
				),
			'cut',
			/What has come is kept/,
		],
		[
			'breaks off in a line',
			(server) =>
				server.handle('/api/pull', (_request, response) => {
					response.write('{"status":"pulling manifest"}\n{"sta', () => response.destroy());
				}),
			'cut',
			/broke the pull of coder off/,
		],
		[
			'sends a line without end',
			(server) =>
				server.handle('/api/pull', (_request, response) => {
					response.end('x'.repeat(2_000_000));
				}),
			'cut',
			/broke the pull/,
		],
	])('a server that %s', async (_what, spoil, kind, message) => {
		const server = await ollama();
		spoil(server);
		await expect(pull('ollama', server.url, 'coder', options())).rejects.toMatchObject({
			kind,
			message: expect.stringMatching(message),
		});
	});

	it('reads lines that come in pieces, and skips what says nothing', async () => {
		const server = await ollama();
		server.handle('/api/pull', async (_request, response) => {
			const text = '\n[]\nnonsense\n{"status":"läuft"}\n{"status":"success"}';
			for (const byte of Buffer.from(text))
				await new Promise((sent) => response.write(Buffer.from([byte]), sent));
			response.end();
		});
		const progress: Progress[] = [];
		await pull('ollama', server.url, 'coder', options(progress));
		expect(progress).toEqual([
			[null, 'läuft'],
			[1, 'done'],
		]);
	});

	it('silence for too long is a failure', async () => {
		const server = await ollama();
		server.handle(
			'/api/pull',
			(_request, response) => void response.write('{"status":"pulling manifest"}\n'),
		);
		await expect(pull('ollama', server.url, 'coder', options([], { idleMs: 50 }))).rejects.toMatchObject({
			kind: 'timeout',
		});
		server.fail('/api/pull', 'hang');
		await expect(pull('ollama', server.url, 'coder', options([], { idleMs: 50 }))).rejects.toMatchObject({
			kind: 'timeout',
		});
	});

	it('ends with the signal, and the server hears of it', async () => {
		const server = await ollama();
		let heard = false;
		server.handle('/api/pull', (_request, response) => {
			response.on('close', () => {
				heard = true;
			});
			response.write('{"status":"pulling manifest"}\n');
		});
		const end = new AbortController();
		const work = pull('ollama', server.url, 'coder', {
			...options([], { signal: end.signal }),
			onProgress: () => end.abort(),
		});
		await expect(work).rejects.toMatchObject({ kind: 'aborted' });
		await vi.waitFor(() => expect(heard).toBe(true));
	});

	it('nothing listens', async () => {
		const server = await ollama();
		await server.close();
		await expect(pull('ollama', server.url, 'coder', options())).rejects.toMatchObject({ kind: 'absent' });
	});
});

describe('LM Studio', () => {
	const path = '/api/v1/models/download';
	const statusOf = (status: string, bytes: number) => ({
		body: { job_id: 'job_1', status, total_size_bytes: 1000, downloaded_bytes: bytes },
	});

	it('begins a download and follows its job to the end', async () => {
		const steps = [statusOf('downloading', 250), statusOf('paused', 250), statusOf('completed', 1000)];
		const server = await lmstudio({
			[path]: statusOf('downloading', 0),
			[`${path}/status/job_1`]: () => steps.shift() ?? statusOf('completed', 1000),
		});
		const progress: Progress[] = [];
		await pull('lmstudio', server.url, 'openai/gpt-oss-20b', options(progress));
		expect(server.bodies).toEqual([{ model: 'openai/gpt-oss-20b' }]);
		expect(progress).toEqual([
			[null, 'downloading'],
			[0.25, 'downloading'],
			[0.25, 'paused'],
			[1, 'done'],
		]);
	});

	it('is done at once with what is there', async () => {
		const server = await lmstudio({ [path]: { body: { status: 'already_downloaded' } } });
		await pull('lmstudio', server.url, 'm', options());
		expect(server.asked).toEqual([`POST ${path}`]);
	});

	it.each<[string, JsonRoutes, string]>([
		['a download that fails', { [path]: statusOf('failed', 0) }, 'failed'],
		['no job', { [path]: { body: { status: 'downloading' } } }, 'failed'],
		['an older version', { [path]: { body: { error: 'Unexpected endpoint or method.' } } }, 'unsupported'],
		[
			'a model that is not there',
			{ [path]: { status: 404, body: { error: 'model not found' } } },
			'no-such-model',
		],
		['another program', { [path]: { body: '<html>' } }, 'failed'],
	])('%s', async (_what, routes, kind) => {
		const server = await lmstudio(routes);
		await expect(pull('lmstudio', server.url, 'm', options())).rejects.toMatchObject({ kind });
	});

	it('ends with the signal while it waits', async () => {
		const server = await lmstudio({ [path]: statusOf('downloading', 0) });
		const end = new AbortController();
		const work = pull('lmstudio', server.url, 'm', {
			...options([], { signal: end.signal }),
			pollMs: 60_000,
			onProgress: () => end.abort(),
		});
		await expect(work).rejects.toMatchObject({ kind: 'aborted' });
	});

	it('a download that stands still is a failure', async () => {
		const server = await lmstudio({
			[path]: statusOf('downloading', 10),
			[`${path}/status/job_1`]: statusOf('downloading', 10),
		});
		await expect(pull('lmstudio', server.url, 'm', options([], { idleMs: 50 }))).rejects.toMatchObject({
			kind: 'timeout',
		});
	});
});

it.each(['llamacpp', 'vllm', 'openai'] as const)('%s cannot be asked for a download', async (kind) => {
	await expect(pull(kind, 'http://127.0.0.1:9', 'm', options())).rejects.toMatchObject({
		kind: 'unsupported',
		message: expect.stringContaining('Download it where the server runs.'),
	});
});

it('property: progress never falls, and is whole when every layer is', () => {
	const layer = fc
		.record({
			digest: fc.constantFrom('a', 'b', 'c'),
			total: fc.integer({ min: 1, max: 1e12 }),
			part: fc.double({ min: 0, max: 1, noNaN: true }),
		})
		.map(({ digest, total, part }) => ({ digest, total, completed: Math.floor(total * part) }));
	fc.assert(
		fc.property(fc.array(layer, { minLength: 1 }), (layers) => {
			const progress = new PullProgress();
			let last = 0;
			for (const each of layers) {
				progress.add(each);
				const share = progress.share ?? -1;
				expect(share).toBeGreaterThanOrEqual(last);
				expect(share).toBeLessThanOrEqual(1);
				last = share;
			}
			for (const each of layers) progress.add({ ...each, completed: each.total });
			expect(progress.share).toBe(1);
		}),
	);
});
