import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	filteredRows,
	type IncidentSources,
	incidentKindWords,
	incidentRows,
	noFilter,
	noHistory,
	quietSince,
	stateOf,
	withPage,
} from '../../src/renderer/store/incident-list.ts';
import type { Incident } from '../../src/shared/snapshot.ts';
import { failoverViews } from '../support/failover-views.ts';
import { modelViews } from '../support/model-views.ts';
import { anIncident, NOW } from './agents.ts';

const ended = (id: string, at: number, change: Partial<Incident> = {}): Incident =>
	anIncident(id, {
		openedAt: at,
		updatedAt: at + 1000,
		endedAt: at + 1000,
		endReason: 'recovered',
		...change,
	});

function rowsOf(change: Partial<IncidentSources>) {
	return incidentRows({
		known: [],
		history: [],
		failover: { popups: [], consents: [] },
		chains: [],
		...change,
	});
}
const make = failoverViews(NOW);
const { chain } = modelViews(NOW);
const ids = (rows: readonly { readonly incident: Incident }[]) => rows.map(({ incident }) => incident.id);

describe('the order of incidents', () => {
	it('has the oldest that needs you first, then by severity, then what has ended, the newest first', () => {
		const known = [
			ended('long over', NOW - 900_000),
			anIncident('for information', { severity: 'info', openedAt: NOW - 800_000 }),
			anIncident('newer urgent', { severity: 'urgent', openedAt: NOW - 1000 }),
			anIncident('attention', { openedAt: NOW - 700_000 }),
			anIncident('older urgent', { severity: 'urgent', openedAt: NOW - 500_000 }),
			ended('just over', NOW - 100_000),
		];
		const { open, ended: over } = rowsOf({ known });
		expect(ids(open)).toEqual(['older urgent', 'newer urgent', 'attention', 'for information']);
		expect(open.map(({ asks }) => asks)).toEqual([true, true, false, false]);
		expect(ids(over)).toEqual(['just over', 'long over']);
	});

	it('does not depend on the order in which they came, nor on what is known twice', () => {
		const incident = fc
			.record({
				id: fc.constantFrom(...'abcdefgh'),
				openedAt: fc.integer({ min: 0, max: 5 }),
				severity: fc.constantFrom('urgent', 'attention', 'info'),
				endedAt: fc.option(fc.integer({ min: 6, max: 9 })),
			} as const)
			.map(({ id, ...change }) => anIncident(id, change));
		const some = fc.uniqueArray(incident, { selector: ({ id }) => id });
		fc.assert(
			fc.property(some, some, fc.func(fc.integer()), (known, history, rank) => {
				const shuffled = (list: readonly Incident[]) =>
					list.toSorted((a, b) => rank(a.id, 1) - rank(b.id, 1));
				const rows = rowsOf({ known, history });
				expect(rowsOf({ known: shuffled(known), history: shuffled(history) })).toEqual(rows);
				const all = [...ids(rows.open), ...ids(rows.ended)];
				expect(new Set(all).size).toBe(all.length);
				expect(new Set(all)).toEqual(new Set([...known, ...history].map(({ id }) => id)));
				// The picture is newer than a page of the history.
				for (const { incident: shown } of [...rows.open, ...rows.ended]) {
					const newest = known.find(({ id }) => id === shown.id);
					if (newest) expect(shown).toEqual(newest);
				}
			}),
		);
	});
});

describe('one cause is one row', () => {
	it('of a popup and its incident, and leads to the plate', () => {
		const popup = make.popup('popup-1', { incidentId: 'i1' });
		const known = [anIncident('i1', { kind: 'failover', severity: 'urgent', count: 3 })];
		const { open } = rowsOf({ known, failover: { popups: [popup], consents: [] } });
		expect(ids(open)).toEqual(['i1']);
		expect(open[0]).toMatchObject({
			answer: { kind: 'popup', id: 'popup-1' },
			isQuestion: true,
			asks: true,
			incident: { count: 3 },
		});
	});

	it('of a popup that came before its incident, or whose incident was put away', () => {
		const popup = make.popup('popup-1', { incidentId: 'i1' });
		const failover = { popups: [popup], consents: [] };
		expect(rowsOf({ failover }).open[0]?.incident).toMatchObject({ id: 'i1', title: popup.sentence });
		const { open, ended: over } = rowsOf({ known: [ended('i1', NOW)], failover });
		expect([ids(open), ids(over)]).toEqual([['i1'], []]);
	});

	it('of a consent, whether the engine keeps an incident of it or not', () => {
		const consent = make.consent('c1', { agentId: 'a', askedAt: NOW - 5000 });
		const failover = { popups: [], consents: [consent] };
		const alone = rowsOf({ failover }).open;
		expect(alone).toHaveLength(1);
		expect(alone[0]?.incident.detail).toContain(consent.target);
		const own = anIncident('i9', { kind: 'consent', agentId: 'a', openedAt: NOW - 5000 });
		expect(ids(rowsOf({ known: [own], failover }).open)).toEqual(['i9']);
		// That of another agent is another cause.
		const other = anIncident('i8', { kind: 'consent', agentId: 'b', openedAt: NOW - 5000 });
		expect(ids(rowsOf({ known: [other], failover }).open)).toContain('i8');
	});

	it('does not ask once the operator has chosen to wait', () => {
		const popup = make.popup('popup-1', { incidentId: 'i1', waiting: true });
		const known = [anIncident('i1', { kind: 'failover', severity: 'urgent' })];
		expect(rowsOf({ known, failover: { popups: [popup], consents: [] } }).open[0]?.asks).toBe(false);
	});
});

it('leads from a limit to the card of its chain, and to all of them where it is not known', () => {
	const chains = [
		chain({ id: 'other', preferredModel: 'sonnet' }),
		chain({ id: 'own', preferredModel: 'opus' }),
	];
	const known = [anIncident('i1', { kind: 'rate-limit', title: 'opus is rate-limited: sonnet stands in' })];
	expect(rowsOf({ known, chains }).open[0]?.answer).toEqual({ kind: 'chain', chainId: 'own' });
	expect(rowsOf({ known }).open[0]?.answer).toEqual({ kind: 'chain', chainId: null });
});

describe('where an incident is in its life', () => {
	const decided = (by: 'operator' | 'engine' | 'time') => ({ at: NOW, by, words: 'It was so.' });
	it.each<[string, Partial<Incident>]>([
		['open', { openedAt: NOW, updatedAt: NOW }],
		['updated', { count: 7 }],
		['updated', { openedAt: NOW - 10, updatedAt: NOW }],
		['recovered', { endedAt: NOW, endReason: 'opus answers again' }],
		['dismissed', { endedAt: NOW, endReason: 'dismissed by the operator' }],
		['expired', { endedAt: NOW, endReason: 'nobody answered in time' }],
		['expired', { endedAt: NOW, endReason: 'its turns went on', decisions: [decided('time')] }],
		[
			'answered',
			{ kind: 'consent', endedAt: NOW, endReason: 'allowed once', decisions: [decided('operator')] },
		],
		['ended', { kind: 'consent', endedAt: NOW, endReason: 'shop has left', decisions: [decided('engine')] }],
		// Nobody has seen it recover.
		['ended', { endedAt: NOW, endReason: 'the floor was restarted' }],
		['ended', { endedAt: NOW, endReason: null }],
	])('%s', (state, change) => {
		expect(stateOf(anIncident('i', change))).toBe(state);
	});
});

describe('the filter', () => {
	const rows = rowsOf({
		known: [
			anIncident('a', { kind: 'rate-limit', title: 'opus is limited' }),
			anIncident('b', { kind: 'agent-stopped', agentId: 'shop', severity: 'urgent' }),
			ended('c', NOW, {
				agentId: 'shop',
				decisions: [{ at: NOW, by: 'operator', words: 'Switched 2 turns to qwen' }],
			}),
		],
	});
	const found = (change: object) => {
		const { open, ended: over } = filteredRows(rows, { ...noFilter, ...change }, (id) => `the ${id}`);
		return [...ids(open), ...ids(over)].sort().join('');
	};

	it.each([
		[{}, 'abc'],
		[{ lifecycle: 'open' }, 'ab'],
		[{ lifecycle: 'ended' }, 'c'],
		[{ kind: 'rate-limit' }, 'a'],
		[{ agentId: 'shop' }, 'bc'],
		[{ words: 'THE shop' }, 'bc'],
		[{ words: 'qwen' }, 'c'],
		[{ words: 'rate limit' }, 'a'],
		[{ agentId: 'shop', words: 'opus' }, ''],
	])('%j', (change, expected) => {
		expect(found(change)).toBe(expected);
	});
});

describe('pages of the history', () => {
	it('add up to what is kept, each once, also where a page ends within a millisecond', () => {
		fc.assert(
			fc.property(
				fc.uniqueArray(
					fc.record({ id: fc.integer({ min: 0, max: 999 }), at: fc.integer({ min: 0, max: 20 }) }),
					{ selector: ({ id }) => id, maxLength: 60 },
				),
				(kept) => {
					const newest = kept.toSorted((a, b) => b.at - a.at || a.id - b.id);
					// Fewer in one millisecond than on a page.
					const limit = Math.max(
						1,
						...newest.map(({ at }) => kept.filter((one) => one.at === at).length + 1),
					);
					let history = noHistory;
					for (let page = 0; history.more && page < 100; page += 1) {
						const { before } = history;
						const left = newest.filter(({ at }) => before === null || at < before);
						const incidents = left.slice(0, limit).map(({ id, at }) => ended(String(id), at));
						history = withPage(history, { incidents, more: left.length > limit });
					}
					expect(history.more).toBe(false);
					expect(history.incidents.map(({ id }) => id)).toEqual(newest.map(({ id }) => String(id)));
				},
			),
		);
	});
});

it('is quiet since the end of the last that asked for anything, or since the start of the floor', () => {
	const rows = rowsOf({ known: [ended('a', NOW - 50_000), ended('b', NOW - 5000, { severity: 'info' })] });
	expect(quietSince(rows, NOW - 90_000)).toBe(NOW - 49_000);
	expect(quietSince(rows, NOW - 10)).toBe(NOW - 10);
});

it('calls a kind that it does not know by its own name', () => {
	expect(incidentKindWords('rate-limit')).toBe('Rate limit');
	expect(incidentKindWords('toString')).toBe('ToString');
	expect(incidentKindWords('new-kind')).toBe('New kind');
});
