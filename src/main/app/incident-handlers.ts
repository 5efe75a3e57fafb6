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
				meaning: 'Its cause is gone, or a newer incident tells of it. Nothing was changed.',
				remedy: 'Look for it among the ended ones.',
			});
		},
		'incident:history': ({ before, limit }) => {
			const until = before ?? Number.MAX_SAFE_INTEGER;
			// The store has no played ones; memory has those, and what a full disk could not take.
			const byId = new Map<string, Incident>();
			for (const incident of store.endedIncidents(until, limit + 1)) byId.set(incident.id, incident);
			for (const incident of incidents.all()) {
				if (incident.endedAt !== null && incident.openedAt < until) byId.set(incident.id, incident);
				else byId.delete(incident.id);
			}
			const all = [...byId.values()].sort((a, b) => b.openedAt - a.openedAt || (a.id < b.id ? -1 : 1));
			return page(all, limit);
		},
	};
}

/** Never cut between two of the same time: the next page begins before it. */
function page(all: readonly Incident[], limit: number): { incidents: Incident[]; more: boolean } {
	const last = all[limit - 1];
	if (last === undefined || all.length <= limit) return { incidents: [...all], more: false };
	const incidents = all.filter(({ openedAt }) => openedAt >= last.openedAt);
	return { incidents, more: incidents.length < all.length };
}
