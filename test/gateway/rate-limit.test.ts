import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
	answer,
	byModel,
	bytes,
	cut,
	errorEnvelope,
	inBandError,
	spendLimit,
	status,
} from '../support/provider-stub/steps.ts';
import { GatewayFixture } from './gateway-fixture.ts';

const PREFERRED = 'claude-sonnet-4-5';
const FIRST = 'claude-haiku-4-5';
const SECOND = 'claude-haiku-3-5';
const hello = { text: 'Hello there, and some more of it.' };

let floor: GatewayFixture;
beforeEach(async () => {
	floor = await GatewayFixture.start();
	Object.assign(floor.settings.models, {
		chains: [{ preferredModel: PREFERRED, fallbackChain: [FIRST, SECOND], cooldownMinutes: 10 }],
	});
});
afterEach(async () => {
	expect(floor.unexpected).toEqual([]);
	await floor.dispose();
});

const asked = (): unknown[] => floor.provider.requests.map(({ json }) => json.model);
const limited = (retryAfter = '30') => status(429, { headers: { 'retry-after': retryAfter } });
const chain = () => floor.models.view().chains[0];

describe('a turn whose model is limited', () => {
	it.each([
		['by status', limited()],
		['inside a stream, before content', inBandError('before-content', hello, 429)],
	])('goes on at once with the next model: %s', async (_how, limit) => {
		floor.provider.respond(byModel({ [PREFERRED]: limit }, answer(hello)));
		const reply = await floor.ask().reply;
		expect(reply.status).toBe(200);
		expect(reply.text).toMatch(/Hello[\s\S]*message_stop/);
		expect(reply.text).not.toMatch(/rate_limit/);
		expect(reply.headers['x-agent-floor-model']).toBe(FIRST);
		expect(asked()).toEqual([PREFERRED, FIRST]);
		expect(floor.modelCalls.at(-1)).toMatchObject({
			asked: PREFERRED,
			served: { harness: 'cloud', model: FIRST },
		});
		expect(floor.desk.failures).toEqual([]);
		expect(floor.desk.ends).toMatchObject([{ kind: 'answered', model: FIRST }]);
		expect(chain()).toMatchObject({ state: 'open', modelInUse: FIRST });
	});

	it('goes on when it was not streamed, also from an error where an answer should be', async () => {
		floor.provider.respond(byModel({ [PREFERRED]: errorEnvelope(429) }, answer(hello)));
		const reply = await floor.ask({ stream: false }).reply;
		expect(JSON.parse(reply.text)).toMatchObject({ type: 'message' });
		expect(reply.headers['x-agent-floor-model']).toBe(FIRST);
	});

	it('restarts the answer under a label when part of it had been passed', async () => {
		floor.provider.respond(byModel({ [PREFERRED]: inBandError('mid-text', hello, 429) }, answer(hello)));
		const reply = await floor.ask().reply;
		expect(reply.text).toMatch(
			new RegExp(`\\[${PREFERRED} is rate-limited; answer restarted on ${FIRST}\\][\\s\\S]*message_stop`),
		);
		expect(reply.text).not.toMatch(/rate_limit/);
	});

	it('sends the request as it came but for the name of the model', async () => {
		floor.provider.respond(byModel({ [PREFERRED]: limited() }, answer(hello)));
		const fields = { metadata: { model: PREFERRED, big: 0.1 }, temperature: 1 };
		await floor.ask({ fields }).reply;
		const [first, second] = floor.provider.requests;
		expect(second?.body.toString()).toBe(
			first?.body.toString().replace(`"model":"${PREFERRED}"`, `"model":"${FIRST}"`),
		);
	});

	it('is not sent to the limited model again: the next turn goes to what stands in', async () => {
		floor.provider.respond(byModel({ [PREFERRED]: limited() }, answer(hello)));
		await floor.ask().reply;
		await floor.ask({ headers: { 'x-claude-code-session-id': 's2' } }).reply;
		expect(asked()).toEqual([PREFERRED, FIRST, FIRST]);
	});

	it('walks down the chain in one turn', async () => {
		floor.provider.respond(byModel({ [PREFERRED]: limited(), [FIRST]: limited() }, answer(hello)));
		const reply = await floor.ask().reply;
		expect(reply.headers['x-agent-floor-model']).toBe(SECOND);
		expect(asked()).toEqual([PREFERRED, FIRST, SECOND]);
		expect(chain()).toMatchObject({ currentFallbackIndex: 1 });
	});

	it('passes over a model that the provider has not, or that cannot take this request', async () => {
		floor.provider.respond(byModel({ [PREFERRED]: limited(), [FIRST]: status(404) }, answer(hello)));
		expect((await floor.ask().reply).headers['x-agent-floor-model']).toBe(SECOND);
		floor.provider.respond(byModel({ [SECOND]: status(400) }, answer(hello)));
		const refused = await floor.ask({ headers: { 'x-claude-code-session-id': 's2' } }).reply;
		// Nothing was said by the model that was asked for, and the other's complaint is about what nobody asked.
		expect(refused.status).toBe(429);
		expect(refused.text).toMatch(/rate-limited/);
		expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500);
	});

	it('tests the preferred model when the cooldown is over; two answers bring everybody back', async () => {
		floor.provider.respond(byModel({ [PREFERRED]: limited() }, answer(hello)));
		await floor.ask().reply;
		floor.time.advance(10 * 60_000);
		floor.provider.respond(answer(hello));
		await floor.ask().reply;
		expect(chain()).toMatchObject({ state: 'half-open', halfOpenSuccesses: 1 });
		await floor.ask().reply;
		expect(asked()).toEqual([PREFERRED, FIRST, PREFERRED, PREFERRED]);
		expect(chain()).toMatchObject({ state: 'closed', metrics: { totalFallbacks: 1, totalRecoveries: 1 } });
	});

	it('gives the test call back when its client leaves or its provider is lost', async () => {
		floor.provider.respond(byModel({ [PREFERRED]: limited() }, answer(hello)));
		await floor.ask().reply;
		floor.time.advance(10 * 60_000);
		floor.provider.respond(cut('before-content', hello));
		floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
		await floor.ask().reply;
		expect(chain()).toMatchObject({ state: 'half-open', halfOpenSuccesses: 0, probe: null });
	});
});

it('a fault of whoever is told of models breaks no answer, and is reported', async () => {
	const hear = floor.models.onEvent(() => {
		throw new Error('a full disk');
	});
	floor.provider.respond(byModel({ [PREFERRED]: limited() }, answer(hello)));
	for (const stream of [true, false]) {
		const reply = await floor.ask({ stream }).reply;
		expect(reply).toMatchObject({ status: 200, broke: false, text: expect.stringContaining('Hello') });
	}
	hear.dispose();
	expect(floor.unexpected.splice(0)).toMatchObject([{ error: { message: 'a full disk' } }]);
});

it('a stand-in whose answer comes compressed is named too', async () => {
	const zipped = bytes(
		200,
		{ 'content-type': 'application/json', 'content-encoding': 'gzip' },
		gzipSync('{"type":"message"}'),
	);
	floor.provider.respond(byModel({ [PREFERRED]: limited() }, zipped));
	for (const stream of [true, false]) {
		expect((await floor.ask({ stream }).reply).headers['x-agent-floor-model']).toBe(FIRST);
	}
});

describe('when the whole chain is limited', () => {
	it('the provider’s own words pass, with the time at which a model is free', async () => {
		floor.provider.respond(limited('7200'));
		const reply = await floor.ask().reply;
		expect(reply.status).toBe(429);
		expect(JSON.parse(reply.text)).toMatchObject({ error: { type: 'rate_limit_error' } });
		expect(asked()).toEqual([PREFERRED, FIRST, SECOND]);
		expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(7200);
	});

	it('the next turn is told so without a call, in its protocol’s form', async () => {
		floor.provider.respond(limited('7200'));
		await floor.ask().reply;
		const reply = await floor.ask().reply;
		expect(floor.provider.requests).toHaveLength(3);
		expect(reply.status).toBe(429);
		expect(reply.headers['x-should-retry']).toBeUndefined();
		expect(Number(reply.headers['retry-after'])).toBeGreaterThan(6000);
		expect(JSON.parse(reply.text)).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
	});
});

describe('what is no reason for another model', () => {
	it('a spending limit passes as it is, once, and is told as what it is', async () => {
		floor.provider.respond(spendLimit());
		const reply = await floor.ask().reply;
		expect(reply.status).toBe(429);
		expect(asked()).toEqual([PREFERRED]);
		expect(chain()).toMatchObject({ state: 'closed', spendLimit: { model: PREFERRED } });
	});

	it.each([
		['Insufficient balance', 'rate_limit_error'],
		['You are out of credits', 'rate_limit_error'],
		['You exceeded your current quota, please check your plan and billing details.', 'rate_limit_error'],
		['You exceeded your current quota, please check your plan and billing details.', 'insufficient_quota'],
	])('money in words is money: %s (%s)', async (message, type) => {
		floor.provider.respond(byModel({ [PREFERRED]: status(429, { type, message }) }, answer(hello)));
		expect((await floor.ask().reply).status).toBe(429);
		expect(chain()).toMatchObject({ state: 'closed', spendLimit: { model: PREFERRED } });
	});

	it('without a chain a limit passes byte for byte, also the next time', async () => {
		floor.settings.models.chains = [];
		floor.provider.respond(limited());
		for (const _turn of [1, 2]) {
			const reply = await floor.ask().reply;
			expect(reply.status).toBe(429);
			expect(reply.headers['retry-after']).toBe('30');
		}
		expect(asked()).toEqual([PREFERRED, PREFERRED]);
		expect(chain()).toMatchObject({ source: 'seen', state: 'open' });
	});

	it('a chain of which the provider has no model is like none', async () => {
		floor.provider.respond(byModel({ [PREFERRED]: limited() }, status(404)));
		const reply = await floor.ask().reply;
		expect(reply.status).toBe(429);
		expect(reply.headers['retry-after']).toBe('30');
		floor.provider.respond(answer(hello));
		await floor.ask().reply;
		expect(asked()).toEqual([PREFERRED, FIRST, SECOND, PREFERRED]);
	});

	it('the operator’s switch: every limit passes', async () => {
		floor.settings.models.gatewayFallback = false;
		floor.provider.respond(byModel({ [PREFERRED]: limited() }, answer(hello)));
		expect((await floor.ask().reply).status).toBe(429);
		expect((await floor.ask().reply).status).toBe(429);
		expect(asked()).toEqual([PREFERRED, PREFERRED]);
	});

	it('counting tokens has limits of its own: it stays with the model that was asked for', async () => {
		floor.provider.respond(byModel({ [PREFERRED]: limited() }, answer(hello)));
		await floor.ask().reply;
		expect((await floor.ask({ path: '/v1/messages/count_tokens' }).reply).status).toBe(200);
		expect(asked()).toEqual([PREFERRED, FIRST, PREFERRED]);
		expect(chain()).toMatchObject({ state: 'open' });
	});
});
