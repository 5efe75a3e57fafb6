/**
 * Rules of other programs on the same calls, written anew from what is publicly known of them. They are judged at each
 * call and know no beats; what they see of a call is its name, its input and its result, word for word.
 */
import type { Attempt } from '../../test/traces/trace.ts';

export interface PublicRules {
	readonly name: string;
	/** Index of the attempt that trips them; `null`: none does. */
	readonly trip: (attempts: readonly Attempt[]) => number | null;
}

export const publicRules: readonly PublicRules[] = [
	{ name: '8 identical', trip: (attempts) => identicalInARow(attempts, 8) },
	{ name: '5 identical', trip: (attempts) => identicalInARow(attempts, 5) },
	{ name: 'OpenHands', trip: openHands },
];

/** The same tool with the same input, nothing else in between; what came back is not looked at. */
function identicalInARow(attempts: readonly Attempt[], limit: number): number | null {
	let run = 0;
	let last = '';
	for (const [index, attempt] of attempts.entries()) {
		const action = actionOf(attempt);
		run = action === last ? run + 1 : 1;
		last = action;
		if (run >= limit) return index;
	}
	return null;
}

/** Calls that OpenHands looks back on, since a person last wrote. */
const WINDOW = 20;

/**
 * Four times the same action and observation, three times the same action with an error, or two actions with their
 * observations in turn over six steps. Process ids are ignored.
 */
function openHands(attempts: readonly Attempt[]): number | null {
	let since = 0;
	for (const [index, attempt] of attempts.entries()) {
		if (attempt.afterPrompt) since = index;
		const seen = attempts.slice(Math.max(since, index + 1 - WINDOW), index + 1);
		if (isStuck(seen)) return index;
	}
	return null;
}

function isStuck(seen: readonly Attempt[]): boolean {
	const four = seen.slice(-4);
	if (four.length === 4 && new Set(four.map(wholeOf)).size === 1) return true;
	const three = seen.slice(-3);
	const isSameAction = three.length === 3 && new Set(three.map(actionOf)).size === 1;
	if (isSameAction && three.every(({ failed }) => failed)) return true;
	const six = seen.slice(-6).map(wholeOf);
	if (six.length < 6) return false;
	const [even, odd] = [six.filter((_, step) => step % 2 === 0), six.filter((_, step) => step % 2 === 1)];
	return new Set(even).size === 1 && new Set(odd).size === 1 && even[0] !== odd[0];
}

function actionOf({ tool, input }: Attempt): string {
	return `${tool}\n${JSON.stringify(input)}`;
}

function wholeOf(attempt: Attempt): string {
	const result = (attempt.result ?? 'no observation').replace(/\bpid:? \d+/gi, 'pid');
	return `${actionOf(attempt)}\n${attempt.failed}\n${result}`;
}
