import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startOfDay, startOfWeek } from '../../src/main/usage/periods.ts';
import { boundsOf, localDay } from '../../src/shared/local-day.ts';

const moment = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) });

describe('days and weeks', () => {
	it('begin at the local midnight that the moment follows', () => {
		fc.assert(
			fc.property(moment, (at) => {
				const start = startOfDay(at);
				expect(start).toBeLessThanOrEqual(at);
				expect(boundsOf(localDay(at)).until).toBeGreaterThan(at);
				expect(localDay(start)).toBe(localDay(at));
			}),
		);
	});

	it('begin on a Monday, at most seven days before', () => {
		fc.assert(
			fc.property(moment, (at) => {
				const start = startOfWeek(at);
				expect(new Date(start).getDay()).toBe(1);
				expect(startOfDay(start)).toBe(start);
				expect(start).toBeLessThanOrEqual(at);
				// A week with a clock change has an hour more.
				expect(at - start).toBeLessThan(7 * 24 * 3_600_000 + 3_600_001);
			}),
		);
	});
});
