/** Incidents as they are kept: open ones, and what is left of those that ended. */
import type { Database, Statement } from 'better-sqlite3';
import { type Incident, incidentSchema } from '../../shared/snapshot.ts';

type IncidentRecord = Omit<Incident, 'decisions'> & { readonly decisions: string };

const COLUMNS = `id, kind, severity, title, detail, agent_id AS agentId, opened_at AS openedAt, updated_at AS updatedAt,
	count, ended_at AS endedAt, end_reason AS endReason, decisions`;

const decisionsSchema = incidentSchema.shape.decisions;

export class IncidentTable {
	readonly #save: Statement<[IncidentRecord]>;
	readonly #load: Statement<[number], IncidentRecord>;
	readonly #ended: Statement<[{ before: number; limit: number }], IncidentRecord>;

	constructor(database: Database) {
		this.#save = database.prepare(`
			INSERT OR REPLACE INTO incidents (id, kind, severity, title, detail, agent_id, opened_at, updated_at, count,
				ended_at, end_reason, decisions)
			VALUES (@id, @kind, @severity, @title, @detail, @agentId, @openedAt, @updatedAt, @count, @endedAt, @endReason,
				@decisions)`);
		this.#load = database.prepare(`
			SELECT ${COLUMNS} FROM incidents
			WHERE ended_at IS NULL OR id IN (
				SELECT id FROM incidents WHERE ended_at IS NOT NULL ORDER BY opened_at DESC LIMIT ?)
			ORDER BY opened_at DESC, id`);
		this.#ended = database.prepare(`
			SELECT ${COLUMNS} FROM incidents WHERE ended_at IS NOT NULL AND opened_at < @before
			ORDER BY opened_at DESC, id LIMIT @limit`);
	}

	save(incident: Incident): void {
		this.#save.run({ ...incident, decisions: JSON.stringify(incident.decisions) });
	}

	/** All open ones and the newest of the ended ones, newest first. */
	load(endedLimit: number): Incident[] {
		return this.#load.all(endedLimit).map(incidentOf);
	}

	/** Ended ones that were opened before that time (ms), newest first. */
	ended(before: number, limit: number): Incident[] {
		return this.#ended.all({ before, limit }).map(incidentOf);
	}
}

function incidentOf(record: IncidentRecord): Incident {
	return { ...record, decisions: decisionsSchema.safeParse(JSON.parse(record.decisions)).data ?? [] };
}
