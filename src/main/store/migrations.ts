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
	{
		version: 2,
		// Failover: what is known of providers, what became of local answers, answers to queued turns, and the local SLO.
		// A day is a date on this machine's calendar when it happened.
		sql: `
			CREATE TABLE provider_health (
				provider_id TEXT PRIMARY KEY,
				saved_at REAL NOT NULL,
				is_last_called INTEGER NOT NULL CHECK (is_last_called IN (0, 1)),
				state TEXT NOT NULL CHECK (json_valid(state))
			) STRICT;

			-- One verdict a turn: a later one replaces it.
			CREATE TABLE local_verdicts (
				turn_id TEXT PRIMARY KEY,
				workspace TEXT NOT NULL,
				model_id TEXT NOT NULL,
				accepted INTEGER NOT NULL CHECK (accepted IN (0, 1)),
				at REAL NOT NULL
			) STRICT;
			CREATE INDEX local_verdicts_of_model ON local_verdicts (workspace, model_id, accepted);

			-- Nothing is an answer without the model that gave it.
			CREATE TABLE turn_answers (
				key TEXT NOT NULL,
				harness TEXT NOT NULL CHECK (harness IN ('local', 'cloud')),
				place TEXT NOT NULL,
				model TEXT NOT NULL,
				at REAL NOT NULL,
				text TEXT NOT NULL,
				PRIMARY KEY (key, harness)
			) STRICT;
			CREATE INDEX turn_answers_by_age ON turn_answers (at);

			CREATE TABLE slo_turns (
				day TEXT NOT NULL,
				provider_id TEXT NOT NULL,
				turns INTEGER NOT NULL,
				fallback_turns INTEGER NOT NULL,
				refused_turns INTEGER NOT NULL,
				queued_turns INTEGER NOT NULL,
				PRIMARY KEY (day, provider_id)
			) STRICT, WITHOUT ROWID;

			-- known_until: while it goes on, when that was last seen; then its end.
			CREATE TABLE degraded_spans (
				id TEXT PRIMARY KEY,
				provider_id TEXT NOT NULL,
				started_at REAL NOT NULL,
				known_until REAL NOT NULL,
				CHECK (known_until >= started_at)
			) STRICT, WITHOUT ROWID;
			CREATE INDEX degraded_spans_by_age ON degraded_spans (known_until);

			CREATE TABLE popup_times (
				id INTEGER PRIMARY KEY,
				day TEXT NOT NULL,
				provider_id TEXT NOT NULL,
				ms REAL NOT NULL
			) STRICT;
			CREATE INDEX popup_times_of_day ON popup_times (day, provider_id, ms);

			CREATE TABLE queue_depths (day TEXT PRIMARY KEY, most INTEGER NOT NULL) STRICT, WITHOUT ROWID;
		`,
	},
	{
		version: 3,
		// Usage that was counted from the programs' session files. All of it can be counted again as long as they are there.
		sql: `
			-- One row: what the meaning of the rest was called by who wrote it.
			CREATE TABLE usage_layout (name TEXT NOT NULL) STRICT;

			CREATE TABLE usage_sessions (
				id INTEGER PRIMARY KEY,
				client TEXT NOT NULL,
				session_id TEXT NOT NULL,
				state TEXT NOT NULL
			) STRICT;

			CREATE TABLE usage_files (
				path TEXT PRIMARY KEY,
				session INTEGER NOT NULL,
				state TEXT NOT NULL
			) STRICT, WITHOUT ROWID;

			-- The key is a fingerprint of the response's own. It is no index: keys come in no order, and rows that are written
			-- together are to lie together.
			CREATE TABLE usage_responses (
				row INTEGER PRIMARY KEY,
				key INTEGER NOT NULL,
				session INTEGER NOT NULL,
				model TEXT NOT NULL,
				at REAL NOT NULL,
				born_at REAL NOT NULL,
				input INTEGER NOT NULL,
				output INTEGER NOT NULL,
				cache_read INTEGER NOT NULL,
				cache_creation INTEGER NOT NULL,
				cache_creation_1h INTEGER NOT NULL,
				web_searches INTEGER NOT NULL,
				nano_usd INTEGER
			) STRICT;

			-- Keys of responses that are too old for a row, so that they are not counted again.
			CREATE TABLE usage_retired (place INTEGER PRIMARY KEY, key INTEGER NOT NULL) STRICT;

			CREATE TABLE usage_sums (
				session INTEGER NOT NULL,
				model TEXT NOT NULL,
				input INTEGER NOT NULL,
				output INTEGER NOT NULL,
				cache_read INTEGER NOT NULL,
				cache_creation INTEGER NOT NULL,
				nano_usd INTEGER NOT NULL,
				priced INTEGER NOT NULL,
				unpriced INTEGER NOT NULL,
				PRIMARY KEY (session, model)
			) STRICT, WITHOUT ROWID;
		`,
	},
	{
		version: 4,
		// What the floor itself saw of usage, and no file tells.
		sql: `
			CREATE TABLE usage_local_models (name TEXT PRIMARY KEY, seen_at REAL NOT NULL) STRICT, WITHOUT ROWID;

			CREATE TABLE usage_served (
				client TEXT NOT NULL,
				session_id TEXT NOT NULL,
				at REAL NOT NULL,
				state TEXT NOT NULL,
				PRIMARY KEY (client, session_id)
			) STRICT, WITHOUT ROWID;
		`,
	},
	{
		version: 5,
		// Looking back: who decided about incidents, what the operator thinks of trips, who answered turns, what was told.
		sql: `
			ALTER TABLE incidents ADD COLUMN decisions TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(decisions));

			CREATE INDEX transitions_by_age ON transitions (at);

			CREATE TABLE trip_verdicts (
				transition_id INTEGER PRIMARY KEY REFERENCES transitions (id) ON DELETE CASCADE,
				verdict TEXT NOT NULL CHECK (verdict IN ('right', 'false-alarm')),
				at REAL NOT NULL
			) STRICT;

			-- One row each time that another model begins to answer an agent.
			CREATE TABLE turn_models (
				id INTEGER PRIMARY KEY,
				at REAL NOT NULL,
				agent_id TEXT NOT NULL,
				harness TEXT NOT NULL CHECK (harness IN ('local', 'cloud')),
				place TEXT NOT NULL,
				model TEXT NOT NULL,
				asked TEXT NOT NULL
			) STRICT;
			CREATE INDEX turn_models_of_agent ON turn_models (agent_id, at);
			CREATE INDEX turn_models_by_age ON turn_models (at);

			-- What the operator was told of, so that a restart does not tell it again.
			CREATE TABLE told_notices (key TEXT PRIMARY KEY, told_at REAL NOT NULL) STRICT, WITHOUT ROWID;
		`,
	},
	{
		version: 6,
		// Looking back names agents that have left the floor.
		sql: `
			CREATE TABLE departed_agents (
				id TEXT PRIMARY KEY,
				client TEXT NOT NULL,
				directory TEXT NOT NULL,
				name TEXT NOT NULL,
				last_seen_at REAL NOT NULL
			) STRICT, WITHOUT ROWID;
			CREATE INDEX departed_agents_by_age ON departed_agents (last_seen_at);

			CREATE TABLE departed_sessions (
				client TEXT NOT NULL,
				session_id TEXT NOT NULL,
				agent_id TEXT NOT NULL REFERENCES departed_agents (id) ON DELETE CASCADE,
				PRIMARY KEY (client, session_id)
			) STRICT, WITHOUT ROWID;
			CREATE INDEX departed_sessions_of_agent ON departed_sessions (agent_id);
		`,
	},
	{
		version: 7,
		// Trips are counted by arm from the index alone: reading the evidence of a month takes long.
		sql: `
			ALTER TABLE transitions ADD COLUMN arm TEXT GENERATED ALWAYS AS (json_extract(evidence, '$.arm')) VIRTUAL;
			DROP INDEX transitions_by_age;
			CREATE INDEX transitions_by_age ON transitions (at, action, arm);
		`,
	},
	{
		version: 8,
		// An open timeline reads one agent's events each second: with half a million of all agents 47 ms by age, 1 ms by agent.
		sql: 'CREATE INDEX events_of_agent ON events (agent_id, at);',
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
