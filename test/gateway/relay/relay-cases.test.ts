/** What the properties do not say: real shapes of single servers, one by one. */
import { describe, expect, test } from 'vitest';
import type { RelayOptions, StreamRelay } from '../../../src/main/gateway/protocol.ts';
import { protocols } from '../../../src/main/gateway/protocols/all.ts';
import { AnthropicStream } from '../../../src/main/gateway/protocols/anthropic/stream.ts';
import { GatedRelay } from '../../../src/main/gateway/relay/gated-relay.ts';
import { FrameSplitter } from '../../../src/main/gateway/sse/frame-splitter.ts';
import type { ProtocolId } from '../../../src/shared/failover-settings.ts';
import { builders, encode, encodeOne, type Frame } from './answers.ts';
import { strictClients } from './strict-clients.ts';

const cloud: RelayOptions = { localModel: null, label: '' };
const local: RelayOptions = { localModel: 'qwen3-coder:30b', label: '[local]' };

function relayOf(id: ProtocolId, options = cloud): { relay: StreamRelay; send: (frame: Frame) => string } {
	const relay = protocols[id].createRelay(options);
	return { relay, send: (frame) => Buffer.from(relay.push(encodeOne(frame))).toString() };
}

function anthropic(type: string, rest: object = {}): Frame {
	return { event: type, data: { type, ...rest } };
}

const start = anthropic('message_start', {
	message: { id: 'm', model: 'claude', usage: { input_tokens: 7 } },
});
const textStart = (index: number): Frame =>
	anthropic('content_block_start', { index, content_block: { type: 'text', text: '' } });
const textDelta = (index: number, text: string): Frame =>
	anthropic('content_block_delta', { index, delta: { type: 'text_delta', text } });
const stop = (index: number): Frame => anthropic('content_block_stop', { index });
const ended = (stop_reason: string | null, output_tokens: number): Frame =>
	anthropic('message_delta', { delta: { stop_reason }, usage: { output_tokens } });

describe('Anthropic', () => {
	const id = 'anthropic-messages';

	test('the first text takes the lifecycle along, later text passes frame by frame', () => {
		const { relay, send } = relayOf(id);
		expect([send(start), send(textStart(0)), send(textDelta(0, '')), relay.state]).toEqual([
			'',
			'',
			'',
			'held',
		]);
		expect(send(textDelta(0, 'Hi'))).toBe(
			encode([start, textStart(0), textDelta(0, ''), textDelta(0, 'Hi')]).toString(),
		);
		expect(relay.state).toBe('content');
		expect(send(textDelta(0, ' you'))).toBe(encodeOne(textDelta(0, ' you')).toString());
	});

	test('a thought passes at once; a redacted one as well; a hidden one (a signature alone) waits', () => {
		const thought = anthropic('content_block_start', {
			index: 0,
			content_block: { type: 'thinking', thinking: '' },
		});
		const thinking = anthropic('content_block_delta', {
			index: 0,
			delta: { type: 'thinking_delta', thinking: 'hm' },
		});
		const signature = anthropic('content_block_delta', {
			index: 0,
			delta: { type: 'signature_delta', signature: 'x' },
		});
		const redacted = anthropic('content_block_start', {
			index: 0,
			content_block: { type: 'redacted_thinking', data: 'x' },
		});
		const shown = relayOf(id);
		expect(shown.send(start) + shown.send(thought)).toBe('');
		expect(shown.send(thinking)).toBe(encode([start, thought, thinking]).toString());
		expect(shown.relay.state).toBe('thinking');
		const hidden = relayOf(id);
		for (const frame of [start, thought, signature, stop(0)]) expect(hidden.send(frame)).toBe('');
		const behind = relayOf(id);
		behind.send(start);
		expect(behind.send(redacted)).toBe(encode([start, redacted]).toString());
	});

	test('a thought after text waits for its signature, then passes whole', () => {
		const { relay, send } = relayOf(id);
		for (const frame of [start, textStart(0), textDelta(0, 'Hi'), stop(0)]) send(frame);
		const thought = [
			anthropic('content_block_start', { index: 1, content_block: { type: 'thinking', thinking: '' } }),
			anthropic('content_block_delta', { index: 1, delta: { type: 'thinking_delta', thinking: 'hm' } }),
			anthropic('content_block_delta', { index: 1, delta: { type: 'signature_delta', signature: 'x' } }),
		];
		expect(thought.map((frame) => send(frame))).toEqual(['', '', '']);
		expect(send(stop(1))).toBe(encode([...thought, stop(1)]).toString());
		send(textStart(2));
		expect(send(textDelta(2, 'So'))).toContain('So');
		expect(relay.text).toBe('HiSo');
	});

	test.each(['tool_use', 'server_tool_use', 'mcp_tool_use', 'web_search_tool_result', 'tomorrow'])(
		'from a %s block on everything waits, text behind it too',
		(type) => {
			const { relay, send } = relayOf(id);
			const block = anthropic('content_block_start', {
				index: 0,
				content_block: { type, id: 'x', input: {} },
			});
			const frames = [start, block, stop(0), textStart(1), textDelta(1, 'Hi'), stop(1), ended('end_turn', 9)];
			expect(frames.map((frame) => send(frame)).join('')).toBe('');
			expect(relay.state).toBe('held');
			expect(send(anthropic('message_stop'))).toBe(encode([...frames, anthropic('message_stop')]).toString());
			expect([relay.state, relay.text, relay.end().end.kind]).toEqual(['done', 'Hi', 'clean']);
		},
	);

	test('a cut between message_delta and message_stop leaves a message that can be restarted', () => {
		const { relay, send } = relayOf(id);
		const sent = [start, textStart(0), textDelta(0, 'Hi'), stop(0), ended('end_turn', 3)].map((frame) =>
			send(frame),
		);
		const next = relay.restart('[restarted]', local);
		const rest = next.relay.push(
			encode(builders[id]({ id: 'm2', model: 'q', parts: [{ kind: 'text', pieces: ['Yo'] }] })),
		);
		const got = strictClients[id](Buffer.concat([Buffer.from(sent.join('')), next.bytes, rest]));
		expect(got).toMatchObject({ texts: ['Hi', '[restarted]\n\nYo'], ended: true });
		// The client has the first upstream's input tokens; the last counts are those of the answer it got.
		expect(Buffer.from(rest).toString()).toContain('"input_tokens":25');
		expect(next.relay.usage).toMatchObject({ input: 25, cacheRead: 100, output: 20 });
	});

	test('a block that only began at the cut is not closed as an empty one', () => {
		const { relay, send } = relayOf(id);
		for (const frame of [start, textStart(0), textDelta(0, 'Hi'), stop(0), textStart(1)]) send(frame);
		// The label stands at the head of the new text, so nothing goes out before that comes.
		expect(relay.restart('[restarted]', cloud).bytes).toHaveLength(0);
	});

	test.each<[string, string | null, number, string]>([
		['a turn that needs no word', 'end_turn', 2, 'clean'],
		['a turn without any output', 'end_turn', 0, 'empty'],
		['no reason and no output', null, 0, 'empty'],
		['no reason', null, 5, 'empty'],
		['a refusal', 'refusal', 0, 'clean'],
		['no room for a word', 'max_tokens', 0, 'clean'],
		['a context that is full', 'model_context_window_exceeded', 0, 'clean'],
	])('a message without content: %s', (_name, reason, output, kind) => {
		const frames = [start, ended(reason, output), anthropic('message_stop')];
		const { relay } = relayOf(id);
		const passed = relay.push(encode(frames));
		expect(relay.end().end.kind).toBe(kind);
		expect(passed.length > 0).toBe(kind === 'clean');
	});

	test.each<[string, string, string, number | null]>([
		[
			'overloaded',
			'{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
			'overloaded_error',
			529,
		],
		[
			'rate limit',
			'{"type":"error","error":{"type":"rate_limit_error","message":"x"}}',
			'rate_limit_error',
			429,
		],
		[
			'spend limit',
			'{"type":"error","error":{"type":"rate_limit_error","message":"x","details":{"error_code":"enforced_spend_limit_reached"}}}',
			'enforced_spend_limit_reached',
			429,
		],
		['not JSON', 'upstream connect error', 'error', null],
	])('an error event: %s', (_name, data, type, status) => {
		const { relay } = relayOf(id);
		const bytes = Buffer.from(`event: error\ndata: ${data}\n\n`);
		relay.push(Buffer.concat([encode([start, textStart(0)]), bytes]));
		expect(relay.error).toMatchObject({ type, status, bytes });
	});

	test('an error that a local server says in its own words', () => {
		const { relay } = relayOf(id);
		relay.push(
			Buffer.concat([
				encode([start]),
				Buffer.from('data: {"error":"llama runner process has terminated"}\n\n'),
			]),
		);
		expect(relay.error?.message).toBe('llama runner process has terminated');
	});

	test('a server that closes right behind its last event has ended well', () => {
		const bytes = encode([
			start,
			textStart(0),
			textDelta(0, 'Hi'),
			stop(0),
			ended('end_turn', 3),
			anthropic('message_stop'),
		]);
		const relay = protocols[id].createRelay(cloud);
		const passed = relay.push(bytes.subarray(0, -2));
		const { end, rest } = relay.end();
		expect([end.kind, Buffer.concat([passed, rest]).toString()]).toEqual(['clean', bytes.toString()]);
	});

	test('what a server sends behind the end passes', () => {
		const { relay, send } = relayOf(id);
		relay.push(
			encode([
				start,
				textStart(0),
				textDelta(0, 'Hi'),
				stop(0),
				ended('end_turn', 3),
				anthropic('message_stop'),
			]),
		);
		expect(send({ event: '', data: '[DONE]' })).toBe('data: [DONE]\n\n');
	});

	test('a frame that is too long is an error in the form of the protocol', () => {
		const relay = new GatedRelay(new AnthropicStream(cloud), 'held', new FrameSplitter(100));
		relay.push(Buffer.from(`data: ${'x'.repeat(200)}`));
		expect(relay.error?.type).toBe('frame_too_long');
		expect(Buffer.from(relay.error?.bytes ?? []).toString()).toMatch(/^event: error\ndata: \{"type":"error"/);
		expect(relay.end().end.kind).toBe('in-band-error');
	});

	test('the text it remembers is bounded', () => {
		const { relay, send } = relayOf(id);
		send(start);
		send(textStart(0));
		for (let at = 0; at < 30; at += 1) send(textDelta(0, 'x'.repeat(10_000)));
		expect(relay.text).toHaveLength(200_000);
	});
});

describe('Chat Completions', () => {
	const id = 'openai-chat';
	const chunk = (delta: object, finish_reason: string | null = null, rest: object = {}): Frame => ({
		event: '',
		data: {
			id: 'c',
			object: 'chat.completion.chunk',
			created: 1,
			model: 'm',
			choices: [{ index: 0, delta, finish_reason }],
			...rest,
		},
	});
	const done: Frame = { event: '', data: '[DONE]' };
	const call = chunk({
		tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":' } }],
	});

	test('a local server that never sends [DONE] has ended well after a finish_reason', () => {
		const frames = [chunk({ role: 'assistant' }), call, chunk({}, 'tool_calls')];
		const { relay } = relayOf(id);
		expect(relay.push(encode(frames)).length).toBe(0);
		const { end, rest } = relay.end();
		// The arguments are not whole: that is between the upstream and the client.
		expect([end.kind, Buffer.from(rest).toString()]).toEqual(['clean', encode(frames).toString()]);
	});

	test('the same when it closes without the last empty line', () => {
		const bytes = encode([chunk({ role: 'assistant' }), chunk({ content: 'Hi' }), chunk({}, 'stop')]);
		const { relay } = relayOf(id);
		const passed = relay.push(bytes.subarray(0, -2));
		const { end, rest } = relay.end();
		expect([end.kind, Buffer.concat([passed, rest]).toString()]).toEqual(['clean', bytes.toString()]);
	});

	test('[DONE] behind a cut, as broken proxies write it, is no end and does not pass', () => {
		const { relay } = relayOf(id);
		const passed = relay.push(encode([chunk({ content: 'Hi' }), call, done]));
		expect(Buffer.from(passed).toString()).toBe(encode([chunk({ content: 'Hi' })]).toString());
		expect(relay.end()).toMatchObject({ end: { kind: 'cut' }, rest: { length: 0 } });
	});

	test.each<[string, Frame, string, number | null]>([
		[
			'an error frame',
			{ event: '', data: { error: { message: 'x', code: 'server_is_overloaded' } } },
			'server_is_overloaded',
			503,
		],
		['a text', { event: '', data: { error: 'model runner stopped' } }, 'error', null],
		[
			'a code that is a number',
			{ event: '', data: { error: { code: 502, message: 'x' }, choices: [] } },
			'http_502',
			502,
		],
		['a finish_reason', chunk({ content: '' }, 'error'), 'error', null],
		['an event by that name', { event: 'error', data: 'bad gateway' }, 'error', null],
	])('an in-band error: %s', (_name, frame, type, status) => {
		const { relay } = relayOf(id);
		relay.push(encode([chunk({ content: 'Hi' }), frame, chunk({ content: 'more' })]));
		expect(relay.error).toMatchObject({ type, status, bytes: encodeOne(frame) });
	});

	test('`error: null` is none', () => {
		const { relay } = relayOf(id);
		relay.push(encode([chunk({ content: 'Hi' }, null, { error: null })]));
		expect([relay.error, relay.text]).toEqual([null, 'Hi']);
	});

	test('a chunk with the last text and its finish_reason waits for the end', () => {
		const { relay, send } = relayOf(id);
		send(chunk({ content: 'Hi' }));
		expect(send(chunk({ content: ' you' }, 'stop'))).toBe('');
		expect(send(done)).toContain(' you');
		expect(relay.text).toBe('Hi you');
	});

	test('several choices have ended when all have', () => {
		const two = (index: number, delta: object, finish_reason: string | null): Frame =>
			chunk({}, null, { choices: [{ index, delta, finish_reason }] });
		const { relay } = relayOf(id);
		relay.push(encode([two(0, { content: 'a' }, null), two(1, { content: 'b' }, null), two(0, {}, 'stop')]));
		expect(relay.end().end.kind).toBe('cut');
	});

	test('a thought of a local model is left out under any name, its chunk with it', () => {
		for (const field of ['reasoning_content', 'reasoning', 'reasoning_text']) {
			const { send } = relayOf(id, local);
			send(chunk({ role: 'assistant', content: '' }));
			expect(send(chunk({ content: '', [field]: 'hm' }))).toBe('');
			expect(send(chunk({ content: 'Hi' }))).not.toContain('hm');
		}
	});
});

describe('Responses', () => {
	const id = 'openai-responses';
	const event = (type: string, rest: object = {}): Frame => ({ event: type, data: { type, ...rest } });
	const message = (text: string): object => ({
		id: 'msg_1',
		type: 'message',
		role: 'assistant',
		content: [{ type: 'output_text', text }],
	});
	const response = (rest: object): object => ({
		response: { id: 'resp_1', created_at: 1, model: 'm', ...rest },
	});

	test('response.incomplete is an end, not an error', () => {
		const { relay } = relayOf(id);
		relay.push(
			encode([
				event('response.created', response({})),
				event('response.incomplete', response({ output: [] })),
			]),
		);
		expect([relay.error, relay.end().end.kind]).toEqual([null, 'clean']);
	});

	test.each<[string, Frame, string, number | null]>([
		[
			'response.failed',
			event('response.failed', response({ error: { code: 'rate_limit_exceeded', message: 'x' } })),
			'rate_limit_exceeded',
			429,
		],
		[
			'a flat error',
			event('error', { code: 'server_error', message: 'x', param: null }),
			'server_error',
			500,
		],
		[
			'a nested error',
			event('error', { error: { type: 'server_error', message: 'x' } }),
			'server_error',
			500,
		],
		['an envelope', { event: '', data: { error: { message: 'x', type: 'api_error' } } }, 'api_error', 500],
		['response.failed without a word', event('response.failed', response({})), 'error', null],
	])('an in-band error: %s', (_name, frame, type, status) => {
		const { relay } = relayOf(id);
		relay.push(encode([event('response.created', response({})), frame]));
		expect(relay.error).toMatchObject({ type, status, bytes: encodeOne(frame) });
	});

	test('a server that tells items only when they are done, or only at the end', () => {
		for (const options of [cloud, local]) {
			const done = [
				event('response.created', response({})),
				event('response.output_item.done', { output_index: 0, item: message('Hi') }),
			];
			const atEnd = [done[0] ?? start, event('response.completed', response({ output: [message('Hi')] }))];
			const one = relayOf(id, options);
			expect(Buffer.from(one.relay.push(encode(done))).toString()).toContain('Hi');
			expect([one.relay.state, one.relay.text]).toEqual(['content', 'Hi']);
			const two = relayOf(id, options);
			const passed = Buffer.from(two.relay.push(encode(atEnd))).toString();
			expect(passed).toContain(options.label === '' ? '"text":"Hi"' : '"text":"[local]\\n\\nHi"');
			expect([two.relay.state, two.relay.text]).toEqual(['done', 'Hi']);
		}
	});

	test('reasoning without a word of it is no content: failing over stays invisible', () => {
		const { relay } = relayOf(id);
		const item = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'x' };
		const frames = [
			event('response.output_item.added', { output_index: 0, item }),
			event('response.output_item.done', { output_index: 0, item }),
		];
		expect(relay.push(encode([event('response.created', response({})), ...frames])).length).toBe(0);
		expect(relay.state).toBe('held');
	});

	test.each(['function_call', 'custom_tool_call', 'local_shell_call', 'web_search_call', 'tomorrow'])(
		'a %s waits for the end, whole as it is',
		(type) => {
			const { relay } = relayOf(id);
			const frames = [
				event('response.created', response({})),
				event('response.output_item.added', { output_index: 0, item: { id: 'x', type } }),
				event(`response.${type}_arguments.delta`, { output_index: 0, item_id: 'x', delta: '{' }),
				event('response.output_item.done', { output_index: 0, item: { id: 'x', type } }),
			];
			expect(relay.push(encode(frames)).length).toBe(0);
			const last = event('response.completed', response({ output: [{ id: 'x', type }] }));
			expect(Buffer.from(relay.push(encodeOne(last))).toString()).toBe(encode([...frames, last]).toString());
		},
	);

	test('events that nobody described pass in order', () => {
		const { send } = relayOf(id);
		send(event('response.created', response({})));
		send(event('response.output_item.added', { output_index: 0, item: { id: 'msg_1', type: 'message' } }));
		send(
			event('response.output_text.delta', {
				output_index: 0,
				item_id: 'msg_1',
				content_index: 0,
				delta: 'Hi',
			}),
		);
		const limits = event('codex.rate_limits', { rate_limits: { primary: null } });
		expect(send(limits)).toBe(encodeOne(limits).toString());
	});

	test('a server without sequence numbers gets none of ours', () => {
		const { relay } = relayOf(id, local);
		const passed = relay.push(
			encode([
				event('response.created', response({})),
				event('response.output_item.added', { output_index: 0, item: { id: 'msg_1', type: 'message' } }),
				event('response.output_text.delta', {
					output_index: 0,
					item_id: 'msg_1',
					content_index: 0,
					delta: 'Hi',
				}),
			]),
		);
		expect(Buffer.from(passed).toString()).not.toContain('sequence_number');
	});
});
