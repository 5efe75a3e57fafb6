/** One step on the ladder: at most one rung a beat, and why it is not taken. Pure. */
import { type BreakerAction, type BreakerLevel, breakerLevelSchema } from '../../../shared/words.ts';
import type { BreakerInput } from './breaker-input.ts';
import type { Trip } from './trip.ts';

/** The rungs in climbing order (seed 002, "The Four-Level Escalation Hierarchy"). */
export const LEVELS: readonly BreakerLevel[] = breakerLevelSchema.options;

/** What a level asks for when it is reached from below (seed 002, "Mapping States to Enforcement Actions"). */
export function actionFor(level: BreakerLevel): BreakerAction {
	switch (level) {
		case 'steering':
			return 'steer';
		case 'constrained':
			return 'constrain';
		case 'stopped':
			return 'stop';
		default:
			return 'none';
	}
}

export interface Step {
	readonly level: BreakerLevel;
	readonly reason: string;
	/** Why it does not climb although it tripped; empty otherwise. */
	readonly climbHeld: string;
}

/** Where an agent at `from` stands after a beat with or without a trip. Never above `ceiling`, if one rung reaches. */
export function step(
	from: BreakerLevel,
	trip: Trip | null,
	ceiling: BreakerLevel,
	input: BreakerInput,
): Step {
	const rank = LEVELS.indexOf(from);
	const top = LEVELS.indexOf(ceiling);
	if (trip === null) {
		return { level: levelAt(rank - 1), reason: rank > 0 ? 'No trip this beat' : '', climbHeld: '' };
	}
	const { reason } = trip;
	if (rank > top) return { level: levelAt(rank - 1), reason, climbHeld: ceilingText(ceiling) };
	const held = rank === top ? ceilingText(ceiling) : holdOf(rank, trip, input);
	if (rank === top || held !== '') return { level: from, reason: rank > 0 ? reason : '', climbHeld: held };
	return { level: levelAt(rank + 1), reason, climbHeld: '' };
}

function levelAt(rank: number): BreakerLevel {
	return LEVELS[Math.max(0, rank)] ?? 'healthy';
}

function ceilingText(ceiling: BreakerLevel): string {
	return ceiling === 'stopped' ? '' : `Hard stop is off: the ladder ends at ${ceiling}`;
}

/** An agent climbs past steering only for what it did after it could have read why. */
function holdOf(rank: number, trip: Trip, { providerTrouble, steer }: BreakerInput): string {
	if (providerTrouble === true) return 'Its provider is failing: that is not held against the agent';
	if (!steer || rank === 0) return '';
	const { deliveredAt, actedAt } = steer;
	if (typeof deliveredAt !== 'number') return 'The note has not reached the agent yet';
	if (typeof actedAt !== 'number' || !(actedAt > deliveredAt)) {
		return 'The agent has not acted since it was given the note';
	}
	if (!(trip.evidence.lastAt > deliveredAt))
		return 'It has not happened again since the agent was given the note';
	return '';
}
