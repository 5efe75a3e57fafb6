/** Gathers what was kept of the last days for the page that looks back. */
import { setImmediate } from 'node:timers/promises';
import type { Insights, Trip } from '../../shared/insights-view.ts';
import { boundsOf, dayAfter, localDay } from '../../shared/local-day.ts';
import type { Floor } from '../floor/floor.ts';
import { nameOf } from '../floor/view.ts';
import {
	type BesideWork,
	type CountedWork,
	datedWork,
	type ReadWork,
	type Whose,
} from '../insights/dated-work.ts';
import { reliabilityInsights } from '../insights/reliability.ts';
import { tripInsights } from '../insights/trip-insights.ts';
import { usageInsights } from '../insights/usage-insights.ts';
import type { DepartedSession } from '../store/departed-agents.ts';
import type { FloorStore } from '../store/floor-store.ts';
import type { StoredTrip } from '../store/trip-tables.ts';

/** Trips listed whole; the rest is counted. */
const LISTED_TRIPS = 500;

export interface InsightsPartOptions {
	readonly floor: Floor;
	readonly store: FloorStore;
	readonly now: () => number;
	readonly repositoryOf: (directory: string) => { readonly path: string; readonly name: string } | null;
	/** Of all sessions on this machine since that day (`YYYY-MM-DD`). */
	readonly workSince: (day: string) => {
		readonly read: Iterable<ReadWork>;
		/** Today, beyond what files tell. */
		readonly beside: readonly BesideWork[];
		readonly notes: readonly string[];
	};
}

export class InsightsPart {
	readonly #options: InsightsPartOptions;

	constructor(options: InsightsPartOptions) {
		this.#options = options;
	}

	/** Of the last `days` local days, today among them. Other work gets its turn in between: a month of a busy floor is much. */
	async read(days: number): Promise<Insights> {
		const { store, now } = this.#options;
		const to = now();
		const today = localDay(to);
		const all = Array.from({ length: days }, (_, index) => dayAfter(today, index + 1 - days));
		const first = all[0] ?? today;
		const { from } = boundsOf(first);
		const counted = store.trips.counts(from).map((count) => ({ ...count, day: localDay(count.at) }));
		const list = store.trips.newest(from, LISTED_TRIPS).map((trip) => this.#tripOf(trip));
		const trips = tripInsights(counted, all, list);
		const reliability = reliabilityInsights(store.sloFloorDays(days, to));
		await setImmediate();
		return { from, to, usage: this.#usage(all, today, from), trips, reliability };
	}

	/** `null`: there is no such trip. */
	judge(tripId: number, verdict: Trip['verdict']): Trip | null {
		const { store, now } = this.#options;
		if (store.trips.trip(tripId) === null) return null;
		store.trips.judge(tripId, verdict, now());
		const trip = store.trips.trip(tripId);
		return trip === null ? null : this.#tripOf(trip);
	}

	#usage(days: readonly string[], today: string, from: number): Insights['usage'] {
		const { store, workSince } = this.#options;
		const { read, beside, notes } = workSince(days[0] ?? today);
		const departed = new Map(
			store.departed.since(from).map((one) => [sessionKey(one.client, one.sessionId), one]),
		);
		const whose: CountedWork['whose'] = (client, sessionId, told) =>
			this.#whose(client, sessionId, told, departed.get(sessionKey(client, sessionId)));
		return usageInsights(datedWork({ read, beside, today, whose }), days, notes);
	}

	#whose(client: string, sessionId: string, told: string, departed?: DepartedSession): Whose {
		const { floor, repositoryOf } = this.#options;
		const agent = floor.agentOfSession(client, sessionId);
		const directory = agent?.directory || departed?.directory || told;
		const repository = agent?.repository ??
			repositoryOf(directory) ?? { path: directory, name: lastPart(directory) };
		if (agent) return { agent: { key: agent.id, name: nameOf(agent), client, directory }, repository };
		const key = departed?.agentId ?? `${client} ${sessionId}`;
		const name = departed?.agentName ?? (lastPart(directory) || sessionId);
		return { agent: { key, name, client, directory }, repository };
	}

	#tripOf({ sessionId, agentName, client, directory, ...trip }: StoredTrip): Trip {
		// Of an agent that has left the floor its id is left: program and session.
		const [program = '', session = ''] = trip.agentId.split(/:(.*)/s);
		return {
			...trip,
			agentName: agentName ?? (session || sessionId),
			client: client ?? program,
			directory: directory ?? '',
		};
	}
}

function lastPart(path: string): string {
	return path.split(/[\\/]+/).findLast((part) => part !== '') ?? '';
}

function sessionKey(client: string, sessionId: string): string {
	return `${client}\0${sessionId}`;
}
