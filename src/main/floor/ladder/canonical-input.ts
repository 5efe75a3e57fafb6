/** A tool's input as one canonical text: equal inputs give equal texts whatever the order of their keys. */
import { hash } from 'node:crypto';

/** An input with more values than this is not compared: no tool call of a person's agent looks like that. */
const MAX_VALUES = 250_000;

interface Frame {
	readonly value: object;
	/** `null` for an array. */
	readonly keys: readonly string[] | null;
	readonly length: number;
	next: number;
}

/**
 * The canonical text of `value`, or `null` when it holds something JSON cannot carry or is beyond measure. Depth
 * is unlimited (no recursion), cycles are named by the depth they lead back to, and lone surrogates are kept.
 */
export function canonicalText(value: unknown, isDropped?: (key: string) => boolean): string | null {
	const out: string[] = [];
	const frames: Frame[] = [];
	const depths = new Map<object, number>();

	/** Writes a leaf, or opens a frame for what is inside. False: not readable. */
	const enter = (entered: unknown): boolean => {
		const leaf = leafText(entered);
		if (leaf !== null) {
			out.push(leaf);
			return true;
		}
		if (typeof entered !== 'object' || entered === null) return false;
		const depth = depths.get(entered);
		if (depth !== undefined) {
			out.push(`^${frames.length - depth};`);
			return true;
		}
		const isArray = Array.isArray(entered);
		if (!isArray && Object.prototype.toString.call(entered) !== '[object Object]') return false;
		const keys = isArray ? null : Object.keys(entered).sort();
		depths.set(entered, frames.length);
		frames.push({ value: entered, keys, length: keys?.length ?? (entered as unknown[]).length, next: 0 });
		out.push(isArray ? '[' : '{');
		return true;
	};

	if (!enter(value)) return null;
	let values = 0;
	for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
		if (frame.next === frame.length) {
			out.push(frame.keys === null ? ']' : '}');
			depths.delete(frame.value);
			frames.pop();
			continue;
		}
		values += 1;
		if (values > MAX_VALUES) return null;
		const key = frame.keys?.[frame.next] ?? frame.next;
		frame.next += 1;
		const child: unknown = Reflect.get(frame.value, key);
		if (typeof key === 'string') {
			if (child === undefined || (frames.length === 1 && isDropped?.(key))) continue;
			out.push(stringText(key));
		}
		if (!enter(child)) return null;
	}
	return out.join('');
}

/** A short name for a text. UTF-8 has no lone surrogates and would make them all equal, so those go as UTF-16. */
export function digestOf(text: string): string {
	return hash('sha256', text.isWellFormed() ? text : Buffer.from(text, 'utf16le'), 'base64url');
}

/** `null`: not a leaf, or not readable. */
function leafText(value: unknown): string | null {
	switch (typeof value) {
		case 'string':
			return stringText(value);
		case 'number':
			return `n${value};`;
		case 'bigint':
			return `i${value};`;
		case 'boolean':
			return value ? 't' : 'f';
		case 'undefined':
			return 'u';
		default:
			return value === null ? 'z' : null;
	}
}

/** The length in front makes it unambiguous without escaping. */
function stringText(text: string): string {
	return `"${text.length}:${text}`;
}
