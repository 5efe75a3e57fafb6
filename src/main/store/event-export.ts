/** The recorded events of a data directory, read beside a floor that may be running. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { DATABASE_FILE } from './database.ts';
import { StoreError, storeErrorFrom } from './store-error.ts';
import { UsageTables } from './usage-tables.ts';

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
	const database = openToRead(directory);
	try {
		const rows = database.prepare<[number], ExportedEvent>(
			'SELECT at, client, name AS event, body FROM events WHERE at >= ? ORDER BY at, id',
		);
		yield* rows.iterate(since);
	} catch (error) {
		throw storeErrorFrom(error, `read the events in ${directory}`, 'Nothing was changed.');
	} finally {
		database.close();
	}
}

/** What was counted of usage, to be read only while `work` runs. Rejects with a `StoreError`, or with what `work` does. */
export async function exportUsage<T>(
	directory: string,
	work: (usage: UsageTables) => Promise<T>,
): Promise<T> {
	const database = openToRead(directory);
	try {
		return await work(usageTables(database, directory));
	} finally {
		database.close();
	}
}

function usageTables(database: SqliteDatabase.Database, directory: string): UsageTables {
	try {
		return new UsageTables(database);
	} catch (error) {
		// An older floor has none of these tables.
		throw storeErrorFrom(error, `read the usage in ${directory}`, 'Nothing was changed.');
	}
}

function openToRead(directory: string): SqliteDatabase.Database {
	const file = join(directory, DATABASE_FILE);
	if (!existsSync(file)) {
		throw new StoreError({
			code: 'failed',
			message: `There is no database in ${directory}.`,
			meaning: 'No floor has run there yet, so nothing was recorded.',
			remedy: 'Name the data directory of your floor with --data=DIR.',
		});
	}
	try {
		return new SqliteDatabase(file, { readonly: true, timeout: 2_000 });
	} catch (error) {
		throw storeErrorFrom(error, `open ${file}`, 'Nothing was changed.');
	}
}
