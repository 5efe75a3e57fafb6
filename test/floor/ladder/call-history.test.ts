import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallHistory } from '../../../src/main/floor/ladder/call-history.ts';
import { CallWindow } from '../../../src/main/floor/ladder/call-window.ts';
import { findLoop } from '../../../src/main/floor/ladder/loop-detector.ts';

const INPUT = { command: 'npm test' };
/** The loop above `limit`, with the arms that judge by results switched off. */
function loopAbove(calls: CallHistory, limit: number, now: number) {
	const off = { sameResult: null, cycle: null, polling: null, noNewResult: null };
	const { loop } = calls.counts({ repeatedTool: limit, ...off }, now);
	return loop !== null && loop.count > limit ? loop : null;
}

/** Starts and ends calls by hand, a second apart. */
function history() {
	const calls = new CallHistory();
	let at = 1_000_000;
	return {
		calls,
		now: () => at,
		start(callId: string | null, input: unknown = INPUT) {
			at += 1_000;
			return calls.start(null, 'Bash', input, { callId, at }).call;
		},
	};
}

describe('a result finds its call', () => {
	it('by id, whatever came in between', () => {
		const { calls, start } = history();
		const first = start('1');
		start('2');
		expect(calls.withId('1')).toBe(first);
		expect(calls.withId('3')).toBeUndefined();
	});

	it('without ids, by the newest equal call that has none yet', () => {
		const { calls, start } = history();
		const first = start(null);
		const second = start(null);
		start(null, { command: 'other' });
		expect(calls.openCall(null, 'Bash', INPUT)).toBe(second);
		calls.finish(second, 'Bash', INPUT, { text: 'x', failed: false, at: 0 });
		expect(calls.openCall(null, 'Bash', INPUT)).toBe(first);
		calls.finish(first, 'Bash', INPUT, { text: 'x', failed: false, at: 0 });
		expect(calls.openCall(null, 'Bash', INPUT)).toBeUndefined();
	});

	it('not that of another actor, nor one that has an id', () => {
		const { calls, start } = history();
		start('1');
		calls.start('sub', 'Bash', INPUT, { callId: null, at: 1 });
		expect(calls.openCall(null, 'Bash', INPUT)).toBeUndefined();
	});

	it('and brings the input that its start did not', () => {
		const { calls, start } = history();
		const call = start('1', {});
		expect(call.identity.signature).toBeNull();
		calls.finish(call, 'Bash', INPUT, { text: 'x', failed: false, at: 0 });
		expect(call.identity.label).toBe('Bash `npm test`');
	});
});

describe('a result is news', () => {
	it('when this call did not have it before', () => {
		const { calls, start } = history();
		const results = ['a', 'a', 'b', 'a', undefined].map((text) =>
			calls.finish(start(null), 'Bash', INPUT, { text, failed: false, at: 0 }),
		);
		expect(results).toEqual([true, false, true, false, false]);
	});

	it('for another call too, unless both failed with the very same words', () => {
		const { calls, start } = history();
		const answer = (command: string, failed: boolean) =>
			calls.finish(start(null, { command }), 'Bash', { command }, { text: 'same words', failed, at: 0 });
		expect([answer('a', false), answer('b', false), answer('c', true), answer('d', true)]).toEqual([
			true,
			true,
			true,
			false,
		]);
	});
});

describe('what was found is kept', () => {
	it('until something changes, and not beyond its age', () => {
		const { calls, start, now } = history();
		for (let call = 0; call < 9; call += 1) start(null);
		expect(loopAbove(calls, 8, now())?.count).toBe(9);
		start(null);
		expect(loopAbove(calls, 8, now())?.count).toBe(10);
		expect(loopAbove(calls, 10, now())).toBeNull();
		expect(loopAbove(calls, 8, now())?.count).toBe(10);
		expect(loopAbove(calls, 8, now() + 5 * 60_000 - 1)?.count).toBe(10);
		expect(loopAbove(calls, 8, now() + 5 * 60_000)).toBeNull();
		calls.spend(now());
		expect(loopAbove(calls, 8, now())).toBeNull();
	});

	it('and looked for only where enough calls are repeated, which misses none', () => {
		const call = fc.record({
			input: fc.constantFrom(
				{ path: 'a', attempt: 1 },
				{ path: 'a', attempt: 2 },
				{ path: 'a', attempt: 3 },
				{ path: 'b' },
				{},
			),
			later: fc.constantFrom({ path: 'a', attempt: 1 }, { path: 'b' }),
			text: fc.constantFrom(undefined, 'same', 'same', 'other', ''),
			failed: fc.boolean(),
			answered: fc.integer({ min: 0, max: 4 }),
		});
		let found = 0;
		fc.assert(
			fc.property(fc.array(call, { maxLength: 40 }), fc.integer({ min: 1, max: 8 }), (calls, limit) => {
				const window = new CallWindow();
				const open: (() => void)[] = [];
				for (const { input, later, text, failed, answered } of calls) {
					const started = window.add('Read', input, { callId: null, at: 1, spent: false, denied: false }, 24);
					const known = Object.keys(input).length > 0 ? input : later;
					open.push(() => window.finish(started, 'Read', known, { text, failed, at: 0 }));
					// Some are answered at once, some later and in another order, some never.
					if (answered > 0) open.splice(open.length > 2 && answered > 3 ? 0 : -1, 1)[0]?.();
				}
				if (findLoop(window.calls, limit) === null) return;
				found += 1;
				expect(window.repeats).toBeGreaterThanOrEqual(limit - 1);
			}),
			{ numRuns: 2_000 },
		);
		expect(found).toBeGreaterThan(100);
	});

	it('in a window that stays small', () => {
		const { calls, start, now } = history();
		for (let call = 0; call < 5_000; call += 1) start(null);
		loopAbove(calls, 8, now());
		for (let call = 0; call < 500; call += 1) start(null);
		expect(loopAbove(calls, 8, now())?.count).toBe(64);
	});
});
