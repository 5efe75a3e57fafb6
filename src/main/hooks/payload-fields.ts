/** Reading fields of unknown shape. Nothing here throws, whatever a client sends. */
import { createHash } from 'node:crypto';

/** Characters of an agent's text that an event carries; the whole text stays in the stored payload. */
export const LONGEST_TEXT = 4_000;
/** Of a result more: whether two results say the same is judged on it, but for times and the like anywhere in it. */
export const LONGEST_RESULT = 256_000;

/** The tool of a payload that does not name one. */
export const UNKNOWN_TOOL = 'unknown tool';

/** The own property `name`, or undefined. */
export function field(value: unknown, name: string): unknown {
	if (typeof value !== 'object' || value === null) return undefined;
	return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** The field as text: a string that is not blank, or a finite number; otherwise `null`. Always well-formed. */
export function textField(value: unknown, name: string): string | null {
	const found = field(value, name);
	if (typeof found === 'string') return found.trim() === '' ? null : found.toWellFormed();
	return typeof found === 'number' && Number.isFinite(found) ? String(found) : null;
}

/** The field as an identifier of at most 200 characters; a longer one is replaced by its hash. */
export function idField(value: unknown, name: string): string | null {
	const found = textField(value, name);
	return found !== null && found.length > LONGEST_ID ? `sha256:${digest(found)}` : found;
}

const LONGEST_ID = 200;

/** The client's own name of the tool, from `tool_name`. */
export function toolName(payload: unknown): string {
	const name = field(payload, 'tool_name');
	return typeof name === 'string' && name.trim() !== '' ? shorten(name, 200) : UNKNOWN_TOOL;
}

/** What stands in for the id of a session that is not told: its directory, else "unattributed". */
export function directoryId(payload: unknown): string {
	const directory = textField(payload, 'cwd')?.replace(/(?<=[^\\/])[\\/]+$/, '');
	return directory === undefined ? 'unattributed' : `dir:${digest(directory)}`;
}

/** By its form: a drive or a share. */
export function isWindowsPath(path: string | null): boolean {
	return path !== null && /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path);
}

/** The JSON of a value, `undefined` where there is none. */
export function jsonText(value: unknown): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		// Circular, too deep or with a BigInt: nothing that JSON brought here. Its text is not known.
		return undefined;
	}
}

/** 32 hex digits that are equal for equal texts. */
export function digest(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/**
 * At most `limit` characters (UTF-16 units, 200 or more) of `text`: its head, its tail and, between them, a hash of the
 * whole. Two texts shorten to the same only when they are the same.
 */
export function shorten(text: string, limit: number): string {
	if (text.length <= limit) return text.toWellFormed();
	const middle = `\n… ${text.length - limit} characters and more left out, sha256 ${digest(text)} …\n`;
	const room = limit - middle.length;
	const head = Math.ceil(room * 0.6);
	return `${text.slice(0, head)}${middle}${text.slice(text.length - (room - head))}`.toWellFormed();
}

/** One short line: it stands in the middle of a sentence on a card. */
export function oneLine(text: string): string {
	const line = text.slice(0, 400).replace(/\s+/g, ' ').trim();
	return (line.length > 200 ? `${line.slice(0, 199)}…` : line).toWellFormed();
}
