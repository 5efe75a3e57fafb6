/** Output tokens a minute, on the floor's own clock. */

/** Two samples closer than this are read as this far apart: a burst in one second is no speed. */
export const MIN_SPAN_MS = 10_000;
/** Samples closer than this share one point. */
const POINT_SPACING_MS = 500;

export interface VelocityReading {
	readonly perMinute: number;
	readonly tokens: number;
	readonly spanMs: number;
	/** Start of the span. */
	readonly since: number;
}

interface Point {
	readonly at: number;
	readonly output: number;
}

export class OutputVelocity {
	/** Samples at which the counter had changed, oldest first: the newest that is old enough, and those after it. */
	#points: Point[] = [];
	#output = 0;
	/** `null`: nothing was written since the beat before, or there is nothing to compare with. */
	reading: VelocityReading | null = null;

	/** Starts anew from here: a first sample, a counter that began again, a compaction. */
	rebase(output: number, now: number): void {
		this.#points = [{ at: now, output }];
		this.#output = output;
		this.reading = null;
	}

	/** No sample on this beat. */
	pause(): void {
		this.reading = null;
	}

	/**
	 * Compares with the last sample that had *changed* and is at least `MIN_SPAN_MS` old. A counter that stood still
	 * while a long answer was written, and then shows all of it at once, is so spread over the time it took.
	 */
	observe(output: number, now: number): void {
		const newest = this.#points.at(-1);
		if (!newest || newest.at > now) {
			this.rebase(output, now);
			return;
		}
		if (output === this.#output) {
			this.reading = null;
			return;
		}
		this.#output = output;
		while (this.#points[1] && now - this.#points[1].at >= MIN_SPAN_MS) this.#points.shift();
		const base = this.#points[0] ?? newest;
		const spanMs = Math.max(now - base.at, MIN_SPAN_MS);
		const tokens = output - base.output;
		this.reading = { perMinute: (tokens * 60_000) / spanMs, tokens, spanMs, since: base.at };
		if (now - newest.at >= POINT_SPACING_MS) this.#points.push({ at: now, output });
	}
}
