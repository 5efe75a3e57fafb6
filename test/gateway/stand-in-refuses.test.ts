/** A limited model whose stand-ins cannot take the turn: what the client is told, and when it is to come back. */
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
	answer,
	byModel,
	contextOverflow,
	type Step,
	spendLimit,
	status,
} from '../support/provider-stub/steps.ts';
import { GatewayFixture, SECRET, TOKEN } from './gateway-fixture.ts';

const PREFERRED = 'claude-sonnet-4-5';
const FIRST = 'claude-haiku-4-5';
const SECOND = 'claude-haiku-3-5';
const COOLDOWN_S = 600;

let floor: GatewayFixture;
beforeEach(async () => {
	floor = await GatewayFixture.start();
	Object.assign(floor.settings.models, {
		chains: [{ preferredModel: PREFERRED, fallbackChain: [FIRST, SECOND], cooldownMinutes: COOLDOWN_S / 60 }],
	});
});
afterEach(async () => {
	expect(floor.unexpected).toEqual([]);
	await floor.dispose();
});

const limited = (seconds: number) => status(429, { headers: { 'retry-after': String(seconds) } });
const retryAfter = ({ headers }: Awaited<ReturnType<GatewayFixture['ask']>['reply']>): number =>
	Number(headers['retry-after']);
const ask = (stream = true) => floor.ask({ stream }).reply;
const answersWell = answer({ text: 'Hi.' });

/** The preferred model is known to be limited: this turn does not ask it. */
async function knownAsLimited(): Promise<void> {
	floor.provider.respond(byModel({ [PREFERRED]: limited(COOLDOWN_S) }, answersWell));
	await ask();
}

const refusals: readonly (readonly [string, Step])[] = [
	['400', status(400)],
	['prompt too long', contextOverflow()],
	['401', status(401)],
	['402', status(402)],
	['spending limit', spendLimit()],
	['422', status(422)],
];
const unserved: readonly (readonly [string, Step])[] = [
	['403', status(403)],
	['404', status(404)],
];

describe.each([...refusals, ...unserved])('all stand-ins refuse with %s', (_name, refusal) => {
	it.each([1, COOLDOWN_S, 7_200])(
		'the model’s own 429 passes as it came, Retry-After %d s',
		async (seconds) => {
			floor.provider.respond(byModel({ [PREFERRED]: limited(seconds) }, refusal));
			const reply = await ask();
			expect(reply.status).toBe(429);
			expect(retryAfter(reply)).toBe(seconds);
			expect(reply.text).toMatch(/The stub answers 429/);
			expect(floor.provider.requests.map(({ json }) => json.model)).toEqual([PREFERRED, FIRST, SECOND]);
		},
	);
});

describe.each(refusals)(
	'all stand-ins refuse a turn that did not ask the limited model, with %s',
	(_name, refusal) => {
		it('ours says when that is free, and who refused', async () => {
			await knownAsLimited();
			floor.time.advance(60_000);
			floor.provider.respond(refusal);
			const reply = await ask();
			expect(reply.status).toBe(429);
			expect(retryAfter(reply)).toBe(COOLDOWN_S - 60);
			expect(reply.text).toMatch(/claude-sonnet-4-5 is rate-limited at Anthropic until (\d+ \w+ )?\d\d:\d\d/);
			expect(reply.text).toMatch(/refused this request: claude-haiku-4-5 .*, claude-haiku-3-5 /);
			expect(reply.text).not.toMatch(/did not send|are rate-limited/);
			expect(reply.headers['x-should-retry']).toBeUndefined();
		});
	},
);

it.each(unserved)(
	'where nothing stands in (%s), the limited model is asked, and speaks for itself',
	async (_name, step) => {
		await knownAsLimited();
		floor.provider.respond(byModel({ [PREFERRED]: limited(540) }, step));
		const reply = await ask();
		expect([reply.status, retryAfter(reply)]).toEqual([429, 540]);
	},
);

describe('what the stand-ins said', () => {
	it('is told in a clause each, a prompt that is too long by its name', async () => {
		await knownAsLimited();
		floor.provider.respond(
			byModel({ [FIRST]: contextOverflow() }, status(401, { message: 'invalid x-api-key' })),
		);
		const { text } = await ask();
		expect(text).toMatch(/claude-haiku-4-5 \(the prompt is too long for it; .*250000 tokens > 200000/);
		expect(text).toMatch(/claude-haiku-3-5 \(Anthropic answered with status 401: invalid x-api-key\)/);
		expect(text).toMatch(/Make the conversation shorter/);
	});

	it('without credentials, control characters or end', async () => {
		await knownAsLimited();
		const message = `key ${SECRET} \u001b[31m\nis bad ${'x'.repeat(5_000)}`;
		floor.provider.respond(status(400, { message }));
		const reply = await ask(false);
		const said = String(JSON.parse(reply.text).error.message);
		expect(said).not.toContain(SECRET);
		expect(said).not.toMatch(/\p{Cc}/u);
		expect(said.length).toBeLessThan(1_000);
	});
});

describe('the time to come back', () => {
	it('is that of a stand-in that is limited and free earlier, not that of one that refused', async () => {
		floor.provider.respond(byModel({ [PREFERRED]: limited(7_200), [FIRST]: limited(90) }, status(400)));
		expect(retryAfter(await ask())).toBe(90);
		floor.time.advance(1_000);
		const reply = await ask();
		expect(retryAfter(reply)).toBe(89);
		expect(reply.text).toMatch(/claude-haiku-4-5 can be asked first, at (\d+ \w+ )?\d\d:\d\d/);
	});

	it('a stand-in’s own limit is not passed for the model’s', async () => {
		await knownAsLimited();
		floor.time.advance((COOLDOWN_S - 30) * 1_000);
		floor.provider.respond(limited(1));
		const reply = await ask();
		expect(reply.status).toBe(429);
		expect(retryAfter(reply)).toBe(30);
		expect(reply.text).toMatch(/claude-sonnet-4-5 is rate-limited/);
	});

	it.each([3_600_000, -3_600_000])(
		'does not move with the clock of the machine: a step of %d ms',
		async (step) => {
			floor.provider.respond(limited(COOLDOWN_S));
			Object.assign(floor.settings.models, {
				chains: [{ preferredModel: PREFERRED, fallbackChain: [FIRST], cooldownMinutes: COOLDOWN_S / 60 }],
			});
			await ask();
			floor.time.wallStep = step;
			const reply = await ask();
			expect(retryAfter(reply)).toBe(COOLDOWN_S);
			expect(floor.provider.requests).toHaveLength(2);
		},
	);
});

describe('names and bodies that nobody expects', () => {
	const odd = ['通义千问-72b', 'a\nb', 'a\u001b[31mb', '100%', 'x'.repeat(20_000)];

	it.each(odd.flatMap((model) => [[model, true] as const, [model, false] as const]))(
		'asked for %j, stream %s: answered',
		async (model, stream) => {
			floor.provider.respond(answersWell);
			const reply = await floor.ask({ stream, fields: { model } }).reply;
			expect(reply).toMatchObject({ status: 200, broke: false });
			expect(reply.text).toContain('Hi.');
			expect(floor.provider.requests.map(({ json }) => json.model)).toEqual([model]);
		},
	);

	it.each([true, false])('a stand-in of such a name answers, stream %s', async (stream) => {
		Object.assign(floor.settings.models, {
			chains: [{ preferredModel: PREFERRED, fallbackChain: ['千问-mini'], cooldownMinutes: 10 }],
		});
		floor.provider.respond(byModel({ [PREFERRED]: status(429) }, answersWell));
		const reply = await ask(stream);
		expect(reply).toMatchObject({ status: 200, broke: false });
		expect(reply.headers['x-agent-floor-model']).toBe(encodeURIComponent('千问-mini'));
	});

	it('a name without end passes as it came, and no chain is kept for it', async () => {
		const model = 'm'.repeat(1_000_000);
		floor.provider.respond(limited(30));
		const reply = await floor.ask({ fields: { model } }).reply;
		expect([reply.status, retryAfter(reply)]).toEqual([429, 30]);
		expect(floor.provider.requests[0]?.json.model).toBe(model);
		expect(JSON.stringify([floor.models.view(), floor.modelCalls]).length).toBeLessThan(10_000);
		expect(floor.models.view().chains.map(({ preferredModel }) => preferredModel)).toEqual([PREFERRED]);
	});

	it.each([false, true])(
		'a body nested without end moves like any other, compressed: %s',
		async (isCompressed) => {
			await knownAsLimited();
			const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
			const body = `{"model":"${PREFERRED}","max_tokens":10,"messages":[{"role":"user","content":"hi"}],"x":${deep}}`;
			const reply = await floor.send({
				path: `/gateway/${TOKEN}/v1/messages`,
				body: isCompressed ? gzipSync(body) : body,
				...(isCompressed && { headers: { 'content-encoding': 'gzip' } }),
			}).reply;
			expect(reply.status).toBe(200);
			const sent = floor.provider.requests.at(-1);
			expect(sent?.body.toString() === body.replace(PREFERRED, FIRST)).toBe(true);
			expect(sent?.headers['content-encoding']).toBeUndefined();
		},
	);
});
