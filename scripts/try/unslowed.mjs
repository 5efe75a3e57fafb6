/**
 * Whether hooks slow a program down while no floor runs: the same work in several ways, in turn, so that all of them meet
 * the same machine.
 */

/** Of each way; an odd number, so that a median is a run that was. */
export const ROUNDS = 9;
const RESAMPLES = 10_000;

/**
 * @param {Record<string, () => Promise<number>>} ways each does the same work once and says how long it took, ms
 * @returns {Promise<Record<string, number>[]>} ms of each way, round by round
 */
export async function roundsOf(ways) {
	const names = Object.keys(ways);
	// The first run of a home sets up what is set up once.
	for (const name of names) await ways[name]();
	const rounds = [];
	for (let number = 0; number < ROUNDS; number += 1) {
		const round = {};
		// Forwards and backwards in turn: a machine that gets slower meanwhile is no way's fault.
		for (const name of number % 2 === 0 ? names : names.toReversed()) round[name] = await ways[name]();
		rounds.push(round);
	}
	return rounds;
}

/**
 * What `way` takes longer than `than`: the median of the differences within each round, and between what it lies in 95 of
 * 100 drawings of as many rounds with replacement, ms.
 * @param {Record<string, number>[]} rounds
 */
export function differenceOf(rounds, way, than, random = Math.random) {
	const differences = rounds.map((round) => round[way] - round[than]);
	const draw = () => median(differences.map(() => differences[Math.floor(random() * differences.length)]));
	const medians = Array.from({ length: RESAMPLES }, draw).toSorted((one, other) => one - other);
	return {
		median: median(differences),
		from: medians[Math.floor(RESAMPLES * 0.025)],
		to: medians[Math.floor(RESAMPLES * 0.975)],
	};
}

export function median(numbers) {
	return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}
