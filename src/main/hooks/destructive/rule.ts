/** What a rule for one program gets and answers, and the small readings of words that rules share. */

/** Stands in a word for a part that only the shell will know (an expansion, a pattern). */
export const UNKNOWN = '\uFFFC';

/** The words after a program's name; `UNKNOWN` within them. */
export type Words = readonly string[];

/** What a command reads as its standard input, as far as the line tells. */
export type Input =
	/** Nothing that the line gives it. */
	| { readonly kind: 'none' }
	| { readonly kind: 'text'; readonly text: string }
	| { readonly kind: 'file'; readonly name: string }
	/** A pipe from a program whose output is not known. */
	| { readonly kind: 'unknown' };

/** What surrounds the program, and how a rule asks about what the program would run in turn. */
export interface Inside {
	readonly input: Input;
	/** Judges `text` as a line of its own. */
	readonly line: (text: string) => string | null;
	/** Judges words as a command with the same input. */
	readonly command: (words: Words) => string | null;
}

/** What the command would do, as the end of "it …"; `null`: nothing of that kind. */
export type DestructiveRule = (words: Words, inside: Inside) => string | null;

/** Program names, separated by blanks, and their rule. */
export type Entries = readonly (readonly [names: string, rule: DestructiveRule])[];

export function tableOf(entries: Entries): ReadonlyMap<string, DestructiveRule> {
	return new Map(entries.flatMap(([names, rule]) => names.split(' ').map((name) => [name, rule] as const)));
}

export const always =
	(what: string): DestructiveRule =>
	() =>
		what;

/** True when one of the words matches. */
export const has = (words: Words, pattern: RegExp): boolean => words.some((word) => pattern.test(word));

export const isUnknown = (word: string): boolean => word.includes(UNKNOWN);

/** The words that are no options: the subcommand and what follows it. `valued`: options that take the next word. */
export function operandsOf(words: Words, valued: RegExp = /^$/): readonly string[] {
	const found: string[] = [];
	for (let index = 0; index < words.length; index += 1) {
		const word = words[index] ?? '';
		if (!word.startsWith('-')) found.push(word);
		else if (valued.test(word)) index += 1;
	}
	return found;
}

/** All words behind the first `word`. */
export const behind = (words: Words, word: string): Words => words.slice(words.indexOf(word) + 1);

/** A program with subcommands: the pattern is matched against "sub subsub …". An unreadable one counts. */
export function withSubcommand(
	pattern: RegExp,
	what: (name: string) => string,
	valued?: RegExp,
): DestructiveRule {
	return (words) => {
		const [first, second = '', third = ''] = operandsOf(words, valued);
		if (first === undefined) return null;
		if (isUnknown(first)) return 'runs a subcommand that cannot be read';
		const match = pattern.exec(`${first} ${second} ${third}`.trim());
		return match ? what(match[0].trim()) : null;
	};
}

/** Words before `--help` with which a program with subcommands still prints its help (`gh pr merge --help`). */
const SUBCOMMANDS = 3;

/** The rule of a program with subcommands, unless it would only print its help. */
export const unlessHelp =
	(rule: DestructiveRule, within: number = SUBCOMMANDS): DestructiveRule =>
	(words, inside) =>
		asksForHelp(words, within) ? null : rule(words, inside);

/**
 * True when the program would only print its help or version. `within`: how many plain words may stand before
 * `--help`; 0 for programs that take any word behind a file name as one more file.
 */
function asksForHelp(words: Words, within: number): boolean {
	if (words.length === 1 && words[0] === '--version') return true;
	const at = words.findIndex((word) => word.startsWith('-'));
	return at !== -1 && at <= within && /^--?help$/.test(words[at] ?? '');
}
