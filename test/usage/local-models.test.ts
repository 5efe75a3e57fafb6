import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/main/store/database.ts';
import { UsageTables } from '../../src/main/store/usage-tables.ts';
import { LocalModelNames } from '../../src/main/usage/local-models.ts';
import { temporaryDirectory } from './transcript-files.ts';

function newStore(): UsageTables {
	const { database } = openDatabase(temporaryDirectory());
	onTestFinished(() => void database.close());
	return new UsageTables(database);
}

function namesOver(store: UsageTables | undefined, current: () => readonly string[], errors: unknown[] = []) {
	const onError = (_where: string, error: unknown): void => void errors.push(error);
	return new LocalModelNames({ current, now: () => 1_000, onError, ...(store && { store }) });
}

describe('local models', () => {
	it('stay local when their server is off, over restarts too', () => {
		const store = newStore();
		let current = ['gpt-oss-20b', 'deepseek-r1:32b'];
		const names = namesOver(store, () => current);
		expect(names.has('gpt-oss-20b')).toBe(false);
		names.look();
		current = [];
		names.look();
		const later = namesOver(store, () => []);
		for (const known of [names, later]) {
			expect([known.has('gpt-oss-20b'), known.has('deepseek-r1:32b'), known.has('qwen3:8b')]).toEqual([
				true,
				true,
				false,
			]);
		}
	});

	it.each(['claude-opus-4-8', 'gpt-5.4', 'o3', 'gemini-3-pro'])(
		'%s is one only while a server here lists it: nothing of it is kept',
		(hosted) => {
			const store = newStore();
			let current = [hosted];
			const names = namesOver(store, () => current);
			names.look();
			expect(names.has(hosted)).toBe(true);
			current = [];
			names.look();
			expect([names.has(hosted), store.localModels()]).toEqual([false, []]);
		},
	);

	it('are bounded: those seen last are kept', () => {
		const store = newStore();
		store.keepLocalModels(['a', 'b'], 1, 3);
		store.keepLocalModels(['c', 'a'], 2, 3);
		store.keepLocalModels(['d'], 3, 3);
		expect(store.localModels()).toEqual(['d', 'a', 'c']);
	});

	it('are known in this run when the disk refuses, and somebody is told', () => {
		const store = newStore();
		store.keepLocalModels = () => {
			throw new Error('disk full');
		};
		const errors: unknown[] = [];
		const names = namesOver(store, () => ['qwen3:8b'], errors);
		names.look();
		expect([names.has('qwen3:8b'), errors.length]).toEqual([true, 1]);
	});
});
