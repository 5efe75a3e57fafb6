/** Agents and their sessions in the database. */
import type { Database, Statement } from 'better-sqlite3';
import type { BreakerLevel, OrderKind } from '../../shared/words.ts';
import type { AgentRow, JsonObject, SessionRow } from './rows.ts';

interface AgentRecord {
	id: string;
	client: string;
	sessionId: string;
	directory: string;
	name: string;
	model: string | null;
	firstSeenAt: number;
	lastEventAt: number;
	level: BreakerLevel;
	levelSince: number;
	orderKind: OrderKind | null;
	orderWords: string | null;
	orderAt: number | null;
	processPid: number | null;
	processStartTime: string | null;
	demo: number;
	state: string;
}

export class AgentTables {
	readonly #saveAgent: Statement<[AgentRecord]>;
	readonly #loadAgents: Statement<[], AgentRecord>;
	readonly #removeAgent: Statement<[string]>;
	readonly #saveSession: Statement<[SessionRow]>;
	readonly #loadSessions: Statement<[], SessionRow>;

	constructor(database: Database) {
		this.#saveAgent = database.prepare(`
			INSERT INTO agents (id, client, session_id, directory, name, model, first_seen_at, last_event_at, level,
				level_since, order_kind, order_words, order_at, process_pid, process_start_time, demo, state)
			VALUES (@id, @client, @sessionId, @directory, @name, @model, @firstSeenAt, @lastEventAt, @level,
				@levelSince, @orderKind, @orderWords, @orderAt, @processPid, @processStartTime, @demo, @state)
			ON CONFLICT (id) DO UPDATE SET client = @client, session_id = @sessionId, directory = @directory,
				name = @name, model = @model, last_event_at = @lastEventAt, level = @level, level_since = @levelSince,
				order_kind = @orderKind, order_words = @orderWords, order_at = @orderAt, process_pid = @processPid,
				process_start_time = @processStartTime, demo = @demo, state = @state`);
		this.#loadAgents = database.prepare(`
			SELECT id, client, session_id AS sessionId, directory, name, model, first_seen_at AS firstSeenAt,
				last_event_at AS lastEventAt, level, level_since AS levelSince, order_kind AS orderKind,
				order_words AS orderWords, order_at AS orderAt, process_pid AS processPid,
				process_start_time AS processStartTime, demo, state
			FROM agents ORDER BY first_seen_at, id`);
		this.#removeAgent = database.prepare('DELETE FROM agents WHERE id = ?');
		this.#saveSession = database.prepare(`
			INSERT INTO sessions (client, session_id, agent_id, transcript_path, first_seen_at, last_seen_at)
			VALUES (@client, @sessionId, @agentId, @transcriptPath, @firstSeenAt, @lastSeenAt)
			ON CONFLICT (client, session_id) DO UPDATE SET agent_id = @agentId,
				transcript_path = coalesce(@transcriptPath, transcript_path), last_seen_at = @lastSeenAt`);
		this.#loadSessions = database.prepare(`
			SELECT client, session_id AS sessionId, agent_id AS agentId, transcript_path AS transcriptPath,
				first_seen_at AS firstSeenAt, last_seen_at AS lastSeenAt
			FROM sessions ORDER BY first_seen_at, session_id`);
	}

	saveAgent(agent: AgentRow): void {
		const { order, process, demo, state, ...rest } = agent;
		this.#saveAgent.run({
			...rest,
			orderKind: order?.kind ?? null,
			orderWords: order?.words ?? null,
			orderAt: order?.at ?? null,
			processPid: process?.pid ?? null,
			processStartTime: process?.startTime ?? null,
			demo: demo ? 1 : 0,
			state: JSON.stringify(state),
		});
	}

	loadAgents(): AgentRow[] {
		return this.#loadAgents.all().map(agentOf);
	}

	removeAgent(id: string): void {
		this.#removeAgent.run(id);
	}

	saveSession(session: SessionRow): void {
		this.#saveSession.run(session);
	}

	loadSessions(): SessionRow[] {
		return this.#loadSessions.all();
	}
}

function agentOf(record: AgentRecord): AgentRow {
	const { orderKind, orderWords, orderAt, processPid, processStartTime, demo, state, ...rest } = record;
	const order =
		orderKind === null || orderAt === null ? null : { kind: orderKind, words: orderWords ?? '', at: orderAt };
	return {
		...rest,
		order,
		process: processPid === null ? null : { pid: processPid, startTime: processStartTime },
		demo: demo === 1,
		state: objectOf(state),
	};
}

/** The table admits valid JSON only, but not only objects. */
function objectOf(text: string): JsonObject {
	const value: unknown = JSON.parse(text);
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
