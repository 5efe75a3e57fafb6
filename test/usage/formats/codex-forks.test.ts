import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { codex } from '../../../src/main/usage/formats/codex.ts';
import { count, counts, ID, meta, ROLLOUT, record, row, START, turn } from './codex-lines.ts';
import { byModel, readFile, readLines, readRecording, tellsTheSameInParts, tokens } from './told.ts';

const totalOf = async (lines: readonly string[]) => (await readLines(codex, ROLLOUT, lines)).told.total();

const places: string[] = [];
afterEach(async () => {
	for (const place of places.splice(0)) await rm(place, { recursive: true, force: true });
});
/** Rollouts by their path below Codex's home; gives their paths. */
async function home(files: Readonly<Record<string, readonly string[]>>): Promise<readonly string[]> {
	const place = await mkdtemp(join(tmpdir(), 'codex-home-'));
	places.push(place);
	const paths: string[] = [];
	for (const [name, lines] of Object.entries(files)) {
		const path = join(place, name);
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, lines.map((line) => `${line}\n`).join(''));
		paths.push(path);
	}
	return paths;
}

describe("Codex's rollouts with a history of another session", () => {
	// The stub reported 1001+401 cached in and 51 out for the first response, 1002, 402, 52 for the second, and so on.
	it.each([
		['0.104-forks', 8, ['gpt-5.2-codex', 'gpt-5.5']],
		['0.171-forks', 4, ['gpt-5.2-codex', 'gpt-5.5']],
		['0.171-subagent', 5, ['gpt-5.5']],
	])(
		'of %s add up to what the provider was asked for, forks and subagents too',
		async (name, responses, models) => {
			const files = [...(await readRecording(codex, `codex-${name}`)).values()];
			const asked = Array.from({ length: responses }, (_, index) => index + 1);
			const sum = (from: number) => asked.reduce((total, number) => total + from + number, 0);
			const used = byModel(files);
			expect(Object.keys(used).sort()).toEqual(models);
			expect(Object.values(used).reduce((total, { input }) => total + input, 0)).toBe(600 * responses);
			expect(Object.values(used).reduce((total, { cacheRead }) => total + cacheRead, 0)).toBe(sum(400));
			expect(Object.values(used).reduce((total, { output }) => total + output, 0)).toBe(sum(50));
			if (models.length === 2) expect(used['gpt-5.2-codex']).toEqual(tokens(600, 402, 52));
			expect(files.map(({ left }) => left)).toEqual(files.map(() => ({ lines: 0, numbers: 0 })));
		},
	);

	it('of a fork tell its own responses only', async () => {
		const told = [...(await readRecording(codex, 'codex-0.104-forks')).values()];
		// The parent's four, a subagent's one, and one for each of the forks.
		expect(told.map(({ reports }) => reports.length)).toEqual([4, 1, 1, 1, 1]);
		const newer = [...(await readRecording(codex, 'codex-0.171-forks')).values()];
		expect(newer.map(({ reports }) => reports.length)).toEqual([2, 1, 1]);
	});

	it("of a subagent belong to the session, with the subagent's own responses", async () => {
		const [parent, child] = (await readRecording(codex, 'codex-0.171-subagent')).values();
		expect(parent?.known).toEqual({ directory: '/home/dev/app', model: 'gpt-5.5' });
		expect(child?.known).toMatchObject({
			model: 'gpt-5.5',
			parentSessionId: '01a22e17-db1e-7cb3-ae90-89cf0565e2bf',
		});
		expect(child?.reports).toMatchObject([{ sidechain: true, usage: tokens(600, 404, 54) }]);
		const [, old] = (await readRecording(codex, 'codex-0.104-forks')).values();
		expect(old?.known.parentSessionId).toBe('01a22e19-44e0-7ed1-9304-e842e278997c');
	});

	it('of a fork whose history lies in another file do not count that again', async () => {
		const fork = meta({ forked_from_id: 'p', history_base: { thread_id: 'p', end_ordinal_exclusive: 28 } });
		expect(
			await totalOf([fork, record('r9', counts(10, 0, 1), counts(1010, 0, 101)), count(1010, 0, 101)]),
		).toEqual(tokens(10, 0, 1));
		expect(await totalOf([fork, count(1000, 0, 100), count(1010, 0, 101)])).toEqual(tokens(10, 0, 1));
	});

	describe('of old versions, whose turns have no ids', () => {
		const PARENT = '01a22e16-0000-7000-8000-000000000001';
		const day = 'sessions/2026/11/30';
		const name = (id: string) => `rollout-2026-11-30T20-13-02-${id}.jsonl`;
		const parent = [
			row('session_meta', { id: PARENT, cwd: '/home/dev/app' }, -100),
			turn('m', -90),
			count(100, 40, 5, -80),
			count(250, 90, 9, -70),
			count(400, 90, 12, 60),
		];
		/** A copy of the parent's first two responses, and one of its own. */
		const fork = (ownInput: number, ownAfter: number, copiedAfter = 0) => [
			meta({ forked_from_id: PARENT }),
			row('session_meta', { id: PARENT, cwd: '/home/dev/app' }, copiedAfter),
			turn('m', copiedAfter),
			count(100, 40, 5, copiedAfter),
			count(250, 90, 9, copiedAfter),
			turn('m', ownAfter),
			count(250, 90, 9, ownAfter),
			count(ownInput, 90, 12, ownAfter),
		];

		it('leave out what was copied from the parent', async () => {
			const [, path = ''] = await home({
				[`${day}/${name(PARENT)}`]: parent,
				[`${day}/${name(ID)}`]: fork(300, 9),
			});
			expect((await readFile(codex, path)).total()).toEqual(tokens(50, 0, 3));
		});

		it('count a response with which a fork reaches the same total as its parent', async () => {
			const [one = '', two = ''] = await home({
				[`${day}/${name(PARENT)}`]: parent,
				[`${day}/${name(ID)}`]: fork(400, 9),
			});
			const all = [await readFile(codex, one), await readFile(codex, two)];
			expect(all.map((told) => told.total().input)).toEqual([310, 150]);
			expect(byModel(all)).toEqual({ m: tokens(460, 90, 15) });
		});

		it('count it as well when the fork was made from the middle of its parent, or answers at once', async () => {
			const earlier = [...parent.slice(0, -1), count(400, 90, 12, -60)];
			const [, slow = ''] = await home({
				[`${day}/${name(PARENT)}`]: earlier,
				[`${day}/${name(ID)}`]: fork(400, 9),
			});
			expect((await readFile(codex, slow)).total().input).toBe(150);
			const [, quick = ''] = await home({
				[`${day}/${name(PARENT)}`]: parent,
				[`${day}/${name(ID)}`]: fork(400, 2),
			});
			expect((await readFile(codex, quick)).total().input).toBe(150);
		});

		it('find the parent where it is archived, and on another day', async () => {
			for (const place of ['archived_sessions', 'sessions/2026/11/29', 'sessions/2026/12/01']) {
				// A slow copy: the time alone would not tell.
				const [, path = ''] = await home({
					[`${place}/${name(PARENT)}`]: parent,
					[`${day}/${name(ID)}`]: fork(300, 9, 3),
				});
				expect((await readFile(codex, path)).total()).toEqual(tokens(50, 0, 3));
			}
		});

		it('are told from the copy by its time when the parent is gone', async () => {
			const [path = ''] = await home({ [`${day}/${name(ID)}`]: fork(300, 9) });
			expect((await readFile(codex, path)).total()).toEqual(tokens(50, 0, 3));
		});

		it('go on in the middle of a copy', async () => {
			const lines = fork(300, 9, 3);
			const [, path = ''] = await home({ [`${day}/${name(PARENT)}`]: parent, [`${day}/${name(ID)}`]: lines });
			for (let cut = 0; cut <= lines.length; cut += 1) {
				const { whole, parts } = await tellsTheSameInParts(codex, path, lines, cut);
				expect(parts).toEqual(whole);
				expect(whole.total()).toEqual(tokens(50, 0, 3));
			}
		});
	});

	it("do not tell the parent's trouble again", async () => {
		const failed = (turnId: string, seconds: number) =>
			row(
				'event_msg',
				{
					type: 'task_complete',
					turn_id: turnId,
					error: { message: 'x', codex_error_info: 'server_overloaded' },
				},
				seconds,
			);
		const { told } = await readLines(codex, ROLLOUT, [
			meta({ forked_from_id: 'p' }),
			failed('01a22e10-0000-7000-8000-000000000000', 0),
			failed('01a22e17-0000-7000-8000-000000000000', 60),
		]);
		expect(told.troubles).toMatchObject([{ error: 'overloaded', at: START + 60_000, isRetry: false }]);
	});

	it('leave out what stands before the ordinal at which a subagent begins', async () => {
		const failed = (ordinal: number) =>
			row('event_msg', { type: 'error', message: 'x', codex_error_info: 'server_overloaded' }, 60, {
				ordinal,
			});
		const { told } = await readLines(codex, ROLLOUT, [
			meta({ subagent_history_start_ordinal: 12 }),
			failed(11),
			failed(12),
		]);
		expect(told.troubles).toHaveLength(1);
	});

	it("leave out a record of another session, whose total is the copy's", async () => {
		const copied = record('r1', counts(100, 0, 5), counts(100, 0, 5), { thread_id: 'parent' });
		const own = record('r2', counts(30, 0, 1), counts(130, 0, 6));
		expect(await totalOf([meta(), copied, count(100, 0, 5), own])).toEqual(tokens(30, 0, 1));
	});

	it('of a fork whose first line is torn still leave out the copy', async () => {
		const copied = row('turn_context', { turn_id: '01a22e10-0000-7000-8000-000000000000', model: 'm' });
		const own = row('turn_context', { turn_id: '01a22e17-0000-7000-8000-000000000000', model: 'm' }, 9);
		const lines = [
			'{"timestamp":"2026-11-3',
			row('session_meta', { id: 'parent', cwd: '/x' }),
			copied,
			count(100, 0, 5),
			own,
		];
		const { told } = await readLines(codex, ROLLOUT, [...lines, count(130, 0, 6, 9)]);
		expect(told.total()).toEqual(tokens(30, 0, 1));
		expect(told.known).toEqual({ model: 'm' });
		expect(told.left.lines).toBe(1);
	});
});
