import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SessionTally } from '../../src/main/usage/session-tally.ts';
import { TelemetrySession } from '../../src/main/usage/telemetry-session.ts';
import { MOST_IN_SESSION, NO_TOKENS, type TokenUsage } from '../../src/main/usage/token-usage.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** A Wednesday. */
const NOON = new Date(2026, 10, 25, 12).getTime();

const options = {
	price: (model: string, { input, output }: TokenUsage) =>
		model === 'unheard-of' ? null : (input + 2 * output) / 1_000,
	isLocal: (model: string) => model === 'qwen3',
};
const tally = (): SessionTally => new SessionTally('gateway', options);
const answer = (
	key: string,
	usage: Partial<TokenUsage>,
	more: { model?: string; at?: number; isLocal?: boolean } = {},
) => ({
	key,
	model: 'claude-x',
	at: NOON,
	isLocal: false,
	usage: { ...NO_TOKENS, ...usage },
	...more,
});

describe('answers of one session', () => {
	it('count once each, by the largest counts that were told', () => {
		const session = tally();
		for (const output of [1, 30, 20]) session.answer(answer('a', { input: 10, output }));
		session.answer(answer('b', { output: 5, cacheRead: 7, cacheCreation: 3 }));
		expect(session.takeCount(NOON)).toMatchObject({
			source: 'gateway',
			asOf: NOON,
			hasEarlierWork: false,
			total: { input: 10, output: 35, cacheRead: 7, cacheCreation: 3, work: 48, costUsd: 0.08 },
		});
	});

	it('of this machine are free and say so; a model without a price makes the cost "at least"', () => {
		const session = tally();
		session.answer(answer('a', { input: 100 }));
		session.answer(answer('b', { input: 40 }, { model: 'claude-x', isLocal: true }));
		session.answer(answer('c', { input: 5 }, { model: 'qwen3' }));
		session.answer(answer('d', { input: 7 }, { model: 'unheard-of' }));
		expect(session.takeCount(NOON)?.total).toMatchObject({
			work: 152,
			localWork: 45,
			costUsd: 0.1,
			unpricedModels: ['unheard-of'],
		});
	});

	it('are free as soon as their model is known to be local, also those that were counted before', () => {
		const names = new Set<string>();
		const session = new SessionTally('telemetry', { ...options, isLocal: (model) => names.has(model) });
		session.answer(answer('a', { input: 100 }, { model: 'gpt-oss-20b' }));
		expect(session.takeCount(NOON)?.total).toMatchObject({ localWork: 0, costUsd: 0.1 });
		names.add('gpt-oss-20b');
		expect(session.takeCount(NOON)?.total).toMatchObject({ localWork: 100, costUsd: 0 });
	});

	it('are kept, and gone on from in a later run', () => {
		const session = tally();
		session.answer(answer('a', { input: 100 }));
		session.answer(answer('b', { input: 40 }, { isLocal: true }));
		const later = tally();
		later.restore(JSON.parse(JSON.stringify(session.kept())));
		expect(later.takeCount(NOON)).toEqual(session.takeCount(NOON));
		later.answer(answer('c', { input: 5 }, { isLocal: true }));
		expect(later.takeCount(NOON)?.total).toMatchObject({ work: 145, localWork: 45, costUsd: 0.1 });
	});

	it('of a session that is all local cost nothing; of one that has no price at all nothing is known', () => {
		const local = tally();
		local.answer(answer('a', { input: 5 }, { isLocal: true }));
		expect(local.takeCount(NOON)?.total).toMatchObject({ costUsd: 0, unpricedModels: [] });
		const unknown = tally();
		unknown.answer(answer('a', { input: 5 }, { model: 'unheard-of' }));
		expect(unknown.takeCount(NOON)?.total).toMatchObject({ costUsd: null, unpricedModels: ['unheard-of'] });
	});

	it('count for their day and their week', () => {
		const session = tally();
		for (const days of [0, 1, 2, 3])
			session.answer(answer(`${days}`, { input: 1 }, { at: NOON - days * DAY }));
		expect(session.takeCount(NOON)).toMatchObject({
			total: { work: 4 },
			today: { work: 1 },
			week: { work: 3 },
		});
		expect(session.takeCount(NOON + DAY)).toMatchObject({ today: { work: 0 }, week: { work: 3 } });
		expect(session.takeCount(NOON + 7 * DAY)).toMatchObject({ today: { work: 0 }, week: { work: 0 } });
	});

	it.each([5e15, -1, 0.5, Number.NaN])('with %d tokens are garbage, and left out', (input) => {
		const session = tally();
		session.answer(answer('a', { input: 10 }));
		session.answer(answer('a', { input }));
		session.answer(answer('b', { cacheRead: input }));
		expect(session.takeCount(NOON)?.total).toMatchObject({ input: 10, cacheRead: 0, work: 10 });
	});

	it('are none before the first', () => {
		expect(tally().takeCount(NOON)).toBeNull();
		expect(new TelemetrySession(options).takeCount(NOON)).toBeNull();
	});

	it('come to the same in any order', () => {
		const told = fc.record({ key: fc.constantFrom('a', 'b', 'c'), input: fc.nat(99), output: fc.nat(99) });
		fc.assert(
			fc.property(fc.array(told, { minLength: 1 }), (all) => {
				const sum = (list: typeof all) => {
					const session = tally();
					for (const { key, ...usage } of list) session.answer(answer(key, usage));
					return session.takeCount(NOON)?.total;
				};
				expect(sum(all.toReversed())).toEqual(sum(all));
			}),
		);
	});
});

describe('counters of one session', () => {
	const grown = { model: 'claude-x', costUsd: null, usage: { ...NO_TOKENS, input: 50 } };

	it('are of now when they grew within minutes, also over midnight', () => {
		const session = tally();
		const midnight = new Date(NOON).setHours(0, 0, 0, 0);
		session.grow({ ...grown, from: midnight - MINUTE, at: midnight + 10 });
		expect(session.takeCount(NOON)).toMatchObject({ today: { work: 50 }, hasEarlierWork: false });
	});

	it('that were running for longer are work from before, which is said once', () => {
		const session = tally();
		session.grow({ ...grown, from: NOON - 60 * MINUTE, at: NOON });
		expect(session.takeCount(NOON)).toMatchObject({ today: { work: 50 }, hasEarlierWork: true });
		expect(session.takeCount(NOON)).toMatchObject({ hasEarlierWork: false });
	});

	it('that were running for days do not tell how much is of today', () => {
		const session = tally();
		session.grow({ ...grown, from: NOON - DAY, at: NOON });
		expect(session.takeCount(NOON)).toMatchObject({ total: { work: 50 }, today: null, week: { work: 50 } });
		session.grow({ ...grown, from: NOON - 7 * DAY, at: NOON });
		expect(session.takeCount(NOON)).toMatchObject({ total: { work: 100 }, today: null, week: null });
		session.grow({ ...grown, from: NOON + DAY, at: NOON + DAY });
		expect(session.takeCount(NOON + DAY)).toMatchObject({ today: { work: 50 } });
	});

	it('without a told cost are unpriced; a told cost for a model that has no price is a guess and left out', () => {
		const session = new TelemetrySession(options);
		const span = { from: NOON, at: NOON };
		session.grow({ ...grown, ...span });
		expect(session.takeCount(NOON)?.total).toMatchObject({ costUsd: null, unpricedModels: ['claude-x'] });
		session.grow({ ...grown, ...span, usage: NO_TOKENS, costUsd: 0.25 });
		expect(session.takeCount(NOON)?.total).toMatchObject({ costUsd: 0.25, unpricedModels: [] });
		session.grow({ ...grown, ...span, model: 'unheard-of' });
		session.grow({ ...grown, ...span, model: 'unheard-of', usage: NO_TOKENS, costUsd: 9 });
		expect(session.takeCount(NOON)?.total).toMatchObject({ costUsd: 0.25, unpricedModels: ['unheard-of'] });
	});

	it('never come to more than a session can have, however often garbage is told', () => {
		const session = tally();
		const usage = { ...NO_TOKENS, input: MOST_IN_SESSION };
		for (const minutes of [0, 1, 2]) {
			const at = NOON + minutes * MINUTE;
			session.grow({ ...grown, usage, from: at, at });
		}
		expect(session.takeCount(NOON)?.total.work).toBe(MOST_IN_SESSION);
	});

	it('and answers that are equal are told by the answers', () => {
		const session = new TelemetrySession(options);
		const { isLocal: _, ...told } = answer('a', { input: 50 });
		session.answer(told);
		session.grow({ ...grown, from: NOON, at: NOON });
		expect(session.takeCount(NOON)?.total).toMatchObject({ work: 50, costUsd: 0.05 });
	});
});
