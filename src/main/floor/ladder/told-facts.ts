/** What a finished call told, in forms that can be compared with what other calls told. */
import type { CallIdentity } from './call-signature.ts';
import { digestOf } from './canonical-input.ts';
import { withoutNumbers } from './volatile-text.ts';

/** An answer shorter than this is said by many different things ("ok", "not found"), code units. */
const TELLING_LENGTH = 32;
/** Failures longer than this are compared by their beginning where the words of the input are left out, code units. */
const BLUNT_LENGTH = 2_000;
const INPUT_WORDS = 200;
const INPUT_LENGTH = 4_000;

/** A field is `null` where it is not asked. Fields of one name are equal when the calls told the same. */
export interface ToldFacts {
	/** Equal calls (but for values that are volatile by their name) with the same lesson. */
	readonly exact: string | null;
	/** The same failure, whatever the call. */
	readonly failure: string | null;
	/** The same failure but for the words of the input: "no such file: a.ts", "no such file: b.ts". */
	readonly blunt: string | null;
	/** The same answer of calls that differ only in numbers, ids and dates, and change nothing. */
	readonly alike: string | null;
	/** The same answer of the same tool, which changes nothing. */
	readonly ofTool: string | null;
	/** Long enough that the same answer to another question says something. */
	readonly isTelling: boolean;
}

/** `text`: the result without its volatile parts. `lesson`: see `Call.lesson`. */
export function toldFactsOf(
	identity: CallIdentity,
	input: unknown,
	{ text, lesson, failed }: { readonly text: string; readonly lesson: string; readonly failed: boolean },
): ToldFacts {
	const { signature, nonceSignature, looseSignature, tool, mayChangeThings } = identity;
	const key = nonceSignature ?? signature;
	const isEmpty = text === '';
	const asksOnly = !failed && !isEmpty && !mayChangeThings;
	return {
		exact: key === null ? null : `${key} ${lesson}`,
		failure: failed && !isEmpty ? lesson : null,
		blunt: failed && !isEmpty ? digestOf(withoutWordsOf(input, withoutNumbers(text))) : null,
		alike: asksOnly && looseSignature !== null ? `${looseSignature} ${lesson}` : null,
		ofTool: asksOnly ? `${tool} ${lesson}` : null,
		isTelling: text.length >= TELLING_LENGTH,
	};
}

/** `true` when the two tell the same in any respect. */
export function sharesAFact(a: ToldFacts, b: ToldFacts): boolean {
	return (
		(a.exact !== null && a.exact === b.exact) ||
		(a.failure !== null && a.failure === b.failure) ||
		(a.blunt !== null && a.blunt === b.blunt) ||
		(a.ofTool !== null && a.ofTool === b.ofTool)
	);
}

const WORD = /[\p{L}\p{N}_-]{2,}/gu;

function withoutWordsOf(input: unknown, failure: string): string {
	const words = wordsOf(input);
	const text = failure.slice(0, BLUNT_LENGTH);
	if (words.size === 0) return text;
	return text.replace(WORD, (word) => (words.has(word) ? '<input>' : word));
}

function wordsOf(input: unknown): ReadonlySet<string> {
	const words = new Set<string>();
	for (const text of textsOf(input)) {
		for (const [word] of text.slice(0, INPUT_LENGTH).matchAll(WORD)) {
			words.add(word);
			if (words.size >= INPUT_WORDS) return words;
		}
	}
	return words;
}

function textsOf(input: unknown): string[] {
	if (typeof input === 'string') return [input];
	if (typeof input !== 'object' || input === null) return [];
	try {
		return Object.values(input).filter((value) => typeof value === 'string');
	} catch {
		// An input that throws when it is read says nothing.
		return [];
	}
}
