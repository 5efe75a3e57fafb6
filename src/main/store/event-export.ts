/** The recorded events of a data directory, read beside a floor that may be running. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { DATABASE_FILE } from './database.ts';
import { StoreError, storeErrorFrom } from './store-error.ts';

export interface ExportedEvent {
	readonly at: number;
	readonly client: string;
	/** The client's own name of the event. */
	readonly event: string;
	/** Exactly as received. */
	readonly body: string;
}

/** All events from `since` (ms) on, oldest first, one at a time. Throws a `StoreError` when there is no database. */
export function* exportEvents(directory: string, since: number): Generator<ExportedEvent> {
	const file = join(directory, DATABASE_FILE);
	if (!existsSync(file)) {
		throw new StoreError({
			code: 'failed',
			message: `There is no database in ${directory}.`,
			meaning: 'No floor has run there yet, so nothing was recorded.',
			remedy: 'Name the data directory of your floor with --data=DIR.',
		});
	}
	let database: SqliteDatabase.Database | undefined;
	try {
		database = new SqliteDatabase(file, { readonly: true, timeout: 2_000 });
		const rows = database.prepare<[number], ExportedEvent>(
			'SELECT at, client, name AS event, body FROM events WHERE at >= ? ORDER BY at, id',
		);
		yield* rows.iterate(since);
	} catch (error) {
		throw storeErrorFrom(error, `read the events in ${file}`, 'Nothing was changed.');
	} finally {
		database?.close();
	}
}
