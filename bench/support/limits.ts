/** What an agent gets for every limit of its model, and how long it takes to the next model. */
import { startGatewayWorld } from '../../test/support/fault-matrix/gateway-world.ts';
import type { LimitCase } from '../../test/support/fault-matrix/judge-limits.ts';
import { FIRST_FALLBACK, stepOf } from '../../test/support/fault-matrix/limits.ts';
import { ask, requestBody } from '../../test/support/fault-matrix/observe.ts';
import { isLoss, limitCases, runLimit, startLimitWorld } from '../../test/support/fault-matrix/run-limits.ts';
import { CLOUD_MODEL } from '../../test/support/fault-matrix/world.ts';
import { status } from '../../test/support/provider-stub/steps.ts';

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

const LARGE_TURNS = 30;
/** Of a conversation that has gone on for a while. */
const LARGE_BYTES = 1_000_000;

/** From a 429 to the next model's request when that request is large, ms. Throws when the next model was not asked. */
export async function largeMoves(): Promise<number[]> {
	const line = 'const said = "one line of a file that was read";\n';
	const messages = [{ role: 'user', content: line.repeat(Math.ceil(LARGE_BYTES / line.length)) }];
	const body = { ...requestBody('anthropic-messages', true), messages };
	const moves: number[] = [];
	for (let turn = 0; turn < LARGE_TURNS; turn += 1) {
		const world = await startLimitWorld(startGatewayWorld);
		world.provider.respond(stepOf({ [CLOUD_MODEL]: status(429) }));
		await ask(world.baseUrl, 'anthropic-messages', true, { body }).observed;
		const [limited, next] = world.provider.calls;
		if (next?.json.model !== FIRST_FALLBACK) throw new Error('the next model was not asked');
		moves.push(next.receivedAt - (limited?.lastBytesAt ?? 0));
		await world.close();
	}
	return moves;
}
