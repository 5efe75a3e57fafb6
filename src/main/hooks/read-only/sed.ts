/** sed: scripts that only print, delete or substitute, to standard output. */
import { type Rule, unknownArgument } from './options.ts';
import { quoted, Refused } from './refused.ts';

const FLAGS = /^-[nErsuz]+$/;
const LONG_FLAGS = /^--(?:quiet|silent|regexp-extended|separate|unbuffered|null-data|posix|sandbox|debug)$/;
const SCRIPT_FLAG = /^-[nErsuz]*e$/;

export const judgeSed: Rule = ({ words }) => {
	let hasScript = false;
	let scriptFollows = false;
	for (const word of words) {
		if (scriptFollows) {
			if (word.kind !== 'literal') throw new Refused(unknownArgument('sed'));
			judgeScript(word.text);
			scriptFollows = false;
		} else if (word.kind === 'operand' && hasScript) {
			// A file name.
		} else if (word.kind !== 'literal') {
			throw new Refused(unknownArgument('sed'));
		} else if (SCRIPT_FLAG.test(word.text)) {
			hasScript = true;
			scriptFollows = true;
		} else if (word.text.startsWith('--expression=')) {
			hasScript = true;
			judgeScript(word.text.slice('--expression='.length));
		} else if (word.text.startsWith('-') && word.text !== '-') {
			if (!FLAGS.test(word.text) && !LONG_FLAGS.test(word.text)) {
				throw new Refused(`${quoted(`sed ${word.text}`)} can write or is not known to only read`);
			}
		} else if (!hasScript) {
			hasScript = true;
			judgeScript(word.text);
		}
	}
};

/**
 * A text between two delimiters. A bracket must be closed within it: seds disagree on whether a delimiter inside
 * `[…]` ends the text, and what one takes for text is a command to another.
 */
const between = (delimiter: string): string =>
	`(?:[^\\\\\\n[\\]${delimiter}]|\\\\[^\\n]|\\[\\^?(?:[^\\]\\n\\\\[${delimiter}]|\\[:\\w+:\\])+\\])*`;

const ADDRESS = `(?:\\d+(?:~\\d+)?|\\$|/${between('/')}/[IM]*)`;
const ADDRESSES = `(?:${ADDRESS}(?:\\s*,\\s*(?:${ADDRESS}|[+~]\\d+))?)?\\s*!?\\s*`;
/** Not here: w, W, r, R (files), e (runs), and i, a, c, {, :, b, t, y, which would need more grammar than they are worth. */
const PRINTING = '(?:[pPdDnNgGhHx=l]|[qQ]\\d*)';
const SUBSTITUTIONS = ['/', '|', '#', ',', ':', '@', '!'].map((delimiter) => {
	const text = between(delimiter === '|' ? '\\|' : delimiter);
	const mark = delimiter === '|' ? '\\|' : delimiter;
	// Flags: not e (runs the result) and not w (writes it).
	return `s${mark}${text}${mark}${text}${mark}[gpiI\\d]*`;
});
const COMMAND = new RegExp(
	`^\\s*${ADDRESSES}(?:${PRINTING}|${SUBSTITUTIONS.join('|')})[ \\t]*(?:[;\\n]\\s*|$)`,
);

function judgeScript(script: string): void {
	let rest = script;
	while (rest.trim() !== '') {
		const command = COMMAND.exec(rest)?.[0];
		if (command === undefined)
			throw new Refused(`the sed script ${quoted(script)} is not known to only print`);
		rest = rest.slice(command.length);
	}
}
