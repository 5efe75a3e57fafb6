import { describe, expect, it } from 'vitest';
import { IncidentsPage } from '../../src/renderer/screens/incidents/incidents-page.tsx';
import { InsightsView } from '../../src/renderer/screens/insights/insights-page.tsx';
import { periods } from '../../src/renderer/store/insights-words.ts';
import type { Insights } from '../../src/shared/insights-view.ts';
import { NO_USAGE } from '../../src/shared/usage-view.ts';
import { failoverViews } from '../support/failover-views.ts';
import { anAgent, anIncident, aSnapshot, NOW } from './agents.ts';
import { drawn } from './drawn.tsx';
import { anAmount, anArm, aTrip, someInsights } from './insights-fixtures.ts';

const [, week] = periods;
const make = failoverViews(NOW);

function shown(insights: Insights, snapshot = aSnapshot([anAgent('shop')])) {
	return drawn(<InsightsView insights={insights} period={week} readAgain={() => {}} />, snapshot);
}

/** The text of the first row in a table that begins with `head`. */
function rowOf(html: string, testId: string, at: number): string {
	const table = html.split(`data-testid="${testId}"`)[1] ?? '';
	const row = (table.split('<tbody>')[1] ?? '').split('<tr>')[at + 1] ?? '';
	return row
		.replaceAll('<!-- -->', '')
		.replace(/<[^>]+>/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();
}

describe('the figures at the top', () => {
	it('say what is at least, what was local, what was judged, and of how many turns', () => {
		const base = someInsights({}, [
			anAmount(300_000, { localWork: 100_000 }),
			anAmount(1000, { costUsd: null, unpricedModels: ['new-model'] }),
		]);
		const { text } = shown({
			...base,
			trips: { ...base.trips, total: anArm(null, 15, 8, 2) },
			reliability: {
				days: base.reliability.days.map((day, at) =>
					at === 6 ? { ...day, turns: 120, fallbackTurns: 10, degradedMs: 720_000 } : day,
				),
				fallbackRate: 10 / 120,
			},
		});
		expect(text).toContain('Cost ≥ $3.00 no price is known for new-model');
		expect(text).toMatch(/Work tokens 301k 301\s000 in all; 100\s000 of them served on this machine, free/);
		expect(text).toContain('8 of 10 judged right, 80 %; 5 not judged');
		expect(text).toContain('8.3 % 10 of 120 turns; degraded for 12 m');
	});

	it('never show 0 for what is not known', () => {
		const { text } = shown(someInsights({}, [anAmount(9, { costUsd: null, unpricedModels: ['x'] })]));
		expect(text).toContain('Cost unpriced');
		expect(text).toContain('Turns answered elsewhere – no turn passed the gateway');
		expect(text).not.toContain('$0.00');
	});
});

describe('days', () => {
	it('without work are there, with their names, and say so in the table', () => {
		const { html } = shown(someInsights({}, [anAmount(2_000_000), NO_USAGE]));
		const days = html.split('aria-label="Cost by day"')[1]?.split('</table>')[0] ?? '';
		expect(days.match(/<tr>/g)).toHaveLength(8);
		expect(days).toMatch(/Sun 29 Nov.*\$20\.00/s);
		expect(days).toMatch(/Mon 30 Nov<\/th><td[^>]*><span title="nothing spent yet">–/);
	});

	it('have a table for every drawing, and the drawing is not read out', () => {
		const base = someInsights({}, [anAmount(5)]);
		const { html } = shown({
			...base,
			trips: { ...base.trips, arms: [anArm('cycle', 1)], total: anArm(null, 1), list: [aTrip(1)] },
			reliability: {
				...base.reliability,
				days: base.reliability.days.map((day) => ({ ...day, turns: 4 })),
			},
		});
		const charts = html.split('data-testid="chart"').slice(1);
		expect(charts).toHaveLength(6);
		for (const chart of charts) {
			expect(chart).toMatch(/class="chart-place" aria-hidden="true"/);
			expect(chart).toMatch(/<details[^>]*><summary>.*<table/s);
		}
	});
});

describe('tables of usage', () => {
	const many = Array.from({ length: 12 }, (_, at) => ({
		key: `agent-${at}`,
		name: `agent ${at}`,
		client: 'codex',
		directory: '/w',
		amount: anAmount(100 - at),
	}));
	const base = someInsights({}, [anAmount(1200)]);

	it('have the first ten, a way to all, and each one’s share of the work', () => {
		const { html, text } = shown({ ...base, usage: { ...base.usage, agents: many } });
		expect(text).toContain('Show all 12');
		expect(text).toContain('agent 9');
		expect(text).not.toContain('agent 10');
		expect(rowOf(html, 'usage-by-agent', 0)).toMatch(/^agent 0 Codex &lt; \$0\.01 100 0 1k 8\.3 %$/);
	});

	it('name what is not known, mark what is local, and show names as text', () => {
		const { html, text } = shown({
			...base,
			usage: {
				...base.usage,
				repositories: [{ path: '', name: '', amount: anAmount(3) }],
				models: [
					{ model: 'qwen3-coder:30b', local: true, amount: anAmount(3, { localWork: 3, costUsd: 0 }) },
					{ model: '<img src=x>\u202e', local: false, amount: anAmount(3) },
				],
				notes: ['Codex keeps no files before <b>today</b>.'],
			},
		});
		expect(text).toContain('where it worked is not known');
		expect(rowOf(html, 'usage-by-model', 0)).toMatch(/^qwen3-coder:30b local free/);
		expect(rowOf(html, 'usage-by-model', 1)).toContain('&lt;img src=x&gt;⟨U+202E⟩');
		expect(html).toContain('&lt;b&gt;today&lt;/b&gt;');
	});
});

describe('trips', () => {
	const base = someInsights({}, [anAmount(5)]);
	const trips = (change: Partial<Insights['trips']>, agents = [anAgent('shop')]) =>
		shown({ ...base, trips: { ...base.trips, total: anArm(null, 3), ...change } }, aSnapshot(agents));

	it('tell what was counted and bear the verdict; an agent that has left is no button', () => {
		const list = [aTrip(1, { verdict: 'false-alarm' }), aTrip(2, { agentId: 'gone', agentName: 'gone' })];
		const { html, text } = trips({ list, more: 40 });
		expect(text).toContain('from healthy to steering');
		expect(text).toContain('Counted: 13 calls, limit 8');
		expect(text).toContain('40 older trips are counted above and not listed');
		const [, first = '', second = ''] = html.split('data-testid="trip"');
		expect(first).toMatch(/aria-pressed="false"[^>]*>Right/);
		expect(first).toMatch(/aria-pressed="true"[^>]*>False alarm/);
		expect(first).toContain('data-testid="agent-name"');
		expect(second).not.toContain('data-testid="agent-name"');
		// One stop for Tab, whatever the number of rows.
		expect(html.match(/data-testid="trip"[^>]*tabindex="0"/g)).toHaveLength(1);
	});

	it('lead from a weak arm to its setting; one without a setting has no way', () => {
		const { html, text } = trips({ arms: [anArm('cycle', 9, 2, 4), anArm('no-progress', 6, 0, 6)] });
		expect(text).toContain('Cycle of calls was right in 2 of 6 judged trips (33 %)');
		expect(text).toContain('No progress was right in 0 of 6');
		expect(html.match(/Look at its limit/g)).toHaveLength(1);
		expect(rowOf(html, 'trips-by-arm', 0)).toMatch(
			/^Cycle of calls 9 2 4 33 % 300 %|^Cycle of calls 9 2 4 33 %/,
		);
	});

	it('of which there are none say so', () => {
		expect(shown(base).text).toContain('No agent went up the ladder in these 7 days');
	});
});

it('a first day says what will stand here', () => {
	const { html, text } = shown(someInsights());
	expect(text).toContain('Nothing was worked in these 7 days, as far as this floor knows');
	expect(text).toContain('No turn passed the gateway in these 7 days');
	expect(html).not.toContain('data-testid="insights-figures"');
});

describe('the incidents page', () => {
	it('is worth reading when it is empty', () => {
		const { text } = drawn(<IncidentsPage />, aSnapshot([]));
		expect(text).toMatch(
			/Nothing has needed you since \d\d:\d\d:\d\d, when this floor was started \( 1 h ago \)/,
		);
		expect(text).toContain('A lost provider');
	});

	it('tells the life of each: since when, how often, how it ended, who decided', () => {
		const incidents = [
			anIncident('one', { count: 7, agentId: 'shop', openedAt: NOW - 240_000, updatedAt: NOW - 120_000 }),
			anIncident('two', {
				kind: 'failover',
				openedAt: NOW - 1_000_000,
				endedAt: NOW - 280_000,
				endReason: 'recovered',
				decisions: [
					{ at: NOW - 900_000, by: 'engine', words: 'held 2 turns' },
					{ at: NOW - 800_000, by: 'operator', words: 'switched 2 turns to qwen3-coder:30b' },
				],
			}),
			anIncident('three', { endedAt: NOW, endReason: 'the floor was restarted' }),
		];
		const failover = make.failover({ consents: [make.consent('c1')] });
		const { html, text } = drawn(<IncidentsPage />, aSnapshot([anAgent('shop')], { incidents, failover }));
		const rows = html.split('data-testid="incident-row"').slice(1);
		expect(rows.map((row) => /data-incident-row="([^"]*)"/.exec(row)?.[1])).toEqual([
			'c1',
			'one',
			'three',
			'two',
		]);
		expect(text).toMatch(/Late beat open for 4 m 7 times, last 2 m ago shop updated/);
		expect(text).toMatch(/lasted 12 m/);
		expect(text).toMatch(/by you : Switched 2 turns to qwen3-coder:30b\. and 1 earlier recovered/);
		expect(text).toMatch(/The floor was restarted\. ended/);
		// A question is answered, not put away.
		expect(rows[0]).toContain('data-testid="incident-answer"');
		expect(rows[0]).not.toContain('data-testid="incident-dismiss"');
		expect(rows[1]).toContain('data-testid="incident-dismiss"');
		expect(html.match(/data-testid="incident-row"[^>]*tabindex="0"/g)).toHaveLength(1);
	});
});
