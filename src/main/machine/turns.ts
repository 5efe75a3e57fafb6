/** Lets at most so many pieces of work run at once; the others wait in the order in which they came. */
export class Turns {
	#free: number;
	readonly #waiting: (() => void)[] = [];

	constructor(atOnce: number) {
		this.#free = atOnce;
	}

	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.#free > 0) this.#free--;
		else await new Promise<void>((resolve) => this.#waiting.push(resolve));
		try {
			return await work();
		} finally {
			const next = this.#waiting.shift();
			if (next === undefined) this.#free++;
			else next();
		}
	}
}
