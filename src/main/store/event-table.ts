/** Raw events: appended in batches, pruned by age and by size. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Statement } from 'better-sqlite3';
import type { EventRow, Retention, StoredEvent } from './rows.ts';

const DAY_MS = 24 * 3_600_000;
/** Rows and bytes of one deleting transaction: about two milliseconds. */
const STEP_ROWS = 200;
const STEP_BYTES = 2_000_000;
/** Pages given back to the file system at once, and pages that stay for the next events. */
const STEP_PAGES = 50;
const SPARE_PAGES = 256;

export interface Pruned {
	readonly events: number;
	readonly remarks: number;
}

export class EventTable {
	readonly #database: Database;
	readonly #append: Statement<[EventRow]>;
	readonly #newest: Statement<[string, number], StoredEvent>;
	readonly #since: Statement<[{ at: number; id: number; limit: number }], StoredEvent>;
	readonly #countSince: Statement<[number], { events: number }>;
	readonly #newestSince: Statement<[{ from: number; before: number }], { at: number }>;
	readonly #oldest: Statement<[], { id: number; bytes: number; at: number }>;
	readonly #totalBytes: Statement<[], { bytes: number }>;
	readonly #deleteEvents: Statement<[string]>;
	readonly #deleteRemarks: Statement<[number]>;

	constructor(database: Database) {
		this.#database = database;
		this.#append = database.prepare(`
			INSERT INTO events (at, agent_id, client, name, dedupe_key, bytes, body)
			VALUES (@at, @agentId, @client, @name, @dedupeKey, @bytes, @body)
			ON CONFLICT (client, agent_id, name, dedupe_key) WHERE dedupe_key IS NOT NULL DO NOTHING`);
		this.#newest = database.prepare(`
			SELECT id, at, agent_id AS agentId, client, name, dedupe_key AS dedupeKey, bytes, body
			FROM events WHERE agent_id = ? ORDER BY at DESC, id DESC LIMIT ?`);
		this.#since = database.prepare(`
			SELECT id, at, agent_id AS agentId, client, name, dedupe_key AS dedupeKey, bytes, body
			FROM events WHERE at >= @at AND (at > @at OR id > @id) ORDER BY at, id LIMIT @limit`);
		this.#countSince = database.prepare('SELECT count(*) AS events FROM events WHERE at >= ?');
		this.#newestSince = database.prepare(
			'SELECT at FROM events WHERE at >= @from ORDER BY at DESC LIMIT 1 OFFSET @before',
		);
		this.#oldest = database.prepare(`SELECT id, bytes, at FROM events ORDER BY at LIMIT ${STEP_ROWS}`);
		this.#totalBytes = database.prepare('SELECT coalesce(sum(bytes), 0) AS bytes FROM events');
		this.#deleteEvents = database.prepare('DELETE FROM events WHERE id IN (SELECT value FROM json_each(?))');
		this.#deleteRemarks = database.prepare(
			`DELETE FROM remarks WHERE id IN (SELECT id FROM remarks WHERE at < ? ORDER BY at LIMIT ${STEP_ROWS})`,
		);
	}

	/** The next events from that time (ms) on, after the one named; oldest first. */
	since(from: number, after: Pick<StoredEvent, 'at' | 'id'> | null, limit: number): StoredEvent[] {
		const { at, id } = after ?? { at: from, id: -1 };
		return this.#since.all({ at: Math.max(from, at), id, limit });
	}

	/** How many there are from that time (ms) on. */
	countSince(from: number): number {
		return this.#countSince.get(from)?.events ?? 0;
	}

	/** When the newest `count` (at least 1) of those from that time (ms) on begin; `null`: there are no more than that. */
	startOfNewest(from: number, count: number): number | null {
		if (this.#newestSince.get({ from, before: count }) === undefined) return null;
		return this.#newestSince.get({ from, before: count - 1 })?.at ?? null;
	}

	append(event: EventRow): void {
		this.#append.run(event);
	}

	/** The newest events of an agent, newest first. */
	eventsOf(agentId: string, limit: number): StoredEvent[] {
		return this.#newest.all(agentId, limit);
	}

	/**
	 * Deletes what is older than the retention allows, then the oldest until the rest fits, then gives the space back;
	 * in small transactions, with the event loop free between them. Stops early when the database is closed.
	 */
	async prune({ now, eventDays, eventMegabytes }: Retention): Promise<Pruned> {
		const before = now - eventDays * DAY_MS;
		let excess = (this.#totalBytes.get()?.bytes ?? 0) - eventMegabytes * 1_000_000;
		let events = 0;
		let remarks = 0;
		for (;;) {
			if (!this.#database.open) return { events, remarks };
			const step: number[] = [];
			let stepBytes = 0;
			for (const { id, bytes, at } of this.#oldest.all()) {
				if ((at >= before && excess <= 0) || stepBytes > STEP_BYTES) break;
				step.push(id);
				stepBytes += bytes;
				excess -= bytes;
			}
			if (step.length === 0) break;
			events += this.#deleteEvents.run(JSON.stringify(step)).changes;
			await nextTurn();
		}
		while (this.#database.open) {
			const { changes } = this.#deleteRemarks.run(before);
			remarks += changes;
			await nextTurn();
			if (changes < STEP_ROWS) break;
		}
		while (this.#database.open && this.#freePages() > SPARE_PAGES) {
			const free = this.#freePages();
			this.#database.pragma(`incremental_vacuum(${STEP_PAGES})`);
			await nextTurn();
			if (!this.#database.open || this.#freePages() >= free) break;
		}
		return { events, remarks };
	}

	#freePages(): number {
		return Number(this.#database.pragma('freelist_count', { simple: true }));
	}
}
