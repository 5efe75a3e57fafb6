import { describe, expect, it } from 'vitest';
import { categoryOf, isCostlier } from '../../src/main/models/categories.ts';
import { modelKey, spelledIn } from '../../src/main/models/model-names.ts';

describe('what a model costs, as a class', () => {
	it.each([
		['claude-sonnet-5', 'versatile'],
		['claude-opus-4.8', 'powerful'],
		['gpt-5.4', 'powerful'],
		['gpt-5.4-mini', 'lightweight'],
		['gpt-5-mini', 'lightweight'],
	])("the seed's table: %s is %s", (model, category) => {
		expect(categoryOf(model)).toBe(category);
	});

	it.each([
		['claude-haiku-4-5-20251001', 'lightweight'],
		['claude-opus-4-1@20250805', 'powerful'],
		['claude-sonnet-5[1m]', 'versatile'],
		['anthropic/claude-sonnet-4.6', 'versatile'],
		['gemini-3-flash', 'lightweight'],
		['gemini-3-pro', 'powerful'],
		['gpt-5.2-codex', 'powerful'],
		['gemini-2.5-flash-lite', 'lightweight'],
		['gemini-2.5-pro-preview', 'powerful'],
		['gpt-5-nano', 'lightweight'],
		['gpt-4o', 'versatile'],
		['gpt-4o-mini', 'lightweight'],
		['gpt-4.1-2025-04-14', 'versatile'],
		['gpt-4.1-nano', 'lightweight'],
		['gpt-4-turbo', 'powerful'],
		['gpt-3.5-turbo', 'lightweight'],
		['chatgpt-4o-latest', 'versatile'],
		['gpt-5-chat-latest', 'powerful'],
		['gpt-5.1-codex-max', 'powerful'],
		['gpt-5.1-codex-mini', 'lightweight'],
		['codex-mini-latest', 'lightweight'],
		['o1', 'powerful'],
		['o3-pro', 'powerful'],
		['o4-mini', 'lightweight'],
		['opus', 'powerful'],
		['opusplan', 'powerful'],
		['sonnet[1m]', 'versatile'],
		['mistral-large-2411', 'powerful'],
		['mistral-small:24b', 'lightweight'],
		['grok-code-fast-1', 'lightweight'],
		['grok-4', 'unknown'],
		['gemini', 'unknown'],
		['gpt-oss-120b', 'unknown'],
		['minimax-m2', 'unknown'],
		['minimax-m2-fast', 'unknown'],
		['llama3.3:70b-high', 'unknown'],
		['Pro/deepseek-ai/DeepSeek-V3', 'unknown'],
		['llama3.3:70b', 'unknown'],
		['', 'unknown'],
	])('by its name: %s is %s', (model, category) => {
		expect(categoryOf(model)).toBe(category);
	});

	const known = [
		'claude-opus-4-6',
		'claude-4.5-sonnet',
		'claude-3-5-haiku',
		'gpt-5.4',
		'gpt-5.4-mini',
		'gpt-4.1',
		'o3',
		'o4-mini',
		'gemini-3-pro',
		'gemini-3-flash',
	];
	const sellers = ['', 'openai/', 'openrouter/anthropic/', 'us.anthropic.', 'models/', 'Pro/', 'azure-'];
	const manners = ['', '-high', '-low', '-medium', '-xhigh', '-fast', '-thinking', '-fast-high', ':thinking'];

	it.each(known)('%s is what it is, whoever sells it and however it is called', (model) => {
		const category = categoryOf(model);
		expect(category).not.toBe('unknown');
		for (const seller of sellers) {
			for (const manner of manners) {
				const name = `${seller}${model}${manner}`;
				expect([name, categoryOf(name)]).toEqual([name, category]);
				expect([name, categoryOf(name.toUpperCase())]).toEqual([name, category]);
			}
		}
	});

	it.each([
		['claude-opus-4.6-fast', 'gpt-5.4-mini', true],
		['openai/gpt-5.4', 'gpt-5.4-mini', true],
		['claude-opus-4.8', 'claude-sonnet-5', true],
		['claude-sonnet-5', 'gpt-5-mini', true],
		['gpt-5.4-mini', 'claude-sonnet-5', false],
		['gpt-5.4', 'claude-opus-4.8', false],
		['my-model', 'gpt-5-mini', false],
		['claude-opus-4.8', 'my-model', false],
	])('%s instead of %s costs more: %s', (fallback, preferred, costlier) => {
		expect(isCostlier(fallback, preferred)).toBe(costlier);
	});
});

describe('names', () => {
	it('the same text comes before the same model', () => {
		const names = ['claude-sonnet-5[1m]', 'claude-sonnet-5'];
		expect(spelledIn(names, 'claude-sonnet-5')).toBe('claude-sonnet-5');
		expect(spelledIn(names, 'claude-sonnet-5-20250929')).toBe('claude-sonnet-5');
		expect(spelledIn(['claude-sonnet-5[1m]'], 'claude-sonnet-5-20250929')).toBe('claude-sonnet-5[1m]');
		expect(spelledIn(names, 'claude-opus-4.8')).toBeNull();
	});

	it('different models never share a key, whatever their names hold', () => {
		const pairs = [
			[null, 'a:b'],
			['a', 'b'],
			['a:', 'b'],
			[null, '1:ab'],
			['', 'a'],
			[null, 'a'],
			['1:a', 'b'],
		] as const;
		expect(new Set(pairs.map(([account, model]) => modelKey(account, model))).size).toBe(pairs.length);
	});
});
