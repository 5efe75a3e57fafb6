/** Reads a log of JSON lines as a crash, a full disk or another hand may have left it. Pure: bytes in, lines out. */

export interface LogLines<Line> {
	/** All that could be read, in the order of the file. */
	readonly lines: readonly Line[];
	/** What stands in the file and is no line of ours, as it stands there. */
	readonly foreign: readonly Uint8Array[];
	/**
	 * How the file ends. `unended`: a whole line whose newline is missing. `torn`: a line that was never written to its
	 * end, so nobody was told that it was.
	 */
	readonly tail: 'whole' | 'unended' | 'torn';
	/** Where the last newline ends, bytes from the start. */
	readonly wholeUntil: number;
}

export type ReadLine<Line> = (value: unknown) => Line | null;

const NEWLINE = 0x0a;

/** `start`: how each of our lines begins. It cannot stand inside one, where its quotes are escaped. */
export function readLogLines<Line>(bytes: Buffer, start: string, readLine: ReadLine<Line>): LogLines<Line> {
	const lines: Line[] = [];
	const foreign: Uint8Array[] = [];
	let at = 0;
	for (let end = bytes.indexOf(NEWLINE, at); end !== -1; end = bytes.indexOf(NEWLINE, at)) {
		const part = bytes.subarray(at, end);
		at = end + 1;
		if (isBlank(part)) continue;
		const line = lineOf(part, readLine);
		if (line !== null) {
			lines.push(line);
			continue;
		}
		foreign.push(part);
		lines.push(...salvage(part, start, readLine));
	}
	const rest = bytes.subarray(at);
	if (rest.length === 0) return { lines, foreign, tail: 'whole', wholeUntil: at };
	const line = lineOf(rest, readLine);
	const saved = line === null ? salvage(rest, start, readLine) : [line];
	lines.push(...saved);
	const isTorn = saved.length === 0 && !isObject(jsonOf(rest));
	if (line === null && !isTorn) foreign.push(rest);
	return { lines, foreign, tail: isTorn ? 'torn' : 'unended', wholeUntil: at };
}

/** Whole lines inside a damaged one: behind a block of zeros, fused with another, or after one that was torn. */
function salvage<Line>(part: Buffer, start: string, readLine: ReadLine<Line>): Line[] {
	const lines: Line[] = [];
	let at = part.indexOf(start);
	while (at !== -1) {
		const end = endOfObject(part, at);
		const line = end === -1 ? null : lineOf(part.subarray(at, end), readLine);
		if (line !== null) lines.push(line);
		at = part.indexOf(start, line === null ? at + start.length : end);
	}
	return lines;
}

/** Behind the brace that closes the object which begins at `from`; -1 when none does. */
function endOfObject(bytes: Buffer, from: number): number {
	let depth = 0;
	let inString = false;
	for (let at = from; at < bytes.length; at += 1) {
		const byte = bytes[at];
		if (inString) {
			if (byte === 0x5c) at += 1;
			else if (byte === 0x22) inString = false;
		} else if (byte === 0x22) inString = true;
		else if (byte === 0x7b) depth += 1;
		else if (byte === 0x7d) {
			depth -= 1;
			if (depth === 0) return at + 1;
		}
	}
	return -1;
}

function lineOf<Line>(part: Buffer, readLine: ReadLine<Line>): Line | null {
	const value = jsonOf(part);
	return value === undefined ? null : readLine(value);
}

/** Undefined for what is no JSON. Bytes that are no UTF-8 are damage, not text: they are never replaced in silence. */
function jsonOf(part: Buffer): unknown {
	try {
		return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(part));
	} catch {
		return undefined;
	}
}

function isObject(value: unknown): boolean {
	return typeof value === 'object' && value !== null;
}

function isBlank(part: Buffer): boolean {
	return part.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
