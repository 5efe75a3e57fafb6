/** Bytes on their way out. Neighbours in one chunk stay one view, so a chunk that passes whole is passed uncopied. */

export const NO_BYTES: Uint8Array = new Uint8Array(0);

export class ByteQueue {
	#parts: Uint8Array[] = [];
	#length = 0;

	/** Bytes in it. */
	get length(): number {
		return this.#length;
	}

	add(bytes: Uint8Array): void {
		if (bytes.length === 0) return;
		this.#length += bytes.length;
		const last = this.#parts.at(-1);
		if (
			last !== undefined &&
			last.buffer === bytes.buffer &&
			last.byteOffset + last.length === bytes.byteOffset
		) {
			this.#parts[this.#parts.length - 1] = new Uint8Array(
				last.buffer,
				last.byteOffset,
				last.length + bytes.length,
			);
		} else this.#parts.push(bytes);
	}

	/** Puts everything of another queue behind this one and empties it. */
	addAll(other: ByteQueue): void {
		for (const part of other.#parts) this.add(part);
		other.clear();
	}

	clear(): void {
		this.#parts = [];
		this.#length = 0;
	}

	/** All of it; the queue is empty afterwards. */
	take(): Uint8Array {
		const [first, ...others] = this.#parts;
		const whole = first === undefined ? NO_BYTES : others.length === 0 ? first : Buffer.concat(this.#parts);
		this.clear();
		return whole;
	}
}
