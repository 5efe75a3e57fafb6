/**
 * Cuts a byte stream into frames, however the bytes are split: at line feeds, carriage returns or both, in the middle
 * of a CRLF or of a character. Nothing is decoded or copied but a frame that lies over several chunks.
 */
import { SseFrame } from './frame.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** A whole answer with its images fits; more is a fault of the upstream, not something to remember. */
export const LONGEST_FRAME_BYTES = 32 * 1024 * 1024;

export interface SplitEnd {
	/** A frame that was complete but for a line feed that might have followed its last carriage return. */
	readonly frames: readonly SseFrame[];
	/** Bytes after the last complete frame: no event (WHATWG discards them); empty when the stream ended on one. */
	readonly torn: Buffer;
}

export class FrameSplitter {
	readonly #longest: number;
	#parts: Buffer[] = [];
	#length = 0;
	#isFirst = true;
	#lineIsEmpty = true;
	/** The last byte was a carriage return; a line feed may still belong to it. */
	#afterReturn = false;
	/** That carriage return ended an empty line, so the frame ends there or one byte later. */
	#endsFrame = false;
	#isOverlong = false;

	constructor(longestFrameBytes = LONGEST_FRAME_BYTES) {
		this.#longest = longestFrameBytes;
	}

	/** A frame was longer than allowed: the stream cannot be read on, later bytes are ignored. */
	get isOverlong(): boolean {
		return this.#isOverlong;
	}

	/** The frames this chunk completes. They are views on the chunk, which must not be written to afterwards. */
	push(chunk: Uint8Array): SseFrame[] {
		const frames: SseFrame[] = [];
		const bytes = Buffer.isBuffer(chunk)
			? chunk
			: Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
		const length = bytes.length;
		let start = 0;
		for (let at = 0; at < length && !this.#isOverlong; at += 1) {
			const byte = bytes[at];
			if (byte === LINE_FEED) {
				const ends = this.#afterReturn ? this.#endsFrame : this.#lineIsEmpty;
				this.#afterReturn = false;
				this.#endsFrame = false;
				this.#lineIsEmpty = true;
				if (ends) {
					this.#cut(bytes.subarray(start, at + 1), frames);
					start = at + 1;
				}
				continue;
			}
			if (this.#afterReturn) {
				this.#afterReturn = false;
				if (this.#endsFrame) {
					this.#endsFrame = false;
					this.#cut(bytes.subarray(start, at), frames);
					start = at;
				}
			}
			if (byte === CARRIAGE_RETURN) {
				this.#afterReturn = true;
				this.#endsFrame = this.#lineIsEmpty;
				this.#lineIsEmpty = true;
				continue;
			}
			this.#lineIsEmpty = false;
			while (at + 1 < length && bytes[at + 1] !== LINE_FEED && bytes[at + 1] !== CARRIAGE_RETURN) at += 1;
		}
		if (start < length) this.#keep(start === 0 ? bytes : bytes.subarray(start));
		return frames;
	}

	/** The stream is over. */
	end(): SplitEnd {
		const rest = this.#take();
		if (!this.#endsFrame || this.#isOverlong) return { frames: [], torn: rest };
		this.#endsFrame = false;
		return { frames: [this.#frame(rest)], torn: Buffer.alloc(0) };
	}

	#cut(tail: Buffer, frames: SseFrame[]): void {
		this.#keep(tail);
		if (!this.#isOverlong) frames.push(this.#frame(this.#take()));
	}

	#frame(bytes: Buffer): SseFrame {
		const frame = new SseFrame(bytes, this.#isFirst);
		this.#isFirst = false;
		return frame;
	}

	#keep(part: Buffer): void {
		this.#length += part.length;
		if (this.#length > this.#longest) {
			this.#isOverlong = true;
			this.#parts = [];
			this.#length = 0;
		}
		if (!this.#isOverlong) this.#parts.push(part);
	}

	#take(): Buffer {
		const [first, ...others] = this.#parts;
		const whole =
			first === undefined ? Buffer.alloc(0) : others.length === 0 ? first : Buffer.concat(this.#parts);
		this.#parts = [];
		this.#length = 0;
		return whole;
	}
}
