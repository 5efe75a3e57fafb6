/** Reading JSON of unknown shape: every reader gives a plain answer for a field that is missing or of another type. */
import type { JsonObject } from '../protocol.ts';

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): JsonObject | null {
	return isObject(value) ? value : null;
}

/** The objects of an array, in order; whatever else stands in it is left out. */
export function objectsOf(value: unknown): JsonObject[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

export function numberOf(value: unknown): number | null {
	return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** `null` for what is not JSON or not an object. */
export function parseObject(text: string): JsonObject | null {
	try {
		const value: unknown = JSON.parse(text);
		return objectOf(value);
	} catch {
		// Whatever is no JSON object says nothing; the caller decides what that means.
		return null;
	}
}

export function parseBody(body: Uint8Array): JsonObject | null {
	return parseObject(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
}

/** The object without these fields; the same object when it has none of them. */
export function without(object: JsonObject, fields: ReadonlySet<string>): JsonObject {
	const kept = Object.entries(object).filter(([field]) => !fields.has(field));
	return kept.length === Object.keys(object).length ? object : Object.fromEntries(kept);
}

export function encodeBody(body: JsonObject): Uint8Array {
	return Buffer.from(JSON.stringify(body));
}
