/** The floor's own figures over files, the gateway and telemetry, put together as the composition does. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { UsageParts } from '../../src/main/app/usage-parts.ts';
import { Floor } from '../../src/main/floor/floor.ts';
import { openDatabase } from '../../src/main/store/database.ts';
import { UsageTables } from '../../src/main/store/usage-tables.ts';
import { defaultSettings } from '../../src/shared/settings.ts';
import { temporaryDirectory } from '../usage/transcript-files.ts';

const ID = '01930000-0000-7000-8000-000000000001';

/** A rollout of Codex: its file knows the model that was asked for, and no other. */
function rollout(home: string, input: number): void {
	const timestamp = new Date().toISOString();
	const counts = { input_tokens: input, cached_input_tokens: 0, output_tokens: 0, total_tokens: input };
	const rows = [
		{ type: 'session_meta', payload: { id: ID, timestamp, cwd: '/home/me/app' } },
		{ type: 'turn_context', payload: { model: 'gpt-5.4', cwd: '/home/me/app' } },
		{ type: 'event_msg', payload: { type: 'token_count', info: { total_token_usage: counts } } },
	];
	const path = join(home, `.codex/sessions/2026/11/30/rollout-2026-11-30T09-00-00-${ID}.jsonl`);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, rows.map((row) => `${JSON.stringify({ timestamp, ...row })}\n`).join(''));
}

function newRun(home: string, store: UsageTables, localModels: () => string[] = () => []): UsageParts {
	const errors: unknown[] = [];
	const parts = new UsageParts({
		floor: new Floor({
			getSettings: () => defaultSettings,
			isReadOnly: () => ({ readOnly: false, why: '' }),
		}),
		now: Date.now,
		isDemoFloor: false,
		store,
		homeDirectory: home,
		env: {},
		localModels,
		onChange: () => {},
		onTrouble: () => {},
		onError: (_where, error) => errors.push(error),
	});
	onTestFinished(async () => {
		await parts.stop();
		expect(errors).toEqual([]);
	});
	return parts;
}

function newStore(home: string): UsageTables {
	const { database } = openDatabase(home);
	onTestFinished(() => void database.close());
	return new UsageTables(database);
}

const looked = (parts: UsageParts): Promise<void> =>
	vi.waitFor(() => expect(parts.view().today?.work).toBeGreaterThan(0), { timeout: 10_000 });

const served = (parts: UsageParts, input: number): void =>
	parts.counters.answered({
		client: 'codex',
		sessionKey: ID,
		subagentId: null,
		isAuxiliary: false,
		key: 'r-1',
		asked: 'gpt-5.4',
		served: { at: 'ollama', harness: 'local', model: 'qwen3:8b' },
		usage: { input, output: 0, cacheRead: 0, cacheCreation: 0, cacheCreation1h: 0, webSearches: 0 },
		isWhole: true,
		at: Date.now(),
	});

describe('a session that a local model answered in the place of the one its file names', () => {
	it('costs nothing, for its agent and on the page, before and after a restart of the floor', async () => {
		const home = temporaryDirectory();
		const store = newStore(home);
		rollout(home, 4_000_000);
		const first = newRun(home, store);
		served(first, 4_000_000);
		await first.agents.sample('agent', 'codex', [ID], []);
		for (const parts of [first, newRun(home, store)]) {
			parts.start();
			await looked(parts);
			const free = { work: 4_000_000, localWork: 4_000_000, costUsd: 0 };
			const { today, week, programs } = parts.view();
			expect({ today, week }).toMatchObject({ today: free, week: free });
			expect(programs).toMatchObject([{ client: 'codex', today: free, week: free }]);
			const agent = await parts.agents.sample('agent', 'codex', [ID], []);
			expect(agent).toMatchObject({ usage: free, sample: { usd: 0 } });
			await parts.stop();
		}
	});

	it('costs what the file says of the rest', async () => {
		const home = temporaryDirectory();
		rollout(home, 100_000);
		const whole = newRun(home, newStore(home));
		whole.start();
		await looked(whole);
		const all = whole.view().today?.costUsd ?? Number.NaN;
		await whole.stop();
		const parts = newRun(home, newStore(temporaryDirectory()));
		served(parts, 25_000);
		parts.start();
		await looked(parts);
		expect(all).toBeGreaterThan(0);
		expect(parts.view().today).toMatchObject({ work: 100_000, localWork: 25_000 });
		expect(parts.view().today?.costUsd).toBeCloseTo(0.75 * all, 9);
	});
});

describe('a model of this machine', () => {
	it('is free after a restart of the floor without its server', async () => {
		const home = temporaryDirectory();
		const store = newStore(home);
		rollout(home, 1_000);
		// The file names it itself.
		const path = join(home, '.codex/sessions/2026/11/30', `rollout-2026-11-30T09-00-00-${ID}.jsonl`);
		writeFileSync(path, readFileSync(path, 'utf8').replace('gpt-5.4', 'gpt-oss-20b'));
		for (const listed of [['gpt-oss-20b'], []]) {
			const parts = newRun(home, store, () => listed);
			parts.start();
			await looked(parts);
			expect(parts.view().today).toMatchObject({ work: 1_000, localWork: 1_000, costUsd: 0 });
			await parts.stop();
		}
	});
});
