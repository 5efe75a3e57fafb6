import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { READ_AGAIN_MS, readDelay } from '../../src/renderer/store/insights-reading.ts';
import { nextColumnSort, sortedRows } from '../../src/renderer/store/insights-tables.ts';
import {
	armName,
	dayWords,
	precisionWords,
	totalOf,
	weakArms,
} from '../../src/renderer/store/insights-words.ts';
import { costWords } from '../../src/shared/format.ts';
import { NO_USAGE } from '../../src/shared/usage-view.ts';
import { anAmount, anArm } from './insights-fixtures.ts';

describe('the sum of amounts', () => {
	it('keeps an unknown cost unknown, and says "at least" where a part has no price', () => {
		expect(totalOf([])).toEqual(NO_USAGE);
		const unpriced = anAmount(1000, { costUsd: null, unpricedModels: ['new'] });
		expect(costWords(totalOf([unpriced, unpriced]))).toBe('unpriced');
		const some = totalOf([anAmount(100_000), unpriced, anAmount(50_000)]);
		expect(costWords(some)).toBe('≥ $1.50, some models unpriced');
		expect(some.work).toBe(151_000);
	});

	it('does not depend on the order, nor on days without work', () => {
		const amount = fc.record({
			work: fc.integer({ min: 0, max: 1e6 }),
			costUsd: fc.option(fc.integer({ min: 0, max: 1000 })),
			unpricedModels: fc.subarray(['a', 'b', 'c']),
		});
		fc.assert(
			fc.property(fc.array(amount), (changes) => {
				const amounts = changes.map((change) => ({ ...NO_USAGE, ...change }));
				const total = totalOf(amounts);
				expect(totalOf(amounts.toReversed())).toEqual(total);
				expect(totalOf([NO_USAGE, ...amounts, NO_USAGE])).toEqual(total);
				expect(total.costUsd === null).toBe(amounts.every(({ costUsd }) => costUsd === null));
			}),
		);
	});
});

describe('precision', () => {
	it.each([
		[anArm('cycle', 15, 8, 2), '8 of 10 judged right, 80 %; 5 not judged'],
		[anArm('cycle', 10, 10, 0), '10 of 10 judged right, 100 %'],
		[anArm('cycle', 2, 0, 2), '0 of 2 judged right, 0 %'],
		[anArm('cycle', 15), 'none of 15 judged'],
		[anArm('cycle', 0), 'no trips'],
	])('%#: says of how many, and how many are left', (record, words) => {
		expect(precisionWords(record)).toBe(words);
	});

	it('is weak below 70 % of at least five verdicts, of an arm that is known', () => {
		const weak = [anArm('cycle', 9, 3, 2), anArm('polling', 5, 0, 5)];
		const fine = [
			anArm('same-result', 10, 7, 3),
			anArm('error-storm', 4, 0, 4),
			anArm('no-progress', 9),
			anArm(null, 9, 0, 9),
		];
		expect(weakArms([...fine, ...weak])).toEqual(weak);
	});

	it('of a trip whose arm was not kept does not name one', () => {
		expect(armName(null)).toBe('Not recorded');
	});
});

describe('a sorted table', () => {
	const row = fc.record({ id: fc.nat(), value: fc.option(fc.integer({ min: 0, max: 5 })) });

	it('has every row once, in order, with what is not known last whichever way', () => {
		fc.assert(
			fc.property(fc.array(row), fc.boolean(), (rows, descending) => {
				const sorted = sortedRows(rows, ({ value }) => value, descending);
				expect(sorted).toHaveLength(rows.length);
				expect(new Set(sorted)).toEqual(new Set(rows));
				const known = sorted.filter(({ value }) => value !== null);
				expect(sorted.slice(0, known.length)).toEqual(known);
				for (const [at, one] of known.entries()) {
					const next = known[at + 1];
					if (next === undefined || one.value === null || next.value === null) continue;
					expect(descending ? next.value <= one.value : next.value >= one.value).toBe(true);
					// Equal ones stay as they came.
					if (next.value === one.value) expect(rows.indexOf(one)).toBeLessThan(rows.indexOf(next));
				}
			}),
		);
	});

	it('begins with the largest figure, or with A, and turns round when it is chosen again', () => {
		const first = nextColumnSort(null, 'cost', true);
		expect(first).toEqual({ key: 'cost', descending: true });
		expect(nextColumnSort(first, 'cost', true).descending).toBe(false);
		expect(nextColumnSort(first, 'name', false)).toEqual({ key: 'name', descending: false });
	});
});

describe('the figures are read', () => {
	it('at once when nothing was read, not again while nothing was counted', () => {
		expect(readDelay(null, 5, 1000)).toBe(0);
		expect(readDelay({ at: 0, asOf: 5 }, 5, 1e9)).toBeNull();
	});

	it('again when more was counted, at most every ten seconds, whatever the clock does', () => {
		fc.assert(
			fc.property(fc.integer(), fc.integer(), (at, now) => {
				const delay = readDelay({ at, asOf: 1 }, 2, now) ?? Number.NaN;
				expect(delay).toBeGreaterThanOrEqual(0);
				expect(delay).toBeLessThanOrEqual(READ_AGAIN_MS);
				if (now >= at) expect(Math.max(at + READ_AGAIN_MS, now)).toBe(now + delay);
			}),
		);
	});
});

it('names a day by its calendar, and leaves what is none', () => {
	expect(dayWords('2026-11-24')).toBe('24 Nov');
	expect(dayWords('2026-11-24', 'long')).toBe('Tue 24 Nov');
	expect(dayWords('soon')).toBe('soon');
});
