import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, inBandError, paused, stall, status } from '../support/provider-stub/steps.ts';
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

describe('a turn that its provider answers', () => {
	it('passes a stream byte for byte and counts it as well answered, with the time to its first byte', async () => {
		floor.provider.respond(answer(hello));
		const reply = await floor.ask().reply;
		expect(reply.status).toBe(200);
		expect(reply.headers['content-type']).toMatch(/text\/event-stream/);
		expect(reply.headers['x-agent-floor-served-by']).toBe('cloud');
		expect(reply.text).toMatch(/message_start[\s\S]*Hello from[\s\S]*message_stop/);
		expect(floor.desk.settled).toHaveLength(1);
		expect(floor.desk.settled[0]?.outcome).toMatchObject({ kind: 'ok', status: 200, latencyMs: 0 });
		expect(floor.desk.ends).toEqual([
			{ kind: 'answered', harness: 'cloud', at: 'anthropic', model: 'claude-sonnet-4-5' },
		]);
	});

	it('passes a whole answer unchanged, and measures no latency on it', async () => {
		floor.provider.respond(answer(hello));
		const reply = await floor.ask({ stream: false }).reply;
		expect(JSON.parse(reply.text)).toMatchObject({ type: 'message', role: 'assistant' });
		expect(reply.headers['content-length']).toBe(String(reply.body.byteLength));
		expect(floor.desk.settled[0]?.outcome).toMatchObject({ kind: 'ok', latencyMs: null });
	});

	it('tells the floor who answers, with session and subagent', async () => {
		const headers = { 'x-claude-code-agent-id': 'sub-7', 'x-claude-code-parent-agent-id': 'main' };
		await floor.ask({ headers }).reply;
		expect(floor.modelCalls).toMatchObject([
			{
				client: 'claude-code',
				sessionKey: 's1',
				subagentId: 'sub-7',
				asked: 'claude-sonnet-4-5',
				served: { harness: 'cloud', at: 'anthropic', model: 'claude-sonnet-4-5' },
			},
		]);
	});

	it('settles a trial as soon as the answer begins, once', async () => {
		const gate = Promise.withResolvers<void>();
		floor.desk.isTrial = true;
		floor.provider.respond(paused('mid-text', gate.promise, hello));
		const call = floor.ask();
		await until(() => floor.desk.settled.length === 1);
		expect(floor.desk.outcomes).toEqual(['ok']);
		gate.resolve();
		await call.reply;
		expect(floor.desk.settled).toHaveLength(1);
	});

	it('keeps a stream alive that falls silent, and asks nobody', async () => {
		const gate = Promise.withResolvers<void>();
		floor.provider.respond(paused('mid-text', gate.promise, hello));
		const call = floor.ask();
		await call.shows('text_delta');
		const before = call.text();
		await until(() => floor.time.waiting > 0);
		floor.time.advance(10_000);
		await until(() => call.text().length > before.length);
		expect(call.text().slice(before.length)).toMatch(/^event: ping\n/);
		gate.resolve();
		expect((await call.reply).text).toMatch(/message_stop/);
		expect(floor.desk.failures).toEqual([]);
	});
});

describe('what is the request’s or the account’s own doing passes at once', () => {
	it.each([400, 401, 403, 404, 413, 429])('status %i, byte for byte', async (code) => {
		floor.provider.respond(
			status(code, { message: 'as the provider says it', headers: { 'retry-after': '7' } }),
		);
		const reply = await floor.ask().reply;
		expect(reply.status).toBe(code);
		expect(reply.headers['retry-after']).toBe('7');
		expect(JSON.parse(reply.text)).toMatchObject({ error: { message: 'as the provider says it' } });
		expect(reply.headers['x-agent-floor-served-by']).toBeUndefined();
		expect(floor.desk.outcomes).toEqual([
			code === 429 ? 'rate-limited' : code === 401 || code === 403 ? 'unauthorised' : 'neutral',
		]);
		expect(floor.desk.failures).toEqual([]);
		expect(floor.desk.ends).toEqual([{ kind: 'failed' }]);
	});

	it('a rate limit inside a 200 stream, as the provider’s own event', async () => {
		floor.provider.respond(inBandError('before-content', hello, 429));
		const reply = await floor.ask().reply;
		expect(reply.status).toBe(200);
		expect(reply.text).toMatch(/rate_limit_error/);
		expect(floor.desk.outcomes).toEqual(['rate-limited']);
		expect(floor.desk.failures).toEqual([]);
	});
});

describe('a stopped agent', () => {
	it('is refused in the protocol’s form, before anything is sent', async () => {
		floor.agents.set('claude-code s1', { agentId: 'a1', agentName: 'App', workspace: '/w' });
		floor.refusal = 'The operator stopped this agent.';
		const reply = await floor.ask().reply;
		expect([reply.status, reply.headers['x-should-retry']]).toEqual([409, 'false']);
		expect(JSON.parse(reply.text)).toMatchObject({
			type: 'error',
			error: { message: 'The operator stopped this agent.' },
		});
		expect(floor.desk.routed).toEqual([]);
		expect(floor.desk.ends).toEqual([{ kind: 'barred' }]);
	});

	it('that is stopped while it is held gets nothing more, and the ticket is given back', async () => {
		floor.agents.set('claude-code s1', { agentId: 'a1', agentName: 'App', workspace: '/w' });
		floor.provider.script([status(500)]);
		const call = floor.ask();
		await floor.desk.asked(1);
		floor.refusal = 'The operator stopped this agent.';
		floor.desk.decide(floor.again());
		expect((await call.reply).text).toMatch(/operator stopped/);
		expect(floor.provider.calls).toHaveLength(1);
		expect(floor.desk.outcomes).toEqual(['error', 'neutral']);
	});
});

describe('a client that leaves', () => {
	it('aborts the provider at once and blames nobody', async () => {
		floor.provider.respond(stall('mid-text', hello));
		const call = floor.ask();
		await call.shows('text_delta');
		call.leave();
		const { over } = await floor.provider.call(1);
		expect(await over).toBe('aborted');
		await until(() => floor.desk.ends.length === 1);
		expect(floor.desk.ends).toEqual([{ kind: 'client-left' }]);
		await until(() => floor.desk.settled.length === 1);
		expect(floor.desk.outcomes).toEqual(['neutral']);
	});

	it('before the head came, just the same', async () => {
		floor.provider.respond(stall('before-head', hello));
		const call = floor.ask();
		const { over } = await floor.provider.call(1);
		call.leave();
		expect(await over).toBe('aborted');
		await until(() => floor.desk.settled.length === 1);
		expect(floor.desk.outcomes).toEqual(['neutral']);
	});

	it('while it is held is released at once; a decision that comes after all gives its ticket back', async () => {
		floor.provider.script([status(500)]);
		const call = floor.ask();
		await floor.desk.asked(1);
		call.leave();
		await until(() => floor.desk.ends.length === 1);
		expect(floor.desk.ends).toEqual([{ kind: 'client-left' }]);
		expect(floor.time.waiting).toBe(0);
		floor.desk.decide(floor.again());
		await until(() => floor.desk.settled.length === 2);
		expect(floor.desk.outcomes).toEqual(['error', 'neutral']);
		expect(floor.provider.calls).toHaveLength(1);
	});
});
