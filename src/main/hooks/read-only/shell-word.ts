/**
 * What is known about a word of a command line before the shell expands it. The grammar and Bash disagree in corners
 * (a backslash-newline inside a word, `$(…)` inside a pattern, an escaped backtick), so nothing is taken from the tree
 * that the source text does not confirm.
 */
import type { Node } from 'web-tree-sitter';
import { quoted, Refused } from './refused.ts';

export type Word =
	/** Exactly this text. */
	| { readonly kind: 'literal'; readonly text: string }
	/** Not known, but no word that it becomes starts with `-`. `single`: it becomes exactly one word. */
	| { readonly kind: 'operand'; readonly single: boolean }
	/** One word of any text. */
	| { readonly kind: 'single' }
	/** Any number of words of any text. */
	| { readonly kind: 'unknown' };

/** Judges the commands inside `$(…)`, backticks or `<(…)`. */
export type JudgeSubstitution = (substitution: Node) => void;

/** A stretch of a word, left to right. */
type Piece =
	| { readonly kind: 'text'; readonly text: string }
	/** Unknown text that stays within its word. */
	| { readonly kind: 'open' }
	/** Matches file names or multiplies the word (`*`, `{a,b}`): every result keeps what stands before it. */
	| { readonly kind: 'pattern' }
	/** Unquoted and unknown: what comes out is split into words that keep nothing. */
	| { readonly kind: 'split' };

const OPEN: Piece = { kind: 'open' };
const PATTERN: Piece = { kind: 'pattern' };
const SPLIT: Piece = { kind: 'split' };

/** @throws Refused when expanding the word could do more than produce text. */
export function readWord(node: Node, judge: JudgeSubstitution): Word {
	// Alone, an empty pair of braces is text to the shell.
	if (node.text === '{}') return { kind: 'literal', text: '{}' };
	const pieces = piecesOf(node, judge);
	const firstUnknown = pieces.findIndex((piece) => piece.kind !== 'text');
	const known = firstUnknown === -1 ? pieces : pieces.slice(0, firstUnknown);
	const prefix = known.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
	if (firstUnknown === -1) return { kind: 'literal', text: prefix };
	if (pieces.includes(SPLIT)) return { kind: 'unknown' };
	const single = !pieces.includes(PATTERN);
	if (prefix !== '' && !prefix.startsWith('-')) return { kind: 'operand', single };
	return single ? { kind: 'single' } : { kind: 'unknown' };
}

function piecesOf(node: Node, judge: JudgeSubstitution): readonly Piece[] {
	// Inside quotes the blanks before an expansion belong to its node.
	const text = node.text.trimStart();
	switch (node.type) {
		case 'word':
		case 'number':
		case 'test_operator':
			return bareText(text);
		case 'regex':
		case 'extglob_pattern':
			// One opaque token to the grammar, but Bash expands what is in it.
			if (/[$`'"<>]/.test(text)) throw new Refused(`what ${quoted(text)} expands to cannot be told`);
			return [PATTERN];
		case 'raw_string':
			if (!/^'[^']*'$/.test(text)) break;
			return [{ kind: 'text', text: text.slice(1, -1) }];
		case 'ansi_c_string':
			if (!/^\$'(?:[^'\\]|\\[\s\S])*'$/.test(text)) break;
			return [/^\$'(?:[^\\]|\\[tn'"\\])*'$/.test(text) ? { kind: 'text', text: unescaped(text) } : OPEN];
		case 'string':
			return stringPieces(node, judge);
		case 'concatenation':
			return concatenated(node, judge);
		case 'simple_expansion':
			if (!/^\$(?:[A-Za-z_]\w*|[\d@*#?$!_-])$/.test(text)) break;
			return [/^\$[#?$]$/.test(text) ? OPEN : SPLIT];
		case 'expansion':
			checkExpansion(node, judge);
			return [SPLIT];
		case 'command_substitution':
			judge(node);
			return [SPLIT];
		case 'process_substitution':
			judge(node);
			return [{ kind: 'text', text: '/dev/fd/' }, OPEN];
		case 'arithmetic_expansion':
			// With a variable in it, arithmetic evaluates the variable's text, and that can run commands.
			if (!/^\$(?:\(\(|\[)[\d\s+\-*/%()<>=!&|^~?:]*(?:\)\)|\])$/.test(text)) {
				throw new Refused(`the arithmetic in ${quoted(text)} uses more than numbers`);
			}
			return [OPEN];
		case 'brace_expression':
			return [PATTERN];
	}
	throw new Refused(`what ${quoted(text)} expands to cannot be told`);
}

/** The text of `$'…'` with simple escapes. */
function unescaped(text: string): string {
	return text
		.slice(2, -1)
		.replace(/\\(.)/g, (_, letter: string) => (letter === 't' ? '\t' : letter === 'n' ? '\n' : letter));
}

/** An unquoted word: backslashes quote one character, some characters match file names. */
function bareText(text: string): readonly Piece[] {
	const pieces: Piece[] = [];
	for (const [part] of text.matchAll(/\\\n|\\[\s\S]|[*?[\]{}]+|[^\\*?[\]{}]+|\\$/g)) {
		if (part === '\\\n') continue;
		if (part.startsWith('\\')) pieces.push({ kind: 'text', text: part.slice(1) });
		else if (/^[*?[\]{}]/.test(part)) pieces.push(PATTERN);
		else if (/[$`'"\s;&|<>()]/.test(part)) throw new Refused(`what ${quoted(text)} means cannot be told`);
		else pieces.push({ kind: 'text', text: part });
	}
	return pieces;
}

/** A double-quoted string: read from the source between its expansions, because the tree leaves blanks out. */
function stringPieces(node: Node, judge: JudgeSubstitution): readonly Piece[] {
	const { text } = node;
	if (!/^"[\s\S]*"$/.test(text) || text.length < 2)
		throw new Refused(`the quotes of ${quoted(text)} do not match`);
	const pieces: Piece[] = [];
	let from = 1;
	for (const child of node.namedChildren) {
		if (child.type === 'string_content') continue;
		const blanks = child.text.length - child.text.trimStart().length;
		const before = text.slice(from, child.startIndex - node.startIndex + blanks);
		if (before.endsWith('$')) throw new Refused(`what ${quoted(text)} expands to cannot be told`);
		pieces.push(quotedText(before));
		const inner = piecesOf(child, judge);
		const severalWords = /^\s*\$\{?[^}]*@/.test(child.text);
		pieces.push(severalWords || inner.includes(PATTERN) ? SPLIT : OPEN);
		from = child.endIndex - node.startIndex;
	}
	pieces.push(quotedText(text.slice(from, -1)));
	return pieces.filter((piece) => piece.kind !== 'text' || piece.text !== '');
}

function quotedText(source: string): Piece {
	let text = '';
	for (const [part] of source.matchAll(/\\[\s\S]|[^\\]+|\\$/g)) {
		if (part === '\\\n') continue;
		if (/^\\[$`"\\]$/.test(part)) text += part.slice(1);
		else if (part.startsWith('\\')) text += part;
		else if (/[`"]|\$[\w({[*@#?!$-]/.test(part))
			throw new Refused(`what ${quoted(source)} expands to cannot be told`);
		else text += part;
	}
	return { kind: 'text', text };
}

function concatenated(node: Node, judge: JudgeSubstitution): readonly Piece[] {
	let end = node.startIndex;
	const pieces = node.children.flatMap((child): readonly Piece[] => {
		if (child.startIndex !== end)
			throw new Refused(`where the words of ${quoted(node.text)} end cannot be told`);
		end = child.endIndex;
		// A dollar sign with nothing behind it is one (`grep foo$ file`).
		if (child.type === '$' && end === node.endIndex) return [{ kind: 'text', text: '$' }];
		return piecesOf(child, judge);
	});
	if (end !== node.endIndex) throw new Refused(`where the words of ${quoted(node.text)} end cannot be told`);
	return pieces;
}

/** Operators of `${…}` that only shape text. Not here: indirection and `@P` (run code), `=` (assigns), subscripts. */
const SHAPING: ReadonlySet<string> = new Set([
	'${',
	...'} # ## % %% / // /# /% :- - :+ + :? ? ^ ^^ , ,,'.split(' '),
]);

function checkExpansion(node: Node, judge: JudgeSubstitution): void {
	const refused = new Refused(`what ${quoted(node.text)} expands to cannot be told`);
	// The grammar's tokens do not tell a substring (arithmetic) from the rest, the text does.
	if (/^\s*\$\{\w+:\s*\d+(?::\d+)?\}$/.test(node.text)) return;
	// Within double quotes a single quote in here quotes nothing, whatever the grammar says.
	if (node.text.includes("'")) throw refused;
	let end = node.startIndex;
	for (const child of node.children) {
		const gap = node.text.slice(end - node.startIndex, child.startIndex - node.startIndex);
		if (gap.trim() !== '') throw refused;
		end = child.endIndex;
		if (!child.isNamed) {
			if (!SHAPING.has(child.type)) throw refused;
		} else if (child.type === 'variable_name' || child.type === 'special_variable_name') {
			if (!/^(?:\w+|[@*#?$-])$/.test(child.text)) throw refused;
		} else {
			piecesOf(child, judge);
		}
	}
}
