/** Where the members of a JSON object stand in its text: one value can be changed, and all else stays as it is. */

export interface JsonMember {
	readonly key: string;
	readonly keyStart: number;
	readonly keyEnd: number;
	readonly valueStart: number;
	/** The first position after the value. */
	readonly valueEnd: number;
	readonly value: unknown;
}

export interface JsonObjectText {
	/** Position after the opening brace. */
	readonly inside: number;
	/** In the order of the text; a key may stand there twice. */
	readonly members: readonly JsonMember[];
}

/**
 * The object that begins at `from` (white space before it is skipped); `null` when another value does. `text` must be
 * valid JSON: `JSON.parse` has judged it before.
 */
export function objectAt(text: string, from = 0): JsonObjectText | null {
	const start = skipSpace(text, from);
	if (text[start] !== '{') return null;
	const members: JsonMember[] = [];
	let at = skipSpace(text, start + 1);
	while (text[at] === '"') {
		const keyStart = at;
		const keyEnd = valueEndAt(text, keyStart);
		const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
		const valueEnd = valueEndAt(text, valueStart);
		members.push({
			key: String(JSON.parse(text.slice(keyStart, keyEnd))),
			keyStart,
			keyEnd,
			valueStart,
			valueEnd,
			value: JSON.parse(text.slice(valueStart, valueEnd)),
		});
		at = skipSpace(text, valueEnd);
		if (text[at] === ',') at = skipSpace(text, at + 1);
	}
	return { inside: start + 1, members };
}

/**
 * The member of that name. As in PowerShell, upper and lower case are the same, though the exact one goes first; of
 * two equal ones the last holds.
 */
export function memberOf(object: JsonObjectText, key: string): JsonMember | undefined {
	const folded = key.toLowerCase();
	return (
		object.members.findLast((member) => member.key === key) ??
		object.members.findLast((member) => member.key.toLowerCase() === folded)
	);
}

export interface TextEdit {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

/** The edits must not overlap. Those at one place are applied in the order given. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
	const parts: string[] = [];
	let at = 0;
	for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
		parts.push(text.slice(at, edit.start), edit.text);
		at = edit.end;
	}
	return parts.join('') + text.slice(at);
}

function skipSpace(text: string, from: number): number {
	let at = from;
	while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
	return at;
}

function valueEndAt(text: string, start: number): number {
	let depth = 0;
	let at = start;
	do {
		const character = text[at];
		if (character === '"') {
			at = stringEndAt(text, at);
			continue;
		}
		if (character === '{' || character === '[') depth += 1;
		else if (character === '}' || character === ']') depth -= 1;
		else if (depth === 0) return scalarEndAt(text, at);
		at += 1;
	} while (depth > 0 && at < text.length);
	return at;
}

function stringEndAt(text: string, start: number): number {
	let at = start + 1;
	while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
	return at + 1;
}

function scalarEndAt(text: string, start: number): number {
	let at = start;
	while (at < text.length && !',}] \t\r\n'.includes(text.charAt(at))) at += 1;
	return at;
}
