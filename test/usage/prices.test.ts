import { calcPrice } from '@pydantic/genai-prices';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { priceUsd } from '../../src/main/usage/prices.ts';
import { NO_TOKENS } from '../../src/main/usage/token-usage.ts';

const at = Date.parse('2026-11-30T09:00:00Z');
const million = 1_000_000;

describe('the price of a response', () => {
	it('adds input, cache and output at their own rates', () => {
		const usage = {
			...NO_TOKENS,
			input: million,
			output: million,
			cacheRead: million,
			cacheCreation: million,
		};
		expect(priceUsd('claude-opus-4-8', usage, at)).toBeCloseTo(5 + 25 + 0.5 + 6.25, 9);
	});

	it('charges an hour of cache more than five minutes', () => {
		const minutes = { ...NO_TOKENS, cacheCreation: million };
		const hour = { ...minutes, cacheCreation1h: million };
		expect(priceUsd('claude-opus-4-8', minutes, at)).toBeCloseTo(6.25, 9);
		expect(priceUsd('claude-opus-4-8', hour, at)).toBeCloseTo(10, 9);
	});

	it('charges searches that the provider ran', () => {
		expect(priceUsd('claude-opus-4-8', { ...NO_TOKENS, input: 1, webSearches: 1000 }, at)).toBeCloseTo(10, 4);
	});

	it('charges a long context more, per response and not per session', () => {
		const short = priceUsd('claude-sonnet-4-5', { ...NO_TOKENS, input: 150_000 }, at);
		const long = priceUsd('claude-sonnet-4-5', { ...NO_TOKENS, input: 300_000 }, at);
		expect(short).toBeCloseTo(0.45, 9);
		expect(long).toBeCloseTo(1.8, 9);
	});

	it.each(['claude-opus-4-8[1m]', 'claude-opus-5[1m]', 'Claude-Opus-4-8', ' claude-opus-4-8 '])(
		'knows %j by its base name',
		(model) => {
			expect(priceUsd(model, { ...NO_TOKENS, input: million }, at)).toBeCloseTo(5, 9);
		},
	);

	it('knows dated names and those of the clouds', () => {
		const usage = { ...NO_TOKENS, input: 1000 };
		for (const model of [
			'claude-sonnet-4-5-20250929',
			'claude-sonnet-4-5@20250929',
			'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
		]) {
			expect(priceUsd(model, usage, at), model).toBeGreaterThan(0);
		}
	});

	it("finds other vendors' models under a client that normally runs its own", () => {
		expect(priceUsd('gpt-5-codex', { ...NO_TOKENS, input: million }, at, 'codex')).toBeCloseTo(1.25, 9);
		expect(priceUsd('gpt-5-codex', { ...NO_TOKENS, input: million }, at)).toBeCloseTo(1.25, 9);
	});

	it.each(['claude-x', 'qwen3:8b', 'unknown', '', 'constructor', '__proto__', 'x'.repeat(100_000)])(
		'is not known for %.20j, rather than 0',
		(model) => {
			expect(priceUsd(model, { ...NO_TOKENS, input: 1000, output: 1000 }, at)).toBeNull();
		},
	);

	it('is not known when the table has no rate for what was used', () => {
		// An embedding model has an input rate only.
		expect(priceUsd('text-embedding-3-small', { ...NO_TOKENS, output: 500 }, at, 'codex')).toBeNull();
	});

	it('is 0 for nothing', () => {
		expect(priceUsd('claude-x', NO_TOKENS, at)).toBe(0);
	});
});

describe('the price of any usage', () => {
	const count = fc.integer({ min: 0, max: 400_000 });
	const usage = fc.record({
		input: count,
		output: count,
		cacheRead: count,
		cacheCreation: count,
		cacheCreation1h: count,
		webSearches: fc.nat(5),
	});

	it.each([
		'claude-opus-4-8',
		'claude-sonnet-4-5',
		'claude-haiku-4-5',
		'gpt-5',
		'gemini-2.5-pro',
		'deepseek-chat',
	])('of %s is what the table itself makes of it', (model) => {
		const at = Date.UTC(2026, 10, 30, 12);
		fc.assert(
			fc.property(usage, (each) => {
				fc.pre(Object.values(each).some((tokens) => tokens > 0));
				const { input, output, cacheRead, cacheCreation, cacheCreation1h, webSearches } = each;
				const priced = calcPrice(
					{
						input_tokens: input + cacheRead + cacheCreation,
						output_tokens: output,
						cache_read_tokens: cacheRead,
						cache_write_tokens: cacheCreation,
						cache_write_1h_tokens: Math.min(cacheCreation1h, cacheCreation),
						web_searches: webSearches,
					},
					model,
					{ timestamp: new Date(at) },
				);
				// A price of 0 says that the table has no rate for what was used.
				const expected = priced?.total_price || null;
				const usd = priceUsd(model, each, at, '');
				if (expected === null) expect(usd).toBeNull();
				else expect(usd).toBeCloseTo(expected, 9);
			}),
		);
	});
});
