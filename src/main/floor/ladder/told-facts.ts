/** What a finished call told, in forms that can be compared with what other calls told. */
import { targetOf } from '../tool-target.ts';
import type { CallIdentity } from './call-signature.ts';
import { searches } from './tool-kinds.ts';
import { withoutNumbers } from './volatile-text.ts';

/** An answer shorter than this is said by many different things ("ok", "not found"), code units. */
const TELLING_LENGTH = 32;
/** An answer this long is not given to quite different questions by chance, code units. */
const LONG_LENGTH = 64;
/** A word shorter than this is not what a question is about. */
const SUBJECT_LENGTH = 4;
/** Failures longer than this are compared by their beginning where the words of the input are left out, code units. */
const BLUNT_LENGTH = 2_000;
const INPUT_WORDS = 200;
const INPUT_LENGTH = 4_000;

/** A field is `null` where it is not asked. Fields of one name are equal when the calls told the same. */
export interface ToldFacts {
	/** Equal calls (but for values that are volatile by their name) with the same lesson. */
	readonly exact: number | null;
	/** The same failure, whatever the call. */
	readonly failure: number | null;
	/** The same failure but for the words of the input: "no such file: a.ts", "no such file: b.ts". */
	readonly blunt: number | null;
	/** The same answer of calls that differ only in numbers, ids and dates, and change nothing. */
	readonly alike: number | null;
	/** The same answer of calls that ask for other places in one list or text: page after page is the first. */
	readonly place: number | null;
	/** The same answer to a search for the same thing in other words. */
	readonly kin: number | null;
	/** The same long answer of the same tool, which changes nothing. */
	readonly ofTool: number | null;
	/** The same answer of a tool that takes no input. */
	readonly ofNothing: number | null;
	/** Long enough that the same answer to another question says something. */
	readonly isTelling: boolean;
}

/** `text`: the result without its volatile parts. `lesson`: see `Call.lesson`. */
export function toldFactsOf(
	identity: CallIdentity,
	input: unknown,
	{ text, lesson, failed }: { readonly text: string; readonly lesson: string; readonly failed: boolean },
): ToldFacts {
	const { signature, nonceSignature, looseSignature, placeSignature, tool, takesNothing, mayChangeThings } =
		identity;
	const key = nonceSignature ?? signature;
	const isEmpty = text === '';
	const asksOnly = !failed && !isEmpty && !mayChangeThings;
	return {
		exact: key === null ? null : factOf('exact', key, lesson),
		failure: failed && !isEmpty ? factOf('failure', lesson) : null,
		blunt: failed && !isEmpty ? factOf('blunt', withoutWordsOf(input, withoutNumbers(text))) : null,
		alike: asksOnly && looseSignature !== null ? factOf('alike', looseSignature, lesson) : null,
		place: asksOnly && placeSignature !== null ? factOf('place', placeSignature, lesson) : null,
		kin: failed || asksOnly ? kinOf(identity, input, lesson) : null,
		ofTool: asksOnly && !takesNothing && text.length >= LONG_LENGTH ? factOf('of tool', tool, lesson) : null,
		ofNothing: asksOnly && takesNothing ? factOf('of nothing', tool, lesson) : null,
		isTelling: text.length >= TELLING_LENGTH,
	};
}

/**
 * A fact as a number of 53 bits (two FNV-1a hashes side by side): a few hundred of them are compared with each other, so
 * that two different ones being equal is out of the question, and thousands of agents keep a hundred calls each.
 */
function factOf(...parts: readonly string[]): number {
	const text = parts.join('\n');
	let high = 0x811c9dc5;
	let low = 0x9e3779b9;
	for (let index = 0; index < text.length; index += 1) {
		const unit = text.charCodeAt(index);
		high = Math.imul(high ^ unit, 0x01000193);
		low = Math.imul(low ^ unit, 0x85ebca6b);
	}
	return (high >>> 11) * 2 ** 32 + (low >>> 0);
}

/** `true` when the two tell the same in any respect. */
export function sharesAFact(a: ToldFacts, b: ToldFacts): boolean {
	return (
		(a.exact !== null && a.exact === b.exact) ||
		(a.failure !== null && a.failure === b.failure) ||
		(a.blunt !== null && a.blunt === b.blunt) ||
		(a.alike !== null && a.alike === b.alike) ||
		(a.place !== null && a.place === b.place) ||
		(a.kin !== null && a.kin === b.kin) ||
		(a.ofTool !== null && a.ofTool === b.ofTool) ||
		(a.ofNothing !== null && a.ofNothing === b.ofNothing)
	);
}

/** What a search is about is taken to be the longest word of it. */
function kinOf({ tool }: CallIdentity, input: unknown, lesson: string): number | null {
	if (!searches(tool, input)) return null;
	const text = (targetOf(input) || textsOf(input).join(' '))
		.slice(0, INPUT_LENGTH)
		.replace(/\\[a-zA-Z]/g, ' ');
	let subject = '';
	for (const [word] of text.matchAll(WORD)) if (word.length > subject.length) subject = word;
	return subject.length < SUBJECT_LENGTH ? null : factOf('kin', tool, subject, lesson);
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
