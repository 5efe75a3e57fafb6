/** What is true of the whole floor, gathered from the parts that know it. */
import type { Settings } from '../../shared/settings.ts';
import type { FloorStatus } from '../../shared/snapshot.ts';
import { hookClientSchema } from '../../shared/words.ts';

export interface StatusBoardOptions {
	readonly settings: () => Settings;
	readonly dataDirectory: string;
	readonly version: string;
	readonly startedAt: number;
}

/** Before anything was looked at. */
export const unknownHooks = Object.fromEntries(
	hookClientSchema.options.map((client) => [client, 'unknown']),
) as FloorStatus['hooks'];

/** Before failover is there to be asked. */
const calm = { tier: 'NORMAL', reason: 'Nothing is known to be down.' } as const;

export class StatusBoard {
	hooks: FloorStatus['hooks'] = unknownHooks;
	demo = false;
	address = '';
	nextBeatAt: () => number = () => 0;
	tier: () => { readonly tier: FloorStatus['tier']; readonly reason: string } = () => calm;
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
		const { tier, reason } = this.tier();
		return {
			tier,
			tierReason: reason,
			heartbeatSeconds,
			lastBeatAt: this.#lastBeatAt,
			nextBeatAt: this.nextBeatAt() || null,
			lastBeatLateMs: this.#lastBeatLateMs,
			breakerEnabled: breaker.enabled,
			hardStop: breaker.hardStop,
			hooks: this.hooks,
			demo: this.demo,
			dataDirectory,
			address: this.address,
			version,
			startedAt,
		};
	};
}
