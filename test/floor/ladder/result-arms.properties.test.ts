/** What holds of the arms that judge by results, and of all gauges, for every history. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '../../../src/main/floor/breaker.ts';
import { armGaugeSchema } from '../../../src/shared/breaker-state.ts';
import { defaultSettings } from '../../../src/shared/settings.ts';
import { tripArmSchema } from '../../../src/shared/words.ts';
import { inputOf, sampleOf } from './ladder-driver.ts';

const call = fc.record({
	tool: fc.constantFrom('Bash', 'Read', 'Edit', 'Grep', 'BashOutput', 'TodoWrite', 'get'),
	input: fc.constantFrom<unknown>(
		{ command: 'npm test' },
		{ command: 'sleep 9; gh run view 7' },
		{ file_path: 'a.ts' },
		{ file_path: 'b.ts', offset: 1 },
		{ file_path: 'b.ts', offset: 2 },
		{ pattern: 'findTotal' },
		{},
		undefined,
	),
	result: fc.constantFrom<string | undefined>(
		'the same',
		'a long answer that is given to quite different questions, word for word, once more',
		'AssertionError: expected undefined to be 42',
		'',
		undefined,
	),
	failed: fc.boolean(),
	denied: fc.integer({ max: 9, min: 0 }).map((lot) => lot === 0),
	seconds: fc.constantFrom(0, 1, 1, 1, 20, 400),
	after: fc.constantFrom<'nothing' | 'file' | 'prompt' | 'compaction'>(
		'nothing',
		'nothing',
		'nothing',
		'nothing',
		'file',
		'prompt',
		'compaction',
	),
});
type Told = typeof call extends fc.Arbitrary<infer One> ? One : never;
/** Runs of the same few calls, so that limits are reached. */
const history = fc
	.array(fc.tuple(fc.array(call, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 14 })), {
		maxLength: 8,
	})
	.map((runs) => runs.flatMap(([round, times]) => Array<Told[]>(times).fill(round).flat()));

/** Plays a history and beats every `every` calls; `resultOf` says what each call brings. */
function play(
	calls: readonly Told[],
	{
		settings = {},
		every = 7,
		resultOf = (one: Told) => one.result,
	}: {
		settings?: Record<string, unknown>;
		every?: number;
		resultOf?: (one: Told, index: number) => string | undefined;
	},
	onBeat: (decision: ReturnType<CircuitBreaker['tick']>[number]) => void,
): void {
	const breaker = new CircuitBreaker(() => ({ ...defaultSettings.breaker, ...settings }));
	let now = Date.UTC(2026, 0, 5);
	for (const [index, one] of calls.entries()) {
		const told = { callId: `${index}`, tool: one.tool, input: one.input };
		now += 1_000;
		breaker.recordToolUse('a', one.tool, one.input, { callId: told.callId, denied: one.denied, at: now });
		now += one.seconds * 1_000;
		const result = resultOf(one, index);
		if (one.result !== undefined || one.failed)
			breaker.recordToolResult('a', { ...told, result, failed: one.failed, at: now });
		if (one.after === 'compaction') breaker.recordCompactStart('a', now);
		else if (one.after !== 'nothing') breaker.recordProgress('a', one.after, now);
		if (index % every !== every - 1) continue;
		now += 1_000;
		const [decision] = breaker.tick([inputOf('a', { sample: sampleOf({ output: index * 10 }) })], now);
		if (decision) onBeat(decision);
	}
}

const RESULT_ARMS: ReadonlySet<string> = new Set(['same-result', 'cycle', 'polling', 'no-new-result']);
const strictGauge = armGaugeSchema.strict();

describe('every history', () => {
	it('has a gauge for each arm, and trips exactly when one is over its limit and not excused', () => {
		let trips = 0;
		fc.assert(
			fc.property(history, (calls) => {
				play(calls, {}, ({ arms, evidence }) => {
					expect(arms.map(({ arm }) => arm)).toEqual(tripArmSchema.options);
					const over = arms.filter(
						({ arm, count, limit, note }) =>
							note === '' &&
							count !== null &&
							limit !== null &&
							(arm === 'no-progress' ? count >= limit : count > limit),
					);
					expect(over[0]?.arm).toBe(evidence?.arm);
					expect(evidence === null || over[0]?.count === evidence.count).toBe(true);
					expect(arms.every((one) => strictGauge.safeParse(one).success && (one.count ?? 0) >= 0)).toBe(true);
					if (evidence !== null && RESULT_ARMS.has(evidence.arm)) trips += 1;
				});
			}),
			{ numRuns: 120 },
		);
		// The histories do reach the limits: the property is not empty.
		expect(trips).toBeGreaterThan(20);
	});

	it('in which every result differs trips none of the arms that judge by results', () => {
		fc.assert(
			fc.property(history, (calls) => {
				const resultOf = (_: Told, index: number) => `result ${'x'.repeat(index % 7)} of ${index} things`;
				play(
					calls.map((one) => ({ ...one, failed: false, denied: false, result: 'known' })),
					{ resultOf },
					({ arms, evidence }) => {
						expect(RESULT_ARMS.has(evidence?.arm ?? '')).toBe(false);
						for (const { arm, count } of arms)
							if (RESULT_ARMS.has(arm)) expect(count ?? 0).toBeLessThanOrEqual(2);
					},
				);
			}),
			{ numRuns: 100 },
		);
	});

	it('does not trip an arm whose limit is null', () => {
		const limits = { sameResultLimit: null, cycleLimit: null, pollingLimit: null, noNewResultLimit: null };
		fc.assert(
			fc.property(history, (calls) => {
				play(calls, { settings: limits }, ({ evidence }) =>
					expect(RESULT_ARMS.has(evidence?.arm ?? '')).toBe(false),
				);
			}),
			{ numRuns: 60 },
		);
	});

	it('counts calls of one turn alike in whatever order their results come', () => {
		const turn = fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 6, maxLength: 6 });
		const commands = fc.array(fc.constantFrom('a', 'a', 'b', 'c'), { minLength: 6, maxLength: 6 });
		fc.assert(
			fc.property(fc.array(fc.tuple(commands, turn), { maxLength: 8 }), (turns) => {
				const gauges = [false, true].map((isShuffled) => {
					const breaker = new CircuitBreaker(() => defaultSettings.breaker);
					let now = Date.UTC(2026, 0, 5);
					for (const [number, [names, order]] of turns.entries()) {
						const ids = names.map((name, member) => ({ name, callId: `${number}-${member}` }));
						for (const { name, callId } of ids)
							breaker.recordToolUse('a', 'Bash', { command: name }, { callId, at: now });
						now += 5_000;
						const told = isShuffled ? order.flatMap((member) => ids[member] ?? []) : ids;
						for (const { name, callId } of told) {
							const result = `what ${name} says`;
							const outcome = {
								callId,
								tool: 'Bash',
								input: { command: name },
								result,
								failed: false,
								at: now,
							};
							breaker.recordToolResult('a', outcome);
						}
					}
					return breaker.tick([inputOf('a')], now + 1_000)[0]?.arms;
				});
				expect(gauges[1]).toEqual(gauges[0]);
			}),
			{ numRuns: 150 },
		);
	});
});
