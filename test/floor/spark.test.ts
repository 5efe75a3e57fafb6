import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WorkSteps } from '../../src/main/floor/spark.ts';

const STEP = 180_000;

describe('work in steps of time', () => {
	it('is not known before the first sample', () => {
		expect(new WorkSteps().view()).toBeNull();
	});

	it('stands in the step in which it was seen; before the first sample is not known', () => {
		const steps = new WorkSteps();
		steps.sample(1_000, 100 * STEP + 1, false);
		steps.sample(1_400, 100 * STEP + 2, false);
		steps.sample(1_500, 102 * STEP, false);
		const view = steps.view();
		expect(view).toMatchObject({ stepMs: STEP, endsAt: 103 * STEP });
		expect(view?.work.slice(-4)).toEqual([null, 400, 0, 100]);
	});

	it('time alone changes nothing', () => {
		const steps = new WorkSteps();
		steps.sample(1_000, 100 * STEP, false);
		steps.sample(1_000, 110 * STEP, false);
		expect(steps.view()?.endsAt).toBe(101 * STEP);
	});

	it('work of earlier, and another counter that knows less, are in no step', () => {
		const steps = new WorkSteps();
		steps.sample(1_000, 100 * STEP, false);
		steps.sample(90_000, 100 * STEP + 1, true);
		steps.sample(50_000, 100 * STEP + 2, false);
		steps.sample(50_010, 100 * STEP + 3, false);
		expect(steps.view()?.work.at(-1)).toBe(10);
	});

	it('never holds a negative step, nor more than was done', () => {
		const sample = fc.record({ work: fc.nat(1_000_000), after: fc.nat(20 * STEP), earlier: fc.boolean() });
		fc.assert(
			fc.property(fc.array(sample, { maxLength: 60 }), (samples) => {
				const steps = new WorkSteps();
				let at = 1_000_000_000;
				let most = 0;
				let before: number | null = null;
				for (const { work, after, earlier } of samples) {
					at += after;
					steps.sample(work, at, earlier);
					if (before !== null && !earlier) most += Math.max(0, work - before);
					before = work;
				}
				const known = (steps.view()?.work ?? []).flatMap((work) => work ?? []);
				expect(known.every((work) => work >= 0)).toBe(true);
				expect(known.reduce((sum, work) => sum + work, 0)).toBeLessThanOrEqual(most);
			}),
		);
	});
});
