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
import { largeMoves, runLimits } from './support/limits.ts';
import { type Times, timesOf } from './support/times.ts';

export const title =
	'Faults of a provider: what the agent gets, and how long it takes (targets: popup p99 under 300 ms, next model p99 under 50 ms)';

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
	const limits = await runLimits();
	const all = [
		...results.map(({ the, wrong }) => ({ ...the, of: the.fault, wrong })),
		...limits.map(({ the, wrong }) => ({ ...the, of: the.limit, wrong })),
	];
	const notRight = all.filter(({ wrong }) => wrong.length > 0);
	for (const { of, protocol, wrong } of notRight) {
		console.error(`${of.group}: ${of.name}, ${protocol}: must be ${wrong.join('; ')}`);
	}
	if (notRight.length > 0)
		throw new Error(`${notRight.length} of ${all.length} faults were not handled right`);
	return [
		timesRow('to the popup', timesOf(results.map(({ popupMs }) => popupMs))),
		timesRow('click to answer', timesOf(results.map(({ switchMs }) => switchMs))),
		timesRow('429 to the next model', timesOf(limits.flatMap(({ nextModelMs }) => nextModelMs))),
		timesRow('the same, request of 1 MB', timesOf(await largeMoves())),
	];
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

function timesRow(name: string, { count, p50, p99, worst }: Times): BenchRow {
	return { ms: name, runs: count, p50, p99, worst };
}
