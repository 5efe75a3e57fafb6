/** Who has left the floor: what looking back still has to say of an agent, its name and its sessions. Reads and writes at once. */
import type { Database, Statement } from 'better-sqlite3';

export interface DepartedSession {
	readonly client: string;
	readonly sessionId: string;
	readonly agentId: string;
	readonly agentName: string;
	/** Empty: it was never told. */
	readonly directory: string;
}

export class DepartedAgents {
	readonly #keepAgent: Statement<[string]>;
	readonly #keepSessions: Statement<[string]>;
	readonly #since: Statement<[number], DepartedSession>;
	readonly #lastSeen: Statement<[string], { at: number | null }>;
	readonly #prune: Statement<[number]>;

	constructor(database: Database) {
		this.#keepAgent = database.prepare(`
			INSERT INTO departed_agents (id, client, directory, name, last_seen_at)
			SELECT id, client, directory, name, max(last_event_at, level_since) FROM agents WHERE id = ? AND demo = 0
			ON CONFLICT (id) DO UPDATE SET directory = excluded.directory, name = excluded.name,
				last_seen_at = excluded.last_seen_at`);
		this.#keepSessions = database.prepare(`
			INSERT INTO departed_sessions (client, session_id, agent_id)
			SELECT s.client, s.session_id, s.agent_id FROM sessions s JOIN departed_agents d ON d.id = s.agent_id
			WHERE s.agent_id = ?
			ON CONFLICT (client, session_id) DO UPDATE SET agent_id = excluded.agent_id`);
		this.#since = database.prepare(`
			SELECT s.client, s.session_id AS sessionId, d.id AS agentId, d.name AS agentName, d.directory
			FROM departed_agents d JOIN departed_sessions s ON s.agent_id = d.id WHERE d.last_seen_at >= ?`);
		this.#lastSeen = database.prepare('SELECT max(last_seen_at) AS at FROM departed_agents WHERE client = ?');
		this.#prune = database.prepare('DELETE FROM departed_agents WHERE last_seen_at < ?');
	}

	/** To be called before the agent's row goes. A demonstration leaves nothing behind. */
	keep(agentId: string): void {
		this.#keepAgent.run(agentId);
		this.#keepSessions.run(agentId);
	}

	/** Sessions of those that were last seen since then (ms). */
	since(at: number): DepartedSession[] {
		return this.#since.all(at);
	}

	/** When one of that program was last seen (ms); `null`: none has left. */
	lastSeenOf(client: string): number | null {
		return this.#lastSeen.get(client)?.at ?? null;
	}

	/** Forgets those that were last seen before that time (ms). */
	prune(before: number): void {
		this.#prune.run(before);
	}
}
