/** Rules about arguments that several programs share. */
import { quoted, Refused } from './refused.ts';
import type { Word } from './shell-word.ts';

/** One program with its arguments. */
export interface Call {
	/** Without its directory. */
	readonly program: string;
	readonly words: readonly Word[];
	/** Judges a command that this program would run. */
	readonly run: (words: readonly Word[]) => void;
}

/** @throws Refused when the arguments could do more than read. */
export type Rule = (call: Call) => void;

/** No argument of the program writes, runs or connects. */
export const anyArguments: Rule = () => {};

/** Options that write or run something: `short` letters, also in clusters, and `long` names, also abbreviated. */
export interface Harmful {
	readonly short?: string;
	readonly long?: readonly string[];
}

/** Everything but the harmful options; what is only known at run time could be one of them. */
export function without(harmful: Harmful): Rule {
	return ({ program, words }) => {
		for (const word of words) {
			if (word.kind === 'literal') refuseHarmful(program, word.text, harmful);
			else if (word.kind !== 'operand') throw new Refused(unknownArgument(program));
		}
	};
}

/** Nothing but what `allowed` matches and, unless `operands` is "none", words that are no options. */
export function only(allowed: RegExp, operands: 'any' | 'none' = 'any'): Rule {
	return ({ program, words }) => {
		for (const word of words) {
			if (word.kind === 'operand' && operands === 'any') continue;
			if (word.kind !== 'literal') throw new Refused(unknownArgument(program));
			if (allowed.test(word.text) || (operands === 'any' && !word.text.startsWith('-'))) continue;
			throw new Refused(`${quoted(`${program} ${word.text}`)} is not known to only read`);
		}
	};
}

export function unknownArgument(program: string): string {
	return `an argument of \`${program}\` is only known when it runs`;
}

function refuseHarmful(program: string, text: string, { short = '', long = [] }: Harmful): void {
	const bad = `${quoted(`${program} ${text}`)} can write or run something`;
	if (text.startsWith('--')) {
		const name = text.split('=', 1)[0] ?? '';
		if (name.length > 2 && long.some((option) => option.startsWith(name) || name.startsWith(option)))
			throw new Refused(bad);
	} else if (text.startsWith('-') && [...short].some((letter) => text.includes(letter))) {
		throw new Refused(bad);
	}
}

/** The words without those options that take the next word as their value, and without that value. */
export function withoutValues(words: readonly Word[], valueOptions: readonly string[]): readonly Word[] {
	const kept: Word[] = [];
	for (let index = 0; index < words.length; index += 1) {
		const word = words[index];
		if (word === undefined) continue;
		const takesNext = word.kind === 'literal' && valueOptions.includes(word.text);
		if (!takesNext) kept.push(word);
		else if (words[index + 1]?.kind === 'unknown') kept.push({ kind: 'unknown' });
		if (takesNext) index += 1;
	}
	return kept;
}
