/**
 * The same request for another model of the same provider: every byte as it came, but the name of the model. Bytes, not
 * text: what is no UTF-8 stays as it is. No recursion: a body may be nested as deeply as its sender likes.
 */

/** `plain`: uncompressed, and a JSON object: `JSON.parse` has judged it before. */
export function bodyForModel(plain: Uint8Array, model: string): Buffer {
	const bytes = Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength);
	const name = Buffer.from(JSON.stringify(model));
	const parts: Uint8Array[] = [];
	let from = 0;
	for (const { start, end } of modelsIn(bytes)) {
		parts.push(bytes.subarray(from, start), name);
		from = end;
	}
	return parts.length === 0 ? withModel(bytes, name) : Buffer.concat([...parts, bytes.subarray(from)]);
}

interface Span {
	readonly start: number;
	readonly end: number;
}

/** The values of `model` at the top, wherever and however often it stands there. */
function* modelsIn(bytes: Buffer): Generator<Span> {
	let at = skipSpace(bytes, insideOf(bytes));
	while (bytes[at] === QUOTE) {
		const keyEnd = stringEnd(bytes, at);
		const start = skipSpace(bytes, skipSpace(bytes, keyEnd) + 1);
		const end = valueEnd(bytes, start);
		// A key may be written with escapes.
		if (JSON.parse(bytes.toString('utf8', at, keyEnd)) === 'model') yield { start, end };
		at = skipSpace(bytes, end);
		if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1);
	}
}

function withModel(bytes: Buffer, name: Buffer): Buffer {
	const inside = insideOf(bytes);
	const isEmpty = bytes[skipSpace(bytes, inside)] === CLOSING_BRACE;
	const member = Buffer.concat([Buffer.from('"model":'), name, Buffer.from(isEmpty ? '' : ',')]);
	return Buffer.concat([bytes.subarray(0, inside), member, bytes.subarray(inside)]);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const opening: ReadonlySet<number | undefined> = new Set([OPENING_BRACE, 0x5b]);
const closing: ReadonlySet<number | undefined> = new Set([CLOSING_BRACE, 0x5d]);
const space: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0d, 0x0a]);

/** Behind the brace of the object; a byte order mark may stand before it. */
function insideOf(bytes: Buffer): number {
	return bytes.indexOf(OPENING_BRACE) + 1;
}

function skipSpace(bytes: Buffer, from: number): number {
	let at = from;
	while (space.has(bytes[at])) at += 1;
	return at;
}

function valueEnd(bytes: Buffer, start: number): number {
	let depth = 0;
	let at = start;
	do {
		const byte = bytes[at];
		if (byte === QUOTE) {
			at = stringEnd(bytes, at);
			continue;
		}
		if (opening.has(byte)) depth += 1;
		else if (closing.has(byte)) depth -= 1;
		else if (depth === 0) return scalarEnd(bytes, at);
		at += 1;
	} while (depth > 0 && at < bytes.length);
	return at;
}

function scalarEnd(bytes: Buffer, start: number): number {
	let at = start;
	while (at < bytes.length && bytes[at] !== COMMA && !closing.has(bytes[at]) && !space.has(bytes[at])) {
		at += 1;
	}
	return at;
}

/** Behind the quote that no odd number of backslashes escapes. */
function stringEnd(bytes: Buffer, start: number): number {
	for (let from = start + 1; ; ) {
		const quote = bytes.indexOf(QUOTE, from);
		if (quote === -1) return bytes.length;
		let before = quote;
		while (bytes[before - 1] === BACKSLASH) before -= 1;
		if ((quote - before) % 2 === 0) return quote + 1;
		from = quote + 1;
	}
}
