/** Finds the commands of a shell line, however they are wrapped, and asks each program's rule what it would do. */
import type { Node } from 'web-tree-sitter';
import { Refused } from '../read-only/refused.ts';
import type { ReadCommandLine } from '../shell-grammar.ts';
import { ruleOf } from './programs.ts';
import { type Input, UNKNOWN, type Words } from './rule.ts';
import { printedBy } from './standard-input.ts';
import { inUnreadable } from './telltale.ts';
import { programOf, wordText } from './words.ts';

/** Lines inside lines (`bash -c "…"`) are followed this deep, commands inside commands (`sudo nice …`) also. */
const MOST_LINES_DEEP = 4;
const MOST_COMMANDS_DEEP = 24;
/** Groups inside groups: real ones are a few levels deep. */
const MOST_GROUPS_DEEP = 150;
/** Bounds on all work for one call: characters that are parsed, and those of the words that are judged. */
const MOST_CHARACTERS = 60_000;
/** What a parse costs by itself, in characters. */
const PARSE_COST = 20;
const MOST_WORD_CHARACTERS = 300_000;

const NONE: Input = { kind: 'none' };
const UNKNOWN_INPUT: Input = { kind: 'unknown' };
const TOO_DEEP = 'is nested too deep to be read';
const TOO_LONG = 'is too long to be read in full';

/** Where in the line, and inside of what, a judgement stands. */
interface Place {
	readonly lines: number;
	readonly commands: number;
	readonly groups: number;
	readonly input: Input;
}

/** What `commandLine` would destroy or send out, as the end of "it …"; `null`: nothing that is known. Never throws. */
export function destructionIn(commandLine: string, read: ReadCommandLine): string | null {
	return new CommandLineReader(read).line(commandLine, { lines: 0, commands: 0, groups: 0, input: NONE });
}

class CommandLineReader {
	readonly #read: ReadCommandLine;
	#characters = 0;
	#wordCharacters = 0;

	constructor(read: ReadCommandLine) {
		this.#read = read;
	}

	line(text: string, place: Place): string | null {
		if (place.lines > MOST_LINES_DEEP) return `runs a line that ${TOO_DEEP}`;
		// The shell joins continued lines, the grammar sees two words. A comment is not continued, so both are read.
		const joined = text.replace(/(\\[^\n])|\\\n/g, '$1');
		return this.#parsed(text, place) ?? (joined === text ? null : this.#parsed(joined, place));
	}

	#parsed(text: string, place: Place): string | null {
		this.#characters += text.length + PARSE_COST;
		if (this.#characters > MOST_CHARACTERS) return TOO_LONG;
		try {
			return this.#read(text, (root) => (root.hasError ? inUnreadable(text) : this.#node(root, place)));
		} catch (error) {
			// Refused: too long or too large; what is left is to look at single words.
			return error instanceof Refused ? inUnreadable(text) : 'could not be read';
		}
	}

	#node(node: Node, place: Place): string | null {
		if (place.groups > MOST_GROUPS_DEEP) return TOO_DEEP;
		const within = { ...place, groups: place.groups + 1 };
		switch (node.type) {
			case 'command':
				return this.#command(node, [], within);
			case 'redirected_statement':
				return this.#redirected(node, within);
			case 'pipeline':
				return this.#pipeline(node, within, false);
			case 'function_definition':
				// Whoever calls it decides what it reads.
				return this.#parts(node.namedChildren, { ...within, input: UNKNOWN_INPUT });
			case 'process_substitution':
				return this.#parts(node.namedChildren, {
					...within,
					input: node.text.trimStart().startsWith('>') ? UNKNOWN_INPUT : NONE,
				});
			default:
				return this.#parts(node.namedChildren, within);
		}
	}

	#parts(nodes: readonly Node[], place: Place): string | null {
		for (const node of nodes) {
			const found = this.#node(node, place);
			if (found !== null) return found;
		}
		return null;
	}

	/** Each command reads what the one before it prints. `fed`: the first one reads the pipe before this node. */
	#pipeline(node: Node, place: Place, fed: boolean): string | null {
		let input = place.input;
		for (const [index, part] of node.namedChildren.entries()) {
			const here = { ...place, input };
			const nested = part.type === 'pipeline' && fed;
			const found = nested ? this.#pipeline(part, here, index === 0) : this.#node(part, here);
			if (found !== null) return found;
			input = this.#printed(part, input);
		}
		return null;
	}

	#redirected(node: Node, place: Place): string | null {
		const body = node.namedChildren.find((child) => !child.type.endsWith('_redirect')) ?? null;
		const redirects = node.namedChildren.filter((child) => child.type.endsWith('_redirect'));
		const further = redirects.flatMap(wordsBehind);
		const input = inputOf(redirects) ?? place.input;
		if (redirects.some(empties) && (body === null || this.#isSilent(body)))
			return 'empties or creates a file (> file)';
		const here = { ...place, input };
		const own =
			body === null
				? this.#words(further, here)
				: body.type === 'command'
					? this.#command(body, further, here)
					: this.#node(body, here);
		if (own !== null) return own;
		const printed = body === null ? NONE : this.#printed(body, input);
		for (const redirect of redirects) {
			for (const child of redirect.namedChildren) {
				const found =
					child.type === 'pipeline' && redirect.type === 'heredoc_redirect'
						? this.#pipeline(child, { ...place, input: printed }, true)
						: this.#node(child, place);
				if (found !== null) return found;
			}
		}
		return null;
	}

	#command(node: Node, further: Words, place: Place): string | null {
		const redirects = node.namedChildren.filter((child) => child.type.endsWith('_redirect'));
		const input = inputOf(redirects) ?? place.input;
		const words = [...wordsOf(node), ...redirects.flatMap(wordsBehind), ...further];
		return this.#words(words, { ...place, input }) ?? this.#parts(node.namedChildren, place);
	}

	#words(words: Words, place: Place): string | null {
		const [first, ...rest] = words;
		if (first === undefined) return null;
		this.#wordCharacters += words.reduce((sum, word) => sum + word.length + 1, 0);
		if (this.#wordCharacters > MOST_WORD_CHARACTERS) return TOO_LONG;
		if (place.commands > MOST_COMMANDS_DEEP) return TOO_DEEP;
		const program = programOf(first);
		if (program === null) return 'runs a program whose name cannot be read';
		const within = { ...place, commands: place.commands + 1 };
		return ruleOf(program)(rest, {
			input: place.input,
			command: (inner) => this.#words(inner, within),
			line: (text) => this.line(text, { ...within, lines: place.lines + 1, groups: 0 }),
		});
	}

	/** What a part of a pipeline prints, as the input of the next. */
	#printed(node: Node, input: Input): Input {
		if (node.type === 'command') return printedBy(wordsOf(node), inputOf(node.namedChildren) ?? input);
		if (node.type !== 'redirected_statement') return UNKNOWN_INPUT;
		const [body, ...redirects] = node.namedChildren;
		if (body?.type !== 'command') return UNKNOWN_INPUT;
		return printedBy(wordsOf(body), inputOf(redirects) ?? input);
	}

	/** Prints nothing, so that its `>` is there to empty a file. */
	#isSilent(body: Node): boolean {
		if (body.type !== 'command') return false;
		const text = wordsOf(body).join(' ');
		return /^(?::|true|echo -n|printf|cat \/dev\/null)\s*$/.test(text);
	}
}

/** The words of a command without its assignments and redirections. */
function wordsOf(command: Node): string[] {
	return command.namedChildren
		.filter((child) => child.type !== 'variable_assignment' && !child.type.endsWith('_redirect'))
		.map((child) => wordText(child.type === 'command_name' ? (child.namedChildren[0] ?? child) : child));
}

/** To the grammar, words behind a redirection are its further targets (`git > log push`); to the shell, arguments. */
function wordsBehind(redirect: Node): readonly string[] {
	if (redirect.type === 'file_redirect') {
		const targets = redirect.namedChildren.filter((child) => child.type !== 'file_descriptor');
		return (/[<>]&-/.test(redirect.text) ? targets : targets.slice(1)).map(wordText);
	}
	if (redirect.type !== 'heredoc_redirect') return [];
	return redirect.namedChildren
		.filter((child) => /^(?:word|number|string|raw_string|concatenation)$|expansion$/.test(child.type))
		.map(wordText);
}

/** The last redirection of standard input; `null`: there is none. */
function inputOf(nodes: readonly Node[]): Input | null {
	let input: Input | null = null;
	for (const node of nodes) {
		if (node.type === 'herestring_redirect') {
			const text = node.namedChildren.find((child) => child.type !== 'file_descriptor');
			input = { kind: 'text', text: text === undefined ? UNKNOWN : wordText(text) };
		} else if (node.type === 'heredoc_redirect') {
			const body = node.namedChildren.find((child) => child.type === 'heredoc_body');
			input = { kind: 'text', text: body?.text ?? '' };
		} else if (node.type === 'file_redirect' && /^0?<(?![&>(])/.test(node.text)) {
			const target = node.namedChildren.find((child) => child.type !== 'file_descriptor');
			if (target?.type === 'process_substitution') input = UNKNOWN_INPUT;
			else input = { kind: 'file', name: target === undefined ? UNKNOWN : wordText(target) };
		}
	}
	return input;
}

/** `> file`, not `>> file`, not a device. */
function empties(redirect: Node): boolean {
	if (redirect.type !== 'file_redirect' || !/^(?:1|&)?>\|?(?![>&])/.test(redirect.text)) return false;
	const target = redirect.namedChildren.find((child) => child.type !== 'file_descriptor');
	return target !== undefined && !/^\/dev\/(?:null|std\w+|tty|fd\/)/.test(wordText(target));
}
