/** The shape of the database, one step after another. A step that was released is never edited: add the next one. */
import type { Database } from 'better-sqlite3';

export interface Migration {
	/** `user_version` after this step; each is one more than the one before. */
	readonly version: number;
	readonly sql: string;
}

export const migrations: readonly Migration[] = [
	{
		version: 1,
		// Times are ms since the epoch. Bodies and words of agents are untrusted text, stored as they came.
		sql: `
			CREATE TABLE agents (
				id TEXT PRIMARY KEY,
				client TEXT NOT NULL,
				session_id TEXT NOT NULL,
				directory TEXT NOT NULL,
				name TEXT NOT NULL,
				model TEXT,
				first_seen_at REAL NOT NULL,
				last_event_at REAL NOT NULL,
				level TEXT NOT NULL CHECK (level IN ('healthy', 'steering', 'constrained', 'stopped')),
				level_since REAL NOT NULL,
				order_kind TEXT CHECK (order_kind IN ('hold', 'constrain', 'stop')),
				order_words TEXT,
				order_at REAL,
				process_pid INTEGER,
				process_start_time TEXT,
				demo INTEGER NOT NULL CHECK (demo IN (0, 1)),
				state TEXT NOT NULL CHECK (json_valid(state)),
				CHECK ((order_kind IS NULL) = (order_words IS NULL) AND (order_kind IS NULL) = (order_at IS NULL))
			) STRICT;

			CREATE TABLE sessions (
				client TEXT NOT NULL,
				session_id TEXT NOT NULL,
				agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
				transcript_path TEXT,
				first_seen_at REAL NOT NULL,
				last_seen_at REAL NOT NULL,
				PRIMARY KEY (client, session_id)
			) STRICT;
			CREATE INDEX sessions_of_agent ON sessions (agent_id);

			-- The body comes last: the other columns are read without its overflow pages.
			CREATE TABLE events (
				id INTEGER PRIMARY KEY,
				at REAL NOT NULL,
				agent_id TEXT,
				client TEXT NOT NULL,
				name TEXT NOT NULL,
				dedupe_key TEXT,
				bytes INTEGER NOT NULL,
				body TEXT NOT NULL
			) STRICT;
			-- Written at its end only, and scanned instead of the table.
			CREATE INDEX events_by_age ON events (at, agent_id, bytes);
			CREATE UNIQUE INDEX events_once ON events (client, agent_id, name, dedupe_key) WHERE dedupe_key IS NOT NULL;

			CREATE TABLE transitions (
				id INTEGER PRIMARY KEY,
				at REAL NOT NULL,
				agent_id TEXT NOT NULL,
				session_id TEXT NOT NULL,
				from_level TEXT NOT NULL,
				to_level TEXT NOT NULL,
				action TEXT NOT NULL,
				reason TEXT NOT NULL,
				evidence TEXT CHECK (evidence IS NULL OR json_valid(evidence))
			) STRICT;
			CREATE INDEX transitions_of_agent ON transitions (agent_id, at);

			CREATE TABLE operator_actions (
				id INTEGER PRIMARY KEY,
				at REAL NOT NULL,
				agent_id TEXT,
				action TEXT NOT NULL,
				words TEXT NOT NULL,
				detail TEXT CHECK (detail IS NULL OR json_valid(detail))
			) STRICT;
			CREATE INDEX operator_actions_of_agent ON operator_actions (agent_id, at);

			CREATE TABLE remarks (
				id INTEGER PRIMARY KEY,
				at REAL NOT NULL,
				agent_id TEXT NOT NULL,
				kind TEXT NOT NULL CHECK (kind IN ('note', 'denial', 'trouble')),
				text TEXT NOT NULL
			) STRICT;
			CREATE INDEX remarks_of_agent ON remarks (agent_id, at);
			CREATE INDEX remarks_by_age ON remarks (at);

			CREATE TABLE incidents (
				id TEXT PRIMARY KEY,
				kind TEXT NOT NULL,
				severity TEXT NOT NULL,
				title TEXT NOT NULL,
				detail TEXT NOT NULL,
				agent_id TEXT,
				opened_at REAL NOT NULL,
				updated_at REAL NOT NULL,
				count INTEGER NOT NULL,
				ended_at REAL,
				end_reason TEXT
			) STRICT;
			CREATE INDEX incidents_by_age ON incidents (opened_at);
		`,
	},
];

/** The `user_version` of the database. */
export function versionOf(database: Database): number {
	return Number(database.pragma('user_version', { simple: true }));
}

/** Applies the steps that are missing, each in its own transaction: one that fails leaves the database as it was. */
export function migrate(database: Database, steps: readonly Migration[] = migrations): void {
	for (const { version, sql } of steps) {
		if (version <= versionOf(database)) continue;
		database.transaction(() => {
			database.exec(sql);
			database.pragma(`user_version = ${version}`);
		})();
	}
}
