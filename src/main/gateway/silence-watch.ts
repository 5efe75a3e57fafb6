/** Notices that a stream has fallen silent. Time in which the machine slept or the client did not read counts as none. */
import type { Clock, Schedule } from '../failover/call.ts';

export interface SilenceWatchOptions {
	readonly clock: Clock;
	readonly schedule: Schedule;
	/** Without any byte for so long, the stream is silent, ms. */
	readonly limitMs: number;
	/** True while silence says nothing: asked only when the limit is reached. */
	readonly mayBeSilent: () => boolean;
	/** Called once. */
	readonly onSilent: () => void;
}

/** A check that comes this much too late was slept through, ms. */
const SLEPT_MS = 5_000;

export class SilenceWatch {
	readonly #options: SilenceWatchOptions;
	#lastAt: number;
	#cancel: () => void = () => {};

	/** Watches from now on, until `stop`. */
	constructor(options: SilenceWatchOptions) {
		this.#options = options;
		this.#lastAt = options.clock.steady();
		this.#arm(options.limitMs);
	}

	/** Bytes came, or could not come. */
	heard(): void {
		this.#lastAt = this.#options.clock.steady();
	}

	stop(): void {
		this.#cancel();
	}

	#arm(ms: number): void {
		const { clock, schedule } = this.#options;
		const dueAt = clock.steady() + ms;
		this.#cancel = schedule(ms, () => this.#check(dueAt));
	}

	#check(dueAt: number): void {
		const { clock, limitMs, mayBeSilent, onSilent } = this.#options;
		const now = clock.steady();
		const left = this.#lastAt + limitMs - now;
		if (left > 0) this.#arm(left);
		else if (now - dueAt <= SLEPT_MS && !mayBeSilent()) onSilent();
		else {
			this.heard();
			this.#arm(limitMs);
		}
	}
}
