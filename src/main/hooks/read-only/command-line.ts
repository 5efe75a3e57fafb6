/**
 * Judges a parsed command line: every command in it, through pipes, lists, loops, subshells and substitutions, must be
 * a known program whose arguments only read, and nothing may be written, defined or left running. What is not on these
 * lists is refused, including every kind of syntax that is not named here.
 */
import type { Node } from 'web-tree-sitter';
import { hereDocument, isBlankGap } from './here-document.ts';
import { judgeProgram } from './programs.ts';
import { quoted, Refused } from './refused.ts';
import { readWord, type Word } from './shell-word.ts';
import { judgeTest } from './test-expression.ts';
import { isHarmlessEnvironment, isOwnVariable } from './variables.ts';

/** Nested substitutions, loops and groups: real ones are a few levels deep. */
const DEEPEST = 40;

/** Keywords and separators between commands. A lone `&` is not one of them. */
const SEPARATORS: ReadonlySet<string> = new Set(
	'; \n && || | |& ( ) { } ! if then elif else fi for in do done while until case esac $( ` <('.split(' '),
);

const SYNTAX_NAMES: ReadonlyMap<string, string> = new Map([
	['function_definition', 'it defines a function'],
	['declaration_command', 'it declares variables'],
	['unset_command', 'it unsets variables'],
	['c_style_for_statement', 'it does arithmetic on variables'],
]);

/** Characters that Bash and the grammar may take differently: controls, and blanks outside ASCII. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are refused
const UNSAFE = /[\0-\x08\x0b-\x1f\x7f\x85\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f\u3000\ufeff]/;

/** @throws Refused with the first reason why the command line is not provably read-only. */
export function judgeCommandLine(source: string, root: Node): void {
	if (UNSAFE.test(source)) throw new Refused('it contains control or unusual blank characters');
	// Bash joins the lines, the grammar sees two words.
	if (/\$[A-Za-z_]\w*\[/.test(source))
		throw new Refused('zsh evaluates what stands in brackets behind a variable');
	if (/\S\\\n\S/.test(source)) throw new Refused('a line is continued in the middle of a word');
	if (root.hasError) throw new Refused('the command line could not be parsed');
	const around = source.slice(0, root.startIndex) + source.slice(root.endIndex);
	if (!isBlankGap(around, 'anywhere')) throw new Refused('the command line could not be parsed');
	new CommandLineJudge(source).judge(root);
}

/** Statements that are nothing but their parts. */
const GROUPS =
	'program list pipeline subshell compound_statement do_group if_statement elif_clause else_clause while_statement ' +
	'negated_command variable_assignments command_substitution process_substitution';

class CommandLineJudge {
	readonly #source: string;
	#depth = 0;

	/** Every kind of statement that is known; all others are refused. */
	readonly #judges: ReadonlyMap<string, (node: Node) => void> = new Map<string, (node: Node) => void>([
		...GROUPS.split(' ').map((type) => [type, (node: Node) => this.#parts(node)] as const),
		['command', (node) => this.#command(node, [])],
		['redirected_statement', (node) => this.#redirected(node)],
		['for_statement', (node) => this.#loop(node)],
		['case_statement', (node) => this.#case(node, 'in')],
		['case_item', (node) => this.#case(node, ')')],
		['variable_assignment', (node) => this.#assignment(node, isOwnVariable)],
		['test_command', (node) => judgeTest(node, (word) => this.#word(word))],
		['file_redirect', (node) => this.#onlyRedirect(node)],
		['herestring_redirect', (node) => this.#hereString(node)],
		['heredoc_redirect', (node) => this.#hereDocument(node)],
		['comment', (node) => this.#comment(node)],
	]);

	constructor(source: string) {
		this.#source = source;
	}

	/** A statement of any kind. */
	judge(node: Node): void {
		const judge = this.#judges.get(node.type);
		if (judge === undefined) {
			throw new Refused(SYNTAX_NAMES.get(node.type) ?? `it uses a ${node.type.replaceAll('_', ' ')}`);
		}
		if (++this.#depth > DEEPEST) throw new Refused('it is nested too deeply');
		judge(node);
		this.#depth -= 1;
	}

	#parts(node: Node): void {
		this.#checkGaps(node);
		if (node.type === 'command_substitution' && /^\s*`/.test(node.text) && node.text.includes('\\')) {
			throw new Refused('backticks with a backslash in them are read twice');
		}
		for (const part of node.children) this.#part(part);
	}

	#part(part: Node): void {
		if (part.isNamed) {
			this.judge(part);
			return;
		}
		if (part.type === '&') throw new Refused('it leaves a command running in the background by `&`');
		if (part.type === '>(') throw new Refused('it writes to a command by `>(`');
		if (!SEPARATORS.has(part.type)) throw new Refused(`it uses ${quoted(part.type)}`);
	}

	/** To the grammar, words behind a redirection are its further targets (`ls 2>/dev/null -l`); to Bash, arguments. */
	#redirected(node: Node): void {
		this.#checkGaps(node);
		const behind: Word[] = [];
		let body: Node | null = null;
		for (const part of node.children) {
			if (part.type === 'file_redirect') behind.push(...this.#redirect(part));
			else if (body === null && !part.type.endsWith('_redirect')) body = part;
			else this.#part(part);
		}
		if (body?.type === 'command') {
			this.#command(body, behind);
		} else {
			if (behind.length > 0) throw new Refused(`what ${quoted(node.text)} runs cannot be told`);
			if (body !== null) this.#part(body);
		}
	}

	#command(node: Node, behind: readonly Word[]): void {
		const words: Word[] = [];
		let end: number | null = null;
		for (const child of node.children) {
			// Words that touch are one word to Bash, and an escaped blank between them belongs to one of them.
			if (end !== null && !isBlankGap(this.#source.slice(end, child.startIndex), 'between words')) {
				throw new Refused(`where the words of ${quoted(node.text)} end cannot be told`);
			}
			end = child.endIndex;
			if (child.type === 'variable_assignment') this.#assignment(child, isHarmlessEnvironment);
			else if (child.type === 'file_redirect' || child.type === 'herestring_redirect') this.judge(child);
			else if (child.type === 'command_name') words.push(this.#programName(child));
			else words.push(this.#word(child));
		}
		judgeProgram([...words, ...behind]);
	}

	#programName(node: Node): Word {
		const [name, ...more] = node.children;
		if (name === undefined || more.length > 0)
			throw new Refused(`which program ${quoted(node.text)} is cannot be told`);
		return this.#word(name);
	}

	#assignment(node: Node, allowed: (name: string) => boolean): void {
		const [name, operator, value, ...more] = node.children;
		const known = name?.type === 'variable_name' && (operator?.type === '=' || operator?.type === '+=');
		if (!known || more.length > 0)
			throw new Refused(`the assignment ${quoted(node.text)} is more than a plain one`);
		if (!allowed(name.text)) throw new Refused(`it sets ${quoted(name.text)}, which programs may obey`);
		if (operator.endIndex !== (value ?? operator).startIndex && value !== undefined) {
			throw new Refused(`where the value in ${quoted(node.text)} ends cannot be told`);
		}
		if (value?.type === 'array')
			throw new Refused(`the assignment ${quoted(node.text)} is more than a plain one`);
		if (value !== undefined) this.#word(value);
	}

	#loop(node: Node): void {
		this.#checkGaps(node);
		const [keyword, variable, ...rest] = node.children;
		if (keyword?.type !== 'for') throw new Refused(`it uses ${quoted(keyword?.text ?? '')}`);
		if (variable?.type !== 'variable_name' || !isOwnVariable(variable.text)) {
			throw new Refused(`it sets ${quoted(variable?.text ?? '')}, which programs may obey`);
		}
		for (const part of rest) {
			if (part.isNamed && part.type !== 'do_group' && part.type !== 'comment') this.#word(part);
			else this.#part(part);
		}
	}

	/** `case WORD in` and its items: words up to `in` or `)`, commands behind them. */
	#case(node: Node, turn: 'in' | ')'): void {
		this.#checkGaps(node);
		let pattern = true;
		for (const part of node.children) {
			if (pattern && part.isNamed && part.type !== 'comment') this.#word(part);
			else if (!/^(?:;;|;&|;;&)$/.test(part.type)) this.#part(part);
			if (part.type === turn) pattern = false;
		}
	}

	/** Judges the redirection and returns the words behind its target. */
	#redirect(node: Node): readonly Word[] {
		this.#checkGaps(node);
		const [operator, ...words] = node.children.filter((child) => child.type !== 'file_descriptor');
		if (operator === undefined || operator.isNamed)
			throw new Refused(`where ${quoted(node.text)} goes cannot be told`);
		let last = operator;
		if (operator.type !== '>&-' && operator.type !== '<&-') {
			const target = words.shift();
			if (target === undefined) throw new Refused(`where ${quoted(node.text)} goes cannot be told`);
			this.#checkTarget(operator.type, target);
			last = target;
		}
		return words.map((word) => {
			if (!isBlankGap(this.#source.slice(last.endIndex, word.startIndex), 'between words')) {
				throw new Refused(`where the words of ${quoted(node.text)} end cannot be told`);
			}
			last = word;
			return this.#word(word);
		});
	}

	#checkTarget(operator: string, target: Node): void {
		const word = this.#word(target);
		const text = word.kind === 'literal' ? word.text : null;
		if (operator === '<') {
			// Bash connects to /dev/tcp/HOST/PORT, and a part of that may only be known when it runs.
			if (text === null ? /dev|^[^/\w.]/.test(target.text) : /^\/dev\/(?:tcp|udp)\//.test(text))
				throw new Refused('it may open a network connection');
			return;
		}
		const duplicates = operator === '>&' || operator === '<&';
		if (duplicates && text !== null && /^(?:\d|-)$/.test(text)) return;
		const discards =
			operator === '>' || operator === '>>' || operator === '&>' || operator === '&>>' || operator === '>|';
		if (discards && text === '/dev/null') return;
		throw new Refused(`it writes to ${quoted(target.text)} by \`${operator}\``);
	}

	/** A comment hides the rest of its line, so Bash must see one as well: at the start of a word that is not escaped. */
	#comment(node: Node): void {
		const before = this.#source.slice(Math.max(0, node.startIndex - 2), node.startIndex);
		if (!/(?:^|(?<!\\)[\s;&|()])$/.test(before)) throw new Refused('where its comment begins cannot be told');
	}

	#onlyRedirect(node: Node): void {
		if (this.#redirect(node).length > 0)
			throw new Refused(`what follows ${quoted(node.text)} cannot be told`);
	}

	#hereString(node: Node): void {
		this.#checkGaps(node);
		for (const child of node.namedChildren) if (child.type !== 'file_descriptor') this.#word(child);
	}

	#hereDocument(node: Node): void {
		for (const part of hereDocument(node, this.#source)) this.#part(part);
	}

	#word(node: Node): Word {
		return readWord(node, (substitution) => this.judge(substitution));
	}

	/** Between the parts of a statement there is nothing but blanks: no character of the line goes unseen. */
	#checkGaps(node: Node): void {
		let end = node.startIndex;
		for (const child of node.children) {
			const gap = this.#source.slice(end, child.startIndex);
			if (!isBlankGap(gap, 'anywhere'))
				throw new Refused(`it contains ${quoted(gap)} where nothing is expected`);
			end = child.endIndex;
		}
		const rest = this.#source.slice(end, node.endIndex);
		if (!isBlankGap(rest, 'anywhere'))
			throw new Refused(`it contains ${quoted(rest)} where nothing is expected`);
	}
}
