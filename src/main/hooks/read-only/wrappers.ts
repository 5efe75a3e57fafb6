/** Programs that run another one: as harmless as what they run. */
import { type Call, type Rule, unknownArgument } from './options.ts';
import { quoted, Refused } from './refused.ts';
import type { Word } from './shell-word.ts';
import { isHarmlessEnvironment } from './variables.ts';

/** Options that match `flags`, then the command. */
export function wrapper(flags: RegExp): Rule {
	return (call) => {
		const start = call.words.findIndex((word) => word.kind !== 'literal' || !flags.test(word.text));
		call.run(start === -1 ? [] : beginning(call, start));
	};
}

/** env: bare, or with harmless variables before a command. */
export const judgeEnv: Rule = (call) => {
	const { words } = call;
	const bare = words.every((word) => word.kind === 'literal' && /^(?:-0|--null)$/.test(word.text));
	if (bare) return;
	const start = words.findIndex((word) => word.kind !== 'literal' || !/^\w+=/.test(word.text));
	for (const word of start === -1 ? words : words.slice(0, start)) {
		const name = word.kind === 'literal' ? (word.text.split('=', 1)[0] ?? '') : '';
		if (!isHarmlessEnvironment(name)) throw new Refused(`it sets ${quoted(name)}, which programs may obey`);
	}
	call.run(start === -1 ? [] : beginning(call, start));
};

/** timeout: options, a duration, then the command. */
export const judgeTimeout: Rule = (call) => {
	const start = call.words.findIndex(
		(word) => word.kind !== 'literal' || !/^(?:--foreground|--preserve-status|-v)$/.test(word.text),
	);
	const duration = call.words[start];
	if (duration?.kind !== 'literal' || !/^\d+(?:\.\d+)?[smhd]?$/.test(duration.text)) {
		throw new Refused('what `timeout` runs cannot be told');
	}
	call.run(beginning(call, start + 1));
};

/** command: asks where a program is, or runs it. */
export const judgeCommandBuiltin: Rule = (call) => {
	const [first] = call.words;
	if (first?.kind === 'literal' && /^-[vV]$/.test(first.text)) return;
	call.run(beginning(call, 0));
};

const XARGS_FLAGS =
	/^(?:-[0rtx]+|--null|--no-run-if-empty|--verbose|-[nLPs]\d+|--max-(?:args|procs|lines)=\d+|-d.+|--delimiter=[\s\S]+)$/;
const XARGS_VALUES = /^-[nLPsdEa]$/;

/** xargs: the command it runs gets words that are not known here. */
export const judgeXargs: Rule = (call) => {
	const { words } = call;
	let replaced: string | null = null;
	let index = 0;
	for (; index < words.length; index += 1) {
		const word = words[index];
		if (word?.kind !== 'literal' || !word.text.startsWith('-')) break;
		if (word.text === '-I') {
			const next = words[index + 1];
			if (next?.kind !== 'literal' || next.text === '') throw new Refused(unknownArgument('xargs'));
			replaced = next.text;
			index += 1;
		} else if (/^-I./.test(word.text)) {
			replaced = word.text.slice(2);
		} else if (XARGS_VALUES.test(word.text)) {
			if (words[index + 1]?.kind === 'unknown') throw new Refused(unknownArgument('xargs'));
			index += 1;
		} else if (!XARGS_FLAGS.test(word.text)) {
			throw new Refused(`${quoted(`xargs ${word.text}`)} is not known to only read`);
		}
	}
	const command = words.slice(index);
	if (command.length === 0) return;
	call.run(replaced === null ? [...command, { kind: 'unknown' }] : filledIn(command, replaced));
};

/** The command of `xargs -I`: wherever the mark stands, one unknown text will stand. */
function filledIn(command: readonly Word[], mark: string): readonly Word[] {
	return command.map((word): Word => {
		if (word.kind !== 'literal') return word;
		const at = word.text.indexOf(mark);
		if (at === -1) return word;
		return at > 0 && !word.text.startsWith('-') ? { kind: 'operand', single: true } : { kind: 'single' };
	});
}

function beginning({ program, words }: Call, start: number): readonly Word[] {
	const [first] = words.slice(start);
	if (first?.kind === 'literal' && first.text.startsWith('-')) {
		throw new Refused(`${quoted(`${program} ${first.text}`)} is not known to only read`);
	}
	return words.slice(start);
}
