/** Values out of files that other programs write, in formats that nobody promised: nothing in them is taken for granted. */
import { isTokenCount } from '../token-usage.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `undefined`: it is no JSON. Lone surrogates are no error. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// The caller counts the line as one that cannot be read.
		return undefined;
	}
}

/** `null` for anything but a text with something in it. */
export function textOf(value: unknown): string | null {
	return typeof value === 'string' && value !== '' ? value : null;
}

/** Ms since the epoch of ISO text, or of seconds or milliseconds since the epoch, all of which have been seen. */
export function momentOf(value: unknown): number | null {
	if (typeof value === 'string') {
		const at = Date.parse(value);
		return Number.isNaN(at) ? null : at;
	}
	if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return null;
	return value < 100_000_000_000 ? value * 1000 : value;
}

/** The tokens of a response; 0 where none is told, `null` for what is no such number. */
export function tokenCount(value: unknown): number | null {
	if (value === undefined || value === null) return 0;
	return isTokenCount(value) ? value : null;
}
