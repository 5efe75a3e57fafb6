import { describe, expect, it } from 'vitest';
import { judge } from '../../bench/detect/judge.ts';
import { defaultSettings } from '../../src/shared/settings.ts';
import { families, traceOf } from './catalogue.ts';

/** What the floor does not tell apart yet, and why. `npm run bench:detect` counts it. */
const OPEN: Readonly<Record<string, string>> = {
	'backing-off': 'waits of other lengths are other calls',
	'short-wait': 'waits for one job after the other are counted together',
};

/** A pair of each family, of the programs by turns. */
const pairs = families.map((family, seed) => {
	const { name, only: set = 'tuning' } = family;
	return { family, set, seed: seed % 4, name };
});

describe('the ladder on labelled traces, with the settings of a fresh installation', () => {
	const closed = pairs.filter(({ name }) => !Object.hasOwn(OPEN, name));

	it.each(closed)('$name, $set: leaves the healthy one alone', async (of) => {
		const { as, reason } = await judge(traceOf({ ...of, stuck: false }), defaultSettings);
		expect({ as, reason }).toEqual({ as: 'left alone', reason: '' });
	});

	it.each(closed.filter(({ family }) => !family.onlyHealthy))(
		'$name, $set: steers the stuck one',
		async (of) => {
			const { as, arm, calls } = await judge(traceOf({ ...of, stuck: true }), defaultSettings);
			expect(as).toBe('caught');
			expect(arm).not.toBeNull();
			expect(calls).toBeGreaterThanOrEqual(0);
		},
	);

	it('has nothing open that is not a family', () => {
		expect(Object.keys(OPEN).filter((name) => !pairs.some((of) => of.name === name))).toEqual([]);
	});
});
