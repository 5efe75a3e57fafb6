import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sparkShape, sparkWords } from '../../src/renderer/store/spark-words.ts';
import type { Spark } from '../../src/shared/agent-view.ts';
import { NOW } from './agents.ts';

const STEP = 180_000;
const spark = (work: Spark['work'], endsAt = NOW): Spark => ({ stepMs: STEP, endsAt, work });
const hour = (change: Record<number, number | null> = {}) =>
	Array.from({ length: 20 }, (_, at) => (at in change ? (change[at] ?? null) : 0));

describe('a spark line in words', () => {
	it.each([
		[spark(hour({ 5: 4000, 10: 8000 })), '12k work tokens in the last 1 h, most at 13:30'],
		[spark(hour()), 'No work tokens in the last 1 h'],
		[
			spark(hour({ 0: null, 1: null, 19: 7 })),
			'7 work tokens in the last 1 h, most at 13:57, 6 m of it not watched',
		],
		[spark(hour().map(() => null)), 'Work in the last 1 h is not known'],
		[spark(hour({ 19: 7 }), NOW - 3_600_000), '7 work tokens in the 1 h to 13:00, most at 12:57'],
	])('%#', (line, words) => {
		expect(sparkWords(line, NOW, 'UTC')).toBe(words);
	});
});

describe('its shape', () => {
	const works = fc.array(fc.option(fc.nat(1e9), { nil: null }), { maxLength: 40 });

	it('stays in its box, with a gap where nothing is known and every known bucket in it once', () => {
		fc.assert(
			fc.property(works, (work) => {
				const { lines } = sparkShape(spark(work), 72, 16);
				const points = lines.flatMap((line) => [...line.matchAll(/[ML]([\d.]+) ([\d.]+)/g)]);
				expect(points).toHaveLength(work.filter((tokens) => tokens !== null).length);
				for (const [, x, y] of points) {
					expect(Number(x)).toBeGreaterThanOrEqual(1);
					expect(Number(x)).toBeLessThanOrEqual(71);
					expect(Number(y)).toBeGreaterThanOrEqual(1);
					expect(Number(y)).toBeLessThanOrEqual(15);
				}
				const stretches = work.filter((tokens, at) => tokens !== null && (work[at - 1] ?? null) === null);
				expect(lines).toHaveLength(stretches.length);
			}),
		);
	});
});
