import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProtocolError, RelayOptions } from '../../../src/main/gateway/protocol.ts';
import { protocols } from '../../../src/main/gateway/protocols/all.ts';
import { type ProtocolId, protocolSchema } from '../../../src/shared/failover-settings.ts';
import { referenceEvents } from '../sse/reference-parser.ts';

const anthropic = protocols['anthropic-messages'];
const chat = protocols['openai-chat'];
const responses = protocols['openai-responses'];
const local: RelayOptions = { localModel: 'qwen3-coder:30b', label: '[local]' };
const bytes = (value: unknown): Buffer =>
	Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

describe('errors of our own', () => {
	const refused: ProtocolError = { status: 400, kind: 'refused', message: 'Stopped by the operator.' };

	test('a refusal in the form of each protocol, not to be tried again', () => {
		for (const id of protocolSchema.options) {
			// Measured: what ends a turn of Claude Code and of Codex with one request.
			expect(protocols[id].errorStatus('refused')).toBe(id === 'anthropic-messages' ? 409 : 400);
			expect(protocols[id].errorHeaders(refused)).toEqual({ 'x-should-retry': 'false' });
		}
		expect(anthropic.errorBody(refused)).toEqual({
			type: 'error',
			error: { type: 'invalid_request_error', message: 'Stopped by the operator.' },
		});
		const openai = {
			error: {
				message: 'Stopped by the operator.',
				type: 'invalid_request_error',
				param: null,
				code: 'invalid_prompt',
			},
		};
		expect([chat.errorBody(refused), responses.errorBody(refused)]).toEqual([openai, openai]);
	});

	test('what may pass is left to the client’s own patience', () => {
		const overloaded: ProtocolError = { status: 529, kind: 'overloaded', message: 'x' };
		for (const id of protocolSchema.options) expect(protocols[id].errorHeaders(overloaded)).toEqual({});
		expect(protocolSchema.options.map((id) => protocols[id].errorStatus('overloaded'))).toEqual([
			529, 503, 503,
		]);
		expect(anthropic.errorBody(overloaded)).toMatchObject({ error: { type: 'overloaded_error' } });
	});

	test('an error event is one event that every client of the protocol ends with', () => {
		const of = (id: ProtocolId): unknown[] =>
			referenceEvents(protocols[id].errorEvent(refused)).map((event) => [event.type, JSON.parse(event.data)]);
		expect(of('anthropic-messages')).toEqual([['error', anthropic.errorBody(refused)]]);
		expect(of('openai-chat')).toEqual([['message', chat.errorBody(refused)]]);
		expect(of('openai-responses')).toEqual([
			[
				'response.failed',
				expect.objectContaining({
					type: 'response.failed',
					response: expect.objectContaining({
						status: 'failed',
						error: { code: 'invalid_prompt', message: 'Stopped by the operator.' },
					}),
				}),
			],
		]);
	});

	test('a ping says nothing of the answer', () => {
		expect(referenceEvents(anthropic.ping)).toEqual([
			{ type: 'ping', data: '{"type":"ping"}', lastEventId: '' },
		]);
		for (const { ping } of [chat, responses]) {
			expect(referenceEvents(ping)).toEqual([]);
			expect(Buffer.from(ping).toString()).toMatch(/^:.*\n\n$/);
		}
	});
});

describe('errors of others', () => {
	test.each<[string, unknown, string, string]>([
		[
			'Anthropic',
			{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
			'overloaded_error',
			'Overloaded',
		],
		[
			'a spend limit',
			{
				error: {
					type: 'rate_limit_error',
					message: 'x',
					details: { error_code: 'enforced_spend_limit_reached' },
				},
			},
			'enforced_spend_limit_reached',
			'x',
		],
		[
			'OpenAI',
			{ error: { message: 'No quota', type: 'x', code: 'insufficient_quota' } },
			'insufficient_quota',
			'No quota',
		],
		[
			'llama.cpp',
			{ error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
			'http_503',
			'Loading model',
		],
		['Ollama', { error: 'model "x" not found' }, 'http_404', 'model "x" not found'],
		['OAuth', { error: 'invalid_token', error_description: 'expired' }, 'invalid_token', 'expired'],
		['FastAPI', { detail: [{ loc: ['body'], msg: 'field required' }] }, 'http_404', 'field required'],
		[
			'a page of a proxy',
			'<html><h1>502 Bad Gateway</h1></html>',
			'http_404',
			'HTTP 404 without an explanation',
		],
		['plain text', 'upstream connect error', 'http_404', 'upstream connect error'],
		['nothing', '', 'http_404', 'HTTP 404 without an explanation'],
	])('%s', (_name, body, type, message) => {
		for (const id of protocolSchema.options) {
			expect(protocols[id].readError(404, bytes(body))).toEqual({ type, message });
		}
	});

	test('whatever comes is read', () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 200 }), fc.json(), (raw, json) => {
				for (const body of [raw, bytes(json)]) {
					const read = chat.readError(500, body);
					expect(read.type !== '' && read.message !== '').toBe(true);
				}
			}),
		);
	});
});

describe('whole answers', () => {
	const good: Readonly<Record<ProtocolId, object>> = {
		'anthropic-messages': {
			model: 'claude',
			content: [
				{ type: 'thinking', thinking: 'hm', signature: 's' },
				{ type: 'text', text: 'Hi' },
				{ type: 'tool_use', id: 't', name: 'Bash', input: {} },
			],
			stop_reason: 'tool_use',
			usage: { input_tokens: 5, cache_read_input_tokens: 20, output_tokens: 9 },
		},
		'openai-chat': {
			model: 'gpt',
			choices: [
				{
					index: 0,
					message: { role: 'assistant', content: 'Hi', reasoning_content: 'hm' },
					finish_reason: 'stop',
				},
			],
			usage: { prompt_tokens: 25, prompt_tokens_details: { cached_tokens: 20 }, completion_tokens: 9 },
		},
		'openai-responses': {
			model: 'gpt',
			status: 'completed',
			error: null,
			output: [
				{ id: 'rs', type: 'reasoning', summary: [] },
				{ id: 'msg', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] },
			],
			usage: { input_tokens: 25, input_tokens_details: { cached_tokens: 20 }, output_tokens: 9 },
		},
	};

	test.each(protocolSchema.options)('%s: a good one', (id) => {
		expect(protocols[id].readAnswer(bytes(good[id]))).toMatchObject({
			error: null,
			usage: { input: 5, cacheRead: 20, output: 9 },
			text: 'Hi',
		});
	});

	test.each(protocolSchema.options)(
		'%s: no bytes, a page, an envelope, and nothing in it are errors',
		(id) => {
			const { readAnswer } = protocols[id];
			const typeOf = (body: unknown): string | undefined => readAnswer(bytes(body)).error?.type;
			expect(typeOf('')).toBe('empty_answer');
			expect(typeOf('{}')).toBe('empty_answer');
			expect(typeOf('[]')).toBe('unreadable_answer');
			expect(typeOf('<html></html>')).toBe('unreadable_answer');
			expect(typeOf({ type: 'error', error: { type: 'overloaded_error', message: 'x' } })).toBe(
				'overloaded_error',
			);
			const body = bytes({ error: { message: 'x', code: 'rate_limit_exceeded' } });
			expect(readAnswer(body).error).toMatchObject({
				type: 'rate_limit_exceeded',
				message: 'x',
				bytes: body,
			});
		},
	);

	test.each<[ProtocolId, object, boolean]>([
		['anthropic-messages', { content: [], stop_reason: 'end_turn', usage: { output_tokens: 0 } }, false],
		['anthropic-messages', { content: [{ type: 'text', text: '' }], stop_reason: 'end_turn' }, false],
		['anthropic-messages', { content: [], stop_reason: 'end_turn', usage: { output_tokens: 2 } }, true],
		['anthropic-messages', { content: [], stop_reason: 'refusal' }, true],
		['anthropic-messages', { input_tokens: 2095 }, true],
		['openai-chat', { choices: [] }, false],
		['openai-chat', { choices: [{ message: { content: '' }, finish_reason: 'stop' }] }, false],
		[
			'openai-chat',
			{ choices: [{ message: { content: null, tool_calls: [{ id: 'c' }] }, finish_reason: 'tool_calls' }] },
			true,
		],
		['openai-chat', { choices: [{ message: { content: '' }, finish_reason: 'length' }] }, true],
		['openai-chat', { choices: [{ message: { content: 'x' }, finish_reason: 'error' }] }, false],
		['openai-responses', { status: 'completed', output: [] }, false],
		['openai-responses', { status: 'completed', output: [{ type: 'function_call' }] }, true],
		['openai-responses', { status: 'incomplete', output: [] }, true],
		['openai-responses', { status: 'failed', output: [] }, false],
		['openai-responses', { status: 'queued', output: [] }, true],
	])('%s %j: good %s', (id, body, isGood) => {
		expect(protocols[id].readAnswer(bytes(body)).error === null).toBe(isGood);
	});

	const labelled = (id: ProtocolId, body: unknown, options = local): unknown =>
		JSON.parse(Buffer.from(protocols[id].labelAnswer(bytes(body), options)).toString());

	test('a local one gets its model and the label, and loses its thoughts', () => {
		expect(labelled('anthropic-messages', good['anthropic-messages'])).toMatchObject({
			model: 'qwen3-coder:30b',
			content: [{ type: 'text', text: '[local]\n\nHi' }, { type: 'tool_use' }],
		});
		expect(labelled('openai-chat', good['openai-chat'])).toMatchObject({
			model: 'qwen3-coder:30b',
			choices: [{ message: { role: 'assistant', content: '[local]\n\nHi' } }],
		});
		expect(JSON.stringify(labelled('openai-chat', good['openai-chat']))).not.toContain('hm');
		expect(labelled('openai-responses', good['openai-responses'])).toMatchObject({
			model: 'qwen3-coder:30b',
			output: [{ type: 'message', content: [{ text: '[local]\n\nHi' }] }],
		});
	});

	test('a call without text gets the label as a text of its own, before it', () => {
		expect(labelled('anthropic-messages', { content: [{ type: 'tool_use' }] })).toMatchObject({
			content: [{ type: 'text', text: '[local]' }, { type: 'tool_use' }],
		});
		expect(
			labelled('openai-chat', { choices: [{ message: { content: null, tool_calls: [{}] } }] }),
		).toMatchObject({
			choices: [{ message: { content: '[local]', tool_calls: [{}] } }],
		});
		expect(labelled('openai-responses', { output: [{ type: 'function_call' }] })).toMatchObject({
			output: [{ type: 'message', content: [{ text: '[local]' }] }, { type: 'function_call' }],
		});
	});

	test('without a label the text is as it was; bytes that are no answer stay as they are', () => {
		for (const id of protocolSchema.options) {
			const text = JSON.stringify(labelled(id, good[id], { ...local, label: '' }));
			expect(text).toContain('"Hi"');
			expect(protocols[id].labelAnswer(bytes('<html>'), local)).toEqual(bytes('<html>'));
		}
	});

	test('whatever comes, nothing throws', () => {
		const answer = fc.dictionary(
			fc.constantFrom('content', 'choices', 'output', 'error', 'usage', 'status', 'model'),
			fc.anything({ maxDepth: 4 }),
		);
		fc.assert(
			fc.property(answer, (value) => {
				const body = bytes(
					JSON.stringify(value, (_key, one) => (typeof one === 'bigint' ? Number(one) : one)),
				);
				for (const id of protocolSchema.options) {
					expect(protocols[id].readAnswer(body).text).toBeTypeOf('string');
					expect(protocols[id].labelAnswer(body, local)).toBeInstanceOf(Uint8Array);
				}
			}),
		);
	});
});
