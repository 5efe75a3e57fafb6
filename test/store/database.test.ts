import {
	closeSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	truncateSync,
	writeFileSync,
	writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/main/store/database.ts';
import { migrate, migrations, versionOf } from '../../src/main/store/migrations.ts';
import { StoreError } from '../../src/main/store/store-error.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const NOW = Date.parse('2026-11-30T10:42:00.500Z');

function open(directory: string, steps = migrations) {
	const opened = openDatabase(directory, { now: NOW, steps });
	onTestFinished(() => {
		opened.database.close();
	});
	return opened;
}

function addRemark(database: Database, text: string): void {
	database.prepare("INSERT INTO remarks (at, agent_id, kind, text) VALUES (1, 'a', 'note', ?)").run(text);
}

function remarks(database: Database): unknown[] {
	return database.prepare('SELECT text FROM remarks ORDER BY id').pluck().all();
}

function errorOf(run: () => unknown): StoreError {
	try {
		run();
	} catch (error) {
		if (error instanceof StoreError) return error;
		throw error;
	}
	throw new Error('nothing was thrown');
}

describe('the database', () => {
	it('is made with a write-ahead log, room to shrink, and the newest shape', () => {
		const { database, setAside, problem } = open(temporaryDirectory());
		expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
		expect(database.pragma('auto_vacuum', { simple: true })).toBe(2);
		expect(database.pragma('foreign_keys', { simple: true })).toBe(1);
		expect(versionOf(database)).toBe(migrations.at(-1)?.version);
		expect({ setAside, problem }).toEqual({ setAside: null, problem: '' });
	});

	it('keeps what was written over a restart, also one without a farewell', () => {
		const directory = temporaryDirectory();
		addRemark(open(directory).database, 'before');
		// The first connection is still open, as after a crash its log would still be there.
		const { database, setAside } = open(directory);
		expect(remarks(database)).toEqual(['before']);
		expect(setAside).toBeNull();
	});

	it('takes an empty file for a new one', () => {
		const directory = temporaryDirectory();
		writeFileSync(join(directory, 'floor.db'), '');
		expect(open(directory).setAside).toBeNull();
	});
});

describe('a damaged database', () => {
	function damaged(damage: (file: string) => void): string {
		const directory = temporaryDirectory();
		const { database } = openDatabase(directory);
		for (let count = 0; count < 500; count += 1) addRemark(database, 'x'.repeat(500));
		database.close();
		damage(join(directory, 'floor.db'));
		return directory;
	}

	it.each<[string, (file: string) => void]>([
		['whose header is gone', (file) => writeFileSync(file, 'not a database at all '.repeat(500))],
		[
			'with a page of noise in it',
			(file) => {
				const handle = openSync(file, 'r+');
				writeSync(handle, Buffer.alloc(16_384, 0xff), 0, 16_384, 8192);
				closeSync(handle);
			},
		],
		[
			'that was cut in half',
			(file) => truncateSync(file, Math.floor(readFileSync(file).length / 8192) * 4096),
		],
	])('%s is set aside whole, and a new one begun', (_what, damage) => {
		const directory = damaged(damage);
		const bytes = readFileSync(join(directory, 'floor.db'));
		const { database, setAside, problem } = open(directory);
		expect(setAside).toBe(join(directory, 'floor.db.corrupt-2026-11-30T10-42-00'));
		expect(readFileSync(join(directory, 'floor.db.corrupt-2026-11-30T10-42-00'))).toEqual(bytes);
		expect(problem).toContain(setAside ?? 'a name');
		expect(remarks(database)).toEqual([]);
		addRemark(database, 'works');
	});

	it('takes its write-ahead log along', () => {
		const directory = damaged((file) => {
			writeFileSync(file, 'noise '.repeat(1000));
			writeFileSync(`${file}-wal`, 'log');
		});
		open(directory);
		expect(readFileSync(join(directory, 'floor.db.corrupt-2026-11-30T10-42-00-wal'), 'utf8')).toBe('log');
	});

	it('never takes the name of another one', () => {
		const directory = temporaryDirectory();
		for (const noise of ['first ', 'second ', 'third ']) {
			writeFileSync(join(directory, 'floor.db'), noise.repeat(500));
			openDatabase(directory, { now: NOW }).database.close();
		}
		expect(
			readdirSync(directory)
				.filter((name) => name.includes('corrupt'))
				.sort(),
		).toEqual([
			'floor.db.corrupt-2026-11-30T10-42-00',
			'floor.db.corrupt-2026-11-30T10-42-00-2',
			'floor.db.corrupt-2026-11-30T10-42-00-3',
		]);
	});
});

describe('a database that cannot be used', () => {
	it('of a newer floor is refused and left as it is', () => {
		const directory = temporaryDirectory();
		const { database } = openDatabase(directory);
		addRemark(database, 'of the future');
		database.pragma('user_version = 99');
		database.close();
		const bytes = readFileSync(join(directory, 'floor.db'));
		const error = errorOf(() => openDatabase(directory));
		expect(error.code).toBe('newer-version');
		expect(error.message).toContain('99');
		expect(error.remedy).toContain('--data');
		expect(readFileSync(join(directory, 'floor.db'))).toEqual(bytes);
		expect(readdirSync(directory)).toEqual(['floor.db']);
	});

	it('says so when a directory is in its place, or there is no directory', () => {
		const directory = temporaryDirectory();
		mkdirSync(join(directory, 'floor.db'));
		expect(errorOf(() => openDatabase(directory)).code).toBe('not-writable');
		const missing = errorOf(() => openDatabase(join(directory, 'nowhere')));
		expect(missing.message).toContain('nowhere');
		expect(missing.meaning).not.toBe('');
		expect(missing.remedy).not.toBe('');
	});

	it('says so while another program holds it, and is not set aside', () => {
		const directory = temporaryDirectory();
		const { database } = openDatabase(directory);
		onTestFinished(() => {
			database.close();
		});
		database.exec('BEGIN IMMEDIATE');
		const steps = [...migrations, { version: migrations.length + 1, sql: 'CREATE TABLE more (id INTEGER)' }];
		expect(errorOf(() => openDatabase(directory, { steps })).code).toBe('busy');
		expect(readdirSync(directory).filter((name) => name.includes('corrupt'))).toEqual([]);
	});
});

describe('migrations', () => {
	const next = {
		version: migrations.length + 1,
		sql: "ALTER TABLE remarks ADD COLUMN extra TEXT NOT NULL DEFAULT 'none'",
	};

	it('are numbered without a gap', () => {
		expect(migrations.map((step) => step.version)).toEqual(migrations.map((_, index) => index + 1));
	});

	it('bring an older database forward and keep its rows', () => {
		const directory = temporaryDirectory();
		const older = openDatabase(directory, { steps: migrations });
		addRemark(older.database, 'kept');
		older.database.close();
		const { database } = open(directory, [...migrations, next]);
		expect(versionOf(database)).toBe(migrations.length + 1);
		expect(database.prepare('SELECT text, extra FROM remarks').all()).toEqual([
			{ text: 'kept', extra: 'none' },
		]);
	});

	it('leave everything as it was when a step fails midway', () => {
		const { database } = open(temporaryDirectory());
		addRemark(database, 'kept');
		const broken = {
			version: migrations.length + 1,
			sql: 'CREATE TABLE half (id INTEGER); DROP TABLE remarks; nonsense;',
		};
		expect(() => migrate(database, [...migrations, broken])).toThrow();
		expect(versionOf(database)).toBe(migrations.length);
		expect(remarks(database)).toEqual(['kept']);
		expect(database.prepare("SELECT name FROM sqlite_schema WHERE name = 'half'").all()).toEqual([]);
	});
});
