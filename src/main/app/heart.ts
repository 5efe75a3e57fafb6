/** The timer of the heartbeat. Late beats are noticed, not replayed; a machine that slept was not idle. */
import type { Disposable } from '../../shared/disposable.ts';

export interface HeartOptions {
	/** Asked before each beat, so a change applies at once. Seconds. */
	readonly intervalSeconds: () => number;
	/** Wall clock, ms since the epoch. */
	readonly now: () => number;
	/** Called before a beat: looks at files, usage and processes. */
	readonly observe: () => Promise<void>;
	readonly beat: (now: number, lateMs: number) => void;
	/** Ms that the machine slept since the last question. */
	readonly sleptMs: () => number;
	readonly onSleep: (milliseconds: number, now: number) => void;
	readonly onError: (error: unknown) => void;
}

/** Timers are never exact: less than this is not called late, ms. */
const LATE_TOLERANCE_MS = 250;

export class Heart implements Disposable {
	readonly #options: HeartOptions;
	#timer: NodeJS.Timeout | null = null;
	/** When the interval that runs began: the beat that is due comes one interval later. Wall clock, ms. */
	#intervalFrom = 0;
	#dueAt = 0;
	#beating = false;
	#stopped = false;

	constructor(options: HeartOptions) {
		this.#options = options;
	}

	get nextBeatAt(): number {
		return this.#dueAt;
	}

	start(): void {
		this.#intervalFrom = this.#options.now();
		this.#arm();
	}

	/**
	 * After a change of the interval, or when the machine woke up. The interval that runs keeps its start, so that
	 * changes put off no beat; one that is over already beats at once.
	 */
	rearm(): void {
		const hasStarted = this.#timer !== null;
		if (hasStarted && !this.#beating) this.#arm();
	}

	dispose(): void {
		this.#stopped = true;
		if (this.#timer) clearTimeout(this.#timer);
	}

	#arm(): void {
		if (this.#stopped) return;
		if (this.#timer) clearTimeout(this.#timer);
		const now = this.#options.now();
		// A clock that was put back must not stretch the interval.
		this.#intervalFrom = Math.min(this.#intervalFrom, now);
		this.#dueAt = Math.max(now, this.#intervalFrom + this.#intervalMs());
		this.#timer = setTimeout(() => void this.#beat(), this.#dueAt - now);
	}

	async #beat(): Promise<void> {
		this.#beating = true;
		const { now, observe, beat, sleptMs, onSleep, onError } = this.#options;
		try {
			const slept = sleptMs();
			if (slept > 0) onSleep(slept, now());
			await observe();
			const at = now();
			const late = Math.max(0, at - this.#dueAt - slept);
			if (!this.#stopped) beat(at, late > LATE_TOLERANCE_MS ? late : 0);
		} catch (error) {
			onError(error);
		} finally {
			this.#beating = false;
			// Steady while on time; a beat that was missed is not made up for.
			const isOnTime = this.#dueAt + this.#intervalMs() > now();
			this.#intervalFrom = isOnTime ? this.#dueAt : now();
			this.#arm();
		}
	}

	#intervalMs(): number {
		return this.#options.intervalSeconds() * 1000;
	}
}
