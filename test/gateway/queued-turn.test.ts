import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CredentialKeeper } from '../../src/main/gateway/credentials.ts';
import { protocols } from '../../src/main/gateway/protocols/all.ts';
import { CloudAsker, type CloudTurn } from '../../src/main/gateway/queued-turn.ts';
import { TurnKeeper } from '../../src/main/gateway/turn-keeper.ts';
import { Upstream } from '../../src/main/gateway/upstream.ts';
import type { ProtocolId } from '../../src/shared/failover-settings.ts';
import { answer, emptyAnswer, stall, status } from '../support/provider-stub/steps.ts';
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
	credentials.remember('s1', 'anthropic', ['x-api-key', 'of-the-agent', 'anthropic-version', '2023-06-01']);
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
const never = new AbortController().signal;

describe('a turn without its agent', () => {
	it.each(Object.keys(paths) as ProtocolId[])(
		'is asked whole over %s, with its key and the session’s credentials',
		async (protocol) => {
			stub.respond(answer({ text: 'The better answer.' }));
			expect(await asker.askCloud(turn({}, protocol), 'key-1', never)).toEqual({
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
	it('are kept for twelve hours, for the last five hundred sessions', () => {
		const keeper = new CredentialKeeper(() => now);
		keeper.remember('old', 'p', ['x-api-key', '1']);
		now = 12 * 3_600_000;
		expect(keeper.of('old', 'p')).toEqual(['x-api-key', '1']);
		expect(keeper.of('old', 'other')).toBeNull();
		now += 1;
		expect(keeper.of('old', 'p')).toBeNull();
		for (let number = 0; number < 600; number += 1) keeper.remember(`s${number}`, 'p', ['x-api-key', 'k']);
		expect([keeper.of('s99', 'p'), keeper.of('s100', 'p')]).toEqual([null, ['x-api-key', 'k']]);
		expect(JSON.stringify(keeper)).toBe('{"sessions":500}');
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
