import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inTime, interleaved, type SpentResponse } from '../../src/main/replay/usage-lines.ts';

const response = fc.record({
	at: fc.nat(20),
	sessionId: fc.constantFrom('a', 'b'),
	model: fc.constant('m'),
	input: fc.nat(50),
	output: fc.nat(50),
	cacheRead: fc.nat(50),
	cacheCreation: fc.nat(50),
	usd: fc.constantFrom(null, 0, 0.25, 0.5),
});

interface Line {
	readonly at: number;
	readonly usage: Omit<SpentResponse, 'at'>;
}
const linesOf = (responses: readonly SpentResponse[]): Line[] =>
	[...interleaved([], responses.toSorted(inTime))].flatMap((next): Line[] =>
		'usage' in next ? [JSON.parse(next.usage)] : [],
	);

describe('usage lines', () => {
	it('grow, and end with the sum of their session', () => {
		fc.assert(
			fc.property(fc.array(response), (responses) => {
				for (const sessionId of ['a', 'b']) {
					const own = linesOf(responses).filter(({ usage }) => usage.sessionId === sessionId);
					const counted = own.map(({ usage }) => usage.input + usage.output + (usage.usd ?? 0));
					expect(counted).toEqual(counted.toSorted((one, other) => one - other));
					const spent = responses.filter((each) => each.sessionId === sessionId);
					const sum = (of: (each: SpentResponse) => number): number =>
						spent.reduce((total, each) => total + of(each), 0);
					expect(own.at(-1)?.usage.output ?? 0).toBe(sum(({ output }) => output));
					expect(own.at(-1)?.usage.cacheCreation ?? 0).toBe(sum(({ cacheCreation }) => cacheCreation));
					expect(own.at(-1)?.usage.usd ?? 0).toBe(sum(({ usd }) => usd ?? 0));
				}
			}),
		);
	});

	it('say that nothing has a price as long as nothing has', () => {
		const spent = { sessionId: 'a', model: 'm', input: 1, output: 1, cacheRead: 0, cacheCreation: 0 };
		const lines = linesOf([
			{ ...spent, at: 1, usd: null },
			{ ...spent, at: 2, usd: 0.5 },
			{ ...spent, at: 3, usd: null },
		]);
		expect(lines.map(({ usage }) => usage.usd)).toEqual([null, 0.5, 0.5]);
	});

	it('stand in the order of time between the events, each of both once', () => {
		fc.assert(
			fc.property(
				fc.array(response),
				fc.array(fc.record({ at: fc.nat(20), id: fc.nat() })),
				(responses, events) => {
					const sorted = events.toSorted((one, other) => one.at - other.at);
					const all = [...interleaved(sorted, responses.toSorted(inTime))];
					const times = all.map((next) => ('usage' in next ? JSON.parse(next.usage).at : next.event.at));
					expect(times).toEqual(times.toSorted((one, other) => one - other));
					expect(all.filter((next) => 'usage' in next)).toHaveLength(responses.length);
					expect(all.flatMap((next) => ('usage' in next ? [] : next.event))).toEqual(sorted);
				},
			),
		);
	});

	it('do not depend on the order in which responses were read', () => {
		const shuffled = fc
			.array(response)
			.chain((responses) =>
				fc.tuple(
					fc.constant(responses),
					fc.shuffledSubarray(responses, { minLength: responses.length, maxLength: responses.length }),
				),
			);
		const last = (lines: Line[]) => lines.map(({ at, usage }) => [at, usage.sessionId, usage.output]);
		fc.assert(
			fc.property(shuffled, ([one, other]) => {
				expect(last(linesOf(other))).toEqual(last(linesOf(one)));
			}),
		);
	});
});
