/**
 * The one function that text from agents, tools, models and files passes before it is drawn. What could hide or
 * reorder words is made visible, never dropped; what is too long is cut and says so.
 */

/** Characters shown of a name, path or command unless a caller says otherwise. */
export const DEFAULT_TEXT_LIMIT = 300;

export interface VisibleTextOptions {
	/** Characters (code points) kept; an ellipsis follows when there was more. */
	readonly limit?: number;
	/** Keep line feeds and tabs as they are: for notes, diffs and prompts. */
	readonly multiline?: boolean;
}

/** Combining marks above this number on one letter only paint over the neighbours. */
const MARKS_KEPT = 4;

const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{115F}\u{1160}\u{3164}\u{FFA0}]/gu;
const markPile = new RegExp(`(\\p{M}{${MARKS_KEPT}})\\p{M}+`, 'gu');
/** After these a (non-)joiner belongs to the writing: emoji, and scripts whose letters join. */
const joins =
	/[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}]$/u;

/** Nearly all names, paths and commands: nothing in them hides or reorders anything. */
const plain = /^[ -~]*$/;

/** Makes untrusted text fit to be drawn as text. Never throws; lone surrogates become U+FFFD. */
export function visibleText(text: string, options: VisibleTextOptions = {}): string {
	const { limit = DEFAULT_TEXT_LIMIT, multiline = false } = options;
	if (text.length <= limit && plain.test(text)) return text;
	// Two units at most for a code point: a megabyte of model output is not walked for three hundred characters.
	const sample = text.slice(0, (limit + 1) * 2).toWellFormed();
	const characters = [...sample];
	const kept = characters.slice(0, limit).join('');
	const lines = multiline ? kept.replace(/\r\n/g, '\n') : kept;
	const visible = lines
		.replace(controls, (character, at: number) =>
			visibleControl(character, lines.slice(Math.max(0, at - 2), at), multiline),
		)
		.replace(markPile, '$1…');
	return characters.length > limit || sample.length < text.length ? `${visible.trimEnd()}…` : visible;
}

function visibleControl(character: string, before: string, multiline: boolean): string {
	const code = character.codePointAt(0) ?? 0;
	if (character === '\n' || character === '\t') return multiline ? character : ' ';
	if ((code === 0x200c || code === 0x200d) && joins.test(before)) return character;
	// The control pictures of Unicode: ␛ for escape, ␀ for NUL.
	if (code < 0x20) return String.fromCodePoint(0x2400 + code);
	if (code === 0x7f) return '␡';
	return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** A path in two parts, for a display that gives up its middle: the tail holds the last two segments. */
export function splitPath(path: string): { readonly head: string; readonly tail: string } {
	const segments = [...path.matchAll(/[\\/][^\\/]+/g)];
	const cut = segments.at(-2)?.index ?? 0;
	return { head: path.slice(0, cut), tail: path.slice(cut) };
}
