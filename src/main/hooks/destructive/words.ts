/** Words of a parsed command: their text as the program will get it, as far as the line tells. */
import type { Node } from 'web-tree-sitter';
import { UNKNOWN } from './rule.ts';

/** The text of a word without its quotes; `UNKNOWN` for each part that the shell makes. */
export function wordText(node: Node): string {
	const text = plainText(node);
	// Braces multiply a word only outside quotes; the grammar keeps them as text.
	const unquoted = node.type === 'word' || node.type === 'concatenation';
	return unquoted && hasList(node.text) ? `${text}${UNKNOWN}` : text;
}

/** `{a,b}` or `{1..3}`. */
const hasList = (text: string): boolean =>
	(text.match(/\{[^{}]*\}/g) ?? []).some((braces) => braces.includes(',') || braces.includes('..'));

function plainText(node: Node): string {
	const { text, type } = node;
	switch (type) {
		case 'word':
		case 'number':
			return bareText(text);
		case 'raw_string':
			return text.slice(1, -1);
		case 'ansi_c_string':
			return text.includes('\\') ? UNKNOWN : text.slice(2, -1);
		case 'string':
			return stringText(node);
		case 'translated_string':
		case 'concatenation':
		case 'command_name':
			return node.namedChildren.map(plainText).join('');
		default:
			return UNKNOWN;
	}
}

/** Backslashes quote one character, some characters match file names. */
function bareText(text: string): string {
	return text.replace(/\\([\s\S])|[*?]|\[(?=.)/g, (match, quoted: string | undefined) => {
		if (quoted !== undefined) return quoted === '\n' ? '' : quoted;
		return match === text ? match : UNKNOWN;
	});
}

/** Read from the source between the expansions, because the tree leaves blanks out. */
function stringText(node: Node): string {
	let result = '';
	let from = 1;
	const source = node.text;
	for (const child of node.namedChildren) {
		if (child.type === 'string_content') continue;
		// Blanks before an expansion belong to its node.
		const blanks = child.text.length - child.text.trimStart().length;
		result += quotedText(source.slice(from, child.startIndex - node.startIndex + blanks)) + UNKNOWN;
		from = child.endIndex - node.startIndex;
	}
	return result + quotedText(source.slice(from, -1));
}

const quotedText = (text: string): string =>
	text.replace(/\\([$`"\\\n])/g, (_, quoted: string) => (quoted === '\n' ? '' : quoted));

/**
 * The program that a first word names: lower case, without directory and Windows' ending (`/bin/rm`, `git.exe`).
 * `null`: a name that is made by the shell. Of a path only the last part must be plain (`"$VENV/bin/python"`), and
 * what the shell makes of the rest must stay a part of the path (`rm$IFS/x` does not).
 */
export function programOf(word: string): string | null {
	const name = word.split(/[\\/]/).at(-1) ?? '';
	if (!/^[^\s{}'"`$*?<>|&;()\uFFFC]+$/.test(name)) return null;
	if (/[^/.\-_@]\uFFFC/.test(word)) return null;
	return name.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, '');
}
