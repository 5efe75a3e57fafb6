/** Lines of JSON as programs leave them on disk: torn, with runs of NUL between them, behind a byte order mark. */
import type { LogSink } from '../session-format.ts';
import { isObject, type JsonObject, parseJson } from './json-values.ts';

const NUL = 0;
const CLOSING_BRACE = 0x7d;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;
/** Places at which a row is looked for behind a torn one. */
const MOST_STARTS = 20;
/** NUL is never part of JSON: power cuts leave runs of it between a torn line and the next. */
const NUL_RUN = /\0+/;
/** Windows programs put it before the first line. */
const BYTE_ORDER_MARK = /^\uFEFF/;
/** Its first byte; no JSON begins with it. */
const BYTE_ORDER_MARK_BYTE = 0xef;

interface LineFilter {
	/** A cheap look at the bytes: can there be anything in that line? Most lines are let go here, undecoded. */
	mayTell(line: Buffer): boolean;
}

export interface RowReader extends LineFilter {
	row(row: JsonObject): void;
}

/** Where decoding a whole row costs too much. */
export interface RowBytesReader extends LineFilter {
	/** The bytes of one row; false for a torn one, or for what is no row. */
	rowBytes(bytes: Buffer): boolean;
}

/** Hands on the rows of one line (or of one document). What is no JSON object is told as unreadable, once a line. */
export function readRows(line: Buffer, reader: RowReader, sink: Pick<LogSink, 'unreadable'>): void {
	const rowBytes = (bytes: Buffer): boolean => {
		const row = parseJson(bytes.toString('utf8'));
		if (!isObject(row)) return false;
		reader.row(row);
		return true;
	};
	readRowBytes(line, { mayTell: (bytes) => reader.mayTell(bytes), rowBytes }, sink);
}

/** The same, undecoded. */
export function readRowBytes(line: Buffer, reader: RowBytesReader, sink: Pick<LogSink, 'unreadable'>): void {
	const hasNul = line.includes(NUL);
	if (!hasNul && !reader.mayTell(line)) {
		if (!looksWhole(line)) sink.unreadable('line');
		return;
	}
	const parts = hasNul || line[0] === BYTE_ORDER_MARK_BYTE ? partsOf(line) : [line];
	const torn = parts.filter((part) => !reader.rowBytes(part) && endOf(part) > 0);
	for (const part of torn) readGlued(part, reader);
	if (torn.length > 0) sink.unreadable('line');
}

/** Behind a torn row the next one goes on in the same line; it begins with the same name as the torn one. */
function readGlued(torn: Buffer, reader: RowBytesReader): void {
	const start = torn.subarray(0, torn.indexOf(COLON) + 1);
	if (start.length === 0) return;
	let from = torn.indexOf(start, 1);
	for (let tried = 0; from !== -1 && tried < MOST_STARTS; tried += 1) {
		if (reader.rowBytes(torn.subarray(from))) return;
		from = torn.indexOf(start, from + 1);
	}
}

function partsOf(line: Buffer): Buffer[] {
	return line
		.toString('utf8')
		.replace(BYTE_ORDER_MARK, '')
		.split(NUL_RUN)
		.map((part) => Buffer.from(part));
}

/** A line that was written to its end: empty, or closed by a brace (a carriage return or blanks may follow). */
function looksWhole(line: Buffer): boolean {
	const end = endOf(line);
	return end === 0 || line[end - 1] === CLOSING_BRACE;
}

/** Where the last character stands behind which only a carriage return or blanks follow; 0: there is none. */
function endOf(line: Buffer): number {
	let end = line.length;
	while (end > 0 && (line[end - 1] === CARRIAGE_RETURN || line[end - 1] === SPACE)) end -= 1;
	return end;
}
