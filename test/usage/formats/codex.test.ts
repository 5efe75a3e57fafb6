import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codex } from '../../../src/main/usage/formats/codex.ts';
import { count, counts, ID, meta, ROLLOUT, record, row, START, turn } from './codex-lines.ts';
import { mangled } from './mangled.ts';
import { readLines, tellsTheSameInParts, tokens } from './told.ts';

const totalOf = async (lines: readonly string[]) => (await readLines(codex, ROLLOUT, lines)).told.total();

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
