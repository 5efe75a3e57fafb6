/** What an agent gets for every limit of its model, and how long it takes to the next model. */
import { startGatewayWorld } from '../../test/support/fault-matrix/gateway-world.ts';
import type { LimitCase } from '../../test/support/fault-matrix/judge-limits.ts';
import { isLoss, limitCases, runLimit } from '../../test/support/fault-matrix/run-limits.ts';

/** One limit in one protocol and form. */
export interface LimitOutcome {
	readonly the: LimitCase;
	/** What the client got; when nobody decided, where somebody is asked. */
	readonly got: string;
	/** What it got when the operator switched; empty where nobody is asked. */
	readonly switched: string;
	/** Empty: all of it was right. */
	readonly wrong: readonly string[];
	readonly nextModelMs: readonly number[];
}

/** One after the other, so that none waits for another. */
export async function runLimits(): Promise<LimitOutcome[]> {
	const outcomes: LimitOutcome[] = [];
	// The first run pays for what is loaded late.
	const [first] = limitCases();
	if (first) await runLimit(startGatewayWorld, first, false);
	for (const the of limitCases()) {
		const switched = isLoss(the) ? await runLimit(startGatewayWorld, the, true) : null;
		const { got, wrong, nextModelMs } = await runLimit(startGatewayWorld, the, false);
		outcomes.push({
			the,
			got,
			switched: switched?.got ?? '',
			wrong: [...(switched?.wrong ?? []), ...wrong],
			nextModelMs,
		});
	}
	return outcomes;
}
