/** The ladder's steps upwards, with the operator's verdicts. Reads and writes at once. */
import type { Database } from 'better-sqlite3';

export class TripTables {
	readonly #database: Database;

	constructor(database: Database) {
		this.#database = database;
	}

	/** Whether the database is open. */
	get isOpen(): boolean {
		return this.#database.open;
	}
}
