/** What is true of the whole floor, gathered from the parts that know it. */
import type { Settings } from '../../shared/settings.ts';
import type { FloorStatus } from '../../shared/snapshot.ts';

export interface StatusBoardOptions {
	readonly settings: () => Settings;
	readonly dataDirectory: string;
	readonly version: string;
	readonly startedAt: number;
}

export class StatusBoard {
	claudeHooks: FloorStatus['claudeHooks'] = 'unknown';
	demo = false;
	address = '';
	nextBeatAt: () => number = () => 0;
	#lastBeatAt: number | null = null;
	#lastBeatLateMs = 0;
	readonly #options: StatusBoardOptions;

	constructor(options: StatusBoardOptions) {
		this.#options = options;
	}

	beat(at: number, lateMs: number): void {
		this.#lastBeatAt = at;
		this.#lastBeatLateMs = lateMs;
	}

	readonly status = (): FloorStatus => {
		const { settings, dataDirectory, version, startedAt } = this.#options;
		const { breaker, heartbeatSeconds } = settings();
		return {
			tier: 'NORMAL',
			tierReason: 'nothing is known to be down',
			heartbeatSeconds,
			lastBeatAt: this.#lastBeatAt,
			nextBeatAt: this.nextBeatAt() || null,
			lastBeatLateMs: this.#lastBeatLateMs,
			breakerEnabled: breaker.enabled,
			hardStop: breaker.hardStop,
			claudeHooks: this.claudeHooks,
			demo: this.demo,
			dataDirectory,
			address: this.address,
			version,
			startedAt,
		};
	};
}
