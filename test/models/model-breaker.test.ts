/** The pure machine: the seed's transitions as tables (seed 000, "Circuit Breaker States"). */
import { describe, expect, it } from 'vitest';
import {
	type Circuit,
	closedCircuit,
	fittedTo,
	isTestDue,
	onFallbackLimit,
	onFallbackSuccess,
	onHold,
	onPreferredLimit,
	onPreferredSuccess,
	onProbeNow,
	onRecovery,
	onRelease,
	resumeAt,
	toHalfOpen,
	withoutTest,
} from '../../src/main/models/model-breaker.ts';
import { MINUTE, START } from './breakers-driver.ts';

const COOLDOWN = 10 * MINUTE;
const limit = (now: number, wishMs: number | null = null, random = 0) => ({
	now,
	wishMs,
	cooldownMs: COOLDOWN,
	random,
});
const next = (now: number, index = 0, cooldownResetBy: 'preferred' | 'any' = 'preferred') => ({
	now,
	index,
	fallbackCount: 2,
	cooldownResetBy,
});

const open = onPreferredLimit(closedCircuit, limit(START));
const halfOpen = toHalfOpen(open);
const held = onHold(closedCircuit, START);
const LATER = START + COOLDOWN;

interface Row {
	readonly from: Circuit;
	readonly by: string;
	readonly step: (circuit: Circuit) => Circuit;
	readonly to: Partial<Circuit> | 'the same';
}

const table: readonly Row[] = [
	{
		from: closedCircuit,
		by: 'limit of the preferred model',
		step: (circuit) => onPreferredLimit(circuit, limit(START)),
		to: {
			state: 'open',
			openedAt: START,
			currentFallbackIndex: 0,
			halfOpenSuccesses: 0,
			consecutiveFailures: 1,
			metrics: { totalFallbacks: 1, totalRecoveries: 0, lastFallbackAt: START, lastRecoveryAt: null },
		},
	},
	{
		from: closedCircuit,
		by: 'success of the preferred model',
		step: (circuit) => onPreferredSuccess(circuit, START),
		to: 'the same',
	},
	{
		from: closedCircuit,
		by: 'limit of a fallback',
		step: (circuit) => onFallbackLimit(circuit, next(START)),
		to: 'the same',
	},
	{
		from: open,
		by: 'limit of the fallback',
		step: (circuit) => onFallbackLimit(circuit, next(START + 1)),
		to: { state: 'open', openedAt: START, currentFallbackIndex: 1, consecutiveFailures: 2 },
	},
	{
		from: onFallbackLimit(open, next(START + 1)),
		by: 'limit of the last fallback',
		step: (circuit) => onFallbackLimit(circuit, next(START + 1, 1)),
		to: { state: 'open', openedAt: START, currentFallbackIndex: 1 },
	},
	{
		from: open,
		by: "limit of the fallback, the seed's literal cooldown",
		step: (circuit) => onFallbackLimit(circuit, next(START + 1, 0, 'any')),
		to: { state: 'open', openedAt: START + 1, currentFallbackIndex: 1 },
	},
	{
		from: open,
		by: 'limit of a fallback that is not the current one',
		step: (circuit) => onFallbackLimit(circuit, next(START + 1, 1)),
		to: { state: 'open', openedAt: START, currentFallbackIndex: 0 },
	},
	{
		from: open,
		by: 'late limit of the preferred model',
		step: (circuit) => onPreferredLimit(circuit, limit(START + 1)),
		to: 'the same',
	},
	{
		from: open,
		by: 'late limit of the preferred model, with a wish',
		step: (circuit) => onPreferredLimit(circuit, limit(START + 1, 60 * MINUTE)),
		to: { ...open, notBefore: START + 1 + 60 * MINUTE },
	},
	{
		from: { ...open, currentFallbackIndex: 1, notBefore: LATER - 1 },
		by: 'limit of the preferred model when the cooldown is over and nobody has tested yet',
		step: (circuit) => onPreferredLimit(circuit, limit(LATER, 60 * MINUTE)),
		to: {
			state: 'open',
			openedAt: LATER,
			currentFallbackIndex: 0,
			consecutiveFailures: 2,
			notBefore: LATER + 60 * MINUTE,
			metrics: { totalFallbacks: 2, totalRecoveries: 0, lastFallbackAt: LATER, lastRecoveryAt: null },
		},
	},
	{
		from: { ...open, notBefore: LATER + 1 },
		by: 'limit of the preferred model when the cooldown is over and the wish is not',
		step: (circuit) => onPreferredLimit(circuit, limit(LATER)),
		to: 'the same',
	},
	{
		from: onProbeNow(open),
		by: 'limit told after "probe now", before the test',
		step: (circuit) => onPreferredLimit(circuit, limit(START + 1)),
		to: 'the same',
	},
	{
		from: onHold(open, START + 1),
		by: 'limit of the preferred model when the cooldown is over: the hold stays, the cooldown starts anew',
		step: (circuit) => onPreferredLimit(circuit, limit(LATER)),
		to: { state: 'open', openedAt: LATER, hold: { from: 'limited' }, metrics: open.metrics },
	},
	{
		from: open,
		by: 'success of the preferred model',
		step: (circuit) => onPreferredSuccess(circuit, START + 1),
		to: 'the same',
	},
	{
		from: open,
		by: 'success of the fallback',
		step: onFallbackSuccess,
		to: { state: 'open', consecutiveFailures: 0, openedAt: START },
	},
	{
		from: halfOpen,
		by: 'first success',
		step: (circuit) => onPreferredSuccess(circuit, LATER),
		to: { state: 'half-open', halfOpenSuccesses: 1, consecutiveFailures: 0, openedAt: START },
	},
	{
		from: halfOpen,
		by: 'second success',
		step: (circuit) => onPreferredSuccess(onPreferredSuccess(circuit, LATER), LATER + 1),
		to: {
			...closedCircuit,
			metrics: { totalFallbacks: 1, totalRecoveries: 1, lastFallbackAt: START, lastRecoveryAt: LATER + 1 },
		},
	},
	{
		from: onPreferredSuccess({ ...halfOpen, currentFallbackIndex: 1 }, LATER),
		by: 'limit of the preferred model',
		step: (circuit) => onPreferredLimit(circuit, limit(LATER)),
		to: {
			state: 'open',
			openedAt: LATER,
			currentFallbackIndex: 0,
			halfOpenSuccesses: 0,
			consecutiveFailures: 1,
			metrics: { totalFallbacks: 2, totalRecoveries: 0, lastFallbackAt: LATER, lastRecoveryAt: null },
		},
	},
	{
		from: halfOpen,
		by: 'limit of the fallback that others use meanwhile, whatever resets the cooldown',
		step: (circuit) => onFallbackLimit(circuit, next(LATER, 0, 'any')),
		to: { state: 'half-open', currentFallbackIndex: 1, openedAt: START },
	},
	{
		from: halfOpen,
		by: 'end of the program with the test call out',
		step: withoutTest,
		to: { state: 'open', halfOpenSuccesses: 0, testsNow: true },
	},
	{
		from: closedCircuit,
		by: 'hold',
		step: (circuit) => onHold(circuit, START),
		to: { state: 'open', openedAt: START, metrics: closedCircuit.metrics, hold: { from: 'closed' } },
	},
	{
		from: halfOpen,
		by: 'hold',
		step: (circuit) => onHold(circuit, LATER),
		to: { state: 'open', openedAt: START, hold: { from: 'limited' } },
	},
	{ from: held, by: 'hold again', step: (circuit) => onHold(circuit, LATER), to: 'the same' },
	{
		from: held,
		by: 'release: nothing was limited, so it is tested at once',
		step: (circuit) => onRelease(circuit, COOLDOWN, START + 1),
		to: { state: 'half-open', hold: null },
	},
	{
		from: held,
		by: 'limit of the preferred model: the hold is no longer the only reason',
		step: (circuit) => onPreferredLimit(circuit, limit(START + MINUTE)),
		to: {
			state: 'open',
			openedAt: START + MINUTE,
			hold: { from: 'limited' },
			metrics: closedCircuit.metrics,
		},
	},
	{
		from: onHold(open, START + 1),
		by: 'release before the cooldown is over',
		step: (circuit) => onRelease(circuit, COOLDOWN, LATER - 1),
		to: { state: 'open', hold: null, openedAt: START },
	},
	{
		from: onHold(open, START + 1),
		by: 'release after the cooldown',
		step: (circuit) => onRelease(circuit, COOLDOWN, LATER),
		to: { state: 'half-open', hold: null },
	},
	{ from: held, by: 'recovery', step: (circuit) => onRecovery(circuit, LATER), to: 'the same' },
	{ from: open, by: 'release', step: (circuit) => onRelease(circuit, COOLDOWN, LATER), to: 'the same' },
	{ from: closedCircuit, by: 'probe now', step: onProbeNow, to: 'the same' },
	{ from: held, by: 'probe now', step: onProbeNow, to: 'the same' },
	{
		from: { ...open, currentFallbackIndex: 7 },
		by: 'a shorter chain',
		step: (circuit) => fittedTo(circuit, 2),
		to: { currentFallbackIndex: 1 },
	},
	{
		from: { ...open, currentFallbackIndex: 1 },
		by: 'a chain without fallbacks',
		step: (circuit) => fittedTo(circuit, 0),
		to: { currentFallbackIndex: 0 },
	},
];

describe('every transition', () => {
	it.each(table)('$from.state: $by', ({ from, step, to }) => {
		const after = step(from);
		if (to === 'the same') expect(after).toBe(from);
		else expect(after).toMatchObject(to);
	});
});

describe('when the preferred model is tested', () => {
	it.each([
		{ what: 'the cooldown alone', wishMs: null, random: 0, after: COOLDOWN },
		{ what: 'a shorter wish', wishMs: 30_000, random: 0, after: COOLDOWN },
		{ what: 'a longer wish', wishMs: 4 * 60 * MINUTE, random: 0, after: 4 * 60 * MINUTE },
		{ what: 'jitter of a tenth at most', wishMs: null, random: 1, after: COOLDOWN + MINUTE },
		{ what: 'jitter on top of a wish', wishMs: 60 * MINUTE, random: 0.5, after: 60 * MINUTE + MINUTE / 2 },
	])('$what', ({ wishMs, random, after }) => {
		const circuit = onPreferredLimit(closedCircuit, limit(START, wishMs, random));
		expect(resumeAt(circuit, COOLDOWN)).toBe(START + after);
		expect(isTestDue(circuit, COOLDOWN, START + after - 1)).toBe(false);
		expect(isTestDue(circuit, COOLDOWN, START + after)).toBe(true);
	});

	it('jitter is 60 s at most, however long the cooldown', () => {
		const circuit = onPreferredLimit(closedCircuit, {
			...limit(START, null, 1),
			cooldownMs: 24 * 60 * MINUTE,
		});
		expect(resumeAt(circuit, 24 * 60 * MINUTE)).toBe(START + 24 * 60 * MINUTE + MINUTE);
	});

	it('a later wish lengthens and never shortens', () => {
		const long = onPreferredLimit(closedCircuit, limit(START, 60 * MINUTE));
		expect(onPreferredLimit(long, limit(START + 1, 5 * MINUTE))).toBe(long);
		expect(resumeAt(onPreferredLimit(long, limit(START, 61 * MINUTE)), COOLDOWN)).toBe(START + 61 * MINUTE);
	});

	it('"probe now" passes over cooldown, wish and jitter, for one test; the wish stays for the next', () => {
		const wished = onProbeNow(onPreferredLimit(closedCircuit, limit(START, 4 * 60 * MINUTE, 1)));
		expect(isTestDue(wished, COOLDOWN, START + 1)).toBe(true);
		const again = onPreferredLimit(toHalfOpen(wished), limit(START + 2));
		expect(resumeAt(again, COOLDOWN)).toBe(START + 4 * 60 * MINUTE);
	});

	it('never while held, closed or already half-open', () => {
		for (const circuit of [closedCircuit, halfOpen, held]) {
			expect(resumeAt(circuit, COOLDOWN)).toBeNull();
			expect(isTestDue(circuit, COOLDOWN, START + 1e12)).toBe(false);
		}
	});
});
