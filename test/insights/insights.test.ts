import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportInsights } from '../../src/main/insights/export.ts';
import { reliabilityInsights } from '../../src/main/insights/reliability.ts';
import { tripInsights } from '../../src/main/insights/trip-insights.ts';
import { type DatedWork, usageInsights } from '../../src/main/insights/usage-insights.ts';
import { type Insights, insightsSchema, type Trip } from '../../src/shared/insights-view.ts';
import { NO_USAGE, type UsageAmount } from '../../src/shared/usage-view.ts';

const DAYS = ['2026-11-28', '2026-11-29', '2026-11-30'];

function amount(work: number, costUsd: number | null = work / 1000): UsageAmount {
	return { ...NO_USAGE, input: work, work, costUsd };
}

function work(changes: Partial<DatedWork> = {}): DatedWork {
	return {
		day: '2026-11-29',
		model: 'sonnet',
		local: false,
		agent: { key: 'a', name: 'shop', client: 'codex', directory: '/w/shop' },
		repository: { path: '/w/shop', name: 'shop' },
		amount: amount(100),
		...changes,
	};
}

const anyWork = fc.record({
	day: fc.constantFrom(...DAYS),
	model: fc.constantFrom('sonnet', 'opus', 'qwen'),
	local: fc.constant(false),
	agent: fc
		.constantFrom('a', 'b', 'c')
		.map((key) => ({ key, name: key, client: 'codex', directory: `/w/${key}` })),
	repository: fc.constantFrom('/w/1', '/w/2').map((path) => ({ path, name: path })),
	amount: fc.nat(1_000_000).map((tokens) => amount(tokens, null)),
});

const sumOf = (rows: readonly { readonly amount: UsageAmount }[]): number =>
	rows.reduce((sum, row) => sum + row.amount.work, 0);

describe('usage looked back at', () => {
	it('has every day, also those without work', () => {
		const { days } = usageInsights([work()], DAYS, []);
		expect(days.map(({ day, amount: { work: tokens } }) => [day, tokens])).toEqual([
			['2026-11-28', 0],
			['2026-11-29', 100],
			['2026-11-30', 0],
		]);
	});

	it('leaves work of other days out of every sum', () => {
		const { agents, models, repositories } = usageInsights([work({ day: '2026-10-01' })], DAYS, []);
		expect([agents, models, repositories]).toEqual([[], [], []]);
	});

	it('has the dearest first; what has no price is "at least"', () => {
		const { agents, models } = usageInsights(
			[
				work({ agent: { ...work().agent, key: 'cheap' }, amount: amount(900, 0.1) }),
				work({ agent: { ...work().agent, key: 'dear' }, amount: amount(10, 2) }),
				work({ amount: { ...amount(50, null), unpricedModels: ['sonnet'] } }),
			],
			DAYS,
			[],
		);
		expect(agents.map(({ key }) => key)).toEqual(['dear', 'cheap', 'a']);
		expect(models[0]?.amount).toMatchObject({ costUsd: 2.1, unpricedModels: ['sonnet'] });
	});

	it('adds up to the same by day, agent, repository and model', () => {
		fc.assert(
			fc.property(fc.array(anyWork, { maxLength: 60 }), (all) => {
				const { days, agents, repositories, models } = usageInsights(all, DAYS, []);
				const whole = all.reduce((sum, one) => sum + one.amount.work, 0);
				expect([days, agents, repositories, models].map(sumOf)).toEqual([whole, whole, whole, whole]);
			}),
		);
	});

	it('is the same in whatever order work is read', () => {
		fc.assert(
			fc.property(fc.array(anyWork, { maxLength: 40 }), (all) => {
				expect(usageInsights(all.toReversed(), DAYS, [])).toEqual(usageInsights(all, DAYS, []));
			}),
		);
	});
});

const fact = (
	arm: Trip['arm'],
	verdict: Trip['verdict'] = null,
	day = '2026-11-29',
	trips = 1,
): Parameters<typeof tripInsights>[0][number] => ({ day, arm, verdict, trips });

describe('trips looked back at', () => {
	it('has arms with their precision, of what was judged only', () => {
		const { arms, total, days } = tripInsights(
			[
				fact('cycle', 'right', '2026-11-29', 2),
				fact('cycle', 'false-alarm'),
				fact('cycle'),
				fact('error-storm'),
				fact(null, 'right', '2026-11-30'),
			],
			DAYS,
			[],
		);
		expect(arms).toEqual([
			{ arm: 'cycle', trips: 4, right: 2, falseAlarms: 1, precision: 2 / 3 },
			{ arm: null, trips: 1, right: 1, falseAlarms: 0, precision: 1 },
			{ arm: 'error-storm', trips: 1, right: 0, falseAlarms: 0, precision: null },
		]);
		expect(total).toMatchObject({ trips: 6, right: 3, falseAlarms: 1, precision: 0.75 });
		expect(days.map(({ counts }) => counts)).toEqual([{}, { cycle: 4, 'error-storm': 1 }, { unknown: 1 }]);
	});

	it('keeps precision between 0 and 1, and counts every trip once', () => {
		const any = fc.record({
			day: fc.constantFrom(...DAYS),
			arm: fc.constantFrom('cycle' as const, 'polling' as const, null),
			verdict: fc.constantFrom('right' as const, 'false-alarm' as const, null),
			trips: fc.integer({ min: 1, max: 9 }),
		});
		fc.assert(
			fc.property(fc.array(any), (facts) => {
				const { arms, total, days } = tripInsights(facts, DAYS, []);
				for (const { precision } of [...arms, total]) {
					expect(precision === null || (precision >= 0 && precision <= 1)).toBe(true);
				}
				const byDay = days.flatMap(({ counts }) => Object.values(counts));
				const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
				expect([sum(arms.map(({ trips }) => trips)), sum(byDay), total.trips]).toEqual(
					Array(3).fill(sum(facts.map(({ trips }) => trips))),
				);
			}),
		);
	});
});

describe('reliability looked back at', () => {
	it('has a rate only where there were turns', () => {
		const day = {
			day: '2026-11-29',
			turns: 8,
			fallbackTurns: 2,
			refusedTurns: 0,
			queuedTurns: 1,
			degradedMs: 60_000,
			queueDepthMax: 3,
		};
		const idle = { ...day, day: '2026-11-30', turns: 0, fallbackTurns: 0 };
		expect(reliabilityInsights([day, idle])).toEqual({ days: [day, idle], fallbackRate: 0.25 });
		expect(reliabilityInsights([idle]).fallbackRate).toBeNull();
	});
});

describe('an export', () => {
	const trip: Trip = {
		id: 1,
		at: Date.UTC(2026, 10, 29, 12),
		agentId: 'codex:s',
		agentName: '=HYPERLINK("http://evil")',
		client: 'codex',
		directory: '/w/a, "b"\nc',
		arm: 'cycle',
		from: 'healthy',
		to: 'steering',
		reason: '-1+1',
		evidence: null,
		verdict: 'right',
	};
	const insights: Insights = insightsSchema.parse({
		from: Date.UTC(2026, 10, 28),
		to: Date.UTC(2026, 10, 30),
		usage: usageInsights([work({ amount: { ...amount(100, null), unpricedModels: ['sonnet'] } })], DAYS, []),
		trips: tripInsights([fact('cycle', 'right')], DAYS, [trip]),
		reliability: reliabilityInsights([]),
	});

	it('is a table that no spreadsheet runs', () => {
		const { name, text } = exportInsights(insights, 'trips', 'csv', '2026-11-30');
		expect(name).toBe('agent-floor-trips-2026-11-30.csv');
		expect(text.split('\r\n')[1]).toBe(
			`2026-11-29T12:00:00.000Z,"'=HYPERLINK(""http://evil"")",codex,"/w/a, ""b""\nc",cycle,healthy,steering,,,,right,'-1+1`,
		);
	});

	it.each([
		['=1+1', "'=1+1"],
		['+cmd', "'+cmd"],
		['-1+1', "'-1+1"],
		['@SUM(A1)', "'@SUM(A1)"],
		['\t=1', "'\t=1"],
		['\r=1', "'␍=1"],
		['\n=1', '"\'\n=1"'],
		['-12.5', '-12.5'],
		['+7', '+7'],
		['app=1', 'app=1'],
		['a\u001b[2J\u202eb', 'a␛[2J⟨U+202E⟩b'],
	])('writes the name %j as %s', (agentName, cell) => {
		const named = { ...insights, trips: { ...insights.trips, list: [{ ...trip, agentName }] } };
		const { text } = exportInsights(named, 'trips', 'csv', '2026-11-30');
		expect(text.split('\r\n')[1]?.split(',codex,')[0]).toBe(`2026-11-29T12:00:00.000Z,${cell}`);
	});

	it('names units, and leaves a cost that is not known empty', () => {
		const [head, first] = exportInsights(insights, 'usage', 'csv', '2026-11-30').text.split('\r\n');
		expect(head).toContain('work_tokens,local_work_tokens,cost_usd');
		expect(first).toBe('day,2026-11-28,,0,0,0,0,0,0,,');
		expect(exportInsights(insights, 'reliability', 'csv', '2026-11-30').text).toMatch(/degraded_seconds/);
	});

	it('is JSON with times that everybody reads', () => {
		const { text, mediaType } = exportInsights(insights, 'trips', 'json', '2026-11-30');
		expect(mediaType).toBe('application/json');
		expect(JSON.parse(text)).toMatchObject({
			from: '2026-11-28T00:00:00.000Z',
			trips: { total: { precision: 1 }, list: [{ agentName: trip.agentName }] },
		});
	});

	it('of any text has as many cells in each row as its head', () => {
		const cells = /(?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,|\r\n)/g;
		fc.assert(
			fc.property(fc.string(), fc.string(), (agentName, reason) => {
				const changed = { ...insights, trips: { ...insights.trips, list: [{ ...trip, agentName, reason }] } };
				const { text } = exportInsights(changed, 'trips', 'csv', '2026-11-30');
				expect([...text.matchAll(cells)].filter(([cell]) => cell !== '').length).toBe(2 * 12);
			}),
		);
	});
});
