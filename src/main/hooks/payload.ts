/** Bytes of a request → payload. Lenient on purpose: whatever can be understood is better than a lost event. */
import type { Payload } from './dialect.ts';

export type ReadPayload =
	/** `text` is the decoded body: well-formed, without byte order mark, fit to be stored and parsed again. */
	| { readonly ok: true; readonly payload: Payload; readonly text: string }
	/** `reason` completes the sentence "the body could not be read: …". */
	| { readonly ok: false; readonly reason: string };

/** Levels below this are cut from the payload (not from the text): recursion over it stays safe everywhere. */
const DEEPEST_LEVEL = 256;
const CUT = '[nested too deeply]';

/** Reads a JSON object from a body of any size and quality. Never throws. */
export function readPayload(body: Uint8Array): ReadPayload {
	const text = decode(body);
	if (text === '') return { ok: false, reason: 'it is empty' };
	const first = parseJson(text);
	if (!first.ok) return first;
	// Some forwarders quote the whole payload once more.
	const second = typeof first.value === 'string' ? parseJson(tidy(first.value)) : first;
	if (!second.ok) return second;
	if (!isObject(second.value))
		return { ok: false, reason: `it is ${nameOf(second.value)}, not a JSON object` };
	cutDepth(second.value);
	return { ok: true, payload: second.value, text: second === first ? text : tidy(String(first.value)) };
}

/** Invalid bytes become U+FFFD; UTF-16 is read where a byte order mark announces it (Windows shells write it). */
function decode(body: Uint8Array): string {
	const [first, second] = body;
	const encoding =
		first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
	return tidy(new TextDecoder(encoding).decode(body));
}

/** Without byte order marks, blanks and NULs around it; a lone surrogate (from a quoted payload) is replaced. */
function tidy(text: string): string {
	let start = 0;
	let end = text.length;
	// Not a regular expression: anchored at the end, one would take quadratic time on long runs of blanks.
	while (start < end && isPadding(text.charCodeAt(start))) start += 1;
	while (end > start && isPadding(text.charCodeAt(end - 1))) end -= 1;
	return text.slice(start, end).toWellFormed();
}

function isPadding(code: number): boolean {
	return code === 0x20 || code === 0xfeff || code === 0 || (code >= 0x09 && code <= 0x0d);
}

function parseJson(
	text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string } {
	try {
		const value: unknown = JSON.parse(text);
		return { ok: true, value };
	} catch (error) {
		return {
			ok: false,
			reason: `it is not JSON (${error instanceof Error ? error.message : String(error)})`,
		};
	}
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** Replaces what lies too deep, in place and without recursion: a constrained agent must not hide a call by nesting. */
function cutDepth(root: object): void {
	const open: { readonly node: object; readonly level: number }[] = [{ node: root, level: 1 }];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		const { node, level } = next;
		for (const [key, child] of Object.entries(node)) {
			if (typeof child !== 'object' || child === null) continue;
			if (level < DEEPEST_LEVEL) open.push({ node: child, level: level + 1 });
			// Defined, not assigned: the key may be `__proto__`.
			else
				Object.defineProperty(node, key, {
					value: CUT,
					enumerable: true,
					configurable: true,
					writable: true,
				});
		}
	}
}
