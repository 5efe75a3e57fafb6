/** How long something took, over many runs. */

/** ms to a tenth. */
export interface Times {
	readonly count: number;
	readonly p50: number;
	readonly p99: number;
	readonly worst: number;
}

/** `null`: it did not happen in that run. */
export function timesOf(measured: readonly (number | null)[]): Times {
	const sorted = measured.flatMap((time) => time ?? []).sort((one, other) => one - other);
	const at = (quantile: number): number => tenths(quantileOf(sorted, quantile) || 0);
	return { count: sorted.length, p50: at(0.5), p99: at(0.99), worst: at(1) };
}

/** Of nothing: not a number. */
export function quantileOf(sorted: readonly number[], quantile: number): number {
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? Number.NaN;
}

function tenths(ms: number): number {
	return Math.round(ms * 10) / 10;
}
