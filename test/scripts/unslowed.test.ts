import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

interface Difference {
	median: number;
	from: number;
	to: number;
}
type Rounds = Record<string, number>[];
const script = new URL('../../scripts/try/unslowed.mjs', import.meta.url).href;
const {
	ROUNDS,
	roundsOf,
	differenceOf,
}: {
	ROUNDS: number;
	roundsOf: (ways: Record<string, () => Promise<number>>) => Promise<Rounds>;
	differenceOf: (rounds: Rounds, way: string, than: string, random?: () => number) => Difference;
} = await import(script);

describe('the rounds', () => {
	it('take each way once, forwards and backwards in turn, after one run that does not count', async () => {
		const order: string[] = [];
		const way = (name: string) => async () => {
			order.push(name);
			return order.length;
		};
		const rounds = await roundsOf({ a: way('a'), b: way('b'), c: way('c') });
		expect(order.slice(0, 9).join('')).toBe('abcabccba');
		expect(rounds).toHaveLength(ROUNDS);
		expect(rounds.slice(0, 2)).toEqual([
			{ a: 4, b: 5, c: 6 },
			{ c: 7, b: 8, a: 9 },
		]);
	});
});

describe('the difference', () => {
	it('is judged within each round: what slows the whole machine counts for nobody', () => {
		const rounds = [100, 900, 200, 5_000, 50].map((without) => ({ without, ours: without + 7 }));
		expect(differenceOf(rounds, 'ours', 'without')).toEqual({ median: 7, from: 7, to: 7 });
	});

	it('lies within its interval, which holds nothing that was not measured', () => {
		const times = fc.array(fc.record({ ours: fc.nat(9_000), without: fc.nat(9_000) }), {
			minLength: 1,
			maxLength: 9,
		});
		fc.assert(
			fc.property(times, fc.integer({ min: 1, max: 1_000_000 }), (rounds, seed) => {
				let at = seed;
				const random = () => {
					at = (at * 48_271) % 2_147_483_647;
					return at / 2_147_483_647;
				};
				const { median, from, to } = differenceOf(rounds, 'ours', 'without', random);
				expect(from).toBeLessThanOrEqual(median);
				expect(median).toBeLessThanOrEqual(to);
				const measured = rounds.map(({ ours, without }) => ours - without);
				for (const value of [median, from, to]) expect(measured).toContain(value);
			}),
			{ numRuns: 20 },
		);
	});
});
