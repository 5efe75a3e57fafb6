/** Numbers that look random and are the same for the same seed, on every machine. */

export class Random {
	readonly #seed: string;
	#state: number;

	constructor(seed: string) {
		this.#seed = seed;
		this.#state = hashOf(seed);
	}

	/** Another stream, which depends on this seed and the label only, not on what was drawn before. */
	fork(label: string | number): Random {
		return new Random(`${this.#seed}/${label}`);
	}

	/** From 0 up to, not including, 1 (mulberry32). */
	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	/** A whole number, both ends included. */
	int(from: number, to: number): number {
		return from + Math.floor(this.next() * (to - from + 1));
	}

	between(from: number, to: number): number {
		return from + this.next() * (to - from);
	}

	chance(share: number): boolean {
		return this.next() < share;
	}

	pick<T>(from: readonly T[]): T {
		const picked = from[this.int(0, from.length - 1)];
		if (picked === undefined) throw new RangeError('there is nothing to pick from');
		return picked;
	}

	/** `count` different ones; with `count` as the length it is a shuffle. */
	some<T>(from: readonly T[], count: number): T[] {
		const rest = [...from];
		const chosen: T[] = [];
		while (chosen.length < count && rest.length > 0) {
			const [one] = rest.splice(this.int(0, rest.length - 1), 1);
			if (one !== undefined) chosen.push(one);
		}
		return chosen;
	}

	hex(length: number): string {
		return Array.from({ length }, () => this.int(0, 15).toString(16)).join('');
	}

	uuid(): string {
		return [8, 4, 4, 4, 12].map((length) => this.hex(length)).join('-');
	}
}

/** FNV-1a, 32 bits. */
export function hashOf(text: string): number {
	let hash = 0x811c9dc5;
	for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
	return hash >>> 0;
}
