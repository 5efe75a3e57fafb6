/** What the operator was told of, so that a restart does not tell it again. */
import type { Database } from 'better-sqlite3';

export class NoticeTable {
	readonly #database: Database;

	constructor(database: Database) {
		this.#database = database;
	}

	/** Whether the database is open. */
	get isOpen(): boolean {
		return this.#database.open;
	}
}
