import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	backoffMs,
	recoveryDelayMs,
	refusedDelayMs,
	retryDelayMs,
} from '../../src/main/failover/retry-plan.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const span = fc.nat(10_000_000);

describe('when a held turn asks its provider again', () => {
	it('backs off from 2 s by doubling, at most 30 s, by a fifth more or less', () => {
		expect([0, 1, 2, 3, 4, 50].map((retries) => backoffMs(retries, 0.5))).toEqual([
			2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
		]);
		expect(backoffMs(0, 0)).toBe(1_600);
		expect(backoffMs(0, 0.999)).toBeCloseTo(2_400, -1);
	});

	it('never asks before the breaker or the provider allows it, and never in a tight loop', () => {
		fc.assert(
			fc.property(
				fc.boolean(),
				span,
				fc.nat(100),
				fc.integer({ min: -1_000_000, max: 1_000_000 }),
				random,
				(isDown, retryInMs, retries, floorMs, chance) => {
					const delay = retryDelayMs({ isDown, retryInMs, retries, floorMs, random: chance });
					expect(delay).toBeGreaterThanOrEqual(floorMs);
					if (isDown) expect(delay).toBeGreaterThanOrEqual(retryInMs);
					if (isDown) expect(delay).toBeLessThanOrEqual(Math.max(retryInMs, floorMs, 1_000) + 250);
					if (retries > 0) expect(delay).toBeGreaterThanOrEqual(1_000);
					expect(refusedDelayMs(retryInMs, chance)).toBeGreaterThanOrEqual(Math.max(1_000, retryInMs));
				},
			),
		);
	});

	it('sends all of them within seconds when the provider is back, none at the deadline or after it', () => {
		fc.assert(
			fc.property(fc.nat(500), span, random, (index, remainingMs, chance) => {
				const delay = recoveryDelayMs(index, { recoveries: 0, remainingMs, random: chance });
				expect(delay).toBeGreaterThanOrEqual(0);
				expect(delay).toBeLessThanOrEqual(3_000);
				if (remainingMs > 0) expect(delay).toBeLessThan(remainingMs);
			}),
		);
	});

	it('lets one that keeps coming back wait longer and longer', () => {
		const delays = [0, 1, 2, 3].map((recoveries) =>
			recoveryDelayMs(0, { recoveries, remainingMs: 1e9, random: 0.5 }),
		);
		expect(delays).toEqual([50, 2_050, 4_050, 8_050]);
	});
});
