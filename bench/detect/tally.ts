/** Verdicts counted: recall, false trips and delays. */
import type { TripArm } from '../../src/shared/words.ts';
import { quantileOf } from '../support/times.ts';
import type { Verdict } from './judge.ts';
import { wilson } from './wilson.ts';

export interface Tally {
	readonly stuck: number;
	readonly caught: number;
	/** Of stuck ones that were steered before they were stuck. */
	readonly early: number;
	readonly healthy: number;
	readonly falseTrips: number;
	/** Upper end of Wilson's 95 % interval of the share of healthy ones that were steered. */
	readonly falseTripBound: number;
	/** Lower end of Wilson's 95 % interval of the recall. */
	readonly recallBound: number;
	/** Calls from onset to steering of those that were caught; NaN when none was. */
	readonly medianCalls: number;
	readonly p90Calls: number;
	/** Arms that caught, the most frequent first. */
	readonly arms: readonly (readonly [TripArm | 'rule', number])[];
}

export function tally(verdicts: readonly Verdict[]): Tally {
	const stuck = verdicts.filter(({ label }) => label.stuck);
	const healthy = verdicts.filter(({ label }) => !label.stuck);
	const caught = stuck.filter((verdict) => verdict.as === 'caught');
	const falseTrips = healthy.filter((verdict) => verdict.as === 'false trip').length;
	const calls = caught.map((verdict) => verdict.calls ?? 0).sort((a, b) => a - b);
	const arms = Map.groupBy(caught, ({ arm }) => arm ?? 'rule');
	return {
		stuck: stuck.length,
		caught: caught.length,
		early: stuck.filter((verdict) => verdict.as === 'false trip').length,
		healthy: healthy.length,
		falseTrips,
		falseTripBound: wilson(falseTrips, healthy.length).high,
		recallBound: wilson(caught.length, stuck.length).low,
		medianCalls: quantileOf(calls, 0.5),
		p90Calls: quantileOf(calls, 0.9),
		arms: [...arms].map(([arm, by]) => [arm, by.length] as const).sort((a, b) => b[1] - a[1]),
	};
}
