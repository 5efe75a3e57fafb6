import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { knownTokens } from '../../src/main/gateway/answer-count.ts';
import { readLine } from '../../src/main/usage/formats/claude-code-line.ts';
import { SessionTally } from '../../src/main/usage/session-tally.ts';
import { type ProtocolId, protocolSchema } from '../../src/shared/failover-settings.ts';
import {
	answer,
	byModel,
	bytes,
	compressed,
	cut,
	inBandError,
	paused,
	status,
} from '../support/provider-stub/steps.ts';
import { GatewayFixture, until } from './gateway-fixture.ts';

let floor: GatewayFixture;
beforeEach(async () => {
	floor = await GatewayFixture.start();
});
afterEach(async () => {
	await floor.dispose();
});

const hello = { text: 'Hello there, and some more of it.' };
const paths: Readonly<Record<ProtocolId, string>> = {
	'anthropic-messages': '/v1/messages?beta=true',
	'openai-chat': '/v1/chat/completions',
	'openai-responses': '/v1/responses',
};
/** What the stub's answers take, in the counting of the bill. */
const taken: Readonly<Record<ProtocolId, object>> = {
	'anthropic-messages': { input: 900, cacheRead: 8_000, cacheCreation: 0 },
	'openai-chat': { input: 900, cacheRead: null, cacheCreation: null },
	'openai-responses': { input: 900, cacheRead: 0, cacheCreation: null },
};
const forms = protocolSchema.options.flatMap((protocol) =>
	[true, false].map((stream) => ({ protocol, stream })),
);
const json = (body: object) =>
	bytes(200, { 'content-type': 'application/json' }, Buffer.from(JSON.stringify(body)));
const stream = (events: string) => bytes(200, { 'content-type': 'text/event-stream' }, Buffer.from(events));
const sse = (events: readonly (readonly [string, object])[]): string =>
	events.map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`).join('');

describe('every answer is counted', () => {
	it.each(forms)('$protocol, streamed: $stream, from the cloud', async ({ protocol, stream }) => {
		floor.provider.respond(answer(hello));
		await floor.ask({ path: paths[protocol], stream }).reply;
		expect(floor.counted).toMatchObject([
			{
				client: 'claude-code',
				sessionKey: 's1',
				subagentId: null,
				asked: 'claude-sonnet-4-5',
				served: { harness: 'cloud', at: 'anthropic', model: 'claude-sonnet-4-5' },
				usage: { ...taken[protocol], output: expect.any(Number) },
				isWhole: true,
			},
		]);
		expect(floor.counted[0]?.usage.output).toBeGreaterThan(1);
	});

	it.each(forms)('$protocol, streamed: $stream, from this machine', async ({ protocol, stream }) => {
		floor.desk.nextRoute = { to: 'local', model: floor.model(), isFirst: true };
		await floor.ask({ path: paths[protocol], stream }).reply;
		const served = { harness: 'local', at: 'ollama', model: 'qwen3-coder:30b' };
		expect(floor.counted).toMatchObject([{ served, usage: taken[protocol], isWhole: true }]);
	});

	it('under a name of its own, also where a server uses its ids again', async () => {
		floor.desk.nextRoute = { to: 'local', model: floor.model(), isFirst: true };
		const same = {
			id: 'chatcmpl-7',
			choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }],
		};
		floor.local.respond(json(same));
		for (const _ of [1, 2]) await floor.ask({ path: paths['openai-chat'], stream: false }).reply;
		expect(new Set(floor.counted.map(({ key }) => key)).size).toBe(2);
	});

	it('under the name that its rows have in the transcript', async () => {
		const headers = { 'request-id': 'req_011' };
		floor.provider.respond(answer(hello, { headers }));
		const reply = await floor.ask().reply;
		const id = /"id":"(msg_[^"]+)"/.exec(reply.text)?.[1];
		const row = {
			type: 'assistant',
			requestId: 'req_011',
			message: { id, model: 'm', usage: { input_tokens: 1 } },
		};
		expect(readLine(Buffer.from(JSON.stringify(row)))).toMatchObject({
			report: { key: floor.counted[0]?.key },
		});
		floor.counted = [];
		await floor.ask({ stream: false }).reply;
		expect(floor.counted[0]?.key).toMatch(/^msg_\S+ req_011$/);
	});

	it('by the model that the answer names, with the hour’s cache and the searches', async () => {
		const usage = {
			input_tokens: 3,
			cache_creation_input_tokens: 70,
			cache_read_input_tokens: 5,
			cache_creation: { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 40 },
			server_tool_use: { web_search_requests: 2 },
			output_tokens: 9,
		};
		const message = {
			id: 'm1',
			model: 'claude-sonnet-4-5-20250929',
			content: [{ type: 'text', text: 'Hi' }],
			usage,
		};
		floor.provider.respond(json(message));
		await floor.ask({ stream: false }).reply;
		expect(floor.counted[0]).toMatchObject({
			asked: 'claude-sonnet-4-5',
			served: { model: 'claude-sonnet-4-5-20250929' },
			usage: { input: 3, output: 9, cacheRead: 5, cacheCreation: 70, cacheCreation1h: 40, webSearches: 2 },
		});
	});

	it('with its subagent, and helper calls as such', async () => {
		const headers = { 'x-claude-code-agent-id': 'sub-7' };
		await floor.ask({ headers, fields: { model: 'claude-haiku-4-5', tools: [], max_tokens: 512 } }).reply;
		expect(floor.counted).toMatchObject([{ subagentId: 'sub-7', isAuxiliary: true }]);
	});
});

describe('cumulative counts (R69)', () => {
	it('are not added up, and what a later event leaves out or tells as 0 stands', async () => {
		const events = sse([
			[
				'message_start',
				{
					message: {
						id: 'm',
						model: 'c',
						usage: { input_tokens: 40, cache_read_input_tokens: 7, output_tokens: 1 },
					},
				},
			],
			['content_block_start', { index: 0, content_block: { type: 'text', text: 'Hi' } }],
			[
				'message_delta',
				{ delta: {}, usage: { output_tokens: 11, input_tokens: 0, cache_read_input_tokens: null } },
			],
			['message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 20 } }],
			['message_stop', {}],
		]);
		floor.provider.respond(stream(events));
		await floor.ask().reply;
		expect(floor.counted).toMatchObject([
			{ usage: { input: 40, cacheRead: 7, output: 20, cacheCreation: null } },
		]);
	});

	it('of a chat that counts in every chunk are not added up', async () => {
		const chunk = (delta: object, finish_reason: string | null, completion_tokens: number): string =>
			`data: ${JSON.stringify({
				id: 'x',
				model: 'gpt',
				choices: [{ index: 0, delta, finish_reason }],
				usage: {
					prompt_tokens: 100,
					completion_tokens,
					prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
				},
			})}\n\n`;
		const events = `${chunk({ content: 'a' }, null, 1)}${chunk({ content: 'b' }, null, 2)}${chunk({}, 'stop', 3)}data: [DONE]\n\n`;
		floor.provider.respond(stream(events));
		await floor.ask({ path: paths['openai-chat'] }).reply;
		expect(floor.counted).toMatchObject([
			{ usage: { input: 30, cacheRead: 60, cacheCreation: 10, output: 3 } },
		]);
	});
});

describe('each attempt is counted for the model that served it (R69)', () => {
	it('after a cut the cloud for what came, and the local model for its answer', async () => {
		floor.provider.respond(cut('mid-text', hello));
		floor.local.respond(answer({ text: 'Local words.' }));
		const call = floor.ask();
		await floor.desk.asked(1);
		floor.desk.decide(floor.local30b());
		await call.reply;
		expect(floor.counted).toMatchObject([
			{
				served: { harness: 'cloud', model: 'claude-sonnet-4-5' },
				isWhole: false,
				usage: { input: 900, output: 1 },
			},
			{ served: { harness: 'local', model: 'qwen3-coder:30b' }, isWhole: true, usage: { input: 900 } },
		]);
		expect(floor.counted[0]?.key).not.toBe(floor.counted[1]?.key);
	});

	it('after a limit inside the stream the limited model and the one that stood in', async () => {
		Object.assign(floor.settings.models, {
			chains: [
				{ preferredModel: 'claude-sonnet-4-5', fallbackChain: ['claude-haiku-4-5'], cooldownMinutes: 10 },
			],
		});
		const limit = inBandError('mid-text', hello, 429);
		floor.provider.respond(byModel({ 'claude-sonnet-4-5': limit }, answer(hello)));
		await floor.ask().reply;
		expect(floor.counted).toMatchObject([
			{ asked: 'claude-sonnet-4-5', served: { model: 'claude-sonnet-4-5' }, isWhole: false },
			{ asked: 'claude-sonnet-4-5', served: { model: 'claude-haiku-4-5' }, isWhole: true },
		]);
	});

	it('of a response that failed what it tells at its end', async () => {
		const response = {
			id: 'r',
			model: 'gpt',
			status: 'failed',
			error: { code: 'server_error', message: 'x' },
		};
		const events = sse([
			['response.created', { response: { id: 'r', model: 'gpt', usage: null } }],
			['response.failed', { response: { ...response, usage: { input_tokens: 50, output_tokens: 4 } } }],
		]);
		floor.provider.respond(stream(events));
		const call = floor.ask({ path: paths['openai-responses'] });
		await floor.desk.asked(1);
		floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
		await call.reply;
		expect(floor.counted).toMatchObject([
			{ served: { model: 'gpt' }, isWhole: false, usage: { input: 50, output: 4 } },
		]);
	});

	it('when its client leaves in the middle', async () => {
		const gate = Promise.withResolvers<void>();
		floor.provider.respond(paused('mid-text', gate.promise, hello));
		const call = floor.ask();
		await call.shows('text_delta');
		call.leave();
		await until(() => floor.counted.length === 1);
		expect(floor.counted).toMatchObject([{ isWhole: false, usage: { input: 900 } }]);
		gate.resolve();
	});

	it('not when nothing was counted', async () => {
		floor.provider.respond(status(529));
		const call = floor.ask();
		await floor.desk.asked(1);
		floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
		await call.reply;
		await floor.ask({ path: '/v1/messages/count_tokens', stream: false }).reply;
		expect(floor.counted).toEqual([]);
	});
});

describe('what is not told', () => {
	const nothing = { input: null, output: null, cacheRead: null, cacheCreation: null };

	it('is unknown, never 0', async () => {
		const silent = { id: 'x', choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }] };
		floor.provider.respond(json(silent));
		await floor.ask({ path: paths['openai-chat'], stream: false }).reply;
		expect(floor.counted).toMatchObject([
			{ usage: nothing, isWhole: true, served: { model: 'claude-sonnet-4-5' } },
		]);
	});

	it.each([
		['a negative count', -5],
		['a fraction', 1.5],
		['a text', '900'],
		['more than any answer takes', 1e15],
	])('is unknown as well when it is %s', async (_name, output_tokens) => {
		const message = {
			id: 'm',
			content: [{ type: 'text', text: 'Hi' }],
			usage: { input_tokens: 5, output_tokens },
		};
		floor.provider.respond(json(message));
		await floor.ask({ stream: false }).reply;
		expect(floor.counted).toMatchObject([{ usage: { input: 5, output: null } }]);
	});

	it('of an answer that could not be read, because it came compressed', async () => {
		const gzipped = compressed(hello);
		floor.provider.respond((call) => gzipped({ ...call, acceptsGzip: true }));
		await floor.ask().reply;
		expect(floor.counted).toMatchObject([{ usage: nothing, isWhole: true }]);
	});
});

describe('a fault of whoever counts', () => {
	it.each([true, false])('breaks no answer (streamed: %s)', async (stream) => {
		floor.onCounted = () => {
			throw new Error('the ledger is full');
		};
		floor.provider.respond(answer(hello));
		const reply = await floor.ask({ stream }).reply;
		expect(reply.status).toBe(200);
		expect(reply.text).toMatch(/Hello/);
		expect(floor.desk.outcomes).toEqual(['ok']);
		expect(floor.unexpected).toHaveLength(1);
	});
});

describe('a session at the gateway', () => {
	it('is tallied: the cloud’s part by its price, the local part for free', async () => {
		floor.provider.respond(cut('mid-text', hello));
		const call = floor.ask();
		await floor.desk.asked(1);
		floor.desk.decide(floor.local30b());
		await call.reply;
		const tally = new SessionTally('gateway', {
			price: (_model, { input }) => input / 1_000,
			isLocal: () => false,
		});
		for (const { key, served, usage, at } of floor.counted) {
			const known = knownTokens(usage);
			const isLocal = served.harness === 'local';
			if (known) tally.answer({ key, model: served.model, at, usage: known, isLocal });
		}
		const [cloud, local] = floor.counted.map(({ usage }) => (usage.input ?? 0) + (usage.output ?? 0));
		expect(tally.takeCount(floor.time.clock.wall())?.total).toMatchObject({
			work: (cloud ?? 0) + (local ?? 0),
			localWork: local,
			costUsd: 0.9,
			unpricedModels: [],
		});
		const silent = { input: null, output: null, cacheRead: null, cacheCreation: null };
		expect(knownTokens({ ...silent, cacheCreation1h: null, webSearches: null })).toBeNull();
	});
});
