/** Rules of programs that need one of their own. */
import { only, type Rule, unknownArgument, withoutValues } from './options.ts';
import { quoted, Refused } from './refused.ts';
import { isOwnVariable } from './variables.ts';

/** Primaries of find that take the next word, whatever it is. */
const FIND_VALUES: ReadonlySet<string> = new Set(
	(
		'-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -newer -anewer -cnewer ' +
		'-samefile -type -xtype -maxdepth -mindepth -mtime -mmin -atime -amin -ctime -cmin -size -user -group -uid -gid ' +
		'-perm -links -inum -fstype -printf'
	).split(' '),
);
const FIND_FLAGS: ReadonlySet<string> = new Set(
	(
		'-print -print0 -ls -prune -quit -o -a -or -and -not -empty -true -false -readable -writable -executable -follow ' +
		'-mount -xdev -daystart -nouser -nogroup -L -H -P'
	).split(' '),
);
const FIND_HARMFUL = /^-(?:exec|ok|delete|fprint|fls)/;

/** find: no -exec, -ok, -delete, -fprint…, -fls, and no word that could become one of them. */
export const judgeFind: Rule = ({ words }) => {
	let understood = true;
	let isValue = false;
	for (const word of words) {
		if (word.kind === 'literal') {
			if (FIND_HARMFUL.test(word.text))
				throw new Refused(`\`find ${word.text}\` changes something or runs a program`);
			const primary: boolean = !isValue && word.text.startsWith('-');
			isValue = primary && FIND_VALUES.has(word.text);
			if (primary && !isValue && !FIND_FLAGS.has(word.text)) understood = false;
		} else {
			const harmless = word.kind === 'operand' || (word.kind === 'single' && isValue && understood);
			if (!harmless) throw new Refused(unknownArgument('find'));
			// A pattern may become several words, of which the primary takes the first only.
			if (isValue && word.kind === 'operand' && !word.single) understood = false;
			isValue = false;
		}
	}
};

/** printf: not `-v NAME`, which sets a variable. */
export const judgePrintf: Rule = ({ words: [format] }) => {
	if (format === undefined || format.kind === 'operand') return;
	if (format.kind !== 'literal') throw new Refused(unknownArgument('printf'));
	if (format.text.startsWith('-')) throw new Refused('`printf` with an option can set a variable');
	// zsh evaluates what a numeric conversion is given as arithmetic, which can run commands.
	if (/%/.test(format.text.replace(/%(?:%|-?\d*(?:\.\d+)?s|[bqc])/g, '')))
		throw new Refused('`printf` with a number in its format is evaluated by some shells');
};

/** read: only into variables that nothing else obeys. zsh takes other options than Bash and evaluates what it is given. */
export const judgeRead: Rule = ({ words }) => {
	const texts = words.map((word) => {
		if (word.kind !== 'literal') throw new Refused(unknownArgument('read'));
		return word.text;
	});
	for (const [index, text] of texts.entries()) {
		const before = texts[index - 1] ?? '';
		const isValue =
			(/^-[nNtu]$/.test(before) && /^[\d.]+$/.test(text)) || (before === '-d' && text.length < 2);
		if (isValue || /^-(?:[rs]+|[nNtud])$/.test(text) || isOwnVariable(text)) continue;
		throw new Refused(`${quoted(`read ${text}`)} may set what programs obey`);
	}
};

/** set: only what makes a script stop at its first error. */
export const judgeSet: Rule = ({ words }) => {
	const texts = words.map((word) => (word.kind === 'literal' ? word.text : ''));
	const strict = texts.every((text, index) =>
		/^[-+][eu]*o$/.test(texts[index - 1] ?? '')
			? /^(?:pipefail|errexit|nounset)$/.test(text)
			: /^[-+](?:[eu]+|[eu]*o)$/.test(text),
	);
	if (!strict || texts.length === 0) throw new Refused('`set` changes how the shell works');
};

/** date: a bare operand or -s would set the clock. */
export const judgeDate: Rule = (call) => {
	const options =
		/^(?:\+[\s\S]*|-u|--utc|--universal|-R|--rfc-\w+(?:=\w+)?|-I\w*|--iso-8601(?:=\w+)?|--date=[\s\S]*)$/;
	only(options, 'none')({ ...call, words: withoutValues(call.words, ['-d', '-r']) });
};

/** One file at most, and last: what stands behind it is the output, even `-c`. `valueOptions` take the next word. */
export function oneOperand(valueOptions: readonly string[]): Rule {
	return ({ program, words }) => {
		let hasOperand = false;
		for (const word of withoutValues(words, valueOptions)) {
			if (word.kind === 'single' || word.kind === 'unknown') throw new Refused(unknownArgument(program));
			const severalOperands = word.kind === 'operand' && !word.single;
			if (hasOperand || severalOperands) throw new Refused(`\`${program}\` writes to its second file`);
			hasOperand = word.kind === 'operand' || word.text === '-' || !word.text.startsWith('-');
		}
	};
}
