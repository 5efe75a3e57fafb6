/** Lines of JSON as programs leave them on disk: torn, with runs of NUL between them, behind a byte order mark. */
import type { LogSink } from '../session-format.ts';
import { isObject, type JsonObject, parseJson } from './json-values.ts';

const NUL = 0;
const CLOSING_BRACE = 0x7d;
/** NUL is never part of JSON: power cuts leave runs of it between a torn line and the next. */
const NUL_RUN = /\0+/;
const BYTE_ORDER_MARK = /^\uFEFF/;

export interface RowReader {
	/** A cheap look at the bytes: can there be anything in that line? Most lines are let go here, undecoded. */
	mayTell(line: Buffer): boolean;
	row(row: JsonObject): void;
}

/** Hands on the rows of one line (or of one document). What is no JSON object is told as unreadable, once a line. */
export function readRows(line: Buffer, reader: RowReader, sink: Pick<LogSink, 'unreadable'>): void {
	const hasNul = line.includes(NUL);
	if (!hasNul && !reader.mayTell(line)) {
		if (!looksWhole(line)) sink.unreadable('line');
		return;
	}
	const text = line.toString('utf8').replace(BYTE_ORDER_MARK, '');
	let isTorn = false;
	for (const part of hasNul ? text.split(NUL_RUN) : [text]) {
		if (part.trim() === '') continue;
		const row = parseJson(part);
		if (isObject(row)) reader.row(row);
		else isTorn = true;
	}
	if (isTorn) sink.unreadable('line');
}

/** A line that was written to its end: empty, or closed by a brace (a carriage return or blanks may follow). */
function looksWhole(line: Buffer): boolean {
	let last = line.length - 1;
	while (last >= 0 && (line[last] === 0x0d || line[last] === 0x20)) last -= 1;
	return last < 0 || line[last] === CLOSING_BRACE;
}
