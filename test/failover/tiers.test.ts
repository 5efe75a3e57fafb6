import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TierFacts, tierOf } from '../../src/main/failover/tiers.ts';
import { tierSchema } from '../../src/shared/words.ts';

const anthropic = { name: 'Anthropic', reason: 'Anthropic refused the connection (ECONNREFUSED).' };
const openai = { name: 'OpenAI', reason: '5 of 5 calls to OpenAI failed within 60 s.' };
const calm: TierFacts = {
	downProviders: [],
	localReady: false,
	sessions: 0,
	pendingItems: 0,
	refusedSince: false,
};

describe('seed 003, section 5: the tier and why, in one line', () => {
	it.each<[Partial<TierFacts>, string, string]>([
		[{}, 'NORMAL', 'Nothing is known to be down.'],
		[{ localReady: true, refusedSince: true }, 'NORMAL', 'Nothing is known to be down.'],
		[{ pendingItems: 1 }, 'NORMAL', 'Nothing is known to be down; 1 queued item is being sent.'],
		[{ pendingItems: 2 }, 'NORMAL', 'Nothing is known to be down; 2 queued items are being sent.'],
		[
			{ downProviders: [anthropic], localReady: true },
			'LOCAL-ONLY',
			'Anthropic is down: Anthropic refused the connection (ECONNREFUSED). A local model can go on.',
		],
		[
			{ downProviders: [anthropic], localReady: true, refusedSince: true },
			'LOCAL-ONLY',
			'Anthropic is down: Anthropic refused the connection (ECONNREFUSED). A local model can go on. A turn that nothing here can take was refused.',
		],
		[
			{ downProviders: [anthropic], localReady: true, pendingItems: 3 },
			'READ-ONLY-REMOTE',
			'Anthropic is down: Anthropic refused the connection (ECONNREFUSED). 3 queued items wait to be sent; a local model can go on until then.',
		],
		[
			{ downProviders: [anthropic], pendingItems: 1 },
			'READ-ONLY-REMOTE',
			'Anthropic is down: Anthropic refused the connection (ECONNREFUSED). 1 queued item waits to be sent; no local model can answer until then.',
		],
		[
			{ downProviders: [anthropic] },
			'REFUSING',
			'Anthropic is down: Anthropic refused the connection (ECONNREFUSED). No local model can answer, so requests to it are refused one by one; everything else works.',
		],
		[
			{ downProviders: [openai, anthropic] },
			'REFUSING',
			'OpenAI and Anthropic are down: 5 of 5 calls to OpenAI failed within 60 s. No local model can answer, so requests to them are refused one by one; everything else works.',
		],
		[
			{ downProviders: [anthropic], localReady: true, sessions: 2 },
			'LOCAL-ONLY',
			'Anthropic is down: Anthropic refused the connection (ECONNREFUSED). 2 sessions go on locally.',
		],
		[
			{ downProviders: [anthropic], sessions: 1 },
			'LOCAL-ONLY',
			'Anthropic is down: Anthropic refused the connection (ECONNREFUSED). 1 session goes on locally.',
		],
		[
			{ downProviders: [anthropic], sessions: 1, pendingItems: 1 },
			'READ-ONLY-REMOTE',
			'Anthropic is down: Anthropic refused the connection (ECONNREFUSED). 1 queued item waits to be sent; 1 session goes on locally until then.',
		],
		[
			{ downProviders: [{ name: 'a', reason: 'It is slow.' }] },
			'REFUSING',
			'A is down: It is slow. No local model can answer, so requests to it are refused one by one; everything else works.',
		],
		[
			{ downProviders: [{ name: 'A', reason: '' }], localReady: true },
			'LOCAL-ONLY',
			'A is down: no reason is known. A local model can go on.',
		],
	])('%j: %s', (facts, tier, reason) => {
		expect(tierOf({ ...calm, ...facts })).toEqual({ tier, reason });
	});

	it('names three providers and counts more', () => {
		const downProviders = ['A', 'B', 'C', 'D', 'E'].map((name) => ({ name, reason: 'gone' }));
		expect(tierOf({ ...calm, downProviders: downProviders.slice(0, 3) }).reason).toMatch(
			/^A, B and C are down: gone\./,
		);
		expect(tierOf({ ...calm, downProviders }).reason).toMatch(/^A, B and 3 more are down: gone\./);
	});

	it.each([Number.NaN, -3, Number.POSITIVE_INFINITY])('a count of %d is no count', (pendingItems) => {
		expect(tierOf({ ...calm, downProviders: [anthropic], pendingItems }).tier).toBe('REFUSING');
	});

	it('is total and stable, one line, NORMAL exactly while nothing is down, and names who is', () => {
		const name = fc.stringMatching(/^[A-Za-z][a-z]{0,8}$/);
		const facts = fc.record({
			downProviders: fc.array(fc.record({ name, reason: fc.stringMatching(/^[a-z ]{0,20}\.?$/) }), {
				maxLength: 6,
			}),
			localReady: fc.boolean(),
			sessions: fc.integer({ min: -1, max: 3 }),
			pendingItems: fc.integer({ min: -2, max: 50 }),
			refusedSince: fc.boolean(),
		});
		fc.assert(
			fc.property(facts, (given) => {
				const verdict = tierOf(given);
				expect(tierOf(given)).toEqual(verdict);
				expect(tierSchema.options).toContain(verdict.tier);
				expect(verdict.reason).toMatch(/^[^\n]+\.$/);
				expect(verdict.tier === 'NORMAL').toBe(given.downProviders.length === 0);
				const [first] = given.downProviders;
				if (first !== undefined) {
					expect(verdict.reason.slice(1).startsWith(first.name.slice(1))).toBe(true);
					expect(verdict.reason[0]).toBe(first.name[0]?.toUpperCase());
				}
				const isLocal = given.localReady || given.sessions > 0;
				if (verdict.tier === 'LOCAL-ONLY') expect(isLocal).toBe(true);
				if (verdict.tier === 'READ-ONLY-REMOTE') expect(given.pendingItems).toBeGreaterThan(0);
				if (verdict.tier === 'REFUSING') expect(isLocal || given.pendingItems > 0).toBe(false);
			}),
			{ numRuns: Number(process.env.PROPERTY_RUNS ?? 300) },
		);
	});
});
