/** Puts events into the client's stream: with its indexes, ids and one rising row of sequence numbers. */
import type { JsonObject } from '../../protocol.ts';
import { encodeFrame, type SseFrame } from '../../sse/frame.ts';
import { numberOf, textOf } from '../json-fields.ts';
import type { Item } from './item-ledger.ts';

export class EventEncoder {
	/** Bytes pass as they came unless something in the stream has to change. */
	readonly #rewrites: boolean;
	#next: number | null;

	/** `next`: number of the next event; `null` at the start of a stream, or when it has no numbers. */
	constructor(rewrites: boolean, next: number | null) {
		this.#rewrites = rewrites;
		this.#next = next;
	}

	/** Number of the event after all that were read. */
	get next(): number | null {
		return this.#next;
	}

	/** An event of our own. */
	own(event: JsonObject): Buffer {
		return encodeFrame(textOf(event.type), this.#numbered(event));
	}

	/** The upstream's event with its place in the client's stream. `item`: the one it is about. */
	moved(event: JsonObject, item: Item | null, changes: JsonObject, frame: SseFrame): Uint8Array {
		const told = numberOf(event.sequence_number);
		if (!this.#rewrites) {
			if (told !== null) this.#next = told + 1;
			return frame.bytes;
		}
		this.#next ??= told;
		const moved: Record<string, unknown> = { ...event, ...changes };
		if (item !== null && event.output_index !== undefined) moved.output_index = item.out;
		if (item !== null && event.item_id !== undefined) moved.item_id = item.id;
		const numbered = this.#numbered(moved);
		const isSame =
			Object.keys(changes).length === 0 &&
			numbered.output_index === event.output_index &&
			numbered.item_id === event.item_id &&
			numbered.sequence_number === event.sequence_number;
		return isSame ? frame.bytes : encodeFrame(frame.event || textOf(event.type), numbered);
	}

	#numbered(event: JsonObject): JsonObject {
		if (this.#next === null) return event;
		const numbered = { ...event, sequence_number: this.#next };
		this.#next += 1;
		return numbered;
	}
}
