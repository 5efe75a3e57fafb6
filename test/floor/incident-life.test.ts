import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IncidentBook, type IncidentReport } from '../../src/main/floor/incidents.ts';
import type { Incident } from '../../src/shared/snapshot.ts';

const report: IncidentReport = {
	kind: 'rate-limit',
	severity: 'attention',
	title: 'limited',
	detail: 'wait',
	agentId: null,
};
const byOperator = (words: string, at = 1) => ({ at, by: 'operator' as const, words });

function book() {
	const written: Incident[] = [];
	return { incidents: new IncidentBook((incident) => written.push(incident)), written };
}

describe('decisions about an incident', () => {
	it('are kept in order, the newest fifty', () => {
		const { incidents, written } = book();
		const { id } = incidents.report('k', report, 1);
		for (let at = 2; at < 60; at += 1) incidents.decide(id, byOperator(`decision ${at}`, at));
		const decisions = written.at(-1)?.decisions ?? [];
		expect(decisions).toHaveLength(50);
		expect([decisions[0]?.words, decisions.at(-1)?.words]).toEqual(['decision 10', 'decision 59']);
	});

	it('survive further reports, and come with the end', () => {
		const { incidents } = book();
		incidents.report('k', report, 1);
		incidents.decideAbout('k', byOperator('Held it on its fallback'));
		incidents.report('k', report, 2);
		incidents.recover('k', 3, 'over', byOperator('Resumed the agent', 3));
		expect(incidents.all()[0]).toMatchObject({
			count: 2,
			endReason: 'over',
			decisions: [{ words: 'Held it on its fallback' }, { words: 'Resumed the agent' }],
		});
	});

	it('about what is not known are nothing', () => {
		const { incidents, written } = book();
		incidents.decide('no such', byOperator('x'));
		incidents.decideAbout('no such', byOperator('x'));
		expect(written).toEqual([]);
	});

	it('settle what was shown elsewhere: it is ended from the start', () => {
		const { incidents } = book();
		const past = incidents.past({ ...report, kind: 'consent' }, 10, 20, {
			at: 20,
			by: 'time',
			words: 'Expired',
		});
		expect(past).toMatchObject({ openedAt: 10, endedAt: 20, endReason: 'Expired', count: 1 });
		expect(incidents.isOpen('consent')).toBe(false);
	});
});

describe('a dismissal', () => {
	it('is taken back while its cause holds: the same incident goes on', () => {
		const { incidents } = book();
		const { id } = incidents.report('k', report, 1);
		incidents.dismiss(id, 2);
		const back = incidents.takeBack(id, 3);
		expect(back).toMatchObject({ id, openedAt: 1, endedAt: null, endReason: null, count: 1 });
		expect(back?.decisions.map(({ words }) => words)).toEqual(['Dismissed', 'Dismissal taken back']);
		expect(incidents.report('k', report, 4).id).toBe(id);
		incidents.recover('k', 5, 'over');
		expect(incidents.all()).toHaveLength(1);
	});

	it.each<[string, (incidents: IncidentBook) => void]>([
		['its cause is gone', (incidents) => incidents.recover('k', 3, 'over')],
		['another incident tells of it', (incidents) => incidents.report('k', report, 3)],
	])('is not taken back when %s', (_, happens) => {
		const { incidents } = book();
		const { id } = incidents.report('k', report, 1);
		incidents.dismiss(id, 2);
		happens(incidents);
		expect(incidents.takeBack(id, 4)).toBeUndefined();
	});

	it('of what ended by itself, or never was, is nothing to take back; twice is as once', () => {
		const { incidents } = book();
		const { id } = incidents.report('k', report, 1);
		incidents.recover('k', 2, 'over');
		expect(incidents.takeBack(id, 3)).toBeUndefined();
		expect(incidents.takeBack('no such', 3)).toBeUndefined();
		const again = incidents.report('k', report, 4).id;
		incidents.dismiss(again, 5);
		incidents.takeBack(again, 6);
		expect(incidents.takeBack(again, 7)?.endedAt).toBeNull();
	});
});

describe('whatever happens', () => {
	it('a cause has at most one open incident', () => {
		const key = fc.constantFrom('a', 'b');
		const step = fc.record({
			what: fc.constantFrom('report', 'recover', 'dismiss', 'back'),
			key,
			pick: fc.nat(),
		});
		fc.assert(
			fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
				const { incidents } = book();
				const keys = new Map<string, string>();
				for (const [at, { what, key: cause, pick }] of steps.entries()) {
					const all = incidents.all();
					const id = all[pick % Math.max(1, all.length)]?.id ?? '';
					if (what === 'report') keys.set(incidents.report(cause, report, at).id, cause);
					else if (what === 'recover') incidents.recover(cause, at, 'over');
					else if (what === 'dismiss') incidents.dismiss(id, at);
					else incidents.takeBack(id, at);
					const open = incidents.all().filter(({ endedAt }) => endedAt === null);
					const causes = open.map((incident) => keys.get(incident.id));
					expect(new Set(causes).size).toBe(open.length);
					for (const one of ['a', 'b']) expect(incidents.isOpen(one)).toBe(causes.includes(one));
				}
			}),
		);
	});
});
