import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, bytes, compressed, status } from '../support/provider-stub/steps.ts';
import { GatewayFixture, SECRET, TOKEN, until } from './gateway-fixture.ts';

let floor: GatewayFixture;
beforeEach(async () => {
	floor = await GatewayFixture.start();
});
afterEach(async () => {
	expect(floor.unexpected).toEqual([]);
	await floor.dispose();
});

const chat = { model: 'gpt-5.2', stream: true, messages: [{ role: 'user', content: 'Hi' }] };
const responses = { model: 'gpt-5.2-codex', stream: true, input: 'Hi' };

describe('the token in the path', () => {
	it.each([
		['/v1/messages', { type: 'error' }],
		['/v1/chat/completions', { error: { message: expect.any(String) } }],
		['/v1/responses', { error: { message: expect.any(String) } }],
		['/v1/models', { type: 'error' }],
	])('that is wrong is refused on %s in the protocol’s form, before the body is read', async (path, form) => {
		for (const token of ['wrong', `${TOKEN}x`, TOKEN.slice(1), '']) {
			const call = floor.send({ path: `/gateway/${token}${path}`, headers: { 'content-length': '1000000' } });
			const head = await call.head;
			expect(head.statusCode).toBe(401);
			expect(head.headers.connection).toBe('close');
			const reply = await call.reply.catch(() => null);
			if (reply) expect(JSON.parse(reply.text)).toMatchObject(form);
			call.leave();
		}
		expect(floor.provider.requests).toEqual([]);
	});
});

describe('the doors', () => {
	it.each([
		['/v1/messages', 'anthropic-messages', { ...chat, max_tokens: 5_000 }],
		['/v1/messages?beta=true', 'anthropic-messages', { ...chat, max_tokens: 5_000 }],
		['/v1/chat/completions', 'openai-chat', chat],
		['/v1/responses', 'openai-responses', responses],
		['/v1/v1/messages', 'anthropic-messages', { ...chat, max_tokens: 5_000 }],
		['/responses', 'openai-responses', responses],
	])('%s is a turn of %s', async (path, protocol, fields) => {
		floor.provider.respond(answer({ text: 'Hello.' }));
		const reply = await floor.send({ path: `/gateway/${TOKEN}${path}`, body: JSON.stringify(fields) }).reply;
		expect(reply.status).toBe(200);
		expect(reply.text).toMatch(/Hello\./);
		expect(floor.desk.routed).toMatchObject([{ protocol, isStream: true, model: fields.model }]);
		expect(floor.provider.calls[0]?.path).toBe(path.replace(/^(\/v1)*/, '/v1'));
		expect(floor.desk.outcomes).toEqual(['ok']);
	});

	it('says hello itself', async () => {
		for (const [method, path] of [
			['HEAD', ''],
			['HEAD', '/'],
			['HEAD', '/api/hello'],
			['GET', '/api/hello'],
		] as const) {
			expect((await floor.send({ method, path: `/gateway/${TOKEN}${path}` }).reply).status).toBe(200);
		}
		expect(floor.provider.requests).toEqual([]);
	});

	it('passes other paths of the service through, and no turn is made of them', async () => {
		const reply = await floor.send({ method: 'GET', path: `/gateway/${TOKEN}/v1/models?limit=1000` }).reply;
		expect(JSON.parse(reply.text).data[0].id).toBe('claude-sonnet-4-5');
		expect(floor.provider.requests[0]).toMatchObject({ method: 'GET', path: '/v1/models?limit=1000' });
		await floor.send({ method: 'DELETE', path: `/gateway/${TOKEN}/v1/files/f1` }).reply;
		expect(floor.provider.requests[1]).toMatchObject({ method: 'DELETE', path: '/v1/files/f1' });
		expect(floor.desk.routed).toEqual([]);
	});

	it.each(['/v2/messages', '/metrics', '/v1'])('knows no %s', async (path) => {
		const reply = await floor.send({ path: `/gateway/${TOKEN}${path}`, body: '{}' }).reply;
		expect(reply.status).toBe(404);
		expect(JSON.parse(reply.text)).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
	});

	it('counts tokens at the provider without ever holding', async () => {
		const path = `/gateway/${TOKEN}/v1/messages/count_tokens`;
		const body = JSON.stringify({ model: 'claude-sonnet-4-5', messages: [] });
		expect(JSON.parse((await floor.send({ path, body }).reply).text)).toEqual({
			input_tokens: expect.any(Number),
		});
		expect(floor.desk.routed).toMatchObject([{ isAuxiliary: true, isStream: false }]);
		await floor.provider.goDark();
		expect((await floor.send({ path, body }).reply).status).toBe(502);
		expect(floor.desk.failures).toEqual([]);
	});

	it('counts tokens locally where the server can', async () => {
		const path = `/gateway/${TOKEN}/v1/messages/count_tokens`;
		const body = JSON.stringify({ model: 'claude-sonnet-4-5', messages: [] });
		floor.desk.nextRoute = { to: 'local', model: floor.model({ serverKind: 'vllm' }), isFirst: false };
		expect(JSON.parse((await floor.send({ path, body }).reply).text)).toHaveProperty('input_tokens');
		floor.desk.nextRoute = { to: 'local', model: floor.model(), isFirst: false };
		const reply = await floor.send({ path, body }).reply;
		expect([reply.status, reply.text]).toEqual([404, expect.stringMatching(/cannot count tokens/)]);
		expect(floor.modelCalls).toEqual([]);
	});
});

describe('what goes to the provider', () => {
	it('is the very bytes that came, with every header but those of the connection', async () => {
		const body =
			'{ "model":"claude-sonnet-4-5" , "max_tokens":9000,\n "messages":[],"future_field":{"ü":1e400}}';
		await floor.send({
			path: `/gateway/${TOKEN}/v1/messages`,
			body,
			headers: {
				'anthropic-beta': 'one,two',
				'x-future': 'kept',
				'accept-encoding': 'gzip, br',
				connection: 'keep-alive, x-hop',
				'x-hop': 'dropped',
				'x-agent-floor-session': 'ours',
				te: 'trailers',
			},
		}).reply;
		const [sent] = floor.provider.calls;
		expect(sent?.body.toString()).toBe(body);
		expect(sent?.headers).toMatchObject({
			'anthropic-beta': 'one,two',
			'x-future': 'kept',
			'x-api-key': SECRET,
			'accept-encoding': 'identity',
			host: new URL(floor.provider.url).host,
			'content-length': String(Buffer.byteLength(body)),
		});
		for (const name of ['x-hop', 'te', 'x-agent-floor-session'])
			expect(sent?.headers).not.toHaveProperty(name);
	});

	it.each([
		['gzip', gzipSync],
		['zstd', zstdCompressSync],
	] as const)('stays compressed (%s), but is read for what it asks', async (encoding, compress) => {
		const body = compress(JSON.stringify({ ...chat, max_tokens: 5_000 }));
		const headers = { 'content-encoding': encoding };
		await floor.send({ path: `/gateway/${TOKEN}/v1/messages`, body, headers }).reply;
		expect(floor.desk.routed).toMatchObject([{ model: 'gpt-5.2' }]);
		expect(floor.provider.calls[0]?.body.equals(body)).toBe(true);
		expect(floor.provider.calls[0]?.headers['content-encoding']).toBe(encoding);
	});

	it.each(['{"model": broken', '[]', ''])('is passed through when it cannot be read (%j)', async (body) => {
		floor.provider.respond(status(400, { message: 'no JSON' }));
		const reply = await floor.send({ path: `/gateway/${TOKEN}/v1/messages`, body }).reply;
		expect([reply.status, JSON.parse(reply.text).error.message]).toEqual([400, 'no JSON']);
		expect(floor.desk.routed).toEqual([]);
	});

	it('keeps headers of the answer as they came, also repeated ones', async () => {
		const body = Buffer.from('{"type":"error","error":{"type":"not_found_error","message":"ü"}}');
		floor.provider.respond(bytes(404, { 'x-Weird-Case': 'a', 'retry-after': '3', date: 'then' }, body));
		const reply = await floor.ask().reply;
		expect(reply.rawHeaders).toEqual(
			expect.arrayContaining(['x-Weird-Case', 'a', 'retry-after', '3', 'then']),
		);
		expect(reply.body.equals(body)).toBe(true);
	});

	it('comes back compressed and untouched when the provider compresses all the same', async () => {
		floor.provider.respond((call) => compressed({ text: 'packed' })({ ...call, acceptsGzip: true }));
		const reply = await floor.ask().reply;
		expect(reply.headers['content-encoding']).toBe('gzip');
		expect([reply.body[0], reply.body[1]]).toEqual([0x1f, 0x8b]);
		expect(floor.desk.outcomes).toEqual(['ok']);
	});
});

describe('the provider', () => {
	it('is the one that the address names, else the first that serves the protocol', async () => {
		const second = { id: 'other', baseUrl: `${floor.local.url}/v1/`, protocols: ['openai-chat' as const] };
		floor.settings = { ...floor.settings, providers: [...floor.settings.providers, second] };
		const body = JSON.stringify(chat);
		await floor.send({ path: `/gateway/${TOKEN}/to/other/v1/chat/completions`, body }).reply;
		expect(floor.local.calls.map(({ path }) => path)).toEqual(['/v1/chat/completions']);
		await floor.send({ path: `/gateway/${TOKEN}/as/me/v1/chat/completions`, body }).reply;
		expect(floor.provider.calls).toHaveLength(1);
		expect(floor.desk.routed.map(({ providerId }) => providerId)).toEqual(['other', 'anthropic']);
	});

	it('that nobody set up is a clear error', async () => {
		const reply = await floor.ask({ under: '/to/nowhere' }).reply;
		expect([reply.status, reply.text]).toEqual([
			404,
			expect.stringMatching(/no provider \\"nowhere\\".*anthropic/),
		]);
		floor.settings = { ...floor.settings, providers: [] };
		expect((await floor.ask().reply).text).toMatch(/No provider serves anthropic-messages/);
	});

	it.each(['127.0.0.1', 'localhost', '[::1]', '127.1', '0.0.0.0'])(
		'at %s with our port is refused as a loop',
		async (host) => {
			const loop = {
				id: 'loop',
				baseUrl: `http://${host}:${floor.port}/gateway/x`,
				protocols: ['anthropic-messages' as const],
			};
			floor.settings = { ...floor.settings, providers: [loop] };
			const reply = await floor.ask().reply;
			expect([reply.status, reply.headers['x-should-retry']]).toEqual([400, 'false']);
			expect(reply.text).toMatch(/Agent Floor itself/);
		},
	);

	it('that is local and loops is a failure of the local model', async () => {
		floor.settings = {
			...floor.settings,
			localServers: [{ id: 'ollama', kind: 'ollama', baseUrl: `http://127.0.0.1:${floor.port}` }],
		};
		floor.desk.nextRoute = { to: 'local', model: floor.model(), isFirst: false };
		const call = floor.ask();
		await floor.desk.asked(1);
		expect(floor.desk.localFailures[0]).toMatch(/Agent Floor itself/);
		floor.desk.decide({ kind: 'give-up', why: 'no-local-fit' });
		expect((await call.reply).status).toBe(502);
	});
});

describe('secrets', () => {
	it('are in nothing that the gateway tells or keeps for show', async () => {
		await floor.ask().reply;
		floor.provider.respond(status(500));
		const call = floor.ask();
		await floor.desk.asked(1);
		floor.desk.decide(floor.local30b());
		await call.reply;
		const { desk, modelCalls, turns, credentials, unexpected } = floor;
		const told = [
			desk.routed,
			desk.settled,
			desk.failures,
			desk.improvable,
			modelCalls,
			turns.of('turn-2'),
			unexpected,
		];
		expect(JSON.stringify([told, credentials])).not.toContain(SECRET);
		expect(JSON.stringify([told, credentials])).not.toContain(TOKEN);
		expect(
			credentials.of({ sessionKey: 's1', providerId: 'anthropic', baseUrl: floor.provider.url }),
		).toContain(SECRET);
	});
});

describe('a fault of our own', () => {
	it('is reported, and the client is not blamed nor left waiting', async () => {
		floor.desk.route = () => {
			throw new Error('a bug');
		};
		const reply = await floor.ask().reply;
		expect(reply.status).toBe(500);
		expect(JSON.parse(reply.text)).toMatchObject({ type: 'error' });
		await until(() => floor.unexpected.length === 1);
		floor.unexpected.length = 0;
	});
});
