/** A stopped agent reaches its provider through no door and in no form; everybody else does. */
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer } from '../support/provider-stub/steps.ts';
import { GatewayFixture, TOKEN } from './gateway-fixture.ts';

let floor: GatewayFixture;
beforeEach(async () => {
	floor = await GatewayFixture.start();
});
afterEach(async () => {
	expect(floor.unexpected).toEqual([]);
	await floor.dispose();
});

const asked = { model: 'm', max_tokens: 4_000, messages: [{ role: 'user', content: 'Hi' }] };
const json = JSON.stringify(asked);
const marked = `\ufeff${json}`;
const uuid = '01234567-89ab-cdef-0123-456789abcdef';

const calls: readonly (readonly [string, string, string, string | Buffer])[] = [
	['a turn', 'POST', '/v1/messages', json],
	['a byte order mark', 'POST', '/v1/messages', marked],
	['an array', 'POST', '/v1/messages', `[${json}]`],
	['no JSON', 'POST', '/v1/messages', '{"model": broken'],
	['nothing', 'POST', '/v1/messages', ''],
	['escapes', 'POST', '/v1/%6dessages', json],
	['a slash', 'POST', '/v1/messages/', json],
	['a compaction', 'POST', '/v1/responses/compact', json],
	['a batch', 'POST', '/v1/messages/batches', json],
	['completions', 'POST', '/v1/completions', json],
	['a token count', 'POST', '/v1/messages/count_tokens', json],
	['a list', 'GET', '/v1/models', ''],
];

describe('a stopped agent', () => {
	it.each(calls)('is refused with %s: %s %s', async (_name, method, path, body) => {
		floor.stop();
		const reply = await floor.send({ method, path: `/gateway/${TOKEN}${path}`, body }).reply;
		expect([reply.status, reply.headers['x-should-retry']]).toEqual([expect.any(Number), 'false']);
		expect(reply.text).toMatch(/operator stopped this agent/);
		expect(floor.provider.requests).toEqual([]);
	});

	it('that names its session in the body alone is refused as well', async () => {
		floor.agents.set(`curl ${uuid}`, { agentId: 'a1', agentName: 'App', workspace: '/w' });
		floor.refusal = 'The operator stopped this agent.';
		const headers = { 'user-agent': 'curl/8', 'x-claude-code-session-id': '' };
		const path = `/gateway/${TOKEN}/v1/responses/compact`;
		const body = JSON.stringify({ prompt_cache_key: uuid });
		expect((await floor.send({ path, headers, body }).reply).text).toMatch(/operator stopped/);
		const packed = { ...headers, 'content-encoding': 'gzip' };
		expect((await floor.send({ path, headers: packed, body: gzipSync(body) }).reply).text).toMatch(/stopped/);
		expect(floor.provider.requests).toEqual([]);
	});

	it('may ask whether anybody is there', async () => {
		floor.stop();
		expect((await floor.send({ method: 'HEAD', path: `/gateway/${TOKEN}/api/hello` }).reply).status).toBe(
			200,
		);
	});
});

describe('a body with a byte order mark', () => {
	it.each([
		['plain', (text: string) => Buffer.from(text), {}],
		['compressed', (text: string) => gzipSync(text), { 'content-encoding': 'gzip' }],
	])('is a turn like any other (%s), and its bytes go on unchanged', async (_name, written, headers) => {
		floor.provider.respond(answer({ text: 'Hello.' }));
		const body = written(marked);
		const path = `/gateway/${TOKEN}/v1/messages`;
		expect((await floor.send({ path, body, headers }).reply).text).toMatch(/Hello/);
		expect(floor.desk.routed).toMatchObject([{ model: 'm', maxOutputTokens: 4_000 }]);
		expect(floor.provider.calls[0]?.body.equals(body)).toBe(true);
	});
});
