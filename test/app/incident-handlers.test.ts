import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIncidentHandlers, type IncidentHandlers } from '../../src/main/app/incident-handlers.ts';
import { IncidentBook } from '../../src/main/floor/incidents.ts';
import type { Incident } from '../../src/shared/snapshot.ts';

const report = { kind: 'storage', severity: 'info', title: 't', detail: 'd', agentId: null } as const;

/** A book whose incidents of these times were all ended; of each, whether the store has it. */
function history(times: readonly { at: number; isStored: boolean }[]): {
	readonly handlers: IncidentHandlers;
	readonly all: Incident[];
} {
	const incidents = new IncidentBook(() => {});
	for (const [index, { at }] of times.entries()) {
		incidents.report(`k${index}`, report, at);
		incidents.recover(`k${index}`, at + 1, 'over');
	}
	const all = incidents.all();
	const stored = all
		.filter((_, index) => times[index]?.isStored)
		.sort((a, b) => b.openedAt - a.openedAt || (a.id < b.id ? -1 : 1));
	const store = {
		endedIncidents: (before: number, limit: number) =>
			stored.filter(({ openedAt }) => openedAt < before).slice(0, limit),
	};
	return { handlers: createIncidentHandlers({ incidents, store, now: () => 0 }), all };
}

async function pagesOf(handlers: IncidentHandlers, limit: number): Promise<Incident[]> {
	const read: Incident[] = [];
	for (let before: number | null = null; ; ) {
		const { incidents, more } = await handlers['incident:history']({ before, limit });
		read.push(...incidents);
		const last = incidents.at(-1);
		if (!more || last === undefined) return read;
		before = last.openedAt;
	}
}

describe('the history of incidents', () => {
	it('has each once, newest first, whatever the pages, the ties, and what the store could not take', async () => {
		const times = fc.array(fc.record({ at: fc.nat(8), isStored: fc.boolean() }), { maxLength: 40 });
		await fc.assert(
			fc.asyncProperty(times, fc.integer({ min: 1, max: 10 }), async (given, limit) => {
				const { handlers, all } = history(given);
				const read = await pagesOf(handlers, limit);
				expect(read.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
				const opened = read.map(({ openedAt }) => openedAt);
				expect(opened).toEqual(opened.toSorted((one, other) => other - one));
			}),
		);
	});

	it('goes on behind many of one moment', async () => {
		const given = [1, 5, 5, 5, 5, 9].map((at) => ({ at, isStored: true }));
		const { handlers } = history(given);
		expect(await handlers['incident:history']({ before: null, limit: 2 })).toMatchObject({
			incidents: [9, 5, 5, 5, 5].map((openedAt) => ({ openedAt })),
			more: true,
		});
	});
});
