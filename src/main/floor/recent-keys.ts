/** A bounded memory of keys already seen: the oldest are forgotten first. */
export class RecentKeys {
	readonly #keys = new Set<string>();
	readonly #limit: number;

	constructor(limit: number) {
		this.#limit = limit;
	}

	/** True when `key` is new. */
	add(key: string): boolean {
		if (this.#keys.has(key)) return false;
		this.#keys.add(key);
		if (this.#keys.size > this.#limit) {
			const oldest = this.#keys.values().next();
			if (!oldest.done) this.#keys.delete(oldest.value);
		}
		return true;
	}
}
