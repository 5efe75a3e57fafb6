/** While an agent compacts its context it writes a lot and does nothing: neither is held against it. */

export const GRACE_FROM_START_MS = 5 * 60_000;
export const GRACE_AFTER_END_MS = 90_000;

const NEVER = Number.NEGATIVE_INFINITY;

export class CompactionGrace {
	#startedAt = NEVER;
	#endedAt = NEVER;
	#refused = false;
	/** What the agent had achieved when grace was last given. */
	#achievedThen = -1;

	/**
	 * `achieved` counts the agent's steps forward: compacting again without any in between earns no grace, and is
	 * answered with false.
	 */
	start(at: number, achieved: number): boolean {
		this.#refused = achieved === this.#achievedThen;
		if (this.#refused) return false;
		this.#achievedThen = achieved;
		this.#startedAt = at;
		this.#endedAt = NEVER;
		return true;
	}

	/** False when it earned no grace. */
	end(at: number, achieved: number): boolean {
		const hasStart = this.#startedAt !== NEVER && this.#endedAt === NEVER;
		if (!hasStart && !this.#refused) this.start(at, achieved);
		const isGranted = !this.#refused;
		if (isGranted) this.#endedAt = at;
		this.#refused = false;
		return isGranted;
	}

	covers(now: number): boolean {
		if (this.#endedAt !== NEVER) return now - this.#endedAt < GRACE_AFTER_END_MS;
		return this.#startedAt !== NEVER && now - this.#startedAt < GRACE_FROM_START_MS;
	}

	settle(now: number): void {
		if (this.#startedAt > now) this.#startedAt = now;
		if (this.#endedAt > now) this.#endedAt = now;
	}
}
