/** Tries that are silent: the operator, a stop and the client end them at once; silence itself ends them in the end. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, cut, paused, stall, status } from '../support/provider-stub/steps.ts';
import { GatewayFixture, until } from './gateway-fixture.ts';

let floor: GatewayFixture;
beforeEach(async () => {
	floor = await GatewayFixture.start();
});
afterEach(async () => {
	expect(floor.unexpected).toEqual([]);
	expect(floor.standingListeners.size).toBe(0);
	await floor.dispose();
});

const hello = { text: 'Hello from the cloud, at length.' };

describe.each([true, false])('a retry that is silent (streamed: %s)', (stream) => {
	it.each(['before-head', 'before-content'] as const)(
		'%s is broken off when the operator decides otherwise',
		async (place) => {
			floor.provider.script([status(529, { message: 'first' }), stall(place, hello)]);
			floor.local.respond(answer({ text: 'Local words.' }));
			const call = floor.ask({ stream });
			await floor.desk.asked(1);
			const abandon = new AbortController();
			floor.desk.decide(floor.again(abandon.signal));
			const { over } = await floor.provider.call(2);
			abandon.abort();
			await floor.desk.asked(2);
			expect(await over).toBe('aborted');
			expect(floor.desk.outcomes).toEqual(['error', 'neutral']);
			expect(floor.desk.failures[1]).toEqual(floor.desk.failures[0]);
			floor.desk.decide(floor.local30b());
			expect((await call.reply).text).toMatch(/Local words/);
		},
	);

	it('is not even begun when it was abandoned before', async () => {
		floor.provider.script([status(529, { message: 'first' })]);
		const call = floor.ask({ stream });
		await floor.desk.asked(1);
		floor.desk.decide(floor.again(AbortSignal.abort()));
		await floor.desk.asked(2);
		floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
		expect((await call.reply).status).toBe(529);
		expect(floor.provider.calls).toHaveLength(1);
		expect(floor.desk.outcomes).toEqual(['error', 'neutral']);
	});

	it('ends at once when its agent is stopped', async () => {
		floor.provider.script([status(529), stall('before-head', hello)]);
		const call = floor.ask({ stream });
		await floor.desk.asked(1);
		floor.desk.decide(floor.again());
		const { over } = await floor.provider.call(2);
		floor.stop();
		expect((await call.reply).text).toMatch(/operator stopped/);
		expect(await over).toBe('aborted');
		expect(floor.desk.outcomes).toEqual(['error', 'neutral']);
		expect(floor.desk.ends).toEqual([{ kind: 'barred' }]);
	});

	it('ends at once when its client leaves', async () => {
		floor.provider.script([status(529), stall('before-head', hello)]);
		const call = floor.ask({ stream });
		await floor.desk.asked(1);
		floor.desk.decide(floor.again(new AbortController().signal));
		const { over } = await floor.provider.call(2);
		call.leave();
		expect(await over).toBe('aborted');
		await until(() => floor.desk.outcomes.length === 2);
		expect(floor.desk.ends).toEqual([{ kind: 'client-left' }]);
	});
});

describe('a first try that is silent, and a turn that is held', () => {
	it.each([
		['the first try', () => floor.provider.respond(stall('before-head', hello)), false],
		['the hold', () => floor.provider.respond(status(529)), true],
	])('ends at once when its agent is stopped: %s', async (_name, script, isHeld) => {
		script();
		const call = floor.ask();
		if (isHeld) await floor.desk.asked(1);
		else await floor.provider.call(1);
		floor.stop();
		expect((await call.reply).text).toMatch(/operator stopped/);
		expect(floor.desk.ends).toEqual([{ kind: 'barred' }]);
		if (isHeld) floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
	});
});

describe('a retry that answers', () => {
	it('is told as soon as its content goes out, and cannot be abandoned then', async () => {
		const gate = Promise.withResolvers<void>();
		floor.provider.script([status(529), paused('mid-text', gate.promise, hello)]);
		const call = floor.ask();
		await floor.desk.asked(1);
		expect(floor.desk.answering).toBe(0);
		const abandon = new AbortController();
		floor.desk.decide(floor.again(abandon.signal));
		await call.shows('text_delta');
		expect(floor.desk.answering).toBe(1);
		abandon.abort();
		floor.refusal = 'too late for this answer';
		gate.resolve();
		expect((await call.reply).text).toMatch(/message_stop/);
		expect(floor.desk.outcomes).toEqual(['error', 'ok']);
		expect(floor.desk.answering).toBe(1);
	});
});

describe('a local model that is silent', () => {
	it.each([true, false])('can be left for another (streamed: %s)', async (stream) => {
		floor.provider.script([status(529)]);
		floor.local.script([stall('before-head', hello), answer({ text: 'Other.' })]);
		const call = floor.ask({ stream });
		await floor.desk.asked(1);
		const abandon = new AbortController();
		floor.desk.decide(floor.local30b(true, abandon.signal));
		const { over } = await floor.local.call(1);
		abandon.abort();
		await floor.desk.asked(2);
		expect(await over).toBe('aborted');
		expect(floor.desk.localFailures).toEqual([]);
		expect(floor.desk.failures[1]).toEqual(floor.desk.failures[0]);
		floor.desk.decide(floor.local30b());
		expect((await call.reply).text).toMatch(/Other\./);
		expect(floor.desk.answering).toBe(stream ? 1 : 0);
	});

	it('can be left while it is loaded, and so can an agent that is stopped', async () => {
		for (const isStop of [false, true]) {
			floor.warm = () => new Promise(() => {});
			floor.provider.script([status(529)]);
			const call = floor.ask();
			await floor.desk.asked(isStop ? 3 : 1);
			const abandon = new AbortController();
			floor.desk.decide(floor.local30b(true, abandon.signal));
			await until(() => floor.standingListeners.size === 1);
			if (isStop) floor.stop();
			else {
				abandon.abort();
				await floor.desk.asked(2);
				floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
			}
			await call.reply;
		}
		expect(floor.desk.localFailures).toEqual([]);
		expect(floor.desk.ends.map(({ kind }) => kind)).toEqual(['failed', 'barred']);
		expect(floor.local.calls).toEqual([]);
	});

	it.each([
		['before its head', stall('before-head', hello)],
		['in its answer', stall('mid-text', hello)],
	])('%s for too long has failed, in words that say so', async (place, step) => {
		floor.times = { ...floor.times, localSilenceMs: 40 };
		floor.provider.script([status(529)]);
		floor.local.script([step]);
		const call = floor.ask();
		await floor.desk.asked(1);
		floor.desk.decide(floor.local30b());
		if (place === 'in its answer') {
			await call.shows('text_delta');
			floor.time.advance(40);
		}
		await floor.desk.asked(2);
		expect(floor.desk.localFailures[0]).toMatch(
			/qwen3-coder:30b was loaded.*sent nothing.*Choose another model/,
		);
		floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
		await call.reply;
	});
});

describe('a stream that dies without a word', () => {
	it.each([
		['anthropic', '/v1/messages', 'before-content', true],
		['anthropic', '/v1/messages', 'mid-text', true],
		['chat', '/v1/chat/completions', 'mid-text', true],
		['responses', '/v1/responses', 'mid-text', true],
		// A model that thinks unseen sends nothing for minutes.
		['responses', '/v1/responses', 'before-content', false],
	] as const)('%s%s %s is noticed after 90 s: %s', async (_name, path, place, isNoticed) => {
		floor.provider.script([stall(place, hello)]);
		const call = floor.ask({ path, fields: { input: 'Write.', stream_options: { include_usage: true } } });
		const { over } = await floor.provider.call(1);
		if (place === 'mid-text') await call.shows('Hello');
		else await until(() => floor.time.waiting >= 2);
		floor.time.advance(89_999);
		expect(floor.desk.failures).toEqual([]);
		if (!isNoticed) {
			floor.time.advance(200_000);
			await new Promise((resolve) => setImmediate(resolve));
			expect(floor.desk.failures).toEqual([]);
			call.leave();
			await until(() => floor.desk.ends.length === 1);
			return;
		}
		// The last bytes may have been on their way: they count anew.
		await until(() => {
			floor.time.advance(1_000);
			return floor.desk.failures.length > 0;
		});
		expect(await over).toBe('aborted');
		expect(floor.desk.failures[0]).toMatchObject({
			outcome: { kind: 'timeout', code: 'UND_ERR_BODY_TIMEOUT' },
			detail: expect.stringMatching(/fell silent/),
		});
		floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
		await call.reply;
	});

	it('is none while bytes come, however slowly, nor while the machine sleeps', async () => {
		const gate = Promise.withResolvers<void>();
		floor.provider.script([paused('mid-text', gate.promise, hello)]);
		const call = floor.ask();
		await call.shows('text_delta');
		floor.time.sleep(600_000);
		floor.time.advance(89_000);
		gate.resolve();
		expect((await call.reply).text).toMatch(/message_stop/);
		expect(floor.time.waiting).toBeLessThanOrEqual(1);
		expect(floor.desk.failures).toEqual([]);
	});
});

describe('a provider that was changed in the settings', () => {
	const elsewhere = (baseUrl: string) => {
		const [first] = floor.settings.providers;
		if (first) floor.settings = { ...floor.settings, providers: [{ ...first, baseUrl }] };
	};

	it('is asked at its new address by the turns that are held', async () => {
		await floor.provider.goDark();
		const call = floor.ask();
		await floor.desk.asked(1);
		elsewhere(floor.local.url);
		floor.local.respond(answer({ text: 'Here I am.' }));
		floor.desk.decide(floor.again());
		expect((await call.reply).text).toMatch(/Here I am/);
		expect(floor.desk.outcomes).toEqual(['lost', 'ok']);
	});

	it.each([
		['is gone', () => ({ ...floor.settings, providers: [] }), /taken out of Agent Floor's settings/],
		['is the floor itself', null, /Agent Floor itself/],
	])('and %s ends the turn with a clear message', async (_name, change, message) => {
		floor.provider.respond(cut('before-content', hello));
		const call = floor.ask();
		await floor.desk.asked(1);
		if (change) floor.settings = change();
		else elsewhere(`http://127.0.0.1:${floor.port}`);
		floor.desk.decide(floor.again());
		expect((await call.reply).text).toMatch(message);
		expect(floor.desk.outcomes).toEqual(['cut', 'neutral']);
		expect(floor.provider.calls).toHaveLength(1);
	});
});
