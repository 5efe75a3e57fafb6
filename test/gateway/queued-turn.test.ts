import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CredentialKeeper, type CredentialPlace } from '../../src/main/gateway/credentials.ts';
import { protocols } from '../../src/main/gateway/protocols/all.ts';
import { CloudAsker, type CloudTurn } from '../../src/main/gateway/queued-turn.ts';
import { TurnKeeper } from '../../src/main/gateway/turn-keeper.ts';
import { Upstream } from '../../src/main/gateway/upstream.ts';
import type { ProtocolId } from '../../src/shared/failover-settings.ts';
import { answer, bytes, emptyAnswer, stall, status } from '../support/provider-stub/steps.ts';
import { type ProviderStub, startProviderStub } from '../support/provider-stub.ts';

let stub: ProviderStub;
let now = 0;
let environment: Record<string, string> = {};
const upstream = new Upstream();
const credentials = new CredentialKeeper(() => now);
const asker = new CloudAsker({
	upstream,
	credentials,
	environment: (name) => environment[name],
	now: () => 0,
});

beforeEach(async () => {
	stub = await startProviderStub();
	environment = {};
	now = 0;
	credentials.remember(placeOf('s1', 'anthropic', stub.url), true, [
		'x-api-key',
		'of-the-agent',
		'anthropic-version',
		'2023-06-01',
	]);
});
afterEach(async () => {
	await stub.close();
});

const paths: Record<ProtocolId, string> = {
	'anthropic-messages': '/v1/messages?beta=true',
	'openai-chat': '/v1/chat/completions',
	'openai-responses': '/v1/responses',
};

function turn(fields: Partial<CloudTurn> = {}, protocol: ProtocolId = 'anthropic-messages'): CloudTurn {
	return {
		provider: { id: 'anthropic', name: 'Anthropic', baseUrl: stub.url, protocols: [protocol] },
		protocol: protocols[protocol],
		path: paths[protocol],
		body: Buffer.from(
			'{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[],"kept":1}',
		),
		sessionKey: 's1',
		...fields,
	};
}

function placeOf(sessionKey: string, providerId: string, baseUrl: string): CredentialPlace {
	return { sessionKey, providerId, baseUrl };
}

const never = new AbortController().signal;

describe('a turn without its agent', () => {
	it.each(Object.keys(paths) as ProtocolId[])(
		'is asked whole over %s, with its key and the session’s credentials',
		async (protocol) => {
			stub.respond(answer({ text: 'The better answer.' }));
			expect(await asker.askCloud(turn({}, protocol), 'key-1', never)).toMatchObject({
				text: 'The better answer.',
				model: expect.stringMatching(/./),
			});
			const [sent] = stub.calls;
			expect(sent?.headers).toMatchObject({ 'idempotency-key': 'key-1', 'x-api-key': 'of-the-agent' });
			expect(sent?.json).toEqual({ model: 'm', stream: false, messages: [], kept: 1 });
		},
	);

	it('of a session that is gone is sent with the floor’s own key, where there is one, and waits otherwise', async () => {
		const gone = turn({ sessionKey: 'gone' });
		expect(await asker.askCloud(gone, 'k', never)).toMatchObject({ lacksCredentials: true, lost: false });
		expect(stub.requests).toEqual([]);
		environment = { FLOOR_KEY: 'of-the-floor' };
		const provider = { ...gone.provider, credentialEnv: 'FLOOR_KEY' };
		expect(await asker.askCloud({ ...gone, provider }, 'k', never)).toHaveProperty('text');
		expect(stub.calls[0]?.headers['x-api-key']).toBe('of-the-floor');
		await asker.askCloud({ ...turn({ sessionKey: 'gone' }, 'openai-chat'), provider }, 'k', never);
		expect(stub.calls[1]?.headers.authorization).toBe('Bearer of-the-floor');
	});

	it.each([
		['529', status(529, { headers: { 'retry-after': '9' } }), { lost: true, retryAfterMs: 9_000 }],
		['429', status(429, { headers: { 'retry-after': '3' } }), { lost: true, retryAfterMs: 3_000 }],
		['400', status(400), { lost: false, retryAfterMs: null }],
		['401', status(401), { lost: false, retryAfterMs: null }],
		['an empty 200', emptyAnswer(), { lost: true, retryAfterMs: null }],
	] as const)('that gets %s says so', async (_name, step, problem) => {
		stub.respond(step);
		expect(await asker.askCloud(turn(), 'k', never)).toMatchObject({ ...problem, lacksCredentials: false });
	});

	it('whose key is repeated in the provider’s error never shows it', async () => {
		stub.respond(
			status(401, { message: 'Incorrect key of-the-agent, Bearer abcdef123456, sk-proj-12345678' }),
		);
		const answered = await asker.askCloud(turn(), 'k', never);
		expect(answered).toMatchObject({ problem: expect.stringMatching(/Incorrect key \[credential\]/) });
		expect(JSON.stringify(answered)).not.toMatch(/of-the-agent|abcdef123456|sk-proj/);
	});

	it('that is answered compressed is read all the same', async () => {
		for (const isGood of [true, false]) {
			const message = {
				type: 'message',
				role: 'assistant',
				model: 'm',
				content: [{ type: 'text', text: 'Zipped.' }],
			};
			const error = { type: 'error', error: { type: 'api_error', message: 'Zipped.' } };
			const body = gzipSync(JSON.stringify(isGood ? { ...message, stop_reason: 'end_turn' } : error));
			const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
			stub.respond(bytes(isGood ? 200 : 500, headers, body));
			expect(JSON.stringify(await asker.askCloud(turn(), 'k', never))).toMatch(/Zipped\./);
		}
	});

	it('of a caller that names no session waits when nobody can tell whose it is, and says how to cure that', async () => {
		const place = placeOf('unattributed curl', 'anthropic', stub.url);
		for (const key of ['of-one', 'of-two']) credentials.remember(place, false, ['x-api-key', key]);
		expect(await asker.askCloud(turn({ sessionKey: 'unattributed curl' }), 'k', never)).toMatchObject({
			lacksCredentials: true,
			problem: expect.stringMatching(/cannot tell whose.*\/as\/<name>.*credentialEnv/),
		});
		expect(stub.requests).toEqual([]);
	});

	it('of a provider whose address was changed waits for its agent’s next call', async () => {
		const moved = turn();
		const provider = { ...moved.provider, baseUrl: `${stub.url}/moved` };
		expect(await asker.askCloud({ ...moved, provider }, 'k', never)).toMatchObject({
			lacksCredentials: true,
		});
		expect(stub.requests).toEqual([]);
	});

	it('that reaches nobody is lost', async () => {
		await stub.goDark();
		expect(await asker.askCloud(turn(), 'k', never)).toMatchObject({
			problem: expect.stringMatching(/Anthropic refused.*ECONNREFUSED/),
			lost: true,
		});
	});

	it('can be called off: the provider is left at once', async () => {
		stub.respond(stall('before-head', {}));
		const control = new AbortController();
		const asked = asker.askCloud(turn(), 'k', control.signal);
		const { over } = await stub.call(1);
		control.abort(new Error('called off'));
		await expect(asked).rejects.toThrow('called off');
		expect(await over).toBe('aborted');
	});
});

describe('credentials', () => {
	const place = (sessionKey: string, baseUrl = 'https://one') => placeOf(sessionKey, 'p', baseUrl);

	it('are kept for twelve hours, for the last five hundred sessions', () => {
		const keeper = new CredentialKeeper(() => now);
		keeper.remember(place('old'), true, ['x-api-key', '1']);
		now = 12 * 3_600_000;
		expect(keeper.of(place('old'))).toEqual(['x-api-key', '1']);
		expect(keeper.of(placeOf('old', 'other', 'https://one'))).toBeNull();
		now += 1;
		expect(keeper.of(place('old'))).toBeNull();
		for (let number = 0; number < 600; number += 1) {
			keeper.remember(place(`s${number}`), true, ['x-api-key', 'k']);
		}
		expect([keeper.of(place('s99')), keeper.of(place('s100'))]).toEqual([null, ['x-api-key', 'k']]);
		expect(JSON.stringify(keeper)).toBe('{"sessions":500}');
	});

	it('are those of one address: another address of the same provider gets none', () => {
		const keeper = new CredentialKeeper(() => now);
		keeper.remember(place('s'), true, ['x-api-key', 'for-one']);
		expect(keeper.of(place('s', 'https://two'))).toBeNull();
		expect(keeper.of(place('s'))).toEqual(['x-api-key', 'for-one']);
	});

	it.each([
		['x-api-key', 'X-Api-Key'],
		['authorization', 'Authorization'],
	])('of callers that name no session are nobody’s once there are two of them (%s)', (one, other) => {
		const keeper = new CredentialKeeper(() => now);
		keeper.remember(place('u'), false, [one, 'key-of-one', 'user-agent', 'a/1']);
		keeper.remember(place('u'), false, [other, 'key-of-one', 'user-agent', 'a/2']);
		expect(keeper.of(place('u'))).toContain('key-of-one');
		keeper.remember(place('u'), false, [one, 'key-of-other']);
		expect(keeper.of(place('u'))).toBeNull();
		keeper.remember(place('u'), false, [one, 'key-of-other']);
		expect(keeper.of(place('u'))).toBeNull();
		now += 12 * 3_600_000 + 1;
		keeper.remember(place('u'), false, [one, 'key-of-other']);
		expect(keeper.of(place('u'))).toEqual([one, 'key-of-other']);
	});

	it('of a session may change: a token that is renewed is the session’s own', () => {
		const keeper = new CredentialKeeper(() => now);
		for (const token of ['old', 'new']) keeper.remember(place('s'), true, ['authorization', token]);
		expect(keeper.of(place('s'))).toEqual(['authorization', 'new']);
	});
});

describe('requests of local turns', () => {
	const request = (bytes: number): Parameters<TurnKeeper['keep']>[1] => ({
		providerId: 'p',
		protocol: 'openai-chat',
		path: '/v1/chat/completions',
		body: new Uint8Array(bytes),
		sessionKey: 's',
	});

	it('are kept for the last twenty turns and 64 MB', () => {
		const keeper = new TurnKeeper();
		for (let number = 0; number < 25; number += 1) keeper.keep(`t${number}`, request(10));
		expect([keeper.of('t4'), keeper.of('t5')]).toEqual([null, request(10)]);
		keeper.keep('big', request(64 * 1_048_576));
		expect([keeper.of('t24'), keeper.of('big')?.body.byteLength]).toEqual([null, 64 * 1_048_576]);
		keeper.keep('too-big', request(64 * 1_048_576 + 1));
		expect(keeper.of('too-big')).toBeNull();
		expect(keeper.of('big')).not.toBeNull();
	});
});
