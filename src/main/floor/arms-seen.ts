/** When have the gauges of an agent changed for a person who looks? */
import type { ArmGauge } from '../../shared/breaker-state.ts';

/**
 * What the whole floor spends moves the gauges of every agent on every beat: it is told again when it came this share
 * of its limit further.
 */
const FLOOR_STEP = 0.02;
const OF_THE_FLOOR: ReadonlySet<ArmGauge['arm']> = new Set(['cost-cap', 'token-cap']);

/** True when `now` is to be told in the place of `told`. Lists of one identity are equal. */
export function looksDifferent(told: readonly ArmGauge[], now: readonly ArmGauge[]): boolean {
	if (told === now) return false;
	return told.length !== now.length || now.some((gauge, index) => isOther(told[index], gauge));
}

function isOther(told: ArmGauge | undefined, now: ArmGauge): boolean {
	if (told === now) return false;
	if (told?.limit !== now.limit || told.note !== now.note || told.counted !== now.counted) return true;
	return stepOf(told) !== stepOf(now);
}

/** Equal for counts that look the same. Passing the limit is a step of its own. */
function stepOf({ arm, count, limit }: ArmGauge): number | null {
	if (count === null || limit === null || !OF_THE_FLOOR.has(arm)) return count;
	return count > limit ? Number.POSITIVE_INFINITY : Math.floor(count / limit / FLOOR_STEP);
}
