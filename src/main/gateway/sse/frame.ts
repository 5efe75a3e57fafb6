/**
 * One frame of an event stream: the raw bytes up to and with its empty line, and what its fields say.
 * Source: html.spec.whatwg.org/multipage/server-sent-events.html, sections 9.2.5 and 9.2.6.
 */

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;

/** Fields are read once, text is decoded when asked for: most frames only need their event's name. */
export class SseFrame {
	/** As they came; frames put behind one another are the stream. A view on the chunk, never to be written to. */
	readonly bytes: Buffer;
	/** Value of the last `event` field; empty without one. */
	readonly event: string;
	/** Value of the last `id` field; `null` without one or when it holds a NUL (such an id is ignored). */
	readonly id: string | null;
	/** Where the value of each `data` line lies: start, end, start, end … */
	readonly #ranges: readonly number[];
	#data: string | null = null;

	/** `isFirst`: the stream's first frame, whose byte order mark is not part of a field. */
	constructor(bytes: Buffer, isFirst: boolean) {
		this.bytes = bytes;
		const ranges: number[] = [];
		let event = '';
		let id: string | null = null;
		let at = isFirst && startsWithMark(bytes) ? 3 : 0;
		const length = bytes.length;
		while (at < length) {
			let end = at;
			let colon = -1;
			for (; end < length; end += 1) {
				const byte = bytes[end];
				if (byte === LINE_FEED || byte === CARRIAGE_RETURN) break;
				if (byte === COLON) {
					colon = end;
					// The rest of the line is value: only its end is of interest.
					while (end < length && bytes[end] !== LINE_FEED && bytes[end] !== CARRIAGE_RETURN) end += 1;
					break;
				}
			}
			const nameEnd = colon === -1 ? end : colon;
			if (nameEnd > at) {
				const value = colon === -1 ? end : colon + (bytes[colon + 1] === SPACE && colon + 1 < end ? 2 : 1);
				if (isName(bytes, at, nameEnd, 'data')) ranges.push(value, end);
				else if (isName(bytes, at, nameEnd, 'event')) event = bytes.toString('utf8', value, end);
				else if (isName(bytes, at, nameEnd, 'id')) {
					const told = bytes.toString('utf8', value, end);
					if (!told.includes('\0')) id = told;
				}
			}
			at = end + 1;
		}
		this.event = event;
		this.id = id;
		this.#ranges = ranges;
	}

	/** All data lines, joined by line feeds; `null` without any: such a frame is no event (a comment, an empty line). */
	get data(): string | null {
		if (this.#ranges.length === 0) return null;
		this.#data ??= this.#decode();
		return this.#data;
	}

	/** True when these bytes stand anywhere in the frame: cheaper than decoding it. */
	includes(text: string): boolean {
		return this.bytes.includes(text);
	}

	#decode(): string {
		const [start, end] = this.#ranges;
		if (this.#ranges.length === 2) return this.bytes.toString('utf8', start, end);
		const lines: string[] = [];
		for (let at = 0; at < this.#ranges.length; at += 2) {
			lines.push(this.bytes.toString('utf8', this.#ranges[at], this.#ranges[at + 1]));
		}
		return lines.join('\n');
	}
}

function startsWithMark(bytes: Buffer): boolean {
	return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function isName(bytes: Buffer, start: number, end: number, name: string): boolean {
	if (end - start !== name.length) return false;
	for (let at = 0; at < name.length; at += 1) {
		if (bytes[start + at] !== name.charCodeAt(at)) return false;
	}
	return true;
}

/** A frame of our own. `event`: empty for a stream that names no events. */
export function encodeFrame(event: string, data: object): Buffer {
	const json = JSON.stringify(data);
	return Buffer.from(event === '' ? `data: ${json}\n\n` : `event: ${event}\ndata: ${json}\n\n`);
}
