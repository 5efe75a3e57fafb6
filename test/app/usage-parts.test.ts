/** The floor's own figures over files, the gateway and telemetry, put together as the composition does. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/main/store/database.ts';
import { UsageTables } from '../../src/main/store/usage-tables.ts';
import { temporaryDirectory } from '../usage/transcript-files.ts';
import { looked, newRun, rollout, rolloutPath, SESSION, served } from './usage-run.ts';

function newStore(home: string): UsageTables {
	const { database } = openDatabase(home);
	onTestFinished(() => void database.close());
	return new UsageTables(database);
}

describe('a session that a local model answered in the place of the one its file names', () => {
	it('costs nothing, for its agent and on the page, before and after a restart of the floor', async () => {
		const home = temporaryDirectory();
		const store = newStore(home);
		rollout(home, 4_000_000);
		const first = newRun(home, { store });
		served(first, 4_000_000);
		await first.agents.sample('agent', 'codex', [SESSION], []);
		for (const parts of [first, newRun(home, { store })]) {
			parts.start();
			await looked(parts);
			const free = { work: 4_000_000, localWork: 4_000_000, costUsd: 0 };
			const { today, week, programs } = parts.view();
			expect({ today, week }).toMatchObject({ today: free, week: free });
			expect(programs).toMatchObject([{ client: 'codex', today: free, week: free }]);
			const agent = await parts.agents.sample('agent', 'codex', [SESSION], []);
			expect(agent).toMatchObject({ usage: free, sample: { usd: 0 } });
			await parts.stop();
		}
	});

	it('costs what the file says of the rest', async () => {
		const home = temporaryDirectory();
		rollout(home, 100_000);
		const whole = newRun(home, { store: newStore(home) });
		whole.start();
		await looked(whole);
		const all = whole.view().today?.costUsd ?? Number.NaN;
		await whole.stop();
		const parts = newRun(home, { store: newStore(temporaryDirectory()) });
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
		const path = rolloutPath(home);
		writeFileSync(path, readFileSync(path, 'utf8').replace('gpt-5.4', 'gpt-oss-20b'));
		for (const listed of [['gpt-oss-20b'], []]) {
			const parts = newRun(home, { store, localModels: () => listed });
			parts.start();
			await looked(parts);
			expect(parts.view().today).toMatchObject({ work: 1_000, localWork: 1_000, costUsd: 0 });
			await parts.stop();
		}
	});
});
