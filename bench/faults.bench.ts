/** What an agent gets for every fault of its provider, and how long failover takes: `npm run bench:faults`. */
import { startGatewayWorld } from '../test/support/fault-matrix/gateway-world.ts';
import {
	canLeave,
	isAsked,
	type MatrixCase,
	matrixCases,
	runCase,
	runLeaving,
} from '../test/support/fault-matrix/run.ts';
import type { BenchRow } from './run.ts';

export const title =
	'Faults of a provider: what the agent gets, and how long it takes (popup: target p99 under 300 ms)';

/** One fault in one protocol and form. */
export interface FaultResult {
	readonly the: MatrixCase;
	/** What the client got when the operator switched; empty where nobody is asked. */
	readonly switched: string;
	/** And when nobody decided, or nobody is asked. */
	readonly undecided: string;
	/** Empty: all of it was right. */
	readonly wrong: readonly string[];
	readonly popupMs: number | null;
	readonly switchMs: number | null;
	readonly unchanged: boolean | null;
	readonly retryAfterKept: boolean | null;
	/** Whether the provider was let go when the client left; `null`: its answer was over. */
	readonly letGo: boolean | null;
}

export async function run(): Promise<BenchRow[]> {
	const results = await runMatrix();
	const wrong = results.filter((result) => result.wrong.length > 0);
	for (const { the, wrong: what } of wrong) {
		console.error(`${the.fault.group}: ${the.fault.name}, ${the.protocol}: must be ${what.join('; ')}`);
	}
	if (wrong.length > 0) throw new Error(`${wrong.length} of ${results.length} faults were not handled right`);
	return [timesRow('to the popup', results, 'popupMs'), timesRow('click to answer', results, 'switchMs')];
}

/** One after the other, so that none waits for another. */
export async function runMatrix(): Promise<FaultResult[]> {
	const results: FaultResult[] = [];
	// The first run pays for what is loaded late.
	const [first] = matrixCases();
	if (first) await runCase(startGatewayWorld, first, true);
	for (const the of matrixCases()) results.push(await runFault(the));
	return results;
}

async function runFault(the: MatrixCase): Promise<FaultResult> {
	const switched = isAsked(the) ? await runCase(startGatewayWorld, the, true) : null;
	const undecided = await runCase(startGatewayWorld, the, false);
	const left = canLeave(the) ? await runLeaving(startGatewayWorld, the) : null;
	return {
		the,
		switched: switched?.got ?? '',
		undecided: undecided.got,
		wrong: [...(switched?.wrong ?? []), ...undecided.wrong, ...(left ?? [])],
		popupMs: switched?.popupMs ?? null,
		switchMs: switched?.switchMs ?? null,
		unchanged: undecided.unchanged,
		retryAfterKept: undecided.retryAfterKept,
		letGo: left === null ? null : left.length === 0,
	};
}

export interface Times {
	readonly count: number;
	readonly p50: number;
	readonly p99: number;
	readonly worst: number;
}

export function timesOf(results: readonly FaultResult[], which: 'popupMs' | 'switchMs'): Times {
	const sorted = results.flatMap((result) => result[which] ?? []).sort((one, other) => one - other);
	const at = (quantile: number): number =>
		Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? 0) * 10) / 10;
	return { count: sorted.length, p50: at(0.5), p99: at(0.99), worst: at(1) };
}

function timesRow(name: string, results: readonly FaultResult[], which: 'popupMs' | 'switchMs'): BenchRow {
	const { count, p50, p99, worst } = timesOf(results, which);
	return { ms: name, runs: count, p50, p99, worst };
}
