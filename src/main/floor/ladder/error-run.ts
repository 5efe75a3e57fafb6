/**
 * API errors of an agent's own making, one after the other. Each ends a turn and is followed by a prompt, so a prompt
 * does not end the run; a request that works does.
 */
import { isOneStreak, putStampsInOrder } from './time.ts';
import { type Occurrence, SHOWN_OCCURRENCES } from './trip.ts';
import { oneLine } from './wording.ts';

/** Errors kept with their text; of older ones only the number is known. */
const KEPT = 64;
const TEXT_LIMIT = 160;

export interface CountedErrors {
	readonly count: number;
	readonly since: number;
	readonly lastAt: number;
	/** The newest, oldest first. */
	readonly last: readonly Occurrence[];
}

export class ErrorRun {
	#errors: { at: number; text: string }[] = [];
	/** Errors of the same run that are no longer kept, and when the first of them was. */
	#dropped = 0;
	#droppedSince = 0;

	add(at: number, text: unknown): void {
		const shown = typeof text === 'string' ? oneLine(text, TEXT_LIMIT) : '';
		this.#errors.push({ at, text: shown === '' ? 'API error' : shown });
		if (this.#errors.length <= KEPT) return;
		const oldest = this.#errors.shift();
		if (this.#dropped === 0 && oldest) this.#droppedSince = oldest.at;
		this.#dropped += 1;
	}

	/** Something succeeded: the next error is the first of a new run. */
	end(): void {
		if (this.#errors.length > 0) this.#errors = [];
		this.#dropped = 0;
	}

	settle(now: number): void {
		putStampsInOrder(this.#errors, now);
		this.#droppedSince = Math.min(this.#droppedSince, this.#errors[0]?.at ?? now);
	}

	/** The run that the newest error ends, or `null`. */
	counted(): CountedErrors | null {
		const newest = this.#errors.at(-1);
		if (!newest) return null;
		let start = this.#errors.length - 1;
		for (; start > 0; start -= 1) {
			const later = this.#errors[start];
			const earlier = this.#errors[start - 1];
			if (!later || !earlier || !isOneStreak(earlier.at, later.at)) break;
		}
		const run = this.#errors.slice(start);
		const reachesBack = start === 0 && this.#dropped > 0;
		return {
			count: run.length + (reachesBack ? this.#dropped : 0),
			since: reachesBack ? this.#droppedSince : (run[0]?.at ?? newest.at),
			lastAt: newest.at,
			last: run.slice(-SHOWN_OCCURRENCES).map(({ at, text }) => ({ at, text })),
		};
	}
}
