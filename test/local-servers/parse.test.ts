/** The answers of real servers, in the fields that their documents name. */
import { describe, expect, it } from 'vitest';
import {
	contextOfArguments,
	llamaModel,
	parseEntries,
	parseHealth,
	parseProps,
} from '../../src/main/local-servers/llamacpp.ts';
import { parseLmStudioModels, parseOlderModels } from '../../src/main/local-servers/lmstudio.ts';
import { ollamaModel, parseRunning, parseShow, parseTags } from '../../src/main/local-servers/ollama.ts';
import { parseModelIds } from '../../src/main/local-servers/openai.ts';
import { parseVllmModels } from '../../src/main/local-servers/vllm.ts';

describe('Ollama', () => {
	const [tag] =
		parseTags({
			models: [{ name: 'coder:30b', model: 'coder:30b', size: 19_000_000_000, digest: 'sha256:a' }],
		}) ?? [];
	if (!tag) throw new Error('no tag');
	const qwen = {
		'general.architecture': 'qwen3moe',
		'qwen3moe.context_length': 262_144,
		'qwen3moe.block_count': 48,
		'qwen3moe.attention.head_count': 32,
		'qwen3moe.attention.head_count_kv': 4,
		'qwen3moe.attention.key_length': 128,
		'qwen3moe.attention.value_length': 128,
	};

	it('tells the context in use of a loaded model, and where it lies', () => {
		const [running] =
			parseRunning({
				models: [{ name: 'coder:30b', size: 21e9, size_vram: 21e9, expires_at: 'x', context_length: 4096 }],
			}) ?? [];
		const show = parseShow({ capabilities: ['completion', 'tools'], model_info: qwen });
		expect(ollamaModel(tag, running ?? null, show)).toEqual({
			model: 'coder:30b',
			name: 'coder:30b',
			context: { inUse: 4096, max: 262_144 },
			loaded: true,
			sizeBytes: 19_000_000_000,
			tools: true,
			thinking: false,
			bytesPerToken: 48 * 4 * 256 * 2,
			memory: { total: 21e9, gpu: 21e9 },
		});
	});

	it.each([
		['nothing in the model file', { model_info: qwen }, null],
		[
			'num_ctx in the model file',
			{ model_info: qwen, parameters: 'stop "<x>"\nnum_ctx                65536\n' },
			65_536,
		],
		['num_ctx inside another value', { model_info: qwen, parameters: 'stop "num_ctx 99"' }, null],
	])('a cold model with %s: the context it will have', (_what, answer, expected) => {
		expect(ollamaModel(tag, null, parseShow(answer))?.context.inUse).toBe(expected);
	});

	it('does not know what is loaded when it was not told', () => {
		expect(ollamaModel(tag, undefined, null)).toMatchObject({ loaded: null, tools: null, thinking: null });
	});

	it.each([
		['a cloud model', { name: 'gpt-oss:120b-cloud', remote_host: 'https://ollama.com' }, ['completion']],
		['an embedding model', { name: 'nomic' }, ['embedding']],
		['an embedding model of an old server', { name: 'nomic-embed-text' }, undefined],
	])('%s is no local chat model', (_what, entry, capabilities) => {
		const [other] = parseTags({ models: [entry] }) ?? [];
		if (!other) throw new Error('no tag');
		expect(ollamaModel(other, null, parseShow({ capabilities, model_info: {} }))).toBeNull();
	});

	it('counts key heads layer by layer where they differ', () => {
		const info = { ...qwen, 'qwen3moe.attention.head_count_kv': [4, 0, 4] };
		expect(parseShow({ model_info: info })?.bytesPerToken).toBe(8 * 256 * 2);
	});

	it.each([null, 'x', {}, { models: 'x' }, { data: [] }, []])('%j is not its list', (json) => {
		expect(parseTags(json)).toBeNull();
	});
});

describe('LM Studio', () => {
	const entry = {
		type: 'llm',
		key: 'acme/coder-30b',
		display_name: 'Coder 30B',
		size_bytes: 18_000_000_000,
		max_context_length: 262_144,
		loaded_instances: [{ id: 'acme/coder-30b', config: { context_length: 65_536 } }],
		capabilities: { vision: false, trained_for_tool_use: true },
	};

	it('reads its own list', () => {
		expect(parseLmStudioModels({ models: [entry, { ...entry, type: 'embedding' }] })).toEqual([
			{
				model: 'acme/coder-30b',
				name: 'Coder 30B',
				context: { inUse: 65_536, max: 262_144 },
				loaded: true,
				sizeBytes: 18_000_000_000,
				tools: true,
				thinking: null,
				bytesPerToken: null,
				memory: null,
			},
		]);
	});

	it('promises the smallest context of several instances, and none when one does not tell', () => {
		const instances = [{ config: { context_length: 8192 } }, { config: { context_length: 4096 } }];
		const contextOf = (loaded_instances: unknown) =>
			parseLmStudioModels({ models: [{ ...entry, loaded_instances }] })?.[0]?.context.inUse;
		expect(contextOf(instances)).toBe(4096);
		expect(contextOf([...instances, {}])).toBeNull();
		expect(contextOf([])).toBeNull();
	});

	it('reads the list of older versions', () => {
		const data = [
			{ id: 'a', type: 'llm', state: 'loaded', max_context_length: 131_072, loaded_context_length: 8192 },
			{ id: 'b', type: 'vlm', state: 'not-loaded', capabilities: ['tool_use'] },
			{ id: 'c', type: 'embeddings', state: 'not-loaded' },
		];
		expect(parseOlderModels({ data })).toMatchObject([
			{ model: 'a', loaded: true, context: { inUse: 8192, max: 131_072 }, tools: null },
			{ model: 'b', loaded: false, tools: true },
		]);
	});
});

describe('llama.cpp', () => {
	it('reads one model: context of a slot, size, tools', () => {
		const [entry] =
			parseEntries({
				data: [{ id: '/m/coder.gguf', meta: { n_ctx_train: 262_144, size: 18_000_000_000 } }],
			}) ?? [];
		if (!entry) throw new Error('no entry');
		const props = parseProps({
			default_generation_settings: { n_ctx: 32_768 },
			is_sleeping: false,
			chat_template_caps: { supports_tools: false },
		});
		expect(llamaModel(entry, props)).toMatchObject({
			model: '/m/coder.gguf',
			name: 'coder.gguf',
			context: { inUse: 32_768, max: 262_144 },
			loaded: true,
			sizeBytes: 18_000_000_000,
			tools: false,
		});
		expect(llamaModel(entry, { ...props, isSleeping: true }).loaded).toBe(false);
	});

	it.each([
		[['llama-server', '-ctx', '4096'], 4096],
		[['-c', '32768', '-np', '4'], 8192],
		[['--ctx-size', '0'], null],
		[['--ctx-size'], null],
		[['-c', 'many'], null],
		[[], null],
	])('the context of the arguments %j is %j', (args, expected) => {
		expect(contextOfArguments(args)).toBe(expected);
	});

	it.each([
		[200, { status: 'ok' }, 'ok'],
		[503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }, 'loading'],
		[503, null, null],
		[200, null, null],
		[200, { healthy: true }, null],
		[404, { status: 'ok' }, null],
	])('health %i %j is %j', (status, json, expected) => {
		expect(parseHealth(status, json)).toBe(expected);
	});
});

describe('lists in the OpenAI form', () => {
	const data = [{ id: 'acme/coder', max_model_len: 131_072 }, { id: 'BAAI/bge-m3' }, { id: 7 }, null];

	it('vLLM tells the context, and what it lists is loaded', () => {
		expect(parseVllmModels({ data })).toMatchObject([
			{ model: 'acme/coder', loaded: true, context: { inUse: 131_072, max: 131_072 }, tools: null },
		]);
	});

	it('others tell names only', () => {
		expect(parseModelIds({ data })).toEqual(['acme/coder']);
		expect(parseModelIds({ object: 'list' })).toBeNull();
	});
});

it.each([
	['Ollama', parseTags, 'models', 'name'],
	['Ollama, running', parseRunning, 'models', 'name'],
	['LM Studio', parseLmStudioModels, 'models', 'key'],
	['LM Studio before 0.4', parseOlderModels, 'data', 'id'],
	['llama.cpp', parseEntries, 'data', 'id'],
	['vLLM', parseVllmModels, 'data', 'id'],
	['OpenAI', parseModelIds, 'data', 'id'],
])('%s: an entry with nothing but its name is read', (_server, parse, list, name) => {
	expect(parse({ [list]: [{ [name]: 'coder' }, {}] })).toHaveLength(1);
});
