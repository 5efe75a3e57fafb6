import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/main/gateway/protocol.ts';
import { openaiChat } from '../../../src/main/gateway/protocols/chat/openai-chat.ts';
import { openaiResponses } from '../../../src/main/gateway/protocols/responses/openai-responses.ts';

describe('Chat Completions', () => {
	const tool = { type: 'function', function: { name: 'bash', parameters: {} } };
	const calls = (...names: string[]): JsonObject => ({
		role: 'assistant',
		content: null,
		tool_calls: names.map((name, at) => ({
			id: `call_${at}`,
			type: 'function',
			function: { name, arguments: '{}' },
		})),
	});
	const result = (at = 0): JsonObject => ({ role: 'tool', tool_call_id: `call_${at}`, content: 'ok' });
	const user = (content: unknown): JsonObject => ({ role: 'user', content });
	const body = (rest: object = {}): JsonObject => ({
		model: 'gpt-5.5',
		stream: true,
		tools: [tool],
		messages: [user('fix it')],
		...rest,
	});

	test('what the request says of itself', () => {
		expect(openaiChat.readRequest(body({ max_tokens: 5, max_completion_tokens: 900 }))).toMatchObject({
			model: 'gpt-5.5',
			isStream: true,
			offersTools: true,
			maxOutputTokens: 900,
			activity: 'other',
			prompt: 'fix it',
			isAuxiliary: false,
		});
	});

	test.each<[string, object, string]>([
		[
			'an edit lately',
			{ messages: [user('x'), calls('bash', 'apply_patch'), result(), result(1)] },
			'editing',
		],
		['high effort', { reasoning_effort: 'high' }, 'planning'],
		['a planning prompt of Copilot CLI', { messages: [user('[[PLAN]] add a cache')] }, 'planning'],
		[
			'a developer message',
			{ messages: [{ role: 'developer', content: 'You are in Plan Mode.' }, user('x')] },
			'planning',
		],
	])('activity: %s', (_name, rest, activity) => {
		expect(openaiChat.readRequest(body(rest)).activity).toBe(activity);
	});

	test('helper requests offer no tools and ask for little', () => {
		const title = { role: 'system', content: 'Write a short title for this chat.' };
		const auxiliary = (rest: object): boolean =>
			openaiChat.readRequest(body({ tools: undefined, ...rest })).isAuxiliary;
		expect(auxiliary({ messages: [title, user('x')], max_tokens: 20 })).toBe(true);
		expect(auxiliary({ messages: [title, user('x')] })).toBe(false);
		expect(auxiliary({ max_tokens: 20 })).toBe(false);
		expect(auxiliary({ model: 'gpt-5.4-mini' })).toBe(false);
		expect(auxiliary({ model: 'gpt-5.4-mini', max_tokens: 20 })).toBe(true);
		expect(auxiliary({})).toBe(false);
	});

	test('a picture costs the same whatever its size', () => {
		const of = (size: number): number =>
			openaiChat.readRequest(
				body({
					messages: [
						user([{ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(size)}` } }]),
					],
				}),
			).estimatedTokens;
		expect(of(3_000_000)).toBe(of(10));
	});

	test('for a local model', () => {
		const messages = [
			{ role: 'developer', content: 'Be brief.' },
			user('x'),
			{
				...calls('bash'),
				reasoning_content: 'hm',
				reasoning_details: [{ data: 'x' }],
				tool_calls: [{ ...tool, id: 'call_0', extra_content: { google: { thought_signature: 'x' } } }],
			},
			result(),
			{ role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }], reasoning: 'hm' },
			{ role: 'assistant', content: null, tool_calls: [] },
		];
		const asked = body({
			messages,
			store: true,
			service_tier: 'auto',
			reasoning_effort: 'high',
			max_completion_tokens: 900,
			temperature: 0,
			tools: [tool, { type: 'custom', custom: { name: 'apply_patch' } }],
			tool_choice: { type: 'function', function: { name: 'apply_patch' } },
			stream_options: { include_usage: true },
		});
		const before = structuredClone(asked);
		expect(openaiChat.forLocal(asked, 'q')).toEqual({
			model: 'q',
			stream: true,
			stream_options: { include_usage: true },
			max_tokens: 900,
			temperature: 0,
			tools: [tool],
			messages: [
				{ role: 'system', content: 'Be brief.' },
				user('x'),
				{ role: 'assistant', content: null, tool_calls: [{ ...tool, id: 'call_0' }] },
				result(),
				{ role: 'assistant', content: '' },
				{ role: 'assistant', content: '' },
			],
		});
		expect(asked).toEqual(before);
		expect(openaiChat.forLocal(body({ tool_choice: 'required' }), 'q').tool_choice).toBe('required');
	});
});

describe('Responses', () => {
	const tool = { type: 'function', name: 'shell', parameters: {} };
	const said = (role: string, text: string): JsonObject => ({
		type: 'message',
		role,
		content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
	});
	const body = (rest: object = {}): JsonObject => ({
		model: 'gpt-5.5-codex',
		instructions: 'You are an agent.',
		stream: true,
		tools: [tool],
		input: [
			said('developer', 'sandbox: on'),
			said('user', '<environment_context>x</environment_context>'),
			said('user', 'fix it'),
		],
		...rest,
	});
	const call = (name: string): JsonObject => ({ type: 'function_call', call_id: 'c', name, arguments: '{}' });

	test('what the request says of itself', () => {
		expect(openaiResponses.readRequest(body({ max_output_tokens: 900 }))).toMatchObject({
			model: 'gpt-5.5-codex',
			isStream: true,
			offersTools: true,
			maxOutputTokens: 900,
			activity: 'other',
			prompt: 'fix it',
			isAuxiliary: false,
		});
		expect(openaiResponses.readRequest({ input: 'hello' }).prompt).toBe('hello');
	});

	test.each<[string, object, string]>([
		[
			'an edit lately',
			{ input: [said('user', 'x'), { ...call('apply_patch'), type: 'custom_tool_call' }] },
			'editing',
		],
		['medium effort is the default of Codex', { reasoning: { effort: 'medium' } }, 'other'],
		['high effort', { reasoning: { effort: 'xhigh' } }, 'planning'],
		[
			'plan mode',
			{ input: [said('developer', '<collaboration_mode># Plan Mode\nYou are in Plan Mode.')] },
			'planning',
		],
	])('activity: %s', (_name, rest, activity) => {
		expect(openaiResponses.readRequest(body(rest)).activity).toBe(activity);
	});

	test('the hash is over instructions, tools and input', () => {
		const hash = (rest: object): string => openaiResponses.readRequest(body(rest)).inputHash;
		expect(hash({ model: 'x', stream: false, store: false, metadata: {} })).toBe(hash({}));
		expect(hash({ instructions: 'Other.' })).not.toBe(hash({}));
		expect(hash({ input: [said('user', 'fix them')] })).not.toBe(hash({}));
	});

	test('for a local model', () => {
		const freeform = {
			type: 'custom_tool_call',
			id: 'ctc_1',
			call_id: 'p',
			name: 'apply_patch',
			input: '*** Begin Patch',
		};
		const asked = body({
			store: true,
			previous_response_id: 'resp_0',
			include: ['reasoning.encrypted_content'],
			reasoning: { effort: 'high' },
			prompt_cache_key: 'x',
			parallel_tool_calls: false,
			text: { verbosity: 'low', format: { type: 'text' } },
			tools: [tool, { type: 'custom', name: 'apply_patch' }, { type: 'web_search' }],
			tool_choice: 'auto',
			input: [
				said('developer', 'sandbox: on'),
				{ ...said('assistant', 'ok'), id: 'msg_1', phase: 'commentary' },
				{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
				{ ...call('shell'), id: 'fc_1' },
				{ type: 'function_call_output', call_id: 'c', output: 'ok' },
				freeform,
				{ type: 'custom_tool_call_output', call_id: 'p', output: 'Done' },
				{ type: 'item_reference', id: 'msg_0' },
				{ type: 'web_search_call', id: 'ws_1', status: 'completed' },
			],
		});
		const before = structuredClone(asked);
		expect(openaiResponses.forLocal(asked, 'q')).toEqual({
			model: 'q',
			instructions: 'You are an agent.',
			stream: true,
			store: false,
			parallel_tool_calls: false,
			text: { format: { type: 'text' } },
			tools: [tool],
			tool_choice: 'auto',
			input: [
				said('system', 'sandbox: on'),
				said('assistant', 'ok'),
				call('shell'),
				{ type: 'function_call_output', call_id: 'c', output: 'ok' },
				{
					type: 'function_call',
					call_id: 'p',
					name: 'apply_patch',
					arguments: '{"input":"*** Begin Patch"}',
				},
				{ type: 'function_call_output', call_id: 'p', output: 'Done' },
			],
		});
		expect(asked).toEqual(before);
	});

	test('an input of which nothing is left is not empty', () => {
		const { input } = openaiResponses.forLocal(body({ input: [{ type: 'reasoning', id: 'rs_1' }] }), 'q');
		expect(input).toHaveLength(1);
		expect(openaiResponses.forLocal(body({ input: 'hello' }), 'q').input).toBe('hello');
	});
});

test('whatever a body holds, nothing throws', () => {
	const fields = [
		'model',
		'messages',
		'input',
		'tools',
		'tool_choice',
		'reasoning',
		'text',
		'max_tokens',
		'instructions',
	];
	const any = fc.dictionary(fc.constantFrom(...fields), fc.anything({ maxDepth: 4 }));
	fc.assert(
		fc.property(any, (asked) => {
			for (const { readRequest, forLocal } of [openaiChat, openaiResponses]) {
				expect(readRequest(asked).inputHash).toHaveLength(64);
				expect(forLocal(asked, 'q').model).toBe('q');
			}
		}),
	);
});
