import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readReplayLine } from '../../src/main/replay/replay-line.ts';
import { families, familiesOf, traceOf } from './catalogue.ts';
import { Random } from './random.ts';
import type { Trace } from './trace.ts';

/** One pair of each family, in one set or the other and of the programs by turns; its twins share its seed. */
const pairs = families.map((family, seed) => {
	const set = family.only ?? (seed % 2 === 0 ? 'tuning' : 'held-out');
	return { family, set, seed };
});

const toolsOf = ({ attempts }: Trace): string[] => attempts.map(({ tool }) => tool);
const timesOf = ({ attempts }: Trace): number[] => attempts.map(({ at }) => at);
const textOf = (trace: Trace): string => trace.lines.join('\n');

describe('the traces', () => {
	it('are of at least twenty families, with Claude Code in each', () => {
		expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
		expect(familiesOf('tuning').length).toBeGreaterThanOrEqual(20);
		for (const { name, clients } of families)
			expect(clients ?? ['claude-code'], name).toContain('claude-code');
	});

	it.each(pairs)('$family.name, $set: the same for the same seed, another for another', (of) => {
		const made = textOf(traceOf({ ...of, stuck: false }));
		expect(textOf(traceOf({ ...of, stuck: false })) === made).toBe(true);
		expect(textOf(traceOf({ ...of, seed: of.seed + 4, stuck: false })) === made).toBe(false);
	});

	it.each(pairs.filter(({ family }) => !family.onlyHealthy))('$family.name, $set: twins look alike', (of) => {
		const stuck = traceOf({ ...of, stuck: true });
		const healthy = traceOf({ ...of, stuck: false });
		expect(toolsOf(stuck)).toEqual(toolsOf(healthy));
		expect(timesOf(stuck)).toEqual(timesOf(healthy));
		expect(stuck.label.client).toBe(healthy.label.client);
		expect(healthy.label.onset).toBeNull();
		// Only what can be caught is a miss when it is not: two beats of 30 s have to fit in.
		const onset = stuck.attempts[(stuck.label.onset ?? 0) - 1];
		expect(stuck.endsAt - (onset?.at ?? stuck.endsAt)).toBeGreaterThan(60_000);
	});

	it.each(pairs)('$family.name, $set: every line can be read, in the order of time', (of) => {
		const trace = traceOf({ ...of, stuck: false });
		const read = trace.lines.map(readReplayLine);
		expect(read.filter((line) => typeof line === 'string')).toEqual([]);
		expect(read[0]).toEqual({ kind: 'label', line: { label: trace.label } });
		const times = read.flatMap((one) => (typeof one !== 'string' && 'at' in one.line ? [one.line.at] : []));
		expect(times).toEqual(times.toSorted((a, b) => a - b));
		expect(trace.endsAt).toBe(times.at(-1));
	});
});

describe('random numbers', () => {
	it('stay in their range, and a fork does not depend on what was drawn before', () => {
		fc.assert(
			fc.property(fc.string(), fc.integer({ min: -50, max: 50 }), fc.nat(100), (seed, from, width) => {
				const random = new Random(seed);
				const before = random.fork('x').hex(8);
				const drawn = Array.from({ length: 20 }, () => random.int(from, from + width));
				expect(Math.min(...drawn)).toBeGreaterThanOrEqual(from);
				expect(Math.max(...drawn)).toBeLessThanOrEqual(from + width);
				expect(random.fork('x').hex(8)).toBe(before);
			}),
		);
	});

	it('choose different ones', () => {
		fc.assert(
			fc.property(fc.string(), fc.uniqueArray(fc.nat()), fc.nat(20), (seed, from, count) => {
				const chosen = new Random(seed).some(from, count);
				expect(new Set(chosen).size).toBe(Math.min(count, from.length));
				expect(from).toEqual(expect.arrayContaining(chosen));
			}),
		);
	});
});
