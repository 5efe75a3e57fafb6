/** What was counted of the programs' session files, in the database. */
import type { Database, Statement, Transaction } from 'better-sqlite3';
import type {
	EvidenceStore,
	RetiredKey,
	StoredFile,
	StoredResponse,
	StoredServed,
	StoredSession,
	StoredSum,
	UsageChanges,
	UsageStore,
} from '../usage/usage-store.ts';
import { storeErrorFrom } from './store-error.ts';

const TABLES = [
	'usage_layout',
	'usage_sessions',
	'usage_files',
	'usage_responses',
	'usage_retired',
	'usage_sums',
] as const;

const MEANING = 'The next start reads more of the session files again.';

/** Each method throws a `StoreError` when the disk refuses. */
export class UsageTables implements UsageStore, EvidenceStore {
	readonly #layout: Statement<[], { name: string }>;
	readonly #sessions: Statement<[number, number], StoredSession>;
	readonly #files: Statement<[string, number], StoredFile>;
	readonly #responses: Statement<[number, number], StoredResponse>;
	readonly #retired: Statement<[number, number], RetiredKey>;
	readonly #sums: Statement<[], StoredSum>;
	readonly #localModels: Statement<[], { name: string }>;
	readonly #served: Statement<[], StoredServed>;
	readonly #keepLocalModels: Transaction<EvidenceStore['keepLocalModels']>;
	readonly #keepServed: Transaction<EvidenceStore['keepServed']>;
	readonly #clear: Transaction<(layout: string) => void>;
	readonly #save: Transaction<(changes: UsageChanges) => void>;

	constructor(database: Database) {
		this.#layout = database.prepare('SELECT name FROM usage_layout');
		this.#sessions = database.prepare(`
			SELECT id, client, session_id AS sessionId, state FROM usage_sessions WHERE id > ? ORDER BY id LIMIT ?`);
		this.#files = database.prepare(`
			SELECT path, session, state FROM usage_files WHERE path > ? ORDER BY path LIMIT ?`);
		this.#responses = database.prepare(`
			SELECT row, key, session, model, at, born_at AS bornAt, input, output, cache_read AS cacheRead,
				cache_creation AS cacheCreation, cache_creation_1h AS cacheCreation1h, web_searches AS webSearches,
				nano_usd AS nanoUsd
			FROM usage_responses WHERE row > ? ORDER BY row LIMIT ?`);
		this.#retired = database.prepare(
			'SELECT place, key FROM usage_retired WHERE place > ? ORDER BY place LIMIT ?',
		);
		this.#sums = database.prepare(`
			SELECT session, model, input, output, cache_read AS cacheRead, cache_creation AS cacheCreation,
				nano_usd AS nanoUsd, priced, unpriced
			FROM usage_sums`);
		this.#localModels = database.prepare('SELECT name FROM usage_local_models ORDER BY seen_at DESC, name');
		this.#served = database.prepare(
			'SELECT client, session_id AS sessionId, at, state FROM usage_served ORDER BY at, client, session_id',
		);
		this.#keepLocalModels = keepingLocalModels(database);
		this.#keepServed = keepingServed(database);
		this.#clear = clearing(database);
		this.#save = saving(database);
	}

	layout(): string | null {
		return guarded('read what is known of usage', () => this.#layout.get()?.name ?? null);
	}

	clear(layout: string): void {
		guarded('begin to keep usage', () => this.#clear(layout));
	}

	sessions(after: number, limit: number): StoredSession[] {
		return guarded('read the sessions of usage', () => this.#sessions.all(after, limit));
	}

	files(after: string, limit: number): StoredFile[] {
		return guarded('read the files of usage', () => this.#files.all(after, limit));
	}

	responses(after: number, limit: number): StoredResponse[] {
		return guarded('read usage', () => this.#responses.all(after, limit));
	}

	retired(after: number, limit: number): RetiredKey[] {
		return guarded('read old usage', () => this.#retired.all(after, limit));
	}

	sums(): StoredSum[] {
		return guarded('read sums of usage', () => this.#sums.all());
	}

	save(changes: UsageChanges): void {
		guarded('keep usage', () => this.#save(changes));
	}

	localModels(): string[] {
		return guarded('read the names of local models', () => this.#localModels.all().map(({ name }) => name));
	}

	keepLocalModels(names: readonly string[], at: number, most: number): void {
		guarded('keep the names of local models', () => this.#keepLocalModels(names, at, most));
	}

	served(): StoredServed[] {
		return guarded('read what the gateway served', () => this.#served.all());
	}

	keepServed(served: StoredServed, most: number): void {
		guarded('keep what the gateway served', () => this.#keepServed(served, most));
	}
}

function keepingLocalModels(database: Database): Transaction<EvidenceStore['keepLocalModels']> {
	const keep = database.prepare('INSERT OR REPLACE INTO usage_local_models (name, seen_at) VALUES (?, ?)');
	const drop = database.prepare(`
		DELETE FROM usage_local_models WHERE name NOT IN (
			SELECT name FROM usage_local_models ORDER BY seen_at DESC, name LIMIT ?
		)`);
	return database.transaction((names: readonly string[], at: number, most: number) => {
		for (const name of names) keep.run(name, at);
		drop.run(most);
	});
}

function keepingServed(database: Database): Transaction<EvidenceStore['keepServed']> {
	const keep = database.prepare(
		'INSERT OR REPLACE INTO usage_served (client, session_id, at, state) VALUES (?, ?, ?, ?)',
	);
	const drop = database.prepare(`
		DELETE FROM usage_served WHERE (client, session_id) NOT IN (
			SELECT client, session_id FROM usage_served ORDER BY at DESC, client, session_id LIMIT ?
		)`);
	return database.transaction(({ client, sessionId, at, state }: StoredServed, most: number) => {
		keep.run(client, sessionId, at, state);
		drop.run(most);
	});
}

function clearing(database: Database): Transaction<(layout: string) => void> {
	const clear = TABLES.map((table) => database.prepare(`DELETE FROM ${table}`));
	const name = database.prepare<[string]>('INSERT INTO usage_layout (name) VALUES (?)');
	return database.transaction((layout: string) => {
		for (const statement of clear) statement.run();
		name.run(layout);
	});
}

function saving(database: Database): Transaction<(changes: UsageChanges) => void> {
	const session = database.prepare(`
		INSERT OR REPLACE INTO usage_sessions (id, client, session_id, state) VALUES (?, ?, ?, ?)`);
	const file = database.prepare('INSERT OR REPLACE INTO usage_files (path, session, state) VALUES (?, ?, ?)');
	const removeFile = database.prepare('DELETE FROM usage_files WHERE path = ?');
	const response = database.prepare(`
		INSERT OR REPLACE INTO usage_responses (row, key, session, model, at, born_at, input, output, cache_read,
			cache_creation, cache_creation_1h, web_searches, nano_usd)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
	const removeResponse = database.prepare('DELETE FROM usage_responses WHERE row = ?');
	const retire = database.prepare('INSERT INTO usage_retired (key) VALUES (?)');
	const sum = database.prepare(`
		INSERT OR REPLACE INTO usage_sums (session, model, input, output, cache_read, cache_creation, nano_usd, priced,
			unpriced)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
	return database.transaction((changes: UsageChanges) => {
		for (const each of changes.sessions) session.run(each.id, each.client, each.sessionId, each.state);
		for (const path of changes.removedFiles) removeFile.run(path);
		for (const each of changes.files) file.run(each.path, each.session, each.state);
		// First: a row may be another response's by now.
		for (const { row, key } of changes.retired) {
			removeResponse.run(row);
			retire.run(key);
		}
		for (const each of changes.responses) {
			const { row, key, model, at, bornAt, input, output, cacheRead, cacheCreation } = each;
			const { cacheCreation1h, webSearches, nanoUsd } = each;
			const counts = [input, output, cacheRead, cacheCreation, cacheCreation1h, webSearches];
			response.run(row, key, each.session, model, at, bornAt, ...counts, nanoUsd);
		}
		for (const each of changes.sums) {
			const { session: owner, model, input, output, cacheRead, cacheCreation } = each;
			const { nanoUsd, priced, unpriced } = each;
			sum.run(owner, model, input, output, cacheRead, cacheCreation, nanoUsd, priced, unpriced);
		}
	});
}

function guarded<T>(doing: string, run: () => T): T {
	try {
		return run();
	} catch (error) {
		throw storeErrorFrom(error, doing, MEANING);
	}
}
