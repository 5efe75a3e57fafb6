/** A trip: the verdict of one arm, with everything a person needs to check it. */
import type { Evidence } from '../../../shared/breaker-state.ts';

export interface Trip {
	/** One sentence with figures. */
	readonly reason: string;
	readonly evidence: Evidence;
}

/** One happening behind a trip. */
export interface Occurrence {
	readonly at: number;
	readonly text: string;
}

/** Evidence shows this many occurrences, oldest first. */
export const SHOWN_OCCURRENCES = 3;
