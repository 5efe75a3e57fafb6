/** Flow of bytes through the gateway: backpressure both ways, bodies and answers of any size. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewayFixture, TOKEN, until } from './gateway-fixture.ts';

let floor: GatewayFixture;
const open: (() => void)[] = [];
beforeEach(async () => {
	floor = await GatewayFixture.start();
});
afterEach(async () => {
	for (const close of open.splice(0)) close();
	await floor.dispose();
});

const MEGABYTE = 1_048_576;

/** An Anthropic stream of text that goes on as long as it is taken; tells how much of it was. */
async function endlessStream(): Promise<{
	readonly url: string;
	written: () => number;
	left: Promise<void>;
}> {
	let written = 0;
	const left = Promise.withResolvers<void>();
	const text = 'x'.repeat(16_384);
	const frame = (event: string, data: object): string =>
		`event: ${event}\ndata: ${JSON.stringify({ type: event, ...data })}\n\n`;
	const delta = frame('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
	const server = createServer((request, response) => {
		request.resume();
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		const usage = { input_tokens: 1, output_tokens: 1 };
		response.write(
			frame('message_start', { message: { id: 'm', role: 'assistant', content: [], model: 'c', usage } }),
		);
		response.write(frame('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }));
		const more = (): void => {
			while (!response.destroyed) {
				written += delta.length;
				if (!response.write(delta)) return void response.once('drain', more);
			}
		};
		response.once('close', () => left.resolve());
		more();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	open.push(() => server.close());
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		written: () => written,
		left: left.promise,
	};
}

describe('backpressure', () => {
	it('a client that does not read stops the provider, and one that leaves then ends it', async () => {
		const source = await endlessStream();
		const provider = { id: 'anthropic', baseUrl: source.url, protocols: ['anthropic-messages' as const] };
		floor.settings = { ...floor.settings, providers: [provider] };
		const body = JSON.stringify({ model: 'c', stream: true, max_tokens: 9_000, messages: [] });
		const socket = connect(floor.port, '127.0.0.1');
		socket.on('error', () => {});
		await once(socket, 'connect');
		socket.write(
			`POST /gateway/${TOKEN}/v1/messages HTTP/1.1\r\nhost: 127.0.0.1:${floor.port}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
		);
		socket.pause();
		await until(() => source.written() > 0);
		// Buffers of the system fill up; after that nothing moves any more.
		let before = -1;
		while (before !== source.written()) {
			before = source.written();
			await new Promise((resolve) => setTimeout(resolve, 300));
		}
		expect(source.written()).toBeLessThan(64 * MEGABYTE);
		// It goes on where it stopped as soon as the client reads again.
		socket.resume();
		await until(() => source.written() > before + 32 * MEGABYTE);
		socket.destroy();
		await source.left;
		await until(() => floor.desk.settled.length === 1);
		expect(floor.desk.outcomes).toEqual(['neutral']);
	});
});

describe('size', () => {
	it('a body of many megabytes arrives whole', async () => {
		const content = 'long '.repeat(4 * MEGABYTE);
		const body = JSON.stringify({
			model: 'c',
			stream: false,
			max_tokens: 9_000,
			messages: [{ role: 'user', content }],
		});
		expect((await floor.send({ path: `/gateway/${TOKEN}/v1/messages`, body }).reply).status).toBe(200);
		expect(floor.provider.calls[0]?.body.byteLength).toBe(body.length);
	});

	it('one beyond the bound is refused in the protocol’s form, from its announced length alone', async () => {
		const call = floor.send({
			path: `/gateway/${TOKEN}/v1/messages`,
			headers: { 'content-length': String(257 * MEGABYTE) },
		});
		const head = await call.head;
		expect(head.statusCode).toBe(413);
		expect((await call.reply).text).toMatch(/256 MB/);
		expect(floor.provider.requests).toEqual([]);
	});
});
