import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	type AgentUsageSample,
	CircuitBreaker,
	type CircuitBreakerConfig,
} from '../../../src/main/floor/breaker.ts';
import { ErrorRun } from '../../../src/main/floor/ladder/error-run.ts';
import { UsageTrack } from '../../../src/main/floor/ladder/usage-track.ts';
import { dollars, grouped, oneLine, span } from '../../../src/main/floor/ladder/wording.ts';
import { inputOf, SEED_CONFIG, sampleOf } from './ladder-driver.ts';

describe('UsageTrack', () => {
	it('sums the peaks of a counter that begins again', () => {
		const peaks = fc.array(fc.array(fc.nat(1_000), { minLength: 1, maxLength: 5 }), {
			minLength: 1,
			maxLength: 6,
		});
		fc.assert(
			fc.property(peaks, (segments) => {
				const usage = new UsageTrack();
				let expected = 0;
				let highest = Number.NEGATIVE_INFINITY;
				for (const segment of segments) {
					const ascending = [...segment].sort((one, other) => one - other);
					const [lowest = 0] = ascending;
					// A segment that does not fall below the one before continues it.
					if (lowest < highest) expected += highest;
					highest = ascending.at(-1) ?? 0;
					for (const input of ascending) usage.observe(sampleOf({ input, usd: input / 100 }), 1, true);
				}
				expect(usage.work).toBe(expected + highest);
				expect(usage.usd).toBeCloseTo((expected + highest) / 100, 6);
			}),
		);
	});

	it('takes fewer output tokens than before for a new beginning, whatever the rest does', () => {
		const usage = new UsageTrack();
		usage.observe(sampleOf({ input: 10, output: 50 }), 1, true);
		usage.observe(sampleOf({ input: 100, output: 1 }), 2, true);
		expect([usage.seen, usage.work]).toEqual(['restart', 161]);
	});

	it('lowers what was too much without a new beginning, of work and of dollars', () => {
		const usage = new UsageTrack();
		usage.observe(sampleOf({ input: 4_000, output: 900, usd: 12 }), 1, true);
		usage.observe(sampleOf({ input: 10, output: 5, usd: 0, corrections: 1 }), 2, true);
		expect([usage.work, usage.usd, usage.grown.work, usage.seen]).toEqual([15, 0, 0, 'corrected']);
		usage.observe(sampleOf({ input: 30, output: 5, usd: 0.5, corrections: 1 }), 3, true);
		expect([usage.work, usage.usd, usage.grown.work, usage.grown.usd]).toEqual([35, 0.5, 20, 0.5]);
		usage.observe(sampleOf({ input: 90, output: 5, usd: 0.25, corrections: 2 }), 4, true);
		expect([usage.usd, usage.grown, usage.seen]).toEqual([0.25, { output: 0, work: 60, usd: 0 }, 'sample']);
	});

	it('leaves no credit of what was reset when that turns out to be less: what follows counts at once', () => {
		const usage = new UsageTrack();
		usage.observe(sampleOf({ input: 5_000, usd: 20 }), 1, true);
		usage.forgetSpent(1);
		usage.observe(sampleOf({ input: 15, usd: 0.25, corrections: 1 }), 2, true);
		expect([usage.work, usage.usd]).toEqual([0, 0]);
		usage.observe(sampleOf({ input: 40, usd: 0.5, corrections: 1 }), 3, true);
		expect([usage.work, usage.usd]).toEqual([25, 0.25]);
	});

	it('keeps what is spent through missing and impossible samples', () => {
		const usage = new UsageTrack();
		usage.observe(sampleOf({ input: 100, usd: 2 }), 1, true);
		usage.observe(null, 2, true);
		usage.observe(sampleOf({ input: Number.NaN }), 3, true);
		expect([usage.work, usage.usd, usage.seen, usage.problem]).toEqual([100, 2, 'none', 'input: NaN']);
	});

	it('remembers the last three beats with spending', () => {
		const usage = new UsageTrack();
		for (const [at, input] of [10, 30, 30, 60, 100].entries()) usage.observe(sampleOf({ input }), at, true);
		expect(usage.recent.map(({ at, work }) => [at, work])).toEqual([
			[1, 20],
			[3, 30],
			[4, 40],
		]);
	});
});

describe('ErrorRun', () => {
	it('counts a long run whole and keeps the end of it', () => {
		const run = new ErrorRun();
		for (let at = 0; at < 1_000; at += 1) run.add(at, `error ${at}`);
		expect(run.counted()).toMatchObject({ count: 1_000, since: 0, lastAt: 999 });
		expect(run.counted()?.last.map(({ text }) => text)).toEqual(['error 997', 'error 998', 'error 999']);
	});

	it('ends when something works', () => {
		const run = new ErrorRun();
		for (const at of [1, 2, 3, 4]) run.add(at, '');
		expect(run.counted()).toMatchObject({ count: 4, since: 1 });
		run.end();
		expect(run.counted()).toBeNull();
	});
});

describe('wording', () => {
	it.each([
		[0, '0'],
		[999, '999'],
		[1_000, '1 000'],
		[1_234_567.6, '1 234 568'],
	])('groups %f', (value, text) => expect(grouped(value)).toBe(text));

	it('says money and spans', () => {
		expect([dollars(0.005), dollars(1_234.5), span(1_000), span(90_000), span(300_000)]).toEqual([
			'$0.01',
			'$1234.50',
			'1 s',
			'90 s',
			'5 min',
		]);
	});

	it('cuts a line without leaving half a character', () => {
		expect(oneLine('abcdef', 6)).toBe('abcdef');
		expect(oneLine('abcdefg', 6)).toBe('abcde…');
		expect(oneLine(`abcd${'\uD83D\uDE00'.repeat(9)}`, 6)).toBe('abcd…');
	});
});

describe('caps over what turned out to be less', () => {
	const beat = (driver: CircuitBreaker, at: number, samples: Record<string, Partial<AgentUsageSample>>) =>
		driver
			.tick(
				Object.entries(samples).map(([agentId, usage]) => inputOf(agentId, { sample: sampleOf(usage) })),
				at,
			)
			.map(({ state }) => state.level);
	const breaker = (config: Partial<CircuitBreakerConfig>) =>
		new CircuitBreaker(() => ({ ...SEED_CONFIG, ...config }));

	it('the cost cap never asks another agent to stop for dollars that were not spent', () => {
		const ladder = breaker({ costCapUsd: 5 });
		beat(ladder, 1, { local: { input: 9_000, usd: 11.65 }, paid: { input: 10, usd: 0.01 } });
		const free = { input: 9_000, usd: 0, corrections: 1 };
		for (let at = 2; at < 8; at += 1) {
			expect(beat(ladder, at, { local: free, paid: { input: 10 * at, usd: at / 100 } })).toEqual([
				'healthy',
				'healthy',
			]);
		}
		expect(beat(ladder, 9, { local: free, paid: { input: 900, usd: 6 } })).toEqual(['healthy', 'steering']);
	});

	it('an agent’s cap does not count another session’s work, and acts on its own at once', () => {
		const ladder = breaker({ agentTokenCaps: { one: 1_000 } });
		beat(ladder, 1, { one: { input: 900 } });
		expect(beat(ladder, 2, { one: { input: 5_000 } })).toEqual(['steering']);
		expect(beat(ladder, 3, { one: { input: 20, corrections: 1 } })).toEqual(['healthy']);
		expect(beat(ladder, 4, { one: { input: 900, corrections: 1 } })).toEqual(['healthy']);
		expect(beat(ladder, 5, { one: { input: 1_100, corrections: 1 } })).toEqual(['steering']);
	});
});
