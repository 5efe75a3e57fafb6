import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/main/gateway/protocol.ts';
import { anthropicMessages } from '../../../src/main/gateway/protocols/anthropic/anthropic-messages.ts';

const { readRequest, forLocal } = anthropicMessages;

const tools = [{ name: 'Bash', description: 'Runs a command', input_schema: { type: 'object' } }];
const user = (content: unknown): JsonObject => ({ role: 'user', content });
const assistant = (...content: unknown[]): JsonObject => ({ role: 'assistant', content });
const text = (words: string): JsonObject => ({ type: 'text', text: words });
const call = (name: string, id = 'toolu_1'): JsonObject => ({ type: 'tool_use', id, name, input: {} });
const result = (id = 'toolu_1'): JsonObject => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });

const form = (...fields: string[]): JsonObject => ({
	output_config: {
		format: {
			type: 'json_schema',
			schema: { type: 'object', properties: Object.fromEntries(fields.map((field) => [field, {}])) },
		},
	},
});

function body(rest: object = {}): JsonObject {
	return {
		model: 'claude-opus-5',
		max_tokens: 32_000,
		stream: true,
		tools,
		messages: [user('fix the bug')],
		...rest,
	};
}

describe('facts', () => {
	test('what the request says of itself', () => {
		expect(readRequest(body())).toMatchObject({
			model: 'claude-opus-5',
			isStream: true,
			offersTools: true,
			maxOutputTokens: 32_000,
			prompt: 'fix the bug',
			isAuxiliary: false,
		});
		expect(readRequest({})).toMatchObject({
			model: '',
			isStream: false,
			offersTools: false,
			maxOutputTokens: null,
		});
	});

	test.each<[string, object, string]>([
		['nothing special', {}, 'other'],
		['an edit lately', { messages: [user('x'), assistant(call('Edit')), user([result()])] }, 'editing'],
		[
			'an MCP edit lately',
			{ messages: [user('x'), assistant(call('mcp__fs__write_file')), user([result()])] },
			'editing',
		],
		[
			'a to-do list is no edit',
			{ messages: [user('x'), assistant(call('TodoWrite')), user([result()])] },
			'other',
		],
		['thinking, which Claude Code always asks for', { thinking: { type: 'adaptive' } }, 'other'],
		[
			'thinking while editing',
			{ thinking: { type: 'adaptive' }, messages: [user('x'), assistant(call('Write')), user([result()])] },
			'editing',
		],
		[
			'plan mode, though it edited before',
			{
				messages: [
					assistant(call('Edit')),
					user([
						result(),
						text('<system-reminder>Plan mode is active. The user indicated …</system-reminder>'),
					]),
				],
			},
			'planning',
		],
		[
			'plan mode in a system message of the client',
			{ messages: [user('x'), { role: 'system', content: 'Plan mode still active' }] },
			'planning',
		],
		[
			'plan mode that was left',
			{
				messages: [
					user('Plan mode is active'),
					assistant(call('ExitPlanMode')),
					user([result(), text('You have exited plan mode.')]),
				],
			},
			'other',
		],
		[
			'a tool result that quotes plan mode',
			{ messages: [user('x'), user([{ ...result(), content: 'Plan mode is active' }])] },
			'other',
		],
		[
			'an edit long ago',
			{ messages: [assistant(call('Edit')), ...Array.from({ length: 9 }, () => assistant(call('Bash')))] },
			'other',
		],
	])('activity: %s', (_name, rest, activity) => {
		expect(readRequest(body(rest)).activity).toBe(activity);
	});

	test('the prompt is what a person typed last, without what the program put around it', () => {
		const typed = [text('<system-reminder>\nnow: 12\n</system-reminder>'), text('  add\n a test  ')];
		const messages = [user(typed), assistant(call('Bash')), user([result(), text('<system-reminder>x')])];
		expect(readRequest(body({ messages })).prompt).toBe('add a test');
		expect(readRequest(body({ messages: [user('a < b and <b>c</b>')] })).prompt).toBe('a < b and <b>c</b>');
		expect(readRequest(body({ messages: [user('😀'.repeat(400))] })).prompt.isWellFormed()).toBe(true);
		expect(readRequest(body({ messages: [] })).prompt).toBe('');
	});

	test.each<[string, object, boolean]>([
		[
			'a title',
			{ tools: [], max_tokens: 512, system: 'Analyze if this message indicates a new conversation topic.' },
			true,
		],
		[
			'a title without a small limit: it might be anything',
			{ tools: undefined, system: 'Generate a concise title for this coding session.' },
			false,
		],
		[
			'a title with its own form of answer',
			{ tools: undefined, system: 'Generate a concise title for this coding session.', ...form('title') },
			true,
		],
		[
			'a small model with that form',
			{ tools: [], model: 'claude-haiku-4-5', ...form('isNewTopic', 'title') },
			true,
		],
		['another form', { tools: [], model: 'claude-haiku-4-5', ...form('title', 'findings') }, false],
		['a probe of the quota', { tools: [], max_tokens: 1, model: 'claude-haiku-4-5' }, true],
		['a small answer of a large model', { tools: [], max_tokens: 600 }, false],
		['a small model without tools', { tools: undefined, model: 'claude-haiku-4-5-20251001' }, false],
		[
			'a system text that mentions a title',
			{ tools: undefined, system: 'You review code. Keep the conversation title out of it.' },
			false,
		],
		['a small model with tools', { model: 'claude-haiku-4-5-20251001', max_tokens: 100 }, false],
		['a small limit with tools', { max_tokens: 100 }, false],
		['a question without tools', { tools: undefined, messages: [user('write a title for my page')] }, false],
	])('helper requests: %s', (_name, rest, expected) => {
		expect(readRequest(body(rest)).isAuxiliary).toBe(expected);
	});
});

describe('the estimate of tokens', () => {
	const tokens = (rest: object): number => readRequest(body(rest)).estimatedTokens;

	test('rather too many than too few, and not absurdly many', () => {
		// 1 000 words of English are about 1 330 tokens, as many characters of Chinese 600 to 1 400.
		const english = tokens({ tools: [], messages: [user('seven '.repeat(1_000))] });
		expect(english).toBeGreaterThan(1_330);
		expect(english).toBeLessThan(2_600);
		expect(tokens({ tools: [], messages: [user('测'.repeat(1_000))] })).toBeGreaterThan(900);
	});

	test('system text and tools count', () => {
		const bare = tokens({ tools: [] });
		expect(tokens({}) - bare).toBeGreaterThan(10);
		expect(tokens({ tools: [], system: 'x'.repeat(3_200) }) - bare).toBeGreaterThan(1_000);
	});

	test('a picture or a document costs the same whatever its size', () => {
		for (const type of ['image', 'document']) {
			const of = (size: number): number =>
				tokens({
					messages: [user([{ type, source: { type: 'base64', media_type: 'x', data: 'A'.repeat(size) } }])],
				});
			expect(of(5_000_000)).toBe(of(10));
			expect(of(10)).toBeGreaterThan(1_500);
		}
		const nested = {
			...result(),
			content: [{ type: 'image', source: { type: 'base64', data: 'A'.repeat(4_000_000) } }],
		};
		expect(tokens({ messages: [user([nested])] })).toBeLessThan(3_000);
		const written = { type: 'document', source: { type: 'text', data: 'x'.repeat(32_000) } };
		expect(tokens({ messages: [user([written])] })).toBeGreaterThan(10_000);
	});

	test('thoughts are not counted: they are left out for another model', () => {
		const thought = { type: 'thinking', thinking: 'x'.repeat(50_000), signature: 'y'.repeat(50_000) };
		expect(tokens({ messages: [assistant(thought, text('hi'))] })).toBeLessThan(200);
	});
});

describe('the hash of the input', () => {
	const hash = (rest: object): string => readRequest(body(rest)).inputHash;

	test('is the same for the same turn asked again in other words', () => {
		const same = hash({});
		expect(same).toMatch(/^[0-9a-f]{64}$/);
		for (const rest of [
			{ model: 'other' },
			{ stream: false },
			{ metadata: { user_id: 'x' } },
			{ max_tokens: 5 },
			{ messages: [{ content: 'fix the bug', role: 'user' }] },
			{ messages: [{ ...user('fix the bug'), cache_control: { type: 'ephemeral' } }] },
			{ system: [text('x-anthropic-billing-header: cc_version=2; cch=1')] },
		]) {
			expect(hash(rest)).toBe(same);
		}
	});

	test('is another one for another input', () => {
		const hashes = [
			{},
			{ messages: [user('fix the bugs')] },
			{ messages: [user('fix the bug'), assistant(text('ok'))] },
			{ tools: [] },
			{ system: 'Be brief.' },
			{ messages: [user([text('fix'), text('the bug')])] },
		].map(hash);
		expect(new Set(hashes).size).toBe(hashes.length);
	});

	test('where a string ends makes a difference', () => {
		expect(hash({ messages: [user('ab'), user('c')] })).not.toBe(hash({ messages: [user('a'), user('bc')] }));
	});
});

describe('for a local model', () => {
	test('the model is replaced, the vendor’s own fields are left out, everything else stays', () => {
		const asked = body({
			thinking: { type: 'enabled' },
			context_management: { edits: [] },
			output_config: { effort: 'high', format: { type: 'json_schema' } },
			betas: ['x'],
			service_tier: 'auto',
			temperature: 0.5,
			stop_sequences: ['x'],
			system: [
				text('x-anthropic-billing-header: cch=1'),
				{ ...text('Be brief.'), cache_control: { type: 'ephemeral' } },
			],
		});
		expect(forLocal(asked, 'qwen3-coder:30b')).toEqual({
			model: 'qwen3-coder:30b',
			max_tokens: 32_000,
			stream: true,
			tools,
			messages: [user('fix the bug')],
			temperature: 0.5,
			stop_sequences: ['x'],
			output_config: { format: { type: 'json_schema' } },
			system: [{ ...text('Be brief.'), cache_control: { type: 'ephemeral' } }],
		});
	});

	test('thoughts and signatures go, calls and results stay together', () => {
		const messages = [
			user('x'),
			assistant(
				{ type: 'thinking', thinking: 'hm', signature: 's' },
				{ ...call('Bash'), caller: { type: 'direct' } },
			),
			user([result()]),
			assistant({ type: 'redacted_thinking', data: 'x' }),
			assistant({ ...text('found'), citations: [{ encrypted_index: 'x' }] }),
		];
		expect(forLocal(body({ messages }), 'q').messages).toEqual([
			user('x'),
			assistant(call('Bash')),
			user([result()]),
			assistant(text('(thought about it)')),
			assistant(text('found')),
		]);
	});

	test('tools of the vendor go, and a choice of one with them', () => {
		const search = { type: 'web_search_20250305', name: 'web_search' };
		const mine = { ...tools[0], defer_loading: true };
		const forced = body({ tools: [search, mine], tool_choice: { type: 'tool', name: 'web_search' } });
		expect(forLocal(forced, 'q')).toMatchObject({ tools });
		expect(forLocal(forced, 'q')).not.toHaveProperty('tool_choice');
		expect(forLocal(body({ tools: [search], tool_choice: { type: 'auto' } }), 'q')).not.toHaveProperty(
			'tools',
		);
		expect(forLocal(body({ tool_choice: { type: 'any' } }), 'q')).toHaveProperty('tool_choice');
	});

	test('a search of the vendor and its result leave the conversation together', () => {
		const messages = [
			user('x'),
			assistant(
				text('I look.'),
				{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
				{ type: 'web_search_tool_result', tool_use_id: 's', content: [{ encrypted_content: 'x' }] },
			),
		];
		expect(forLocal(body({ messages }), 'q').messages).toEqual([user('x'), assistant(text('I look.'))]);
	});

	test('system messages in the middle join a message of the user, never between a call and its result', () => {
		const reminder = (words: string): JsonObject => text(`<system-reminder>\n${words}\n</system-reminder>`);
		const messages = [
			user('x'),
			{ role: 'system', content: 'one' },
			assistant(call('Bash')),
			{ role: 'system', content: [text('two')] },
			user([result()]),
			{ role: 'system', content: 'three' },
		];
		expect(forLocal(body({ messages }), 'q').messages).toEqual([
			user([text('x'), reminder('one')]),
			assistant(call('Bash')),
			user([result(), reminder('two'), reminder('three')]),
		]);
	});

	test('tools found by reference are named', () => {
		const found = { ...result(), content: [{ type: 'tool_reference', tool_name: 'Deploy' }] };
		expect(forLocal(body({ messages: [user([found])] }), 'q').messages).toEqual([
			user([{ ...result(), content: [text('Tool available: Deploy')] }]),
		]);
	});

	test('the body of the caller stays as it was', () => {
		const asked = body({
			thinking: {},
			messages: [assistant({ type: 'thinking' }), { role: 'system', content: 'x' }],
		});
		const before = structuredClone(asked);
		forLocal(asked, 'q');
		expect(asked).toEqual(before);
	});
});

describe('whatever a body holds', () => {
	const foreign = fc.record({
		type: fc.constantFrom('thinking', 'redacted_thinking', 'server_tool_use', 'x'),
		data: fc.json(),
	});
	const said = fc.oneof(fc.constantFrom(call('A', 'a'), call('B', 'b'), text('x'), text('')), foreign);
	const asked = fc.constantFrom(result('a'), result('b'), text('x'), { type: 'image', source: {} });
	const contentOf = (block: fc.Arbitrary<JsonObject>): fc.Arbitrary<unknown> =>
		fc.oneof(fc.string({ minLength: 1 }), fc.array(block, { minLength: 1, maxLength: 5 }));
	const message = fc.oneof(
		fc.record({ role: fc.constant('assistant'), content: contentOf(said) }),
		fc.record({ role: fc.constant('user'), content: contentOf(asked) }),
		fc.record({ role: fc.constant('system'), content: contentOf(fc.constant(text('x'))) }),
	);

	/** Ids of calls and results in their order. */
	function pairs(messages: unknown): string[] {
		return JSON.stringify(messages).match(/"(?:tool_use_)?id":"[ab]"/g) ?? [];
	}

	test('no message is left empty and every call keeps its result', () => {
		fc.assert(
			fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
				const local = forLocal(body({ messages }), 'q').messages;
				expect(pairs(local)).toEqual(pairs(messages));
				for (const one of Array.isArray(local) ? local : []) {
					expect(['user', 'assistant']).toContain(one.role);
					expect(one.content).not.toEqual([]);
					const types = Array.isArray(one.content) ? one.content.map((block: JsonObject) => block.type) : [];
					expect(types).not.toContain('thinking');
					expect(types).not.toContain('redacted_thinking');
				}
			}),
		);
	});

	test('nothing throws', () => {
		const value = fc.anything({ maxDepth: 4 });
		const any = fc.dictionary(
			fc.constantFrom('model', 'messages', 'system', 'tools', 'thinking', 'tool_choice'),
			value,
		);
		fc.assert(
			fc.property(any, (asked) => {
				expect(readRequest(asked).inputHash).toHaveLength(64);
				expect(forLocal(asked, 'q').model).toBe('q');
			}),
		);
	});

	test('a body nested a hundred thousand levels deep is read', () => {
		const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
		expect(readRequest(body({ messages: [user(deep)] })).inputHash).toHaveLength(64);
	});
});
