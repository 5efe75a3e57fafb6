import { describe, expect, it } from 'vitest';
import { chainsByStanding, limitedChains, standingOf } from '../../src/shared/attention.ts';
import { bareModel, isSameModel } from '../../src/shared/model-names.ts';
import {
	chainFor,
	cloudStandIn,
	firstAndCount,
	firstLines,
	limitWords,
} from '../../src/shared/model-words.ts';
import { modelViews } from '../support/model-views.ts';

const NOW = Date.UTC(2026, 10, 30, 17, 7, 48);
const make = modelViews(NOW);
const chains = {
	preferred: make.chain({ id: 'a' }),
	held: make.held({ id: 'b' }),
	testing: make.halfOpen({ id: 'c' }),
	fallback: make.open({ id: 'd' }),
	unaided: make.unaided({ id: 'e' }),
	exhausted: make.exhausted({ id: 'f' }),
	'spend-limit': make.spent({ id: 'g' }),
} as const;

describe('how a chain stands', () => {
	it.each(Object.entries(chains))('%s', (standing, chain) => {
		expect(standingOf(chain)).toBe(standing);
	});

	it('is told of money before everything else, and of a hold not where nothing can be used', () => {
		const spendLimit = chains['spend-limit'].spendLimit;
		expect(standingOf(make.exhausted({ spendLimit }))).toBe('spend-limit');
		expect(standingOf(make.exhausted({ held: true }))).toBe('exhausted');
	});

	it('is no waiting for a time where the next call tests, or one does', () => {
		const nothing = { modelInUse: null };
		for (const chain of [
			make.halfOpen(nothing),
			make.halfOpen({ ...nothing, probe: null }),
			make.exhausted({ resumeAt: null, waitUntil: null }),
		])
			expect(standingOf(chain)).toBe('testing');
		expect(standingOf(make.exhausted({ held: true, resumeAt: null }))).toBe('exhausted');
	});

	it('puts first what matters most to the operator, whatever the order it came in', () => {
		const all = Object.values(chains);
		const order = ['g', 'f', 'e', 'd', 'c', 'b', 'a'];
		expect(chainsByStanding({ chains: all }).map(({ id }) => id)).toEqual(order);
		expect(chainsByStanding({ chains: all.toReversed() }).map(({ id }) => id)).toEqual(order);
		expect(limitedChains({ chains: all }).map(({ id }) => id)).toEqual(order.slice(0, -1));
	});
});

describe('a chain in one line', () => {
	it.each([
		['preferred', 'claude-sonnet-5 is used'],
		['held', 'claude-sonnet-5 is held on gpt-5.4-mini by you'],
		['testing', 'claude-sonnet-5 was rate-limited and is being tested: gpt-5.4-mini stands in'],
		['fallback', 'claude-sonnet-5 is rate-limited: gpt-5.4-mini stands in until 17:15'],
		['unaided', 'claude-sonnet-5 is rate-limited until 17:15: it has no fallback, calls still go to it'],
		['exhausted', 'claude-sonnet-5 and all its fallbacks are rate-limited until 17:10'],
		['spend-limit', 'claude-sonnet-5 has reached a spending limit: waiting does not help'],
	] as const)('%s', (standing, words) => {
		expect(limitWords(chains[standing], NOW, 'UTC')).toBe(words);
	});

	it('tells a hold from a limit, and the next call from the one under way', () => {
		expect(limitWords(make.exhausted({ held: true }), NOW, 'UTC')).toBe(
			'claude-sonnet-5 is held back by you, and all its fallbacks are rate-limited until 17:10',
		);
		expect(limitWords(make.halfOpen({ probe: null }), NOW, 'UTC')).toBe(
			'claude-sonnet-5 was rate-limited and is tested by the next call: gpt-5.4-mini stands in',
		);
	});

	it('leaves out a time that is not known, and names the model whose money ran out', () => {
		expect(limitWords(make.open({ resumeAt: null }), NOW, 'UTC')).toBe(
			'claude-sonnet-5 is rate-limited: gpt-5.4-mini stands in',
		);
		const spendLimit = { model: 'gpt-5-mini', said: '', at: NOW };
		expect(limitWords(make.spent({ spendLimit }), NOW)).toMatch(/^gpt-5-mini has reached a spending limit/);
	});

	it('shows a hostile name as short plain text', () => {
		const words = limitWords(make.open({ preferredModel: `a\u202Eb\n${'x'.repeat(500)}` }), NOW, 'UTC');
		expect(words).toMatch(/^a⟨U\+202E⟩b x+… is rate-limited/);
		expect(words.length).toBeLessThan(120);
	});

	it('does not change from one second to the next', () => {
		const words = new Set(
			Array.from({ length: 400 }, (_, second) => limitWords(make.open(), NOW + second * 1000, 'UTC')),
		);
		expect(words.size).toBe(1);
	});

	it('is counted where there are several', () => {
		expect([firstAndCount([]), firstAndCount(['a']), firstAndCount(['a', 'b', 'c'])]).toEqual([
			'',
			'a',
			'a, and 2 more',
		]);
		expect(firstLines(['a', 'b'], 2)).toEqual(['a', 'b']);
		expect(firstLines(['a', 'b', 'c'], 2)).toEqual(['a', 'b', 'and 1 more model']);
		expect(firstLines(['a', 'b', 'c', 'd'], 2)).toEqual(['a', 'b', 'and 2 more models']);
	});
});

describe('two names of one model', () => {
	it.each([
		['claude-sonnet-5', 'claude-sonnet-5-20250929'],
		['claude-sonnet-5', 'claude-sonnet-5@20250929'],
		['claude-sonnet-5[1m]', 'claude-sonnet-5-latest'],
		['claude-sonnet-5-20250929[1m]', 'claude-sonnet-5'],
		['gpt-5.4', 'gpt-5.4-2026-01-30'],
	])('%s is %s', (one, other) => {
		expect(isSameModel(one, other)).toBe(true);
	});

	it.each([
		['gpt-5.4', 'gpt-5.4-mini'],
		['claude-sonnet-5', 'claude-opus-5'],
		['gpt-5', 'gpt-5-2026'],
	])('%s is not %s', (one, other) => {
		expect(isSameModel(one, other)).toBe(false);
	});

	it('keeps a name that would be nothing without its mark', () => {
		expect(bareModel('[1m]')).toBe('[1m]');
	});
});

describe('the chain of a call', () => {
	const everywhere = make.open({ id: 'everywhere' });
	const own = make.open({ id: 'own', provider: 'anthropic' });
	const call = (provider: string, model = 'claude-sonnet-5-20250929') => ({ provider, model });

	it('is the one of its provider, else the one for all, else none', () => {
		expect(chainFor([everywhere, own], call('anthropic'))?.id).toBe('own');
		expect(chainFor([everywhere, own], call('openai'))?.id).toBe('everywhere');
		expect(chainFor([own], call('openai'))).toBeNull();
		expect(chainFor([everywhere, own], call('anthropic', 'claude-opus-4.8'))).toBeNull();
	});
});

describe('an answer of another model than was asked for', () => {
	const served = {
		harness: 'cloud',
		at: 'anthropic',
		model: 'gpt-5.4-mini',
		asked: 'claude-sonnet-5',
		since: NOW,
	} as const;

	it('is one by another cloud model', () => {
		expect(cloudStandIn(served)).toBe(served);
	});

	it('is none by the same model with its date, by a local one, or where nothing answered', () => {
		expect(cloudStandIn({ ...served, model: 'claude-sonnet-5-20250929' })).toBeNull();
		expect(cloudStandIn({ ...served, harness: 'local' })).toBeNull();
		expect(cloudStandIn(null)).toBeNull();
	});
});
