/** What an agent has spent, without what was forgotten before the floor was started again. */
import { UsageTrack } from './usage-track.ts';

/** What the operator reset, as the agent's counter gave it then. Work tokens and US dollars. */
export interface ForgottenSpend {
	readonly work: number;
	readonly usd: number;
}

export class RememberedUsage extends UsageTrack {
	readonly #before: ForgottenSpend;

	constructor(before: ForgottenSpend) {
		super();
		this.#before = before;
	}

	/** Never below 0: the files of its sessions may not have been read in full yet. */
	override get work(): number {
		return Math.max(0, super.work - this.#before.work);
	}

	override get usd(): number {
		return Math.max(0, super.usd - this.#before.usd);
	}
}
