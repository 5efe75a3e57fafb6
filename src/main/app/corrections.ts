/**
 * How often a file is put right that others change back. Somebody who writes it all the time (another floor with other
 * settings, a program in a loop) must not make us write it all the time as well.
 */

/** Put right at once, ms apart or not. */
const AT_ONCE = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

export class Corrections {
	#wanted: string | null = null;
	#count = 0;
	#last = 0;

	/**
	 * Whether the file may be written now (ms since the epoch) so that it says `wanted`: always when that is news, and
	 * else after a pause that doubles each time, up to 5 min. Counts as a write.
	 */
	mayWrite(wanted: string, now: number): boolean {
		const isQuiet = now - this.#last > 2 * LONGEST_PAUSE_MS;
		if (wanted !== this.#wanted || isQuiet) this.#count = 0;
		const pause = Math.min(FIRST_PAUSE_MS * 2 ** (this.#count - AT_ONCE), LONGEST_PAUSE_MS);
		if (this.#count >= AT_ONCE && now - this.#last < pause) return false;
		this.#wanted = wanted;
		this.#last = now;
		this.#count += 1;
		return true;
	}
}
