import { describe, expect, it } from 'vitest';
import { isChatName, modelTags } from '../../src/main/local-servers/model-tags.ts';

const both = ['reasoning', 'instruction'];

describe('by name alone', () => {
	it.each([
		['qwen3-coder:30b', ['instruction']],
		['Qwen/Qwen3-Coder-30B-A3B-Instruct', ['instruction']],
		['qwen3:8b', both],
		['qwen/qwen3-30b-a3b-instruct-2507', ['instruction']],
		['qwen3-30b-a3b-thinking-2507', both],
		['qwen2.5-coder:7b', ['instruction']],
		['qwen2.5:14b', ['instruction']],
		['qwq:32b', ['reasoning']],
		['deepseek-r1:32b', ['reasoning']],
		['deepseek-ai/DeepSeek-R1-0528-Qwen3-8B', ['reasoning']],
		['deepseek-v3.1:671b', both],
		['gpt-oss:20b', both],
		['openai/gpt-oss-120b', both],
		['llama3.1-instruct', ['instruction']],
		['llama3.3:70b', ['instruction']],
		['meta-llama/Llama-3.1-8B-Instruct', ['instruction']],
		['meta-llama/Llama-3.1-8B', []],
		['llama3:text', []],
		['codestral:22b', ['instruction']],
		['devstral', ['instruction']],
		['magistral:24b', ['reasoning']],
		['mistral:7b', ['instruction']],
		['mistral-small:24b', ['instruction']],
		['phi4:14b', ['instruction']],
		['phi-4-reasoning', ['reasoning']],
		['phi4-reasoning:plus', ['reasoning']],
		['gemma3:27b', ['instruction']],
		['google/gemma-3-27b-it', ['instruction']],
		['google/gemma-3-27b-pt', []],
		['glm-4.6', both],
		['command-r:35b', ['instruction']],
		['/models/Mistral-7B-Instruct-v0.3.Q4_K_M.gguf', ['instruction']],
		['starcoder2:15b', []],
		['bloom', []],
		['my-finetune', []],
		['', []],
	])('%s: %j', (name, tags) => {
		expect(modelTags({ name, thinking: null, tools: null })).toEqual(tags);
	});
});

describe('what the server says of a model', () => {
	it.each([
		['my-finetune', true, null, ['reasoning']],
		['my-finetune', null, true, ['instruction']],
		['my-finetune', true, true, both],
		['my-finetune', false, false, []],
		['qwen3:8b', false, true, ['instruction']],
		['deepseek-r1:32b', false, false, ['reasoning']],
		['deepseek-r1:32b', true, true, both],
		['qwen3-8b-base', null, true, []],
	])('%s thinking %s tools %s: %j', (name, thinking, tools, tags) => {
		expect(modelTags({ name, thinking, tools })).toEqual(tags);
	});
});

it.each([
	'nomic-embed-text',
	'mxbai-embed-large',
	'text-embedding-3-small',
	'BAAI/bge-m3',
	'intfloat/e5-large',
	'snowflake-arctic-embed2',
	'qwen3-embedding:8b',
	'jina-reranker-v2',
	'whisper-large-v3',
	'all-minilm:l6',
])('%s is no chat model', (name) => {
	expect(isChatName(name)).toBe(false);
});

it.each(['qwen3-coder:30b', 'gpt-oss:20b', 'mistral', 'eclipse-7b', 'gemma3', 'x'])(
	'%s may be one',
	(name) => {
		expect(isChatName(name)).toBe(true);
	},
);
