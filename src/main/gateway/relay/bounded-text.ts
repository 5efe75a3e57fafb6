/** Text that grows piece by piece, up to a limit. */
export class BoundedText {
	readonly #limit: number;
	#text = '';

	/** `limit`: characters (UTF-16 code units). */
	constructor(limit: number) {
		this.#limit = limit;
	}

	add(piece: string): void {
		const room = this.#limit - this.#text.length;
		if (room > 0) this.#text += piece.length <= room ? piece : piece.slice(0, room);
	}

	/** Well-formed: a pair that the limit cut ends in U+FFFD. */
	get value(): string {
		return this.#text.toWellFormed();
	}
}
