/** What is stored of an agent's turns, for its timeline. Reads and writes at once. */
import type { Database } from 'better-sqlite3';

export class TimelineTables {
	readonly #database: Database;

	constructor(database: Database) {
		this.#database = database;
	}

	/** Whether the database is open. */
	get isOpen(): boolean {
		return this.#database.open;
	}
}
