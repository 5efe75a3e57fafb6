import { describe, expect, it } from 'vitest';
import { Corrections } from '../../src/main/app/corrections.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** How often it may be written when somebody changes it back every 50 ms. */
function writesIn(corrections: Corrections, from: number, ms: number, wanted = 'same'): number {
	let writes = 0;
	for (let now = from; now < from + ms; now += 50) if (corrections.mayWrite(wanted, now)) writes += 1;
	return writes;
}

describe('a file that others change back', () => {
	it('is put right at once, then ever more seldom, and never given up', () => {
		const corrections = new Corrections();
		expect(writesIn(corrections, 0, SECOND)).toBe(3);
		expect(writesIn(corrections, SECOND, 60 * SECOND)).toBeLessThanOrEqual(6);
		const anHour = writesIn(corrections, 61 * SECOND, HOUR);
		expect(anHour).toBeGreaterThanOrEqual(12);
		expect(anHour).toBeLessThanOrEqual(20);
	});

	it('gets what is news at once', () => {
		const corrections = new Corrections();
		writesIn(corrections, 0, 60 * SECOND);
		expect(corrections.mayWrite('news', 60 * SECOND)).toBe(true);
	});

	it('is put right at once again when it was left alone for a while', () => {
		const corrections = new Corrections();
		writesIn(corrections, 0, 60 * SECOND);
		expect(writesIn(corrections, HOUR, SECOND)).toBe(3);
	});
});
