import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { codex } from '../../../src/main/usage/formats/codex.ts';
import { mangled } from './mangled.ts';
import { byModel, readFile, readLines, readRecording, tellsTheSameInParts, tokens } from './told.ts';

const ID = '01a22e16-e4f2-7633-8f97-243adb1e022e';
const ROLLOUT = `/home/dev/.codex/sessions/2026/11/30/rollout-2026-11-30T20-13-02-${ID}.jsonl`;
const START = Date.parse('2026-11-30T20:13:02.000Z');

/** A line, `seconds` after the session's start. */
const row = (type: string, payload: object, seconds = 0, more: object = {}) =>
	JSON.stringify({ timestamp: new Date(START + seconds * 1000).toISOString(), ...more, type, payload });
const meta = (payload: object = {}) => row('session_meta', { id: ID, cwd: '/home/dev/app', ...payload });
const turn = (model: string, seconds = 0) => row('turn_context', { model }, seconds);
const counts = (input: number, cached: number, output: number, reasoning = 0) => ({
	input_tokens: input,
	cached_input_tokens: cached,
	output_tokens: output,
	reasoning_output_tokens: reasoning,
	total_tokens: input + output,
});
const count = (input: number, cached: number, output: number, seconds = 0, rate_limits: object = {}) =>
	row(
		'event_msg',
		{ type: 'token_count', info: { total_token_usage: counts(input, cached, output) }, rate_limits },
		seconds,
	);
const record = (responseId: string, usage: object, total: object | undefined, more: object = {}) =>
	row('token_usage_record', {
		thread_id: ID,
		response_id: responseId,
		usage,
		thread_token_usage: total,
		...more,
	});
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

describe("Codex's rollouts", () => {
	it('lie under its home, by day, and later in the archive', () => {
		expect(codex.roots({}, '/home/dev')).toEqual([
			'/home/dev/.codex/sessions',
			'/home/dev/.codex/archived_sessions',
		]);
		expect(codex.roots({ CODEX_HOME: '/data/x' }, '/home/dev')[0]).toBe('/data/x/sessions');
		expect(codex.identify(ROLLOUT)).toEqual({ sessionId: ID, mode: 'lines', isSubagent: false });
		expect(codex.identify(ROLLOUT.replaceAll('/', '\\'))?.sessionId).toBe(ID);
		expect(codex.identify(`${ROLLOUT}.zst`)).toBeNull();
		expect(codex.identify('/home/dev/.codex/history.jsonl')).toBeNull();
	});

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

	it('count the growth of the total, once', async () => {
		expect(
			await totalOf([meta(), turn('m'), count(100, 40, 5), count(100, 40, 5), count(250, 90, 9)]),
		).toEqual(tokens(160, 90, 9));
	});

	it('count nothing for the same total under another limit, or for a look at the limits alone', async () => {
		const other = count(100, 40, 5, 1, { limit_id: 'codex_other', primary: { used_percent: 3 } });
		const alone = row('event_msg', { type: 'token_count', info: null, rate_limits: { limit_id: 'codex' } });
		expect(await totalOf([meta(), count(100, 40, 5), other, alone, count(100, 40, 5)])).toEqual(
			tokens(60, 40, 5),
		);
	});

	it('begin anew with a total that falls', async () => {
		expect(await totalOf([meta(), count(100, 40, 5), count(30, 10, 2), count(50, 10, 3)])).toEqual(
			tokens(60 + 40, 50, 8),
		);
	});

	it('hold reasoning within the output', async () => {
		const info = { total_token_usage: counts(100, 0, 50, 45) };
		expect(await totalOf([meta(), row('event_msg', { type: 'token_count', info })])).toEqual(
			tokens(100, 0, 50),
		);
	});

	it('count what was written to the cache apart', async () => {
		const usage = { ...counts(100, 40, 5), cache_write_input_tokens: 25 };
		expect(await totalOf([meta(), record('r1', usage, usage)])).toEqual(tokens(35, 40, 5, 25));
	});

	it('ascribe each response to the model of its turn', async () => {
		const { told } = await readLines(codex, ROLLOUT, [
			meta(),
			turn('a'),
			count(100, 0, 5),
			turn('b'),
			count(130, 0, 6),
			turn('a'),
			count(140, 0, 7),
		]);
		expect(told.byModel()).toEqual({ a: tokens(110, 0, 6), b: tokens(30, 0, 1) });
		expect(told.facts.flatMap(({ model }) => model ?? [])).toEqual(['a', 'b', 'a']);
	});

	it('count a response once that a record and a total tell, in either order', async () => {
		const first = record('r1', counts(100, 40, 5), counts(100, 40, 5));
		const second = record('r2', counts(50, 0, 5), counts(150, 40, 10));
		for (const lines of [
			[first, count(100, 40, 5), second, count(150, 40, 10)],
			[count(100, 40, 5), first, count(150, 40, 10), second],
			[first, second],
			[count(100, 40, 5), count(150, 40, 10)],
			// A record was torn: the total still holds it.
			[first, count(150, 40, 10)],
			[count(100, 40, 5), '{"timestamp":"2026-11', second],
		]) {
			expect(await totalOf([meta(), ...lines])).toEqual(tokens(110, 40, 10));
		}
	});

	it('count what lost records held', async () => {
		const lines = [
			record('r1', counts(100, 0, 5), counts(100, 0, 5)),
			record('r3', counts(10, 0, 1), counts(160, 0, 9)),
		];
		expect(await totalOf([meta(), ...lines])).toEqual(tokens(160, 0, 9));
	});

	it('count every response of a server whose ids come back', async () => {
		const lines = [
			record('resp_1', counts(10, 0, 1), counts(10, 0, 1)),
			record('resp_1', counts(10, 0, 1), counts(20, 0, 2)),
		];
		expect(await totalOf([meta(), ...lines])).toEqual(tokens(20, 0, 2));
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

	it.each([
		[
			'0.171-limit',
			[
				{ error: 'rate_limit', isRetry: true, resetsAt: 1796077097000 },
				{ error: 'rate_limit', isRetry: false, resetsAt: 1796077097000 },
			],
		],
		['0.104-limit', [{ error: 'rate_limit', isRetry: true, resetsAt: 1796077097000 }]],
		['0.171-quota', [{ error: 'billing_error', isRetry: false, resetsAt: null }]],
		['0.171-unavailable', [{ error: 'server_error', isRetry: false, resetsAt: null }]],
	])('tell of trouble at the provider: %s', async (name, troubles) => {
		const [told] = (await readRecording(codex, `codex-${name}`)).values();
		expect(told?.troubles).toMatchObject(troubles);
	});

	it.each([
		[{ http_connection_failed: { http_status_code: 402 } }, 'x', 'billing_error', 402],
		[{ http_connection_failed: { http_status_code: 401 } }, 'x', 'authentication_failed', 401],
		[{ response_too_many_failed_attempts: { http_status_code: 429 } }, 'x', 'rate_limit', 429],
		[{ response_stream_disconnected: { http_status_code: null } }, 'x', 'connection', null],
		['other', 'unexpected status 503 Service Unavailable: busy', 'server_error', 503],
		['rate_limit_exceeded', 'slow down', 'rate_limit', null],
	])('name the error %j', async (info, message, error, status) => {
		const failed = row('event_msg', { type: 'error', message, codex_error_info: info });
		const { told } = await readLines(codex, ROLLOUT, [meta(), failed]);
		expect(told.troubles).toMatchObject([{ error, status, message }]);
	});

	it.each(['context_window_exceeded', 'bad_request', 'sandbox_error', 'other'])(
		"leave the agent's own error alone: %s",
		async (info) => {
			const failed = row('event_msg', { type: 'error', message: 'no', codex_error_info: info });
			expect((await readLines(codex, ROLLOUT, [meta(), failed])).told.troubles).toEqual([]);
		},
	);

	it('tell of a used-up limit once, and of the next one', async () => {
		const at = (used_percent: number, resets_at: number, seconds: number) =>
			count(1, 0, 0, seconds, {
				primary: { used_percent, window_minutes: 300, resets_at: START / 1000 + resets_at },
			});
		const { told } = await readLines(codex, ROLLOUT, [
			meta(),
			at(99, 600, 0),
			at(100, 600, 10),
			at(104, 601, 20),
			at(100, 600, 700),
			at(100, 5000, 800),
		]);
		expect(told.troubles.map(({ resetsAt }) => resetsAt)).toEqual([START + 600_000, START + 5_000_000]);
		expect(told.troubles[0]?.message).toBe('Codex: the 5-hour limit is used up (100 %)');
	});

	it('read a limit that tells the span until it begins anew', async () => {
		const primary = { used_percent: 100, window_minutes: 10080, resets_in_seconds: 90 };
		const { told } = await readLines(codex, ROLLOUT, [meta(), count(1, 0, 0, 0, { primary })]);
		expect(told.troubles).toMatchObject([{ resetsAt: START + 90_000 }]);
	});

	it('are not moved by text that quotes one of their lines', async () => {
		const quoted = count(1_000_000, 0, 5);
		const { told } = await readLines(codex, ROLLOUT, [
			meta(),
			row('response_item', { type: 'message', content: [{ text: quoted }] }),
			row('event_msg', { type: 'user_message', message: quoted }),
			row('event_msg', { type: 'item_completed', item: { arguments: JSON.parse(quoted) } }),
		]);
		expect(told).toMatchObject({ reports: [], troubles: [], left: { lines: 0, numbers: 0 } });
	});

	it.each([-5, 1.5, 1e13, 'x', Number.MAX_VALUE])(
		'leave out a total with a count of %s, and lose nothing',
		async (wrong) => {
			const info = { total_token_usage: { ...counts(110, 0, 5), input_tokens: wrong } };
			const lines = [
				meta(),
				count(100, 0, 5),
				row('event_msg', { type: 'token_count', info }),
				count(120, 0, 6),
			];
			const { told } = await readLines(codex, ROLLOUT, lines);
			expect(told.total()).toEqual(tokens(120, 0, 6));
			expect(told.left).toEqual({ lines: 0, numbers: 1 });
		},
	);

	it('leave out a step that no response can have made, and lose nothing', async () => {
		const { told } = await readLines(codex, ROLLOUT, [
			meta(),
			count(100, 0, 5),
			count(5e9, 0, 5),
			count(120, 0, 6),
		]);
		expect(told.total()).toEqual(tokens(120, 0, 6));
		expect(told.left.numbers).toBe(1);
	});

	it('are read past torn lines, runs of NUL, lone surrogates and a byte order mark', async () => {
		const { told } = await readLines(codex, ROLLOUT, [
			`\uFEFF${meta()}`,
			row('turn_context', { model: 'm\ud800' }),
			`${row('response_item', { text: 'torn' }).slice(0, 60)}\0\0\0${count(100, 0, 5)}`,
			'\0\0\0\0',
			`${count(130, 0, 6)}\r`,
			'{"timestamp":"2026-11-30T20:13:02.000Z","type":"event_msg","pay',
		]);
		expect(told.total()).toEqual(tokens(130, 0, 6));
		expect(told.left).toEqual({ lines: 2, numbers: 0 });
	});

	it.each([
		['2026-11-30T20:13:02.000Z', START],
		[START / 1000, START],
		[START, START],
		['never', null],
		[undefined, null],
	])('read the time %s', async (timestamp, at) => {
		const line = JSON.stringify({
			timestamp,
			type: 'event_msg',
			payload: { type: 'token_count', info: { total_token_usage: counts(1, 0, 1) } },
		});
		expect((await readLines(codex, ROLLOUT, [meta(), line])).told.reports).toMatchObject([{ at }]);
	});

	it('tell the same in parts, wherever these meet', async () => {
		const seconds = fc.nat(20);
		const line = fc.oneof(
			fc
				.tuple(fc.nat(900), fc.nat(50), seconds)
				.map(([input, output, after]) => count(input, 0, output, after)),
			fc
				.tuple(fc.nat(3), fc.nat(90), fc.nat(900))
				.map(([id, input, total]) => record(`r${id}`, counts(input, 0, 1), counts(total, 0, 9))),
			fc.tuple(fc.constantFrom('a', 'b'), seconds).map(([model, after]) => turn(model, after)),
			fc
				.tuple(fc.integer({ min: 90, max: 110 }), seconds)
				.map(([used_percent, after]) =>
					count(1, 0, 1, after, { primary: { used_percent, resets_at: START / 1000 + 10 } }),
				),
			fc.constantFrom(
				meta(),
				meta({ forked_from_id: 'p' }),
				meta({ history_base: {} }),
				row('session_meta', { id: 'other' }),
				row('event_msg', { type: 'error', message: 'x', codex_error_info: 'server_overloaded' }),
				row('event_msg', {
					type: 'task_complete',
					error: { message: 'x', codex_error_info: 'server_overloaded' },
				}),
				row('event_msg', { type: 'task_started', turn_id: '01a22e17-0000-7000-8000-000000000000' }),
				'{"torn',
			),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(line, { maxLength: 20 }), fc.nat(20), async (lines, cut) => {
				const { whole, parts } = await tellsTheSameInParts(codex, ROLLOUT, lines, cut);
				expect(parts).toEqual(whole);
			}),
		);
	});

	it('never make the reader fail', async () => {
		const lines = readFileSync('test/recordings/codex.rollout.jsonl', 'utf8').trimEnd().split('\n');
		await fc.assert(
			fc.asyncProperty(fc.array(mangled(lines), { maxLength: 8 }), async (some) => {
				const { told } = await readLines(codex, ROLLOUT, some);
				expect(told.reports.every(({ usage }) => Object.values(usage).every(Number.isSafeInteger))).toBe(
					true,
				);
			}),
		);
	});
});
