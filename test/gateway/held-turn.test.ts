import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChannelError } from '../../src/shared/channels.ts';
import {
	answer,
	cut,
	emptyAnswer,
	errorEnvelope,
	inBandError,
	reset,
	status,
} from '../support/provider-stub/steps.ts';
import { GatewayFixture, until } from './gateway-fixture.ts';

let floor: GatewayFixture;
beforeEach(async () => {
	floor = await GatewayFixture.start();
});
afterEach(async () => {
	expect(floor.unexpected).toEqual([]);
	await floor.dispose();
});

const hello = { text: 'Hello from the cloud, at length.' };

describe('a lost provider', () => {
	const lost = [
		['500', status(500), 'error'],
		['529', status(529), 'error'],
		['an empty 200', emptyAnswer(), 'error'],
		['an overloaded event before content', inBandError('before-content', hello), 'error'],
		['a reset', reset(), 'lost'],
		['a cut before content', cut('before-content', hello), 'cut'],
		['an end of HTTP before content', cut('before-content', hello, 'end'), 'cut'],
	] as const;

	it.each(lost)(
		'%s: the turn is held, and the retry at the provider answers it unseen',
		async (_name, step, kind) => {
			floor.provider.script([step]);
			floor.provider.respond(answer(hello));
			const call = floor.ask();
			await floor.desk.asked(1);
			expect(floor.desk.outcomes).toEqual([kind]);
			floor.desk.decide(floor.again());
			const reply = await call.reply;
			expect(reply.status).toBe(200);
			expect(reply.text.match(/message_start/g)).toHaveLength(2);
			expect(reply.text).toMatch(/Hello from[\s\S]*message_stop/);
			expect(floor.desk.outcomes).toEqual([kind, 'ok']);
			expect(floor.desk.ends).toHaveLength(1);
		},
	);

	it('gets its own error passed on unchanged when nobody decides within the silent time', async () => {
		floor.provider.respond(status(529, { message: 'Overloaded', headers: { 'x-request-id': 'req_1' } }));
		const call = floor.ask();
		await floor.desk.asked(1);
		floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
		const reply = await call.reply;
		expect([reply.status, reply.headers['x-request-id']]).toEqual([529, 'req_1']);
		expect(JSON.parse(reply.text)).toMatchObject({
			error: { type: 'overloaded_error', message: 'Overloaded' },
		});
	});

	it('that never answered is reported as 502 with what to do', async () => {
		await floor.provider.goDark();
		const call = floor.ask();
		await floor.desk.asked(1);
		expect(floor.desk.failures[0]).toMatchObject({
			cause: 'network-lost',
			outcome: { kind: 'lost', code: 'ECONNREFUSED' },
			cutMidAnswer: false,
		});
		floor.desk.decide({ kind: 'give-up', why: 'no-local-fit' });
		const reply = await call.reply;
		expect(reply.status).toBe(502);
		expect(JSON.parse(reply.text).error.message).toMatch(
			/Anthropic.*ECONNREFUSED.*No local model.*Nothing of the conversation is lost.*ask again/s,
		);
	});

	it('says nothing for ten seconds, then head and pings, then the error as an event', async () => {
		floor.provider.respond(status(529, { message: 'Overloaded' }));
		const call = floor.ask();
		await floor.desk.asked(1);
		await until(() => floor.time.waiting > 0);
		floor.time.advance(9_999);
		expect(await Promise.race([call.head.then(() => 'head'), Promise.resolve('nothing')])).toBe('nothing');
		floor.time.advance(1);
		expect((await call.head).statusCode).toBe(200);
		floor.time.advance(10_000);
		await until(() => (call.text().match(/event: ping/g) ?? []).length === 2);
		floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
		expect((await call.reply).text).toMatch(/event: error\n.*overloaded_error.*Overloaded/);
	});

	it('sends no byte to a client that did not ask for a stream, however long it waits', async () => {
		floor.provider.script([status(500)]);
		const call = floor.ask({ stream: false });
		await floor.desk.asked(1);
		floor.time.advance(60_000);
		floor.desk.decide(floor.again());
		const reply = await call.reply;
		expect(reply.status).toBe(200);
		expect(JSON.parse(reply.text)).toMatchObject({ type: 'message' });
	});

	it('never holds a helper request: it gets the provider’s error at once', async () => {
		floor.provider.respond(status(529, { message: 'Overloaded' }));
		const reply = await floor.ask({ fields: { max_tokens: 32, tools: [], model: 'claude-haiku-4-5' } }).reply;
		expect(reply.status).toBe(529);
		expect(floor.desk.failures).toEqual([]);
		expect(floor.modelCalls).toEqual([]);
	});

	it('an error envelope in a whole 200 is no answer; given up, it passes as it came', async () => {
		floor.provider.respond(errorEnvelope(529, { message: 'Overloaded' }));
		const call = floor.ask({ stream: false });
		await floor.desk.asked(1);
		floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
		const reply = await call.reply;
		expect(reply.status).toBe(200);
		expect(JSON.parse(reply.text).error.message).toBe('Overloaded');
	});

	it.each([
		['less than its context leaves', 65_536, 8_000, 8_000],
		['more than its context leaves', 5_000, 8_000, undefined],
		['what nobody can tell', null, 8_000, 8_000],
	] as const)('asks a local model for an answer of %s', async (_what, inUse, asked, sent) => {
		floor.provider.respond(status(500));
		const call = floor.ask({ fields: { max_tokens: asked } });
		await floor.desk.asked(1);
		const model = floor.model({
			serverKind: inUse === null ? 'openai' : 'vllm',
			context: { inUse, max: inUse },
		});
		floor.desk.decide({ kind: 'local', model, isFirst: true });
		await call.reply;
		const body = (floor.local.calls.at(-1)?.json ?? {}) as { max_tokens: number };
		if (sent !== undefined) expect(body.max_tokens).toBe(sent);
		else expect(body.max_tokens).toBeLessThan(5_000);
		expect(body.max_tokens).toBeGreaterThan(0);
	});

	it('known to be lost is not asked at all', async () => {
		floor.desk.nextRoute = {
			to: 'hold',
			failure: {
				cause: 'breaker-open',
				outcome: {
					kind: 'error',
					status: 529,
					code: 'overloaded_error',
					latencyMs: null,
					retryAfterMs: null,
				},
				detail: 'Anthropic failed 6 of 8 calls.',
				cutMidAnswer: false,
			},
		};
		const call = floor.ask();
		await floor.desk.asked(1);
		expect(floor.provider.calls).toEqual([]);
		floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
		expect((await call.reply).text).toMatch(/failed 6 of 8 calls/);
	});

	it('can be waited for in the outbox: first it is stored, then the agent is told', async () => {
		floor.provider.respond(status(500));
		const call = floor.ask();
		await floor.desk.asked(1);
		floor.desk.decide({
			kind: 'queued',
			message: 'Queued by the operator; it goes out when Anthropic is back.',
		});
		const reply = await call.reply;
		expect([reply.status, reply.headers['x-should-retry']]).toEqual([409, 'false']);
		expect(reply.text).toMatch(/Queued by the operator/);
		const [entry] = floor.enqueued;
		expect(entry?.request).toMatchObject({
			providerId: 'anthropic',
			path: '/v1/messages?beta=true',
			sessionKey: 's1',
		});
		expect(Buffer.from(entry?.request.body ?? []).toString()).toMatch(/Write the parser/);
		expect(JSON.stringify(entry)).not.toMatch(/secret/);
		expect(floor.desk.ends).toEqual([{ kind: 'queued' }]);
	});

	it.each([
		[
			'cannot be written',
			Object.assign(new Error('The disk is full.'), { name: 'StoreError' }),
			/could not be queued: The disk is full\./,
			1,
		],
		[
			'refuses by its rules',
			new ChannelError({ code: 'not-possible', message: 'It carries a token.', meaning: '', remedy: '' }),
			/could not be queued: It carries a token\./,
			0,
		],
		['fails in a way nobody knows', new Error('x is not a function'), /Agent Floor itself failed/, 1],
	])(
		'an outbox that %s promises nothing: the turn stays held, and it is said why',
		async (_n, error, why, reported) => {
			floor.provider.script([status(500, { message: 'broken' })]);
			floor.enqueue = async () => {
				throw error;
			};
			const call = floor.ask();
			await floor.desk.asked(1);
			floor.desk.decide({ kind: 'queued', message: 'Queued.' });
			await floor.desk.asked(2);
			expect(floor.desk.failures[1]).toEqual({
				...floor.desk.failures[0],
				detail: expect.stringMatching(why),
			});
			expect(floor.desk.failures[1]?.detail).not.toMatch(/not a function/);
			expect(floor.desk.ends).toEqual([]);
			floor.desk.decide(floor.local30b());
			expect((await call.reply).text).toMatch(/answered locally/);
			expect(floor.unexpected).toHaveLength(reported);
			floor.unexpected.length = 0;
		},
	);

	it('an outbox that refuses again and again ends the turn: nothing is repeated for ever', async () => {
		await floor.provider.goDark();
		floor.enqueue = async () => {
			throw new ChannelError({ code: 'not-possible', message: 'It is too large.', meaning: '', remedy: '' });
		};
		const call = floor.ask();
		for (let times = 0; times < 3; times += 1) floor.desk.decide({ kind: 'queued', message: 'Queued.' });
		const reply = await call.reply;
		expect(reply.status).toBe(502);
		expect(reply.text.match(/could not be queued: It is too large/g)).toHaveLength(1);
		expect(floor.desk.ends).toEqual([{ kind: 'failed' }]);
	});
});

describe('an answer that breaks off in the middle', () => {
	it('goes on with a labelled restart of the provider in the same stream', async () => {
		floor.provider.script([cut('mid-text', hello)]);
		const call = floor.ask();
		await floor.desk.asked(1);
		expect(floor.desk.failures[0]).toMatchObject({ cause: 'stream-cut', cutMidAnswer: true });
		floor.desk.decide(floor.again());
		const reply = await call.reply;
		expect(reply.text).toMatch(/\[Connection to Anthropic lost; answer restarted\]/);
		expect(reply.text.match(/event: message_start/g)).toHaveLength(1);
		expect(reply.text.match(/event: message_stop/g)).toHaveLength(1);
	});

	it('ends with an error event when it is given up, never with a forged end', async () => {
		floor.provider.respond(cut('mid-text', hello, 'end'));
		const call = floor.ask();
		await floor.desk.asked(1);
		floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
		const reply = await call.reply;
		expect(reply.text).toMatch(/event: error\n.*incomplete/);
		expect(reply.text).not.toMatch(/message_stop/);
	});

	it('is restarted on the local model, again and again if that breaks as well, each time labelled', async () => {
		floor.provider.script([cut('mid-text', hello)]);
		floor.local.script([
			cut('mid-text', { text: 'First local words.' }),
			answer({ text: 'Local to the end.' }),
		]);
		const call = floor.ask();
		await floor.desk.asked(1);
		floor.desk.decide(floor.local30b());
		await floor.desk.asked(2);
		expect(floor.desk.localFailures).toHaveLength(1);
		expect(floor.desk.failures[1]).toMatchObject({ cause: 'stream-cut', outcome: { kind: 'cut' } });
		floor.desk.decide(floor.local30b());
		const reply = await call.reply;
		expect(reply.text.match(/answer restarted on qwen3-coder:30b/g)).toHaveLength(2);
		expect(reply.text.match(/event: message_stop/g)).toHaveLength(1);
	});

	it('that gave only thinking is asked for again by the client', async () => {
		floor.provider.script([
			cut('mid-thinking', { thinking: 'Let me think about it for long.', text: 'Done.' }),
		]);
		const call = floor.ask();
		await floor.desk.asked(1);
		floor.desk.decide(floor.again());
		const reply = await call.reply;
		expect(reply.text).toMatch(/thinking_delta[\s\S]*event: error\n.*overloaded_error.*Ask again now/);
		expect(floor.desk.outcomes).toEqual(['cut', 'neutral']);
		expect(floor.provider.calls).toHaveLength(1);
	});

	it('in a tool call gives the client nothing of that call', async () => {
		floor.provider.respond(
			cut('mid-tool-arguments', {
				text: 'I run it.',
				toolCalls: [{ name: 'Bash', input: { command: 'rm -rf build' } }],
			}),
		);
		const call = floor.ask();
		await floor.desk.asked(1);
		floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
		expect((await call.reply).text).not.toMatch(/tool_use|rm -rf/);
	});
});
