/**
 * A settings file as text with positions. Edits here touch the characters they must and no others: jsonc-parser's own
 * `modify` re-formats the lines around an edit and takes the comments beside a removed entry with it, so insertion
 * and removal are planned here from its parse tree. Removing the last child undoes appending it, to the byte.
 */
import {
	applyEdits,
	createScanner,
	type Edit,
	type Node,
	type ParseError,
	parseTree,
	printParseErrorCode,
} from 'jsonc-parser';

export type { Node } from 'jsonc-parser';

/** The file cannot be edited safely. `line` and `column` count from 1; a tab is one column. */
export class UnreadableSettings extends Error {
	readonly line: number;
	readonly column: number;
	constructor(what: string, line: number, column: number) {
		super(`${what} at line ${line}, column ${column}`);
		this.name = 'UnreadableSettings';
		this.line = line;
		this.column = column;
	}
}

export interface SettingsText {
	/** Without the byte order mark. */
	readonly text: string;
	readonly byteOrderMark: boolean;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** @throws UnreadableSettings when the bytes are not UTF-8. */
export function decodeSettings(bytes: Uint8Array): SettingsText {
	const text = decodeUtf8(bytes);
	return text.startsWith(BYTE_ORDER_MARK)
		? { text: text.slice(1), byteOrderMark: true }
		: { text, byteOrderMark: false };
}

export function encodeSettings(settings: SettingsText): Uint8Array {
	return Buffer.from((settings.byteOrderMark ? BYTE_ORDER_MARK : '') + settings.text, 'utf8');
}

function decodeUtf8(bytes: Uint8Array): string {
	try {
		return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch (error) {
		if (!(error instanceof TypeError)) throw error;
		const readable = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
		const at = Math.max(0, readable.indexOf('\uFFFD'));
		throw unreadable('not UTF-8 text', readable, at);
	}
}

export function unreadable(what: string, text: string, offset: number): UnreadableSettings {
	const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
	return new UnreadableSettings(what, lines.length, (lines.at(-1) ?? '').length + 1);
}

/**
 * The root object; `null` for a blank text, which Claude Code reads as no settings at all. Comments and trailing
 * commas are tolerated.
 * @throws UnreadableSettings with the first fault.
 */
export function parseSettings(text: string): Node | null {
	if (text.trim() === '') return null;
	const errors: ParseError[] = [];
	const root = parseWithinStack(text, errors);
	const [first] = errors;
	if (first !== undefined) throw unreadable(faultName(first), text, first.offset);
	if (root === undefined) throw unreadable('no JSON value', text, 0);
	if (root.type !== 'object') {
		throw unreadable(`the file holds ${nounOf(root)}, not an object,`, text, root.offset);
	}
	return root;
}

/** False for a text with a comment or a trailing comma, which `parseSettings` tolerates and most CLIs do not. */
export function isStrictJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		return false;
	}
}

function parseWithinStack(text: string, errors: ParseError[]): Node | undefined {
	try {
		return parseTree(text, errors, { allowTrailingComma: true });
	} catch (error) {
		// The parser recurses; thousands of nested brackets exhaust the stack.
		if (!(error instanceof RangeError)) throw error;
		throw unreadable('nested too deeply', text, 0);
	}
}

function faultName(error: ParseError): string {
	const words = printParseErrorCode(error.error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
	return words.charAt(0) + words.slice(1).toLowerCase();
}

export function nounOf(node: Node): string {
	if (node.type === 'null') return 'null';
	return node.type === 'array' || node.type === 'object' ? `an ${node.type}` : `a ${node.type}`;
}

export interface Member {
	readonly name: string;
	readonly value: Node;
}

/** The members of an object in order, repeated names included. */
export function membersOf(object: Node): Member[] {
	const members: Member[] = [];
	for (const property of object.children ?? []) {
		const [key, value] = property.children ?? [];
		if (key !== undefined && value !== undefined) members.push({ name: String(key.value), value });
	}
	return members;
}

/** The member that counts: where a name is repeated, `JSON.parse` keeps the last. */
export function memberNamed(object: Node, name: string): Node | undefined {
	return membersOf(object).findLast((member) => member.name === name)?.value;
}

export function elementsOf(array: Node): readonly Node[] {
	return array.children ?? [];
}

export function textOf(node: Node | undefined): string | undefined {
	return node?.type === 'string' && typeof node.value === 'string' ? node.value : undefined;
}

/** The text with new members, names and values, at the end of `object`. */
export function appendMembers(
	text: string,
	object: Node,
	members: readonly (readonly [name: string, value: unknown])[],
): string {
	return append(text, object, (layout) =>
		members.map(
			([name, value]) => `${JSON.stringify(name)}:${layout.inline ? '' : ' '}${render(value, layout)}`,
		),
	);
}

/** The text with `value` as the last element of `array`. */
export function appendElement(text: string, array: Node, value: unknown): string {
	return append(text, array, (layout) => [render(value, layout)]);
}

/** The text with each `value` in the place of its `node`, on one line if the old value was. */
export function replaceValues(
	text: string,
	replacements: readonly { readonly node: Node; readonly value: unknown }[],
): string {
	const edits = replacements.map(({ node, value }) => {
		const inline = !/[\r\n]/.test(text.slice(node.offset, endOf(node)));
		const layout = { inline, eol: eolOf(text), indent: indentAt(text, node.offset), unit: unitOf(text) };
		return { offset: node.offset, length: node.length, content: render(value, layout) };
	});
	return applyEdits(text, edits);
}

/** The text without `child`, a direct child of `container`, and without the comma that it needed; comments stay. */
export function removeChild(text: string, container: Node, child: Node): string {
	const children = container.children ?? [];
	const start = endOfInkBefore(text, child.offset);
	const edits: Edit[] = [];
	const after = commaAfter(text, endOf(child));
	if (after === null) {
		const previous = children[children.indexOf(child) - 1];
		const before = previous === undefined ? null : commaAfter(text, endOf(previous));
		if (before !== null) edits.push({ offset: before, length: 1, content: '' });
		edits.push({ offset: start, length: endOf(child) - start, content: '' });
	} else if (text.slice(endOf(child), after).trim() === '') {
		edits.push({ offset: start, length: after + 1 - start, content: '' });
	} else {
		// A comment stands between the child and its comma.
		edits.push({ offset: start, length: endOf(child) - start, content: '' });
		edits.push({ offset: after, length: 1, content: '' });
	}
	if (children.length === 1) return applyEdits(text, closeUp(text, container, edits));
	return applyEdits(text, edits);
}

/** An emptied container is written `{}`, unless a comment lives in it. */
function closeUp(text: string, container: Node, edits: Edit[]): Edit[] {
	const inside = { offset: container.offset + 1, length: container.length - 2 };
	const left = applyEdits(text, edits).length - text.length + inside.length;
	const remains = applyEdits(text, edits).slice(inside.offset, inside.offset + left);
	return remains.trim() === '' ? [{ ...inside, content: '' }] : edits;
}

interface Layout {
	readonly inline: boolean;
	readonly eol: string;
	/** White space before a child. */
	readonly indent: string;
	/** One level of indentation. */
	readonly unit: string;
}

function append(text: string, container: Node, write: (layout: Layout) => string[]): string {
	const layout = layoutIn(text, container);
	const last = container.children?.at(-1);
	const close = endOf(container) - 1;
	const newLine = layout.inline ? '' : layout.eol + layout.indent;
	const gap = layout.inline ? gapBetween(text, container) : newLine;
	const children = write(layout).join(`,${gap}`);
	// After what follows the last child on its line, so that a comment there stays with it.
	const ink = endOfInkBefore(text, close);
	if (last === undefined) {
		const content = newLine + children;
		if (ink > container.offset + 1) return applyEdits(text, [{ offset: ink, length: 0, content }]);
		const end = layout.inline ? '' : layout.eol + indentAt(text, container.offset);
		return applyEdits(text, [{ offset: ink, length: close - ink, content: content + end }]);
	}
	const comma = commaAfter(text, endOf(last));
	const edits: Edit[] = comma === null ? [{ offset: endOf(last), length: 0, content: ',' }] : [];
	edits.push({ offset: ink, length: 0, content: gap + children + (comma === null ? '' : ',') });
	return applyEdits(text, edits);
}

function layoutIn(text: string, container: Node): Layout {
	const [first] = container.children ?? [];
	const unit = unitOf(text);
	const ownLine = first !== undefined && /[\r\n]/.test(text.slice(container.offset, first.offset));
	return {
		inline: isOneLine(text, container),
		eol: eolOf(text),
		indent: ownLine ? indentAt(text, first.offset) : indentAt(text, container.offset) + unit,
		unit,
	};
}

/** True where the whole settings object, unless it is empty, is written on one line. */
function isOneLine(text: string, node: Node): boolean {
	let root = node;
	while (root.parent !== undefined) root = root.parent;
	return (root.children ?? []).length > 0 && !/[\r\n]/.test(text.slice(root.offset, endOf(root)));
}

function gapBetween(text: string, container: Node): string {
	const [first, second] = container.children ?? [];
	if (first === undefined) return '';
	const before = second ?? first;
	return text.slice(endOfInkBefore(text, before.offset), before.offset);
}

function render(value: unknown, layout: Layout): string {
	if (layout.inline) return JSON.stringify(value);
	return JSON.stringify(value, null, layout.unit).replaceAll('\n', layout.eol + layout.indent);
}

function eolOf(text: string): string {
	return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

/** The indentation of the first indented line; two spaces where there is none, as Claude Code writes. */
function unitOf(text: string): string {
	return /(?:^|[\r\n])([ \t]+)(?=["[\]{}])/.exec(text)?.[1] ?? '  ';
}

/** The white space at the start of the line that holds `offset`. */
function indentAt(text: string, offset: number): string {
	let start = offset;
	while (start > 0 && !'\r\n'.includes(text.charAt(start - 1))) start--;
	return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

function endOf(node: Node): number {
	return node.offset + node.length;
}

function endOfInkBefore(text: string, offset: number): number {
	let end = offset;
	while (end > 0 && ' \t\r\n'.includes(text.charAt(end - 1))) end--;
	return end;
}

/** Offset of the comma that is the next token after `offset`, comments skipped. */
function commaAfter(text: string, offset: number): number | null {
	const scanner = createScanner(text, true);
	scanner.setPosition(offset);
	scanner.scan();
	const at = scanner.getTokenOffset();
	return text.charAt(at) === ',' ? at : null;
}
