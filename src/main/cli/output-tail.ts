/** The end of what a program prints; the rest passed by. */

export class OutputTail {
	readonly #limit: number;
	readonly #chunks: Uint8Array[] = [];
	#kept = 0;
	#isCut = false;
	#seen = 0;

	/** `limit`: bytes kept. */
	constructor(limit: number) {
		this.#limit = limit;
	}

	add(chunk: Uint8Array): void {
		this.#chunks.push(chunk);
		this.#kept += chunk.byteLength;
		this.#seen += chunk.byteLength;
		for (;;) {
			const [oldest] = this.#chunks;
			if (oldest === undefined || this.#kept <= this.#limit) return;
			const surplus = this.#kept - this.#limit;
			this.#isCut = true;
			if (oldest.byteLength <= surplus) this.#chunks.shift();
			// A copy: the view would keep the whole chunk alive.
			else this.#chunks[0] = oldest.slice(surplus);
			this.#kept -= Math.min(surplus, oldest.byteLength);
		}
	}

	/** Bytes that came in all. */
	get seen(): number {
		return this.#seen;
	}

	/** Something was before it. */
	get isCut(): boolean {
		return this.#isCut;
	}

	text(): string {
		return Buffer.concat(this.#chunks).toString('utf8');
	}
}
