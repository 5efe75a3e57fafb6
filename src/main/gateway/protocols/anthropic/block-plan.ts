/** Which index each block of an answer gets at the client, and which of them the client has. */

interface Block {
	readonly out: number;
	isOpen: boolean;
	isPassed: boolean;
}

export class BlockPlan {
	readonly #first: number;
	#blocks = new Map<number, Block>();
	/** Blocks whose index was used again by their upstream. */
	readonly #earlier: Block[] = [];
	readonly #leftOut = new Set<number>();
	#next: number;
	#waiting: Block[] = [];

	/** `first`: the client has the blocks below it from an earlier upstream. */
	constructor(first: number) {
		this.#first = first;
		this.#next = first;
	}

	/** An index for a block of our own. */
	own(): number {
		const out = this.#next;
		this.#next += 1;
		return out;
	}

	/** `goesAlong`: it goes to the client with the next content (a block of a held tool call does not). */
	start(index: number, goesAlong: boolean): number {
		const before = this.#blocks.get(index);
		if (before !== undefined) this.#earlier.push(before);
		this.#leftOut.delete(index);
		const block = { out: this.own(), isOpen: true, isPassed: false };
		this.#blocks.set(index, block);
		if (goesAlong) this.#waiting.push(block);
		return block.out;
	}

	outOf(index: number): number {
		return this.#blocks.get(index)?.out ?? this.#first + index;
	}

	stop(index: number): void {
		const block = this.#blocks.get(index);
		if (block !== undefined) block.isOpen = false;
	}

	/** The block never reaches the client; the later ones close the gap. */
	leaveOut(index: number): void {
		this.#leftOut.add(index);
	}

	isLeftOut(index: number): boolean {
		return this.#leftOut.has(index);
	}

	/** Content went out, and with it every block that waited for it. */
	pass(): void {
		for (const block of this.#waiting) block.isPassed = true;
		this.#waiting = [];
	}

	/** A block that waited for its own end is whole and went out. */
	passWhole(index: number): void {
		this.pass();
		const block = this.#blocks.get(index);
		if (block !== undefined) block.isPassed = true;
	}

	/** What has to be stopped at the client, and the index of the block after all it has. */
	close(): { readonly stops: readonly number[]; readonly nextIndex: number } {
		const passed = [...this.#earlier, ...this.#blocks.values()].filter((block) => block.isPassed);
		return {
			stops: passed.filter((block) => block.isOpen).map((block) => block.out),
			nextIndex: Math.max(this.#first, ...passed.map((block) => block.out + 1)),
		};
	}
}
