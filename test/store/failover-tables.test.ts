import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import SqliteDatabase from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DATABASE_FILE, openDatabase } from '../../src/main/store/database.ts';
import { FloorStore } from '../../src/main/store/floor-store.ts';
import { migrate, migrations, versionOf } from '../../src/main/store/migrations.ts';
import { StoreError } from '../../src/main/store/store-error.ts';
import { agentRow } from './rows.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const DAY = 24 * 3_600_000;

function open(directory = temporaryDirectory()): {
	store: FloorStore;
	database: Database;
	directory: string;
} {
	const { database } = openDatabase(directory);
	const store = new FloorStore(database, () => {});
	onTestFinished(() => store.dispose());
	return { store, database, directory };
}

describe('a database of the version before', () => {
	it('keeps what it holds and gains the new tables', () => {
		const directory = temporaryDirectory();
		const old = new SqliteDatabase(join(directory, DATABASE_FILE));
		migrate(old, migrations.slice(0, 1));
		expect(versionOf(old)).toBe(1);
		const agent = agentRow();
		old.exec(`INSERT INTO agents (id, client, session_id, directory, name, first_seen_at, last_event_at, level,
			level_since, demo, state) VALUES ('agent-1', 'claude-code', 's-1', '/home/dev/app', 'app', 1000, 2000, 'healthy',
			1000, 0, '{}')`);
		old.close();
		const { store, database } = open(directory);
		expect(versionOf(database)).toBe(migrations.length);
		expect(store.loadAgents()).toEqual([agent]);
		store.recordAcceptance({ turnId: 't', workspace: 'w', modelId: 'm', accepted: true, at: 1 });
		expect(store.acceptanceOf('w', 'm')).toEqual({ accepted: 1, total: 1 });
	});
});

describe('what is known of the providers', () => {
	it('comes back after a restart as it was saved, and only the last of it', () => {
		const { store, directory } = open();
		expect(store.loadProviderHealth()).toBeNull();
		const old = { savedAt: 500, lastCalled: 'gone', providers: [{ id: 'gone', breaker: 'open' }] };
		const health = {
			savedAt: 1_000,
			lastCalled: 'openai',
			providers: [
				{ id: 'anthropic', breaker: { state: 'open', errors: [1, 2] } },
				{ id: 'openai', breaker: null },
			],
		};
		store.saveProviderHealth(old);
		store.saveProviderHealth(health);
		store.dispose();
		expect(open(directory).store.loadProviderHealth()).toEqual(health);
	});

	it('may name no last call, or one that is not among them', () => {
		const { store } = open();
		for (const lastCalled of [null, 'unknown']) {
			store.saveProviderHealth({ savedAt: 1, lastCalled, providers: [{ id: 'anthropic' }] });
			expect(store.loadProviderHealth()).toMatchObject({ lastCalled: null });
		}
	});

	it('is replaced whole or not at all', () => {
		const { store } = open();
		const good = { savedAt: 1, lastCalled: null, providers: [{ id: 'anthropic' }] };
		store.saveProviderHealth(good);
		const bad = { savedAt: Number.NaN, lastCalled: null, providers: [{ id: 'openai' }] };
		expect(() => store.saveProviderHealth(bad)).toThrow(StoreError);
		expect(store.loadProviderHealth()).toEqual(good);
	});
});

describe('what became of local answers', () => {
	it('is counted a workspace and a model at a time; the last verdict on a turn holds', () => {
		const { store } = open();
		expect(store.acceptanceOf('w', 'm')).toBeNull();
		const verdict = (turnId: string, accepted: boolean, workspace = 'w', modelId = 'm') =>
			store.recordAcceptance({ turnId, workspace, modelId, accepted, at: 1 });
		verdict('1', true);
		verdict('2', true);
		verdict('3', false);
		verdict('4', true, 'other');
		verdict('5', true, 'w', 'other');
		expect(store.acceptanceOf('w', 'm')).toEqual({ accepted: 2, total: 3 });
		verdict('2', false);
		expect(store.acceptanceOf('w', 'm')).toEqual({ accepted: 1, total: 3 });
		expect(store.acceptanceOf('other', 'm')).toEqual({ accepted: 1, total: 1 });
	});

	it('is what a plain count says, in any order of verdicts', () => {
		const verdict = fc.record({
			turnId: fc.constantFrom('1', '2', '3', '4', '5'),
			workspace: fc.constantFrom('a', 'b'),
			modelId: fc.constantFrom('m', 'n'),
			accepted: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(verdict, { maxLength: 20 }), (verdicts) => {
				const { store } = open();
				const last = new Map<string, (typeof verdicts)[number]>();
				for (const one of verdicts) {
					store.recordAcceptance({ ...one, at: 1 });
					last.set(one.turnId, one);
				}
				for (const workspace of ['a', 'b']) {
					for (const modelId of ['m', 'n']) {
						const own = [...last.values()].filter(
							(one) => one.workspace === workspace && one.modelId === modelId,
						);
						const accepted = own.filter((one) => one.accepted).length;
						expect(store.acceptanceOf(workspace, modelId)).toEqual(
							own.length === 0 ? null : { accepted, total: own.length },
						);
					}
				}
				store.dispose();
			}),
			{ numRuns: 20 },
		);
	});
});

describe('answers', () => {
	const answer = {
		key: 'offer-1',
		harness: 'local',
		place: 'ollama',
		model: 'qwen3',
		text: 'é💥 \ud83d',
		at: 1,
	} as const;
	const cloud = { ...answer, harness: 'cloud', place: 'anthropic', model: 'claude-opus-4-8', at: 2 } as const;

	it('stand beside each other with the model that gave them, and never replace one another', () => {
		const { store, directory } = open();
		store.saveTurnAnswer(cloud);
		store.saveTurnAnswer(answer);
		store.saveTurnAnswer({ ...cloud, key: 'offer-2' });
		store.dispose();
		const kept = open(directory).store.turnAnswersOf('offer-1');
		expect(kept).toEqual([
			{ ...answer, text: 'é💥 \ufffd' },
			{ ...cloud, text: 'é💥 \ufffd' },
		]);
	});

	it('go with the raw events, verdicts after a year', async () => {
		const { store } = open();
		const now = 1_000 * DAY;
		store.saveTurnAnswer({ ...answer, at: now - 15 * DAY });
		store.saveTurnAnswer({ ...cloud, at: now - 13 * DAY });
		store.recordAcceptance({
			turnId: '1',
			workspace: 'w',
			modelId: 'm',
			accepted: true,
			at: now - 367 * DAY,
		});
		store.recordAcceptance({
			turnId: '2',
			workspace: 'w',
			modelId: 'm',
			accepted: false,
			at: now - 365 * DAY,
		});
		await store.prune({ now, eventDays: 14, eventMegabytes: 100 });
		expect(store.turnAnswersOf('offer-1').map(({ harness }) => harness)).toEqual(['cloud']);
		expect(store.acceptanceOf('w', 'm')).toEqual({ accepted: 0, total: 1 });
	});
});
