/** How long the machine slept. A sleeping machine's agents are not idle; a busy machine's late timers are no sleep. */
import { uptime } from 'node:os';

/** Two clocks in ms from any origin. Neither may be one that people or time servers set. */
export interface SuspendClocks {
	/** Stands still while the machine sleeps. */
	readonly awake: () => number;
	/** Runs on while the machine sleeps. Where the system has only such clocks, both are the same one. */
	readonly always: () => number;
}

/**
 * Linux: CLOCK_MONOTONIC stands still in sleep, the time since boot (CLOCK_BOOTTIME) does not; a step of the wall
 * clock moves neither. macOS and Windows: Node's monotonic clock runs on in sleep, so that there a sleep is only known
 * when the desktop host tells of it (`noteSuspend`, `noteResume`).
 */
export function clocksOfThisMachine(platform: NodeJS.Platform = process.platform): SuspendClocks {
	const monotonic = (): number => performance.now();
	return { awake: monotonic, always: platform === 'linux' ? () => uptime() * 1000 : monotonic };
}

/** The clocks are read one after the other and count in steps: less than this is no sleep, ms. */
const SHORTEST_SLEEP_MS = 1_000;

/** Compares the clocks at each `check`, and knows what the host told about power in between. */
export class SuspendDetector {
	readonly #clocks: SuspendClocks;
	#awakeAt: number;
	#alwaysAt: number;
	/** On `always`, while the host says that the machine sleeps. */
	#asleepSince: number | null = null;
	#toldMs = 0;

	constructor(clocks: SuspendClocks = clocksOfThisMachine()) {
		this.#clocks = clocks;
		this.#awakeAt = clocks.awake();
		this.#alwaysAt = clocks.always();
	}

	/** The machine is about to sleep. */
	noteSuspend(): void {
		this.#asleepSince ??= this.#clocks.always();
	}

	/** The machine is awake again. */
	noteResume(): void {
		this.#takeNoted(null);
	}

	/** ms that the machine slept since the last check; 0 for a sleep of less than a second. */
	check(): number {
		const awake = this.#clocks.awake();
		const always = this.#clocks.always();
		const measured = always - this.#alwaysAt - (awake - this.#awakeAt);
		this.#awakeAt = awake;
		this.#alwaysAt = always;
		// The news of the resume may still be on its way; what it will tell from here on is the rest.
		if (this.#asleepSince !== null) this.#takeNoted(always);
		const slept = Math.max(measured, this.#toldMs);
		this.#toldMs = 0;
		return slept >= SHORTEST_SLEEP_MS ? slept : 0;
	}

	#takeNoted(asleepSince: number | null): void {
		if (this.#asleepSince !== null) this.#toldMs += Math.max(0, this.#clocks.always() - this.#asleepSince);
		this.#asleepSince = asleepSince;
	}
}
