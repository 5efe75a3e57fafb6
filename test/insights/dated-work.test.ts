import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BesideWork, datedWork, type ReadWork, type Whose } from '../../src/main/insights/dated-work.ts';
import { usageInsights } from '../../src/main/insights/usage-insights.ts';
import type { Insights } from '../../src/shared/insights-view.ts';
import { NO_USAGE, type UsageAmount } from '../../src/shared/usage-view.ts';

const TODAY = '2026-11-30';
const DAYS = ['2026-11-29', TODAY];

/** Sessions 1 and 2 are of one agent. */
const whose = (client: string, sessionId: string, directory: string): Whose => ({
	agent: { key: `${client}:${sessionId.slice(0, 1)}`, name: sessionId, client, directory },
	repository: { path: directory, name: directory },
});

const amount = (work: number, costUsd: number | null, localWork = 0): UsageAmount => ({
	...NO_USAGE,
	input: work,
	work,
	localWork,
	costUsd,
});

const read = (more: Partial<ReadWork> = {}): ReadWork => ({
	client: 'codex',
	sessionId: 'a1',
	directory: '/w/a',
	model: 'gpt',
	local: false,
	day: TODAY,
	amount: amount(100, 1),
	...more,
});

const beside = (more: Partial<BesideWork> = {}): BesideWork => ({
	client: 'codex',
	sessionId: 'a1',
	model: 'asked',
	amount: amount(50, 0.5),
	...more,
});

function insightsOf(files: readonly ReadWork[], others: readonly BesideWork[]): Insights['usage'] {
	return usageInsights(datedWork({ read: files, beside: others, today: TODAY, whose }), DAYS, []);
}

const sumOf = (
	rows: readonly { readonly amount: UsageAmount }[],
	of: (amount: UsageAmount) => number,
): number => rows.reduce((sum, row) => sum + of(row.amount), 0);

describe('work that no file tells', () => {
	it('is of today, and of the model that did most of the agent’s work of today', () => {
		const { days, models, agents, repositories } = insightsOf(
			[
				read({ model: 'small', amount: amount(10, 3) }),
				read(),
				read({ day: '2026-11-29', model: 'old', amount: amount(900, 9) }),
			],
			[beside({ sessionId: 'a2' })],
		);
		expect(days.map((row) => row.amount.work)).toEqual([900, 160]);
		expect(models.map(({ model, amount: { work } }) => [model, work])).toEqual([
			['old', 900],
			['small', 10],
			['gpt', 150],
		]);
		expect(agents).toMatchObject([{ key: 'codex:a', amount: { work: 1060, costUsd: 13.5 } }]);
		expect(repositories.map(({ path, amount: { work } }) => [path, work])).toEqual([
			['/w/a', 1010],
			['', 50],
		]);
	});

	it('is of the model that the agent is known to use, where no file tells of today', () => {
		const { models } = insightsOf(
			[],
			[beside({ amount: amount(50, 0, 50) }), beside({ sessionId: 'b1', model: '' })],
		);
		expect(models).toMatchObject([
			{ model: '', local: false, amount: { work: 50 } },
			{ model: 'asked', local: true, amount: { localWork: 50, costUsd: 0 } },
		]);
	});

	it('takes what was not paid after all from the models that seemed to cost it', () => {
		const { models, days } = insightsOf(
			[read({ amount: amount(100, 3) }), read({ model: 'dear', amount: amount(10, 1) })],
			[beside({ amount: amount(0, -2, 60) })],
		);
		expect(models).toMatchObject([
			{ model: 'gpt', local: false, amount: { work: 100, localWork: 60, costUsd: 1.5 } },
			{ model: 'dear', amount: { costUsd: 0.5 } },
		]);
		expect(days.at(-1)?.amount.costUsd).toBe(2);
	});
});

describe('work', () => {
	it('with a stamp later than today is today’s, as in the figures of the floor', () => {
		expect(insightsOf([read({ day: '2026-12-02' })], []).days.at(-1)?.amount.work).toBe(100);
	});

	it('of nothing has no row', () => {
		const { agents, repositories, models } = insightsOf([read({ amount: amount(0, 0) })], []);
		expect([agents, repositories, models]).toEqual([[], [], []]);
	});

	const anyRead = fc.record({
		client: fc.constantFrom('codex', 'claude-code'),
		sessionId: fc.constantFrom('a1', 'a2', 'b1'),
		directory: fc.constant('/w/a'),
		model: fc.constantFrom('gpt', 'opus', 'qwen'),
		local: fc.constant(false),
		day: fc.constantFrom(...DAYS),
		// Quarters of a dollar add up without a rounding, in any order.
		amount: fc.tuple(fc.nat(1_000), fc.nat(40)).map(([work, quarters]) => amount(work, quarters / 4)),
	});
	const anyBeside = fc.record({
		client: fc.constantFrom('codex', 'claude-code'),
		sessionId: fc.constantFrom('a1', 'b1', 'c1'),
		model: fc.constantFrom('gpt', ''),
		amount: fc.tuple(fc.nat(1_000), fc.nat(40)).map(([work, quarters]) => amount(work, quarters / 4)),
	});

	it('adds up to the same by day, agent, repository and model, in work and in money', () => {
		fc.assert(
			fc.property(fc.array(anyRead), fc.array(anyBeside), (files, others) => {
				const { days, agents, repositories, models } = insightsOf(files, others);
				const all = [...files, ...others];
				for (const of of [({ work }: UsageAmount) => work, ({ costUsd }: UsageAmount) => costUsd ?? 0]) {
					const whole = sumOf(all, of);
					expect([days, agents, repositories, models].map((rows) => sumOf(rows, of))).toEqual(
						Array(4).fill(whole),
					);
				}
			}),
		);
	});

	it('is the same in whatever order it is read', () => {
		fc.assert(
			fc.property(fc.array(anyRead), fc.array(anyBeside, { maxLength: 5 }), (files, others) => {
				const { days, agents, models } = insightsOf(files.toReversed(), others.toReversed());
				const nameless = (rows: Insights['usage']['agents']) =>
					rows.map(({ key, amount: own }) => ({ key, own }));
				const same = insightsOf(files, others);
				expect([days, nameless(agents), models]).toEqual([same.days, nameless(same.agents), same.models]);
			}),
		);
	});

	it('never costs less than nothing, whatever was not paid after all', () => {
		// What the gateway corrects is at most what the agent’s files say it cost.
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.constantFrom('gpt', 'opus'), fc.nat(1_000_000)), { minLength: 1 }),
				(paid) => {
					const files = paid.map(([model, micros]) => read({ model, amount: amount(1, micros / 1e6) }));
					const usd = sumOf(files, ({ costUsd }) => costUsd ?? 0);
					const { days, agents, models, repositories } = insightsOf(files, [
						beside({ amount: amount(0, -usd, paid.length) }),
					]);
					for (const {
						amount: { costUsd },
					} of [...days, ...agents, ...models, ...repositories]) {
						expect(costUsd ?? 0).toBeGreaterThanOrEqual(0);
						expect(costUsd ?? 0).toBeLessThan(1e-9);
					}
				},
			),
		);
	});
});
