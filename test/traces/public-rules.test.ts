import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publicRules } from '../../bench/detect/public-rules.ts';
import { wilson } from '../../bench/detect/wilson.ts';
import type { Attempt } from './trace.ts';

/** "A" is a call that succeeds with the same answer each time, "A1" with another, "a" one that fails. */
function attempts(...words: readonly string[]): Attempt[] {
	return words.map((word, index) => {
		const afterPrompt = word.startsWith('?');
		const [name = '', answer = ''] = word.replace('?', '');
		const failed = name === name.toLowerCase();
		return { at: index, tool: name.toUpperCase(), input: {}, result: answer, failed, afterPrompt };
	});
}

const times = (count: number, word: string): string[] => Array.from({ length: count }, () => word);

function tripOf(name: string, words: readonly string[]): number | null {
	const rules = publicRules.find((one) => one.name === name);
	if (!rules) throw new Error(`there are no rules "${name}"`);
	return rules.trip(attempts(...words));
}

describe('rules of others', () => {
	it.each([
		['8 identical', times(7, 'A'), null],
		['8 identical', times(8, 'A'), 7],
		['8 identical', [...times(7, 'A'), 'B', ...times(7, 'A')], null],
		['8 identical', times(4, 'A').flatMap((word) => [`${word}1`, `${word}2`]), 7],
		['5 identical', times(5, 'A'), 4],
		['OpenHands', times(4, 'A'), 3],
		['OpenHands', ['A1', 'A2', 'A3', 'A4', 'A5'], null],
		['OpenHands', times(3, 'a'), 2],
		['OpenHands', ['A', 'B', 'A', 'B', 'A', 'B'], 5],
		['OpenHands', ['A', 'B1', 'A', 'B2', 'A', 'B3', 'A', 'B4'], null],
		['OpenHands', ['A', 'A', 'A', '?A', 'A'], null],
		['OpenHands', ['A', 'B', 'C', 'A', 'B', 'C', 'A', 'B', 'C'], null],
	] as const)('%s on %s: %s', (name, words, expected) => {
		expect(tripOf(name, words)).toBe(expected);
	});
});

describe('Wilson’s interval', () => {
	it('of no false trip in 381 ends below one per cent', () => {
		expect(wilson(0, 381).high).toBeLessThan(0.01);
		expect(wilson(0, 380).high).toBeGreaterThan(0.01);
	});

	it('is the textbook’s', () => {
		const { low, high } = wilson(10, 100);
		expect(low).toBeCloseTo(0.0552, 4);
		expect(high).toBeCloseTo(0.1744, 4);
		expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
	});

	it('holds the share, and is narrower for more of the same', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 5_000 }), fc.nat(5_000), (count, some) => {
				const hits = Math.min(some, count);
				const { low, high } = wilson(hits, count);
				const ten = wilson(hits * 10, count * 10);
				expect(low).toBeLessThanOrEqual(hits / count + 1e-12);
				expect(high).toBeGreaterThanOrEqual(hits / count - 1e-12);
				expect(ten.high - ten.low).toBeLessThan(high - low);
			}),
		);
	});
});
