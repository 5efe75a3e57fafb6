/** Gathers what was kept of the last days for the page that looks back. */
import type { Insights, Trip } from '../../shared/insights-view.ts';
import { boundsOf, dayAfter, localDay } from '../../shared/local-day.ts';
import type { UsageAmount } from '../../shared/usage-view.ts';
import type { Floor } from '../floor/floor.ts';
import { nameOf } from '../floor/view.ts';
import { reliabilityInsights } from '../insights/reliability.ts';
import { tripInsights } from '../insights/trip-insights.ts';
import { type DatedWork, usageInsights } from '../insights/usage-insights.ts';
import type { FloorStore } from '../store/floor-store.ts';
import type { StoredTrip } from '../store/trip-tables.ts';
import type { SessionWork } from '../usage/usage-answers.ts';

/** Trips listed whole; the rest is counted. */
const LISTED_TRIPS = 500;

export interface InsightsPartOptions {
	readonly floor: Floor;
	readonly store: FloorStore;
	readonly now: () => number;
	readonly repositoryOf: (directory: string) => { readonly path: string; readonly name: string } | null;
	/** Of all sessions on this machine since that day (`YYYY-MM-DD`). */
	readonly workSince: (day: string) => {
		readonly read: Iterable<SessionWork>;
		/** Today, beyond what files tell. */
		readonly beside: readonly { client: string; sessionId: string; model: string; amount: UsageAmount }[];
		readonly notes: readonly string[];
	};
}

export class InsightsPart {
	readonly #options: InsightsPartOptions;

	constructor(options: InsightsPartOptions) {
		this.#options = options;
	}

	/** Of the last `days` local days, today among them. */
	read(days: number): Insights {
		const { store, now } = this.#options;
		const to = now();
		const today = localDay(to);
		const all = Array.from({ length: days }, (_, index) => dayAfter(today, index + 1 - days));
		const first = all[0] ?? today;
		const { from } = boundsOf(first);
		const facts = store.trips.facts(from).map((fact) => ({ ...fact, day: localDay(fact.at) }));
		const list = store.trips.newest(from, LISTED_TRIPS).map((trip) => this.#tripOf(trip));
		return {
			from,
			to,
			usage: this.#usage(all, today),
			trips: tripInsights(facts, all, list),
			reliability: reliabilityInsights(this.#reliability(days, to), all),
		};
	}

	/** `null`: there is no such trip. */
	judge(tripId: number, verdict: Trip['verdict']): Trip | null {
		const { store, now } = this.#options;
		if (store.trips.trip(tripId) === null) return null;
		store.trips.judge(tripId, verdict, now());
		const trip = store.trips.trip(tripId);
		return trip === null ? null : this.#tripOf(trip);
	}

	#usage(days: readonly string[], today: string): Insights['usage'] {
		const { read, beside, notes } = this.#options.workSince(days[0] ?? today);
		const work = function* (this: InsightsPart): Generator<DatedWork> {
			for (const { client, sessionId, directory, model, local, day, amount } of read)
				yield { day, model, local, amount, ...this.#whoseWork(client, sessionId, directory ?? '') };
			for (const { client, sessionId, model, amount } of beside) {
				const local = amount.localWork > 0 && amount.localWork === amount.work;
				yield { day: today, model, local, amount, ...this.#whoseWork(client, sessionId, '') };
			}
		}.bind(this);
		return usageInsights(work(), days, notes);
	}

	#whoseWork(client: string, sessionId: string, told: string): Pick<DatedWork, 'agent' | 'repository'> {
		const agent = this.#options.floor.agentOfSession(client, sessionId);
		const directory = agent?.directory || told;
		const repository = agent?.repository ??
			this.#options.repositoryOf(directory) ?? { path: directory, name: lastPart(directory) };
		return {
			agent: agent
				? { key: agent.id, name: nameOf(agent), client, directory }
				: { key: `${client} ${sessionId}`, name: lastPart(directory) || sessionId, client, directory },
			repository,
		};
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

	#reliability(days: number, now: number): Insights['reliability']['days'] {
		const { store } = this.#options;
		const byDay = Map.groupBy(store.sloDays(days, now), ({ day }) => day);
		return [...byDay].map(([day, providers]) => {
			const { turns, fallbackTurns, degradedMs, queueDepthMax } = store.sloTotal(day);
			return {
				day,
				turns,
				fallbackTurns,
				refusedTurns: providers.reduce((sum, { refusedTurns }) => sum + refusedTurns, 0),
				queuedTurns: providers.reduce((sum, { queuedTurns }) => sum + queuedTurns, 0),
				degradedMs,
				queueDepthMax,
			};
		});
	}
}

function lastPart(path: string): string {
	return path.split(/[\\/]+/).findLast((part) => part !== '') ?? '';
}
