import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/main/store/database.ts';
import { NoticeTable } from '../../src/main/store/notice-table.ts';
import { StoreError } from '../../src/main/store/store-error.ts';
import { temporaryDirectory } from './temporary-directory.ts';

function open(directory: string) {
	const { database } = openDatabase(directory);
	onTestFinished(() => {
		database.close();
	});
	return { database, table: new NoticeTable(database) };
}

it('what was told is known to the next run, at its newest time, until it is forgotten', () => {
	const directory = temporaryDirectory();
	const { table, database } = open(directory);
	table.remember(['a', 'b', 'c'], 1_000);
	table.remember(['b'], 2_000);
	table.forget(['c', 'never told']);
	table.remember([], 3_000);
	database.close();
	expect(open(directory).table.told()).toEqual(
		new Map([
			['a', 1_000],
			['b', 2_000],
		]),
	);
});

it('says in words when the disk refuses', () => {
	const { table, database } = open(temporaryDirectory());
	database.close();
	for (const act of [() => table.told(), () => table.remember(['a'], 1), () => table.forget(['a'])]) {
		expect(act).toThrow(StoreError);
	}
});
