/**
 * Fields of answers that nobody here controls: each is read if it is what its name promises, and is `null` otherwise.
 * A wrong field never makes the rest of an answer unreadable.
 */
import { z } from 'zod';

/** Longest name or path that is taken over, characters. */
const TEXT_LIMIT = 300;
/** Most entries read of one list. */
const LIST_LIMIT = 500;

export const looseText = z.string().min(1).max(TEXT_LIMIT).nullable().catch(null);

/** A number of tokens or bytes: whole, positive. */
export const looseCount = z.int().positive().nullable().catch(null);

export const looseBoolean = z.boolean().nullable().catch(null);

/** Whatever it is, missing included. */
export const anything = z.unknown().optional();

export const looseTexts = z.array(z.unknown()).catch([]).transform(texts);

/** An object's fields, whatever they are; empty for everything that is no object. */
export const looseObject = z.record(z.string(), z.unknown()).catch({});

/** The entries that fit the schema, in their order; the others are left out. `null`: it is no list. */
export function readList<T extends z.ZodType>(schema: T, value: unknown): z.infer<T>[] | null {
	if (!Array.isArray(value)) return null;
	return value.slice(0, LIST_LIMIT).flatMap((item) => {
		const read = schema.safeParse(item);
		return read.success ? [read.data] : [];
	});
}

/** One field of an answer; `undefined` when it is no object or has no such field of its own. */
export function fieldOf(value: unknown, name: string): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
	return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

function texts(list: unknown[]): string[] {
	return list.slice(0, LIST_LIMIT).filter((item) => typeof item === 'string');
}

/** JSON from a line or a tool; `null` when it is none. */
export function readJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		if (error instanceof SyntaxError) return null;
		throw error;
	}
}
