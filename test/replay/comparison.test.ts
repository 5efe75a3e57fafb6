import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparisonOf, playedOf } from '../../src/main/replay/comparison.ts';
import type { ReplayDecision } from '../../src/main/replay/replay.ts';
import { breakerLevelSchema } from '../../src/shared/words.ts';

const place = (sessionId: string) => ({ name: sessionId, directory: `/w/${sessionId}` });
const trip = (
	sessionId: string,
	at: number,
	level: ReplayDecision['level'] = 'steering',
): ReplayDecision => ({
	sessionId,
	at,
	level,
	reason: 'r',
	arm: 'repeated-tool',
});
const down = (sessionId: string, at: number): ReplayDecision => ({
	sessionId,
	at,
	level: 'healthy',
	reason: '',
	arm: null,
});
const all = new Set(['a', 'b', 'c']);

describe('a play', () => {
	it('counts steps upwards only, and the highest level of every session', () => {
		const { outcome } = playedOf(
			[trip('a', 1), trip('a', 2, 'constrained'), down('a', 3), trip('b', 4)],
			all,
		);
		expect(outcome).toEqual({
			trips: 3,
			arms: { 'repeated-tool': 3 },
			highest: { healthy: 1, steering: 1, constrained: 1, stopped: 0 },
		});
	});
});

describe('two plays', () => {
	it('tell the sessions that fare differently, the highest climb first', () => {
		const before = playedOf([trip('a', 1), trip('b', 1)], all);
		const after = playedOf([trip('a', 1), trip('b', 1), trip('b', 2, 'constrained'), trip('c', 5)], all);
		const { changed, changedSessions } = comparisonOf(before, after, place);
		expect(changedSessions).toBe(2);
		expect(
			changed.map(({ sessionId, before: was, after: is }) => [sessionId, was.highest, is.highest]),
		).toEqual([
			['b', 'steering', 'constrained'],
			['c', 'healthy', 'steering'],
		]);
		expect(changed[1]).toMatchObject({
			name: 'c',
			directory: '/w/c',
			arm: 'repeated-tool',
			after: { at: 5 },
		});
	});

	const decision = fc.record({
		sessionId: fc.constantFrom('a', 'b', 'c'),
		at: fc.nat(100),
		level: fc.constantFrom(...breakerLevelSchema.options),
		reason: fc.constant('r'),
		arm: fc.constantFrom('cycle' as const, 'polling' as const, null),
	});

	it('that are the same differ in nothing', () => {
		fc.assert(
			fc.property(fc.array(decision), (decisions) => {
				const same = comparisonOf(playedOf(decisions, all), playedOf(decisions, all), place);
				expect(same.changed).toEqual([]);
				expect(same.before).toEqual(same.after);
			}),
		);
	});

	it('count every session once, and every trip by its arm', () => {
		fc.assert(
			fc.property(fc.array(decision), (decisions) => {
				const { outcome } = playedOf(decisions, all);
				const sum = (counts: object) => Object.values(counts).reduce((total, one) => total + one, 0);
				expect(sum(outcome.highest)).toBe(all.size);
				expect(sum(outcome.arms)).toBe(outcome.trips);
			}),
		);
	});
});
