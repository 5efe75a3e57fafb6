/** The ladder's steps upwards, with the operator's verdicts. */
import type { Database, Statement } from 'better-sqlite3';
import type { Trip, TripVerdict } from '../../shared/insights-view.ts';
import { tripArmSchema } from '../../shared/words.ts';
import { evidenceOf } from './history-tables.ts';

/** Equal trips of one quarter of an hour: no day ends inside one, wherever. */
export interface TripCount {
	/** When the quarter began, ms since the epoch. */
	readonly at: number;
	readonly arm: Trip['arm'];
	readonly verdict: TripVerdict | null;
	readonly trips: number;
}

/** A trip; what is not kept any more of its agent is `null`. */
export interface StoredTrip extends Omit<Trip, 'agentName' | 'client' | 'directory'> {
	readonly sessionId: string;
	readonly agentName: string | null;
	readonly client: string | null;
	readonly directory: string | null;
}

type Row = Omit<StoredTrip, 'arm' | 'evidence'> & { readonly evidence: string | null };

const QUARTER_MS = 15 * 60_000;

const ROW = `
	SELECT t.id, t.at, t.agent_id AS agentId, t.session_id AS sessionId, coalesce(a.name, d.name) AS agentName,
		coalesce(a.client, d.client) AS client, coalesce(a.directory, d.directory) AS directory,
		t.from_level AS "from", t.to_level AS "to", t.reason, t.evidence, v.verdict
	FROM transitions t LEFT JOIN agents a ON a.id = t.agent_id LEFT JOIN departed_agents d ON d.id = t.agent_id
		LEFT JOIN trip_verdicts v ON v.transition_id = t.id
	WHERE t.action <> 'none'`;

export class TripTables {
	readonly #counts: Statement<[number], Omit<TripCount, 'arm'> & { readonly arm: string | null }>;
	readonly #newest: Statement<[number, number], Row>;
	readonly #one: Statement<[number], Row>;
	readonly #judge: Statement<[{ id: number; verdict: TripVerdict; at: number }]>;
	readonly #takeBack: Statement<[number]>;
	readonly #prune: Statement<[number]>;

	constructor(database: Database) {
		this.#counts = database.prepare(`
			SELECT CAST(t.at / ${QUARTER_MS} AS INTEGER) * ${QUARTER_MS} AS at, t.arm,
				v.verdict, count(*) AS trips
			FROM transitions t LEFT JOIN trip_verdicts v ON v.transition_id = t.id
			WHERE t.at >= ? AND t.action <> 'none' GROUP BY 1, 2, 3 ORDER BY 1`);
		this.#newest = database.prepare(`${ROW} AND t.at >= ? ORDER BY t.at DESC, t.id DESC LIMIT ?`);
		this.#one = database.prepare(`${ROW} AND t.id = ?`);
		this.#judge = database.prepare(`
			INSERT INTO trip_verdicts (transition_id, verdict, at) VALUES (@id, @verdict, @at)
			ON CONFLICT (transition_id) DO UPDATE SET verdict = @verdict, at = @at`);
		this.#takeBack = database.prepare('DELETE FROM trip_verdicts WHERE transition_id = ?');
		this.#prune = database.prepare('DELETE FROM transitions WHERE at < ?');
	}

	/** Of all since then (ms; the beginning of a quarter of an hour), oldest first. */
	counts(since: number): TripCount[] {
		return this.#counts.all(since).map(({ arm, ...count }) => ({ ...count, arm: armOf(arm) }));
	}

	/** The newest since then (ms), newest first. */
	newest(since: number, limit: number): StoredTrip[] {
		return this.#newest.all(since, limit).map(tripOf);
	}

	/** `null`: there is no such trip. */
	trip(id: number): StoredTrip | null {
		const row = this.#one.get(id);
		return row ? tripOf(row) : null;
	}

	/** `null` takes the verdict back. The trip must be there. */
	judge(id: number, verdict: TripVerdict | null, at: number): void {
		if (verdict === null) this.#takeBack.run(id);
		else this.#judge.run({ id, verdict, at });
	}

	/** Forgets changes of level from before that time (ms), with their verdicts. */
	prune(before: number): void {
		this.#prune.run(before);
	}
}

function tripOf({ evidence, ...row }: Row): StoredTrip {
	const read = evidenceOf(evidence);
	return { ...row, evidence: read, arm: read?.arm ?? null };
}

/** Of a newer floor, an arm may be unknown here. */
function armOf(text: string | null): Trip['arm'] {
	return tripArmSchema.safeParse(text).data ?? null;
}
