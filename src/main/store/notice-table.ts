/** What the operator was told of, so that a restart does not tell it again. */
import type { Database, Statement, Transaction } from 'better-sqlite3';
import { storeErrorFrom } from './store-error.ts';

const MEANING = 'After a restart you may be told again of what you were told already.';

/** Reads and writes at once. Each method throws a `StoreError` when the disk refuses. */
export class NoticeTable {
	readonly #read: Statement<[], { key: string; toldAt: number }>;
	readonly #write: Transaction<(keys: readonly string[], at: number) => void>;
	readonly #remove: Transaction<(keys: readonly string[]) => void>;

	constructor(database: Database) {
		this.#read = database.prepare('SELECT key, told_at AS toldAt FROM told_notices');
		const write = database.prepare<[string, number]>(`
			INSERT INTO told_notices (key, told_at) VALUES (?, ?)
			ON CONFLICT (key) DO UPDATE SET told_at = excluded.told_at`);
		const remove = database.prepare<[string]>('DELETE FROM told_notices WHERE key = ?');
		this.#write = database.transaction((keys: readonly string[], at: number) => {
			for (const key of keys) write.run(key, at);
		});
		this.#remove = database.transaction((keys: readonly string[]) => {
			for (const key of keys) remove.run(key);
		});
	}

	/** Key → when it was told, ms. */
	told(): Map<string, number> {
		const rows = guarded('read what you were told', () => this.#read.all());
		return new Map(rows.map(({ key, toldAt }) => [key, toldAt]));
	}

	/** All or none. `at` in ms. */
	remember(keys: readonly string[], at: number): void {
		if (keys.length > 0) guarded('remember what you were told', () => this.#write(keys, at));
	}

	/** All or none. Unknown keys are no error. */
	forget(keys: readonly string[]): void {
		if (keys.length > 0) guarded('forget what you were told', () => this.#remove(keys));
	}
}

function guarded<T>(doing: string, run: () => T): T {
	try {
		return run();
	} catch (error) {
		throw storeErrorFrom(error, doing, MEANING);
	}
}
