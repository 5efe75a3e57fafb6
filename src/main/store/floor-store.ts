/** Everything that the floor keeps over a restart, except its settings and its outbox. */
import type { Database } from 'better-sqlite3';
import type { HistoryRow } from '../../shared/channels.ts';
import type { Disposable } from '../../shared/disposable.ts';
import type { SloDay } from '../../shared/failover-view.ts';
import type { Incident } from '../../shared/snapshot.ts';
import { AgentTables } from './agent-tables.ts';
import { DepartedAgents } from './departed-agents.ts';
import { EventQueue, type QueueTrouble } from './event-queue.ts';
import { EventTable, type Pruned } from './event-table.ts';
import {
	type AcceptanceRow,
	FailoverTables,
	type ProviderHealthRow,
	type TurnAnswerRow,
	type VerdictRow,
} from './failover-tables.ts';
import { HistoryTables } from './history-tables.ts';
import { IncidentTable } from './incident-table.ts';
import { NoticeTable } from './notice-table.ts';
import type {
	AgentRow,
	EventRow,
	OperatorActionRow,
	RemarkRow,
	Retention,
	SessionRow,
	StoredEvent,
	TransitionRow,
} from './rows.ts';
import { type SloFloorDay, type SloRow, SloTables, type SloTotal } from './slo-tables.ts';
import { storeErrorFrom } from './store-error.ts';
import { TimelineTables } from './timeline-tables.ts';
import { TripTables } from './trip-tables.ts';
import { UsageTables } from './usage-tables.ts';

type QueuedRow = { readonly event: EventRow } | { readonly remark: RemarkRow } | { readonly slo: SloRow };

/** Memory that a waiting row takes beside its text, bytes. */
const ROW_BYTES = 500;

const DAY_MS = 24 * 3_600_000;
/** Changes of level are kept for so long, days: few, and what verdicts stand on. */
const LEVEL_DAYS = 366;

const UNSAVED = 'What is in memory still holds, but a restart would not know of it.';

/**
 * The one owner of the database. Events, remarks and counts are written behind, everything else at once. Methods that write
 * at once throw a `StoreError` when the disk refuses.
 */
export class FloorStore implements Disposable {
	/** What was counted of the programs' session files; it writes at once. */
	readonly usage: UsageTables;
	/** Trips of the ladder and the operator's verdicts. */
	readonly trips: TripTables;
	/** Names and sessions of agents that have left the floor. */
	readonly departed: DepartedAgents;
	/** What an agent did, for its timeline. */
	readonly timeline: TimelineTables;
	/** What the operator was told of. */
	readonly notices: NoticeTable;
	readonly #database: Database;
	readonly #agents: AgentTables;
	readonly #history: HistoryTables;
	readonly #events: EventTable;
	readonly #failover: FailoverTables;
	readonly #slo: SloTables;
	readonly #queue: EventQueue<QueuedRow>;
	readonly #incidents: IncidentTable;
	#pruning: Promise<Pruned> | null = null;

	/** `onTrouble`: events cannot be written, or can be again. */
	constructor(database: Database, onTrouble: (trouble: QueueTrouble) => void) {
		this.#database = database;
		this.#agents = new AgentTables(database);
		this.#history = new HistoryTables(database);
		this.#events = new EventTable(database);
		this.#failover = new FailoverTables(database);
		this.#slo = new SloTables(database);
		this.usage = new UsageTables(database);
		this.trips = new TripTables(database);
		this.departed = new DepartedAgents(database);
		this.timeline = new TimelineTables(database);
		this.notices = new NoticeTable(database);
		this.#incidents = new IncidentTable(database);
		this.#queue = new EventQueue({
			write: database.transaction((rows: readonly QueuedRow[]) => {
				for (const row of rows) {
					if ('event' in row) this.#events.append(row.event);
					else if ('remark' in row) this.#history.addRemark(row.remark);
					else this.#slo.add(row.slo);
				}
			}),
			bytesOf: (row) => ROW_BYTES + textBytesOf(row),
			onTrouble,
		});
	}

	saveAgent(agent: AgentRow): void {
		this.saveAgents([agent]);
	}

	/** All or none. */
	saveAgents(agents: readonly AgentRow[]): void {
		this.#now('save agents', () => {
			for (const agent of agents) this.#agents.saveAgent(agent);
		});
	}

	/** In order of first sight. */
	loadAgents(): AgentRow[] {
		return this.#now('read the agents', () => this.#agents.loadAgents());
	}

	/** Removes agents and their sessions; history and events stay, and whose they were. */
	removeAgents(ids: readonly string[]): void {
		this.#now('remove agents', () => {
			for (const id of ids) {
				this.departed.keep(id);
				this.#agents.removeAgent(id);
			}
		});
	}

	/** Its agent must have been saved before. A transcript path that is null leaves the known one. */
	saveSession(session: SessionRow): void {
		this.#now('save a session', () => this.#agents.saveSession(session));
	}

	/** In order of first sight. */
	loadSessions(): SessionRow[] {
		return this.#now('read the sessions', () => this.#agents.loadSessions());
	}

	/** Written behind; never throws. */
	appendEvents(events: readonly EventRow[]): void {
		for (const event of events) this.#queue.add({ event });
	}

	/** Written behind; never throws. */
	appendRemark(remark: RemarkRow): void {
		this.#queue.add({ remark });
	}

	/** Writes what waits. False when the disk refuses: it is kept and tried again. */
	flush(): boolean {
		return this.#queue.flush();
	}

	/** Events and remarks lost since the start. */
	get dropped(): number {
		return this.#queue.dropped;
	}

	/** The agent's newest events, newest first, with those that still wait. */
	eventsOf(agentId: string, limit: number): StoredEvent[] {
		this.flush();
		return this.#now('read events', () => this.#events.eventsOf(agentId, limit));
	}

	/** The next events from that time (ms) on, after the one named; oldest first. */
	eventsSince(from: number, after: Pick<StoredEvent, 'at' | 'id'> | null, limit: number): StoredEvent[] {
		return this.#now('read events', () => this.#events.since(from, after, limit));
	}

	/** How many events are kept from that time (ms) on, with those that still wait to be written. */
	countEventsSince(from: number): number {
		this.flush();
		return this.#now('count events', () => this.#events.countSince(from));
	}

	/** When the newest `count` of those begin (ms); `null`: there are no more than that. */
	startOfNewestEvents(from: number, count: number): number | null {
		this.flush();
		return this.#now('read events', () => this.#events.startOfNewest(from, count));
	}

	recordTransition(transition: TransitionRow): void {
		this.#now('record a change of level', () => this.#history.addTransition(transition));
	}

	recordOperatorAction(action: OperatorActionRow): void {
		this.#now("record the operator's action", () => this.#history.addAction(action));
	}

	/** The agent's history, newest first, with the remarks that still wait. */
	historyOf(agentId: string, limit = 200): HistoryRow[] {
		this.flush();
		return this.#now('read the history', () => this.#history.historyOf(agentId, limit));
	}

	saveIncident(incident: Incident): void {
		this.#now('record an incident', () => this.#incidents.save(incident));
	}

	/** All open incidents and the newest of the ended ones, newest first. */
	loadIncidents(endedLimit = 200): Incident[] {
		return this.#now('read the incidents', () => this.#incidents.load(endedLimit));
	}

	/** Ended incidents that were opened before that time (ms), newest first. */
	endedIncidents(before: number, limit: number): Incident[] {
		return this.#now('read the incidents', () => this.#incidents.ended(before, limit));
	}

	/** All or none; replaces what was saved before. */
	saveProviderHealth(health: ProviderHealthRow): void {
		this.#now('save what is known of the providers', () => this.#failover.saveHealth(health));
	}

	/** As it was saved; `null`: never. What stands in each provider's part is for its owner to judge. */
	loadProviderHealth(): { savedAt: number; lastCalled: string | null; providers: unknown[] } | null {
		return this.#now('read what is known of the providers', () => this.#failover.loadHealth());
	}

	/** What became of a local answer; a later verdict on the same turn replaces the earlier one. */
	recordAcceptance(verdict: VerdictRow): void {
		this.#now('record what became of a local answer', () => this.#failover.saveVerdict(verdict));
	}

	/** `null`: the model answered nothing in that workspace yet. */
	acceptanceOf(workspace: string, modelId: string): AcceptanceRow | null {
		return this.#now('read what became of local answers', () =>
			this.#failover.acceptanceOf(workspace, modelId),
		);
	}

	/** What became of local answers, of every workspace and model. */
	acceptances(): (AcceptanceRow & { readonly workspace: string; readonly modelId: string })[] {
		return this.#now('read what became of local answers', () => this.#failover.allAcceptance());
	}

	/** One answer a key and harness: a later one replaces it. */
	saveTurnAnswer(answer: TurnAnswerRow): void {
		this.#now('keep an answer', () => this.#failover.saveAnswer(answer));
	}

	/** The local and the cloud's answer of a queued turn or an offer, as far as there are any, oldest first. */
	turnAnswersOf(key: string): TurnAnswerRow[] {
		return this.#now('read an answer', () => this.#failover.answersOf(key));
	}

	/** Written behind; never throws. */
	appendSlo(row: SloRow): void {
		this.#queue.add({ slo: row });
	}

	/** The last `days` local days with `now` in the newest, newest first; only with turns or popups. */
	sloDays(days: number, now: number): SloDay[] {
		this.flush();
		return this.#now('read how failover did', () => this.#slo.days(days, now));
	}

	/** One local day (`YYYY-MM-DD`) over all providers. */
	sloTotal(day: string): SloTotal {
		this.flush();
		return this.#now('read how failover did', () => this.#slo.total(day));
	}

	/** The last `days` local days up to and with that of `now`, oldest first, each over all providers. */
	sloFloorDays(days: number, now: number): SloFloorDay[] {
		this.flush();
		return this.#now('read how failover did', () => this.#slo.floorDays(days, now));
	}

	/** The first local day with a turn through the gateway; `null`: none yet. */
	firstSloDay(): string | null {
		this.flush();
		return this.#now('read how failover did', () => this.#slo.firstDay());
	}

	/** Deletes old events and remarks in small steps. A call during another one joins it. Rejects with a `StoreError`. */
	prune(retention: Retention): Promise<Pruned> {
		this.#pruning ??= this.#prune(retention).finally(() => {
			this.#pruning = null;
		});
		return this.#pruning;
	}

	async #prune(retention: Retention): Promise<Pruned> {
		this.flush();
		try {
			const { now, eventDays } = retention;
			this.#now('remove what is old of failover', () => {
				this.#failover.prune(now, now - eventDays * DAY_MS);
				this.#slo.prune(now);
				this.timeline.prune(now - eventDays * DAY_MS);
				this.trips.prune(now - LEVEL_DAYS * DAY_MS);
				this.departed.prune(now - LEVEL_DAYS * DAY_MS);
			});
			return await this.#events.prune(retention);
		} catch (error) {
			throw storeErrorFrom(error, 'remove old events', 'They take more room than the settings allow.');
		}
	}

	/** Writes what waits and closes the database. */
	dispose(): void {
		if (!this.#database.open) return;
		this.#queue.dispose();
		this.#database.close();
	}

	/** Runs in one transaction, now; whatever SQLite throws leaves as a `StoreError`. */
	#now<T>(doing: string, run: () => T): T {
		try {
			return this.#database.transaction(run)();
		} catch (error) {
			throw storeErrorFrom(error, doing, UNSAVED);
		}
	}
}

function textBytesOf(row: QueuedRow): number {
	if ('event' in row) return row.event.bytes;
	return 'remark' in row ? row.remark.text.length : 0;
}
