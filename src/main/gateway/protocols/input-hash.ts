/** What a turn is asked about, as one number: two requests with the same input are the same turn asked again. */
import { hash } from 'node:crypto';
import { isObject } from './json-fields.ts';

/** Levels below this are told apart by nothing: recursion over the rest stays safe. */
const DEEPEST_LEVEL = 200;
/** Where a prompt may be cached says nothing of what it asks, and moves from request to request. */
const ignored: ReadonlySet<string> = new Set(['cache_control']);

/** SHA-256 (hex) over the parts in canonical form: fields sorted, strings with their lengths. */
export function inputHash(parts: Readonly<Record<string, unknown>>): string {
	const pieces: string[] = [];
	write(parts, pieces, 0);
	return hash('sha256', pieces.join(''));
}

function write(value: unknown, pieces: string[], level: number): void {
	if (level > DEEPEST_LEVEL) pieces.push('…');
	else if (typeof value === 'string') pieces.push('"', String(value.length), ':', value);
	else if (Array.isArray(value)) {
		pieces.push('[');
		for (const item of value) write(item, pieces, level + 1);
		pieces.push(']');
	} else if (isObject(value)) {
		pieces.push('{');
		for (const field of Object.keys(value).sort()) {
			if (ignored.has(field) || value[field] === undefined) continue;
			write(field, pieces, level + 1);
			write(value[field], pieces, level + 1);
		}
		pieces.push('}');
	} else pieces.push(String(value), ';');
}
