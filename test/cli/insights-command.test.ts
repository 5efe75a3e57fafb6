import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { localDay } from '../../src/shared/local-day.ts';
import { RunningTestFloor } from '../support/running-floor.ts';
import { run } from './command-line.ts';

const running: RunningTestFloor[] = [];

/** A floor on whose machine a session of Codex worked today, in a directory of that name. */
async function floorWithWork(directoryName: string): Promise<RunningTestFloor> {
	const floor = await RunningTestFloor.start({}, async (home) => {
		const id = '01930000-0000-7000-8000-000000000001';
		const timestamp = new Date().toISOString();
		const counts = { input_tokens: 1200, cached_input_tokens: 0, output_tokens: 34, total_tokens: 1234 };
		const cwd = `/w/${directoryName}`;
		const rows = [
			{ type: 'session_meta', payload: { id, timestamp, cwd } },
			{ type: 'turn_context', payload: { model: 'a-model-of-our-own', cwd } },
			{ type: 'event_msg', payload: { type: 'token_count', info: { total_token_usage: counts } } },
		];
		const sessions = join(home, '.codex/sessions/2026/11/30');
		await mkdir(sessions, { recursive: true });
		const lines = rows.map((row) => `${JSON.stringify({ timestamp, ...row })}\n`).join('');
		await writeFile(join(sessions, `rollout-2026-11-30T09-00-00-${id}.jsonl`), lines);
	});
	running.push(floor);
	await vi.waitFor(() => expect(floor.snapshot().usage.today?.work).toBe(1234), { timeout: 15_000 });
	return floor;
}

afterEach(async () => {
	for (const floor of running.splice(0)) await floor.dispose();
});

describe('agent-floor insights', () => {
	it('prints a table for people and files for programs, and nothing that a terminal obeys', async () => {
		const { directory } = await floorWithWork('shop\u001b[2J');
		const insights = (...args: string[]) => run(directory, 'insights', ...args);

		const table = await insights('--days=2');
		expect(table.code).toBe(0);
		expect(table.out).toMatch(/^ {2}\d{4}-\d\d-\d\d {2}no work$/m);
		expect(table.out).toMatch(/^ {2}shop␛\[2J +1\u00a0234 work tokens, unpriced$/m);
		expect(table.out).toMatch(/^ {2}a-model-of-our-own +1\u00a0234 work tokens, unpriced$/m);
		expect((await insights('--what=trips')).out).toBe('Trips: none');
		expect((await insights('--what=reliability', '--days=1')).out).toMatch(
			/^No turn passed the gateway\.\n {2}\d{4}-\d\d-\d\d {2}0 turns, 0 fallback, .*a provider down for 0 s, /,
		);

		const { out: csv } = await insights('--format=csv', '--days=1');
		expect(csv.split('\r\n').slice(0, 3)).toEqual([
			'by,name,place,input_tokens,output_tokens,cache_read_tokens,cache_creation_tokens,work_tokens,local_work_tokens,cost_usd,unpriced_models',
			`day,${localDay(Date.now())},,1200,34,0,0,1234,0,,a-model-of-our-own`,
			'agent,shop␛[2J,/w/shop␛[2J,1200,34,0,0,1234,0,,a-model-of-our-own',
		]);
		expect(JSON.parse((await insights('--format=json', '--what=trips')).out)).toMatchObject({
			trips: { total: { trips: 0, precision: null } },
		});
		expect(table.out + csv).not.toContain('\u001b');
	});

	it.each([
		['--days=0', 'a whole number from 1 to 30'],
		['--days=1.5', 'a whole number from 1 to 30'],
		['--days=x', 'a whole number from 1 to 30'],
		['--what=money', '--what takes usage, trips, reliability'],
		['--format=xml', '--format takes table, csv, json'],
	])('%s is used wrongly, which is said before a floor is asked', async (flag, words) => {
		const { code, err } = await run('/nowhere', 'insights', flag);
		expect(code).toBe(2);
		expect(err).toContain(words);
	});

	it('says where no floor runs', async () => {
		const { code, err } = await run('/nowhere', 'insights');
		expect([code, err]).toEqual([1, 'No floor runs on /nowhere. Start it with npm start.']);
	});
});
