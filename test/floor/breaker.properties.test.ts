/** What holds for every trace whatsoever. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BreakerInput, CircuitBreaker, LEVELS } from '../../src/main/floor/breaker.ts';
import { breakerStateSchema, type Evidence, evidenceSchema } from '../../src/shared/breaker-state.ts';
import { BEAT_MS, inputOf, MINUTE_MS, SEED_CONFIG, sampleOf } from './ladder/ladder-driver.ts';

type Deed =
	| {
			readonly kind: 'use';
			readonly agent: string;
			readonly command: string;
			readonly answer: string | undefined;
	  }
	| { readonly kind: 'error' | 'file' | 'prompt' | 'compact' | 'reset' | 'forget'; readonly agent: string }
	| { readonly kind: 'beat'; readonly after: number; readonly inputs: readonly BreakerInput[] };

const agent = fc.constantFrom('a', 'b', 'c');
const amount = fc.oneof(fc.nat(2_000_000), fc.constantFrom(0, -1, Number.NaN, Number.POSITIVE_INFINITY));
const input: fc.Arbitrary<BreakerInput> = fc
	.record({
		agentId: agent,
		sample: fc.option(
			fc.record({
				model: fc.constant('m'),
				input: amount,
				output: amount,
				cacheRead: amount,
				cacheCreation: amount,
				usd: fc.option(amount),
			}),
		),
		progressing: fc.boolean(),
		providerTrouble: fc.option(fc.boolean()),
		steer: fc.option(fc.record({ deliveredAt: fc.option(fc.nat()), actedAt: fc.option(fc.nat()) })),
		tokenCap: fc.option(amount),
	})
	.map(({ providerTrouble, steer, tokenCap, ...rest }) => ({
		...rest,
		...(providerTrouble !== null && { providerTrouble }),
		...(steer !== null && { steer }),
		...(tokenCap !== null && { tokenCap }),
	}));
const deed: fc.Arbitrary<Deed> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('use' as const),
			agent,
			command: fc.constantFrom('npm test', 'ls', 'git status 1', 'git status 2'),
			answer: fc.constantFrom(undefined, 'no', 'yes'),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constantFrom(
				'error' as const,
				'error' as const,
				'error' as const,
				'file' as const,
				'prompt' as const,
				'compact' as const,
				'reset' as const,
				'forget' as const,
			),
			agent,
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('beat' as const),
			after: fc.constantFrom(BEAT_MS, BEAT_MS, 1_000, MINUTE_MS, 10 * MINUTE_MS, -BEAT_MS),
			inputs: fc.array(input, { maxLength: 4 }),
		}),
	},
);
/** Long runs of one deed, so that limits are reached. */
const trace = fc
	.array(fc.tuple(deed, fc.integer({ min: 1, max: 12 })), { maxLength: 25 })
	.map((runs) => runs.flatMap(([one, times]) => Array<Deed>(times).fill(one)));
const config = fc.record({
	enabled: fc.constant(true),
	hardStop: fc.boolean(),
	repeatedToolLimit: fc.constantFrom(2, 8),
	errorStormLimit: fc.constantFrom(1, 5),
	tokenVelocityPerMin: fc.constantFrom(1_000, 60_000),
	costCapUsd: fc.constantFrom(null, 1_000),
	costCapTokens: fc.constantFrom(null, 100_000),
});

const allTrue = {
	steps: true,
	ceiling: true,
	changed: true,
	action: true,
	evidence: true,
	inOrder: true,
	kept: true,
	valid: true,
};
const stateSchema = breakerStateSchema.strict();
const strictEvidence = evidenceSchema.strict();
const isState = (state: unknown): boolean => stateSchema.safeParse(state).success;
const isEvidence = (evidence: unknown): boolean => strictEvidence.safeParse(evidence).success;
/** First, last and shown occurrences are in order, and none is in the future. */
const isInOrder = ({ since, lastAt, lastOccurrences }: Evidence, now: number): boolean => {
	const stamps = [...lastOccurrences.map(({ at }) => at), lastAt, now];
	return since <= lastAt && stamps.every((at, index) => index === 0 || (stamps[index - 1] ?? at) <= at);
};
const rank = (level: (typeof LEVELS)[number]): number => LEVELS.indexOf(level);

function play(
	breaker: CircuitBreaker,
	deeds: readonly Deed[],
	onBeat: (inputs: readonly BreakerInput[], now: number) => void,
) {
	let now = Date.UTC(2026, 0, 5);
	for (const one of deeds) {
		if (one.kind === 'beat') {
			now += one.after;
			onBeat(one.inputs, now);
		} else if (one.kind === 'use') {
			const call = { tool: 'Bash', input: { command: one.command } };
			breaker.recordToolUse(one.agent, call.tool, call.input, { at: now });
			if (one.answer === undefined) continue;
			breaker.recordToolResult(one.agent, {
				...call,
				callId: null,
				result: one.answer,
				failed: true,
				at: now,
			});
		} else if (one.kind === 'error') breaker.recordError(one.agent, { at: now });
		else if (one.kind === 'compact') breaker.recordCompactStart(one.agent, now);
		else if (one.kind === 'reset') breaker.resetEvidence(one.agent);
		else if (one.kind === 'forget') breaker.forget(one.agent);
		else breaker.recordProgress(one.agent, one.kind, now);
	}
	return now;
}

describe('every trace', () => {
	it('moves an agent at most one rank a beat, never above the ceiling, and acts only on the way up', () => {
		let climbs = 0;
		fc.assert(
			fc.property(config, trace, (limits, deeds) => {
				const breaker = new CircuitBreaker(() => limits);
				const ceiling = limits.hardStop ? rank('stopped') : rank('constrained');
				play(breaker, deeds, (inputs, now) => {
					const before = new Map(inputs.map(({ agentId }) => [agentId, breaker.levelFor(agentId)]));
					for (const { agentId, state, action, changed, evidence } of breaker.tick(inputs, now)) {
						const from = rank(before.get(agentId) ?? 'healthy');
						const to = rank(state.level);
						if (to > from) climbs += 1;
						expect({
							steps: Math.abs(to - from) <= 1,
							ceiling: to <= ceiling,
							changed: changed === (to !== from),
							action: (action !== 'none') === to > from,
							evidence: evidence !== null || to <= from,
							inOrder: evidence === null || isInOrder(evidence, now),
							kept: breaker.levelFor(agentId) === state.level,
							valid: isState(state) && (evidence === null || isEvidence(evidence)),
						}).toEqual(allTrue);
					}
				});
			}),
			{ numRuns: 150 },
		);
		// The traces do reach the limits: the property is not empty.
		expect(climbs).toBeGreaterThan(10);
	});

	it('ends healthy after clean beats', () => {
		fc.assert(
			fc.property(config, trace, (limits, deeds) => {
				const breaker = new CircuitBreaker(() => limits);
				// A trace may set the clock back; this is long after everything in it.
				let now = play(breaker, deeds, (inputs, at) => breaker.tick(inputs, at)) + 24 * 60 * MINUTE_MS;
				const agents = ['a', 'b', 'c'].map((id) => inputOf(id));
				for (let beat = 0; beat < 3; beat += 1) {
					now += BEAT_MS;
					breaker.tick(agents, now);
				}
				expect(agents.map(({ agentId }) => breaker.levelFor(agentId))).toEqual([
					'healthy',
					'healthy',
					'healthy',
				]);
			}),
			{ numRuns: 100 },
		);
	});

	it('does not depend on the order of the agents, the tie between equal spenders included', () => {
		const beats = fc.array(
			fc.uniqueArray(input, { selector: ({ agentId }) => agentId, minLength: 3, maxLength: 3 }),
			{ minLength: 1, maxLength: 6 },
		);
		fc.assert(
			fc.property(config, trace, beats, (limits, deeds, rounds) => {
				const levels = [false, true].map((isReversed) => {
					const breaker = new CircuitBreaker(() => limits);
					let now = play(breaker, deeds, (inputs, at) => {
						const [first] = inputs;
						if (first) breaker.tick([first], at);
					});
					return rounds.map((round) => {
						now += BEAT_MS;
						const decisions = breaker.tick(isReversed ? [...round].reverse() : round, now);
						return decisions.sort((one, other) => (one.agentId < other.agentId ? -1 : 1));
					});
				});
				expect(levels[1]).toEqual(levels[0]);
			}),
			{ numRuns: 100 },
		);
	});

	it('gives the same decisions again when it is played again', () => {
		fc.assert(
			fc.property(config, trace, (limits, deeds) => {
				const [once, again] = [0, 1].map(() => {
					const breaker = new CircuitBreaker(() => limits);
					const decisions: unknown[] = [];
					play(breaker, deeds, (inputs, now) => decisions.push(breaker.tick(inputs, now)));
					return decisions;
				});
				expect(again).toEqual(once);
			}),
			{ numRuns: 50 },
		);
	});
});

describe('nothing is thrown', () => {
	const anything = fc.anything({
		withBigInt: true,
		withBoxedValues: true,
		withDate: true,
		withMap: true,
		withNullPrototype: true,
		withObjectString: true,
		withSet: true,
		withSparseArray: true,
		withTypedArray: true,
		withUnicodeString: true,
	});

	it('for any tool, input, result, error, time or beat', () => {
		fc.assert(
			fc.property(fc.array(anything, { minLength: 6, maxLength: 6 }), anything, (values, settings) => {
				const [a, b, c, d, e, f] = values as never[];
				const breaker = new CircuitBreaker(() => settings as never);
				for (const id of ['a', a] as never[]) {
					breaker.recordToolUse(id, b as never, c, d);
					breaker.recordToolUse(id, b as never, c, { callId: d, actor: e, at: f } as never);
					breaker.recordToolResult(id, {
						callId: d,
						tool: b,
						input: c,
						actor: e,
						result: f,
						failed: d,
					} as never);
					breaker.recordToolResult(id, e as never);
					breaker.recordError(id, f);
					breaker.recordError(id, { at: e, text: f } as never);
					breaker.recordProgress(id, f as never, e);
					breaker.recordCompactStart(id, e);
					breaker.recordCompactEnd(id, f);
					breaker.resetEvidence(id);
					breaker.restore(id, f as never);
					breaker.levelFor(id);
				}
				const beat = { agentId: 'a', sample: b, progressing: c, steer: d, tokenCap: e, frozen: f } as never;
				const sample = { input: a, output: b, cacheRead: c, cacheCreation: d, usd: e, model: f } as never;
				breaker.tick([beat, inputOf('b', { sample }), a as never, inputOf(b as never)], f as never);
				breaker.tick([beat], e as never);
				breaker.forget(a as never);
			}),
			{ numRuns: 300 },
		);
	});

	it('and an agent in order is judged as ever beside one that is not', () => {
		const breaker = new CircuitBreaker(() => SEED_CONFIG);
		for (let call = 0; call < 9; call += 1) breaker.recordToolUse('a', 'Bash', { command: 'x' });
		const broken = { agentId: 'b', sample: { output: {} }, steer: 7 } as never;
		const levels = breaker.tick([broken, inputOf('a', { sample: sampleOf() })], 1_000);
		expect(levels.map(({ state }) => state.level)).toEqual(['healthy', 'steering']);
	});
});
