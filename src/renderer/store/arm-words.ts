/** The arms of the ladder in words, and how each stands. Pure. */
import type { ArmGauge } from '../../shared/breaker-state.ts';
import { armUnitWords, compactNumber, evidenceCountWords, usd } from '../../shared/format.ts';
import type { TripArm } from '../../shared/words.ts';

interface ArmWords {
	/** As its limit is called in the settings. */
	readonly name: string;
	/** Where its limit is set, dotted as in the file; `null`: it cannot be set. */
	readonly setting: string | null;
	/** What it means that it has no limit. */
	readonly off: string;
}

const OFF = 'switched off';
const NO_CAP = 'no cap is set';

/** One entry for each arm: one that is missing here does not compile. */
export const armWords: Readonly<Record<TripArm, ArmWords>> = {
	'repeated-tool': { name: 'Repeated calls', setting: 'breaker.repeatedToolLimit', off: OFF },
	'error-storm': { name: 'Errors in a row', setting: 'breaker.errorStormLimit', off: OFF },
	'agent-token-cap': { name: 'Cap of this agent', setting: 'breaker.agentTokenCaps', off: NO_CAP },
	'cost-cap': { name: 'Cost cap of the floor', setting: 'breaker.costCapUsd', off: NO_CAP },
	'token-cap': { name: 'Token cap of the floor', setting: 'breaker.costCapTokens', off: NO_CAP },
	'token-velocity': { name: 'Output speed', setting: 'breaker.tokenVelocityPerMin', off: OFF },
	'no-progress': { name: 'No progress', setting: null, off: OFF },
	'same-result': { name: 'Same result', setting: 'breaker.sameResultLimit', off: OFF },
	cycle: { name: 'Cycle of calls', setting: 'breaker.cycleLimit', off: OFF },
	polling: { name: 'Polling', setting: 'breaker.pollingLimit', off: OFF },
	'no-new-result': { name: 'No new result', setting: 'breaker.noNewResultLimit', off: OFF },
};

/** From this share of its limit on, an arm is near it: as the warnings on the card are. */
const NEAR_SHARE = 0.8;

/**
 * `tripped`: it gives the reason. `over`: beyond its limit, and not the reason. `spared`: beyond its limit, and not held
 * against the agent; its note says why.
 */
export type ArmStanding = 'tripped' | 'over' | 'spared' | 'near' | 'calm' | 'unknown' | 'off';

/** `reason`: the arm that gave the reason of the level, if any. */
export function armStanding(gauge: ArmGauge, reason: TripArm | null): ArmStanding {
	const { arm, count, limit, note } = gauge;
	if (arm === reason) return 'tripped';
	if (limit === null) return 'off';
	if (count === null) return 'unknown';
	if (isOver(arm, count, limit)) return note === '' ? 'over' : 'spared';
	return count >= limit * NEAR_SHARE ? 'near' : 'calm';
}

function isOver(arm: TripArm, count: number, limit: number): boolean {
	return arm === 'no-progress' ? count >= limit : count > limit;
}

export const armStandingWords: Readonly<Record<ArmStanding, string>> = {
	tripped: 'tripped: this gives the reason',
	over: 'over its limit too',
	spared: 'over its limit, not held against it',
	near: 'near its limit',
	calm: '',
	unknown: '',
	off: '',
};

/** "3 calls, limit 8"; "not known, limit 60k output tokens/min"; "12.4k work tokens, no cap is set". */
export function armCountWords(gauge: ArmGauge): string {
	const { arm, count, limit, unit } = gauge;
	const off = armWords[arm].off;
	if (count !== null && limit !== null) return evidenceCountWords({ arm, count, limit, unit });
	if (limit !== null) return `not known, limit ${amountWords(limit, gauge)}`;
	return count === null ? off : `${amountWords(count, gauge)}, ${off}`;
}

function amountWords(amount: number, { arm, unit }: ArmGauge): string {
	return unit === 'USD' ? usd(amount) : `${compactNumber(amount)} ${armUnitWords({ arm, unit })}`;
}

/** The gauge's note; empty where `armCountWords` says the same. */
export function armNote({ arm, limit, note }: ArmGauge): string {
	const said = limit === null && note.toLowerCase().startsWith(armWords[arm].off);
	return said ? '' : note;
}

/** The order in which they are read: the reason, what counts, what is off; within those as the ladder asks them. */
export function armsToRead(arms: readonly ArmGauge[], reason: TripArm | null): ArmGauge[] {
	const rank = (gauge: ArmGauge): number => {
		const standing = armStanding(gauge, reason);
		return standing === 'tripped' ? 0 : standing === 'off' ? 2 : 1;
	};
	return [...arms].sort((a, b) => rank(a) - rank(b));
}
