/** The model breakers' state under contention: 50 processes, 10 000 updates of one file, a tenth of the processes killed. */
import { contend } from '../test/support/model-contention.ts';
import type { BenchRow } from './run.ts';
import { quantileOf } from './support/times.ts';

export const title =
	'One state file, 50 processes, kill -9 among them: target no torn read, no lost update, one test call in flight';

export async function run(): Promise<BenchRow[]> {
	const report = await contend({ processes: 50, updatesEach: 200, killed: 5 });
	const { metrics, openings, recoveries, mostProbesAtOnce, lost, tornReads, sortedMs } = report;
	const isCounted = metrics.totalFallbacks === openings && metrics.totalRecoveries === recoveries;
	if (lost > 0 || tornReads > 0 || mostProbesAtOnce > 1 || !isCounted) {
		throw new Error(`the state did not hold: ${JSON.stringify({ ...report, sortedMs: sortedMs.length })}`);
	}
	const row = (what: string, value: number): BenchRow => ({ what, value });
	return [
		row('processes', 50),
		row('updates in the file', report.updates),
		row('processes killed with SIGKILL', report.kills),
		row('reads meanwhile', report.reads),
		row('torn reads', tornReads),
		row('acknowledged updates lost', lost),
		row('written, but killed before it was told', report.unacknowledged),
		row('openings', openings),
		row('recoveries', recoveries),
		row('test calls', report.probes),
		row('most test calls in flight at once', mostProbesAtOnce),
		row('updates per second', report.updates / report.seconds),
		row('update with its wait, median ms', quantileOf(sortedMs, 0.5)),
		row('update with its wait, p99 ms', quantileOf(sortedMs, 0.99)),
		row('update with its wait, longest ms', quantileOf(sortedMs, 1)),
	];
}
