/** Incidents of the past: a dismissal taken back, and what the store has kept. */
import { ChannelError, type RequestHandlers } from '../../shared/channels.ts';
import type { Incident } from '../../shared/snapshot.ts';
import type { IncidentBook } from '../floor/incidents.ts';

export type IncidentHandlers = Pick<RequestHandlers, 'incident:restore' | 'incident:history'>;

export interface IncidentHandlerParts {
	readonly incidents: Pick<IncidentBook, 'takeBack' | 'all'>;
	readonly store: { endedIncidents(before: number, limit: number): Incident[] };
	readonly now: () => number;
}

export function createIncidentHandlers({ incidents, store, now }: IncidentHandlerParts): IncidentHandlers {
	return {
		'incident:restore': ({ incidentId }) => {
			const incident = incidents.takeBack(incidentId, now());
			if (incident) return incident;
			throw new ChannelError({
				code: 'not-possible',
				message: 'That incident cannot be opened again.',
				meaning:
					'Its cause is gone, a newer incident tells of it, or the floor was restarted since. Nothing was changed.',
				remedy: 'Look for it among the ended ones.',
			});
		},
		'incident:history': ({ before, limit }) => {
			const until = before ?? Number.MAX_SAFE_INTEGER;
			// Never cut between two of the same time: the next page begins before it.
			for (let wanted = limit + 1; ; wanted *= 2) {
				const stored = store.endedIncidents(until, wanted);
				const all = joined(stored, incidents.all(), until);
				const isAll = stored.length < wanted;
				const last = all[limit - 1];
				if (last === undefined) return { incidents: all, more: false };
				if (!isAll && (stored.at(-1)?.openedAt ?? 0) >= last.openedAt) continue;
				const page = all.filter(({ openedAt }) => openedAt >= last.openedAt);
				return { incidents: page, more: page.length < all.length };
			}
		},
	};
}

/** Ended ones, newest first. The store has no played ones; memory has those, and what a full disk could not take. */
function joined(stored: readonly Incident[], inMemory: readonly Incident[], until: number): Incident[] {
	const byId = new Map(stored.map((incident) => [incident.id, incident]));
	for (const incident of inMemory) {
		if (incident.endedAt !== null && incident.openedAt < until) byId.set(incident.id, incident);
		else byId.delete(incident.id);
	}
	return [...byId.values()].sort((a, b) => b.openedAt - a.openedAt || (a.id < b.id ? -1 : 1));
}
