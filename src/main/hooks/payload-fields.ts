/** Reading fields of unknown shape. Nothing here throws, whatever a client sends. */
import { createHash } from 'node:crypto';

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
