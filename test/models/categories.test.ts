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
		['gemini', 'unknown'],
		['minimax-m2', 'unknown'],
		['llama3.3:70b', 'unknown'],
		['', 'unknown'],
	])('by its name: %s is %s', (model, category) => {
		expect(categoryOf(model)).toBe(category);
	});

	it.each([
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
