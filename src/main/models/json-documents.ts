/** JSON in what a program printed: one document, one a line, or after other lines. Pure. */

export type JsonObject = Readonly<Record<string, unknown>>;

export interface JsonDocuments {
	/** Objects in their order, those of arrays one by one; only what follows the last line that is no JSON. */
	readonly documents: readonly JsonObject[];
	/** Nothing else was printed. */
	readonly isPure: boolean;
}

const none: JsonDocuments = { documents: [], isPure: false };

/** `isCut`: the beginning is missing, so the first line may be half a one. Never throws. */
export function jsonDocumentsIn(text: string, isCut: boolean): JsonDocuments {
	const whole = objectsOf(text);
	if (whole !== null) return { documents: whole, isPure: true };
	const lines = text.split(/\r?\n/);
	if (isCut) lines.shift();
	return byLines(lines) ?? lastBlock(lines) ?? none;
}

/** One document a line. */
function byLines(lines: readonly string[]): JsonDocuments | null {
	const found: JsonObject[][] = [];
	let isPure = true;
	for (const line of lines.toReversed()) {
		if (line.trim() === '') continue;
		const objects = objectsOf(line);
		if (objects === null) {
			isPure = false;
			break;
		}
		found.push(objects);
	}
	return found.length === 0 ? null : { documents: found.reverse().flat(), isPure };
}

/** A document over several lines, after other lines. */
function lastBlock(lines: readonly string[]): JsonDocuments | null {
	const start = lines.findLastIndex((line) => /^[{[]\s*$/.test(line));
	if (start === -1) return null;
	const documents = objectsOf(lines.slice(start).join('\n'));
	if (documents === null) return null;
	return { documents, isPure: lines.slice(0, start).every((line) => line.trim() === '') };
}

/** `null`: it is no JSON, or holds no object. */
function objectsOf(text: string): JsonObject[] | null {
	if (!/^\s*[{[]/.test(text)) return null;
	try {
		const value: unknown = JSON.parse(text);
		const objects = (Array.isArray(value) ? value : [value]).filter(isObject);
		return objects.length === 0 ? null : objects;
	} catch {
		// Text that looks like JSON at its beginning is still only text.
		return null;
	}
}

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
