/** `[ … ]`, `test …` and `[[ … ]]`: harmless but for a few corners in which they evaluate text as code. */
import type { Node } from 'web-tree-sitter';
import { isBlankGap } from './here-document.ts';
import { quoted, Refused } from './refused.ts';
import type { Word } from './shell-word.ts';

const UNARY: ReadonlySet<string> = new Set(
	'-n -z -e -f -d -r -w -x -s -L -h -p -S -b -c -g -u -k -O -G -N'.split(' '),
);
const COMPARISONS: ReadonlySet<string> = new Set('= == != < > -nt -ot -ef'.split(' '));
/** In `[[` their operands are arithmetic, and arithmetic on text can run commands. */
const NUMERIC: ReadonlySet<string> = new Set('-eq -ne -lt -le -gt -ge'.split(' '));

/** A `[ … ]` or `[[ … ]]` node. @throws Refused */
export function judgeTest(node: Node, readWord: (node: Node) => Word): void {
	const parts = tokensOf(node);
	checkBlanks(parts, node);
	const brackets = `${parts.shift()?.text} ${parts.pop()?.text}`;
	if (brackets === '[ ]') judgeTestWords(wordsOf(parts, /^(?:!|=|==|!=)$/, readWord));
	else if (brackets === '[[ ]]')
		judgeExtended(wordsOf(parts, /^(?:!|=|==|!=|=~|<|>|&&|\|\||\(|\))$/, readWord));
	else throw new Refused(`it uses ${quoted(node.text)}`);
}

/**
 * The arguments of `test` or `[`. Their meaning depends on their number and on their values, so a value that is not known
 * may only stand beside an operator that is. @throws Refused
 */
export function judgeTestWords(words: readonly Word[]): void {
	const textAt = (index: number): string => {
		const word = words[index];
		return word?.kind === 'literal' ? word.text : '';
	};
	for (const [index, word] of words.entries()) {
		if (word.kind === 'literal') {
			// A subscript in the name of a variable is evaluated.
			if (word.text === '-v' || word.text === '-R')
				throw new Refused(`\`test ${word.text}\` evaluates its operand`);
			refuseTerminalTest(word.text, words[index + 1]);
			if (word.text === '(' || word.text === ')') throw new Refused('it groups inside `test`');
			continue;
		}
		const one = word.kind === 'single' || (word.kind === 'operand' && word.single);
		if (!one) throw new Refused('a value inside `[ ]` is not quoted');
		const alone = words.length === 1 || (words.length === 2 && index === 1 && textAt(0) === '!');
		const beside = [textAt(index - 1), textAt(index + 1)];
		const compared = beside.some((text) => COMPARISONS.has(text) || NUMERIC.has(text));
		if (!alone && !compared && !UNARY.has(textAt(index - 1))) {
			throw new Refused('what its `[ ]` tests depends on values that are not known');
		}
	}
}

function judgeExtended(words: readonly Word[]): void {
	for (const [index, word] of words.entries()) {
		if (word.kind !== 'literal') continue;
		if (word.text === '-v' || word.text === '-R')
			throw new Refused(`\`[[ ${word.text}\` evaluates its operand`);
		refuseTerminalTest(word.text, words[index + 1]);
		if (!NUMERIC.has(word.text)) continue;
		for (const operand of [words[index - 1], words[index + 1]]) {
			if (operand?.kind === 'literal' && /^-?\d+$/.test(operand.text)) continue;
			throw new Refused('the arithmetic in its `[[ ]]` uses more than numbers');
		}
	}
}

/** `-t` asks about a file descriptor; zsh evaluates anything but a number there as arithmetic. */
function refuseTerminalTest(operator: string, operand: Word | undefined): void {
	if (operator !== '-t' || operand === undefined) return;
	if (operand.kind === 'literal' && /^\d+$/.test(operand.text)) return;
	throw new Refused('`test -t` of anything but a number may be evaluated');
}

/** Brackets, operands and operators in the order in which they stand. */
function tokensOf(node: Node): Node[] {
	const isExpression = /^(?:unary|binary|parenthesized)_expression$|^test_command$/.test(node.type);
	return isExpression ? node.children.flatMap(tokensOf) : [node];
}

/** Bash sees a test only where blanks set its parts off: `[a]` is a file name, and a line break ends the command. */
function checkBlanks(parts: readonly Node[], whole: Node): void {
	for (const [index, part] of parts.entries()) {
		const before = parts[index - 1];
		if (before === undefined) continue;
		const gap = whole.text.slice(before.endIndex - whole.startIndex, part.startIndex - whole.startIndex);
		const grouped = /^[()]$/.test(before.type) || /^[()]$/.test(part.type);
		if (isBlankGap(gap, 'between words') || (grouped && gap === '')) continue;
		throw new Refused(`where the words of ${quoted(whole.text)} end cannot be told`);
	}
}

function wordsOf(parts: readonly Node[], operators: RegExp, readWord: (node: Node) => Word): readonly Word[] {
	return parts.map((part): Word => {
		if (part.isNamed) return readWord(part);
		if (operators.test(part.type)) return { kind: 'literal', text: part.type };
		// Inside single brackets `>` writes a file and `&&` ends the test.
		throw new Refused(`${quoted(part.type)} in its test is not what it looks like`);
	});
}
