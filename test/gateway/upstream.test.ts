import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Upstream, type UpstreamHead } from '../../src/main/gateway/upstream.ts';
import { answer, keepAliveReset, reset } from '../support/provider-stub/steps.ts';
import { startProviderStub } from '../support/provider-stub.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
	for (const close of open.splice(0).reverse()) await close();
});

function upstream(connectTimeoutMs?: number): Upstream {
	const made = new Upstream(connectTimeoutMs);
	open.push(() => made.close());
	return made;
}

interface Seen {
	readonly head: UpstreamHead | null;
	readonly body: string;
	readonly error: NodeJS.ErrnoException | null;
}

function call(
	through: Upstream,
	origin: string,
	times: { headersTimeoutMs?: number; idleTimeoutMs?: number } = {},
): Promise<Seen> {
	return new Promise((resolve) => {
		let head: UpstreamHead | null = null;
		const chunks: Uint8Array[] = [];
		const end = (error: Error | null): void =>
			resolve({ head, body: Buffer.concat(chunks).toString(), error });
		through.call(
			{
				target: { origin, path: '/v1/messages' },
				method: 'POST',
				headers: ['content-type', 'application/json'],
				body: Buffer.from('{"stream":false}'),
				headersTimeoutMs: times.headersTimeoutMs ?? 0,
				idleTimeoutMs: times.idleTimeoutMs ?? 0,
			},
			{
				onHead: (came) => {
					head = came;
				},
				onData: (chunk) => chunks.push(chunk),
				onEnd: () => end(null),
				onError: end,
			},
		);
	});
}

async function tcp(serve: (socket: Socket, number: number) => void): Promise<string> {
	let number = 0;
	const sockets = new Set<Socket>();
	const server = createTcpServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => {});
		number += 1;
		serve(socket, number);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	open.push(() => {
		for (const socket of sockets) socket.destroy();
		return new Promise((resolve) => server.close(resolve));
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function http(listener: Parameters<typeof createServer>[1]): Promise<string> {
	const server: Server = createServer(listener);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	open.push(() => {
		server.closeAllConnections();
		return new Promise((resolve) => server.close(resolve));
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('connections', () => {
	it('are used again', async () => {
		const stub = await startProviderStub();
		open.push(() => stub.close());
		const through = upstream();
		for (let times = 0; times < 4; times += 1) await call(through, stub.url);
		expect(stub.calls.map(({ connection }) => connection)).toEqual([1, 1, 1, 1]);
	});

	it('carry one call each: a call never waits for another', async () => {
		const gates: (() => void)[] = [];
		const origin = await http((_request, response) => gates.push(() => response.end('ok')));
		const through = upstream();
		const calls = [call(through, origin), call(through, origin), call(through, origin)];
		while (gates.length < 3) await new Promise((resolve) => setImmediate(resolve));
		for (const gate of gates.reverse()) gate();
		expect((await Promise.all(calls)).map(({ body }) => body)).toEqual(['ok', 'ok', 'ok']);
	});

	it('that had gone stale are tried once more on a fresh one, unseen', async () => {
		const stub = await startProviderStub();
		open.push(() => stub.close());
		stub.respond(keepAliveReset(answer({ text: 'Hello.' })));
		const through = upstream();
		expect((await call(through, stub.url)).head?.status).toBe(200);
		expect((await call(through, stub.url)).body).toMatch(/Hello/);
		expect(stub.calls.map(({ connection }) => connection)).toEqual([1, 1, 2]);
	});

	it('that are fresh and reset are reported: nothing is asked twice', async () => {
		const stub = await startProviderStub();
		open.push(() => stub.close());
		stub.respond(reset());
		const { error } = await call(upstream(), stub.url);
		expect(error?.code).toBe('ECONNRESET');
		expect(stub.calls).toHaveLength(1);
	});

	it('that are reset twice are reported after the one retry', async () => {
		const stub = await startProviderStub();
		open.push(() => stub.close());
		const through = upstream();
		await call(through, stub.url);
		stub.respond(reset());
		expect((await call(through, stub.url)).error?.code).toBe('ECONNRESET');
		expect(stub.calls).toHaveLength(3);
	});

	it('on which part of an answer came are never asked again', async () => {
		const origin = await tcp((socket) => {
			let requests = 0;
			socket.on('data', () => {
				requests += 1;
				if (requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
				else socket.write('HTTP/1.1 200 OK\r\ncontent-le', () => socket.resetAndDestroy());
			});
		});
		const through = upstream();
		await call(through, origin);
		expect((await call(through, origin)).error).not.toBeNull();
	});
});

describe('failures have their codes', () => {
	it('nobody listens', async () => {
		const stub = await startProviderStub();
		await stub.close();
		expect((await call(upstream(), stub.url)).error?.code).toBe('ECONNREFUSED');
	});

	it('no such name', async () => {
		expect((await call(upstream(), 'http://provider.invalid')).error?.code).toMatch(/ENOTFOUND|EAI_AGAIN/);
	});

	it('no TLS where it is expected', async () => {
		const stub = await startProviderStub();
		open.push(() => stub.close());
		expect((await call(upstream(), stub.tlsUrl)).error?.code).toMatch(/^ERR_SSL_|EPROTO|ECONNRESET/);
	});

	it('no head in time, and silence in the answer', async () => {
		const origin = await tcp((socket, number) => {
			socket.on('data', () => {
				if (number === 2) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf');
			});
		});
		const through = upstream();
		expect((await call(through, origin, { headersTimeoutMs: 50 })).error?.code).toBe(
			'UND_ERR_HEADERS_TIMEOUT',
		);
		const cut = await call(through, origin, { idleTimeoutMs: 50 });
		expect([cut.body, cut.error?.code]).toEqual(['half', 'UND_ERR_BODY_TIMEOUT']);
	});

	it('an answer shorter than announced', async () => {
		const origin = await tcp((socket) => {
			socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'));
		});
		const cut = await call(upstream(), origin);
		expect([cut.body, cut.error === null]).toEqual(['half', false]);
	});
});

describe('heads', () => {
	it('of 1xx are skipped, of the answer come with case and repetition', async () => {
		const origin = await http((_request, response) => {
			response.writeProcessing();
			response.writeHead(201, ['X-Case', 'a', 'Set-Cookie', 'b=1', 'Set-Cookie', 'c=ü']);
			response.end();
		});
		const { head } = await call(upstream(), origin);
		expect(head?.status).toBe(201);
		expect(head?.headers).toEqual(expect.arrayContaining(['X-Case', 'a', 'Set-Cookie', 'b=1', 'c=ü']));
	});
});
