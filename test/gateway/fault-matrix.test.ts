/** Every fault of a provider, in every protocol, streamed and not, with an operator who switches and with nobody there. */
import { describe, expect, test } from 'vitest';
import { startGatewayWorld } from '../support/fault-matrix/gateway-world.ts';
import {
	canLeave,
	isAsked,
	type MatrixCase,
	matrixCases,
	runCase,
	runLeaving,
} from '../support/fault-matrix/run.ts';

const byFault = Map.groupBy(matrixCases(), ({ fault }) => `${fault.group}: ${fault.name}`);
const formOf = ({ protocol, stream }: MatrixCase): string => `${protocol}, ${stream ? 'stream' : 'whole'}`;

describe('what the client gets', () => {
	test.each([...byFault])('%s', { timeout: 60_000 }, async (_name, cases) => {
		const runs = cases.flatMap((the) =>
			(isAsked(the) ? [true, false] : [false]).map(async (switched) => {
				const { got, wrong } = await runCase(startGatewayWorld, the, switched);
				return wrong.length === 0
					? []
					: [`${formOf(the)}, ${switched ? 'switched' : 'undecided'}: ${got}; must be ${wrong.join('; ')}`];
			}),
		);
		expect((await Promise.all(runs)).flat()).toEqual([]);
	});
});

describe('the client leaves', () => {
	const leaving = new Map([...byFault].filter(([, [first]]) => first !== undefined && canLeave(first)));
	test.each([...leaving])('%s', { timeout: 60_000 }, async (_name, cases) => {
		const runs = cases.map(async (the) =>
			(await runLeaving(startGatewayWorld, the)).map((wrong) => `${formOf(the)}: must be ${wrong}`),
		);
		expect((await Promise.all(runs)).flat()).toEqual([]);
	});
});
