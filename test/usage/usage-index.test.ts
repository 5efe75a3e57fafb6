import {
	appendFileSync,
	chmodSync,
	copyFileSync,
	mkdirSync,
	renameSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { geminiCli } from '../../src/main/usage/formats/gemini.ts';
import type { ToldTrouble, UsageIndex } from '../../src/main/usage/usage-index.ts';
import { newHome, ROWS_AT, total } from './index-files.ts';
import { assistantLine, type Row, temporaryDirectory, userLine } from './transcript-files.ts';

/** One response as the program writes it: a row for each block, the output growing. */
const threeRows: Row[] = [2, 120, 311].map((output) => ({
	id: 'msg_1',
	requestId: 'req_1',
	usage: {
		input_tokens: 4,
		cache_creation_input_tokens: 900,
		cache_read_input_tokens: 15_000,
		output_tokens: output,
	},
}));

describe('sessions of Gemini CLI', () => {
	it('whose ids, and so whose files’ names, begin alike are two', async () => {
		const home = newHome();
		const chat = (project: string, sessionId: string, input: number) => {
			const directory = join(home.directory, '.gemini', 'tmp', project, 'chats');
			mkdirSync(directory, { recursive: true });
			const tokens = { input, output: 0, cached: 0, thoughts: 0, tool: 0, total: input };
			const message = { id: 'm', timestamp: new Date(ROWS_AT).toISOString(), type: 'gemini', tokens };
			const rows = [{ sessionId }, { ...message, model: 'gemini-2.5-pro' }];
			writeFileSync(
				join(directory, 'session-2026-11-30T09-00-aaaaaaaa.jsonl'),
				rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
			);
		};
		chat('p', 'aaaaaaaa-1', 100);
		chat('q', 'aaaaaaaa-2', 7);
		const index = home.index({ formats: [geminiCli] });
		await index.look();
		const inputOf = (id: string) => index.usageOf('gemini-cli', [id]).total.input;
		expect([inputOf('aaaaaaaa-1'), inputOf('aaaaaaaa-2')]).toEqual([100, 7]);
		expect(
			index
				.sessionsSince(0)
				.map(({ sessionId }) => sessionId)
				.sort(),
		).toEqual(['aaaaaaaa-1', 'aaaaaaaa-2']);
	});
});

describe('the usage of a session', () => {
	it('is what the real program recorded', async () => {
		const home = newHome();
		const path = home.write('s.jsonl', []);
		copyFileSync('test/recordings/claude-code.transcript.jsonl', path);
		const index = home.index();
		expect(await index.follow(path, 'claude-code')).toBe('s');
		const usage = index.usageOf('claude-code', ['s']);
		expect(usage.total).toMatchObject({ input: 75, output: 36, cacheRead: 300, cacheCreation: 0, work: 111 });
		expect(usage.lastModel).toBe('claude-opus-4-8');
		expect(usage.total.costUsd).toBeCloseTo((75 * 5 + 36 * 25 + 300 * 0.5) / 1e6, 12);
		expect(usage.problems).toEqual({ invalidLines: 0, overlongLines: 0, invalidNumbers: 0, unreadable: [] });
	});

	it('counts the rows of one response once, with the last output, also where a resumed session copies it', async () => {
		const home = newHome();
		home.write('s-1.jsonl', threeRows.map(assistantLine));
		home.write(
			's-2.jsonl',
			[...threeRows, { id: 'msg_2' }].map((row) => assistantLine({ ...row, sessionId: 's-2' })),
		);
		const index = home.index();
		await index.look();
		expect(total(index, 's-1')).toMatchObject({
			input: 4,
			cacheCreation: 900,
			cacheRead: 15_000,
			output: 311,
		});
		expect(total(index, 's-2')).toMatchObject({ input: 10, output: 5, cacheRead: 0 });
	});

	it('belongs to the session that began first, whichever is read first', async () => {
		const home = newHome();
		const first = home.write('zz-first.jsonl', [assistantLine({ id: 'shared' })]);
		// Files that begin in the same tick of the file system's clock are told apart by name.
		await new Promise((resolve) => setTimeout(resolve, 20));
		const copy = home.write(
			'copy.jsonl',
			['shared', 'own'].map((id) => assistantLine({ id })),
		);
		for (const order of [
			[first, copy],
			[copy, first],
		]) {
			const index = home.index();
			for (const path of order) await index.follow(path, 'claude-code');
			expect([total(index, 'zz-first').input, total(index, 'copy').input]).toEqual([10, 10]);
		}
	});

	it('tells two forks apart that reach the same total', async () => {
		const home = newHome();
		for (const fork of ['a', 'b']) {
			home.write(
				`${fork}.jsonl`,
				['shared', `only-${fork}`].map((id) => assistantLine({ id })),
			);
		}
		const index = home.index();
		await index.look();
		expect(total(index, 'a', 'b').input).toBe(30);
	});

	it("counts sidechains and subagents' files for their parent, once, and not as its model", async () => {
		const home = newHome();
		const path = home.write('s-1.jsonl', [
			assistantLine({ id: 'own' }),
			assistantLine({ id: 'side', model: 'claude-haiku-4-5', isSidechain: true }),
		]);
		const haiku = { model: 'claude-haiku-4-5', isSidechain: true, timestamp: '2026-11-30T09:20:40Z' };
		const subagent = home.write('s-1/subagents/agent-a.jsonl', [assistantLine({ ...haiku, id: 'a' })]);
		// The same response also stands in the first subagent's file.
		const both = ['b', 'a'].map((id) => assistantLine({ ...haiku, id }));
		home.write('s-1/subagents/workflows/wf_1/agent-b.jsonl', both);
		home.write('s-1/subagents/agent-a.meta.json', [assistantLine({ id: 'not a transcript' })]);
		const index = home.index();
		await index.follow(path, 'claude-code');
		expect(total(index, 's-1').input).toBe(40);
		expect(index.usageOf('claude-code', ['s-1']).lastModel).toBe('claude-opus-4-8');
		appendFileSync(subagent, `${assistantLine({ ...haiku, id: 'a2' })}\n`);
		await index.follow(path, 'claude-code');
		expect(total(index, 's-1').input).toBe(50);
	});

	it("counts an older version's subagent for the parent that its rows name", async () => {
		const home = newHome();
		home.write('s-1.jsonl', [assistantLine({ id: 'own' })]);
		const started = userLine('go').replace('{', '{"cwd":"/w",');
		home.write('agent-7.jsonl', [assistantLine({ id: 'early' }), started, assistantLine({ id: 'late' })]);
		const index = home.index({ store: home.store });
		await index.look();
		expect(total(index, 's-1').input).toBe(30);
		expect(index.sessionsSince(0).map(({ sessionId }) => sessionId)).toEqual(['s-1']);
		await index.stop();
		const later = home.index({ store: home.store });
		await later.look();
		expect(total(later, 's-1').input).toBe(30);
	});

	it('leaves out what no model wrote, and takes seconds for seconds', async () => {
		const home = newHome();
		const rows = [
			{ id: 'm', model: '<synthetic>' },
			{ id: 'n', timestamp: ROWS_AT / 1000 },
		];
		home.write('s.jsonl', rows.map(assistantLine));
		const index = home.index();
		await index.look();
		expect(index.usageOf('claude-code', ['s'])).toMatchObject({
			lastModel: 'claude-opus-4-8',
			total: { input: 10, unpricedModels: [] },
			today: { input: 10 },
		});
	});

	it('is of no file that is not there, and stays when the file was cleared away', async () => {
		const home = newHome();
		const path = home.path('s.jsonl');
		const index = home.index({ store: home.store });
		expect(await index.follow(path, 'claude-code')).toBeNull();
		expect(await index.follow(path, 'another program')).toBeNull();
		expect(index.usageOf('claude-code', ['s']).isEmpty).toBe(true);
		home.write('s.jsonl', [assistantLine({ id: 'm' })]);
		await index.follow(path, 'claude-code');
		rmSync(path);
		await index.look();
		expect(total(index, 's').input).toBe(10);
		await index.stop();
		const later = home.index({ store: home.store });
		await later.look();
		expect(total(later, 's').input).toBe(10);
		expect(later.machineUsage().programs).toEqual([]);
	});

	it('does not count twice when the file is cut short or replaced', async () => {
		const home = newHome();
		const index = home.index();
		const ids = (...names: string[]) => names.map((id) => assistantLine({ id }));
		const path = home.write('s.jsonl', ids('a', 'b'));
		await index.look();
		home.write('s.jsonl', ids('b'));
		await index.look();
		home.write('new', ids('a', 'b', 'c'));
		renameSync(home.path('new'), path);
		await index.look();
		expect(total(index, 's').input).toBe(30);
	});

	it('prices each response by itself, by the model that served it', async () => {
		const home = newHome();
		// Together they are over the context size above which this model costs twice as much; each alone is not.
		const usage = { input_tokens: 150_000 };
		const rows = ['a', 'b'].map((id) => ({ id, model: 'claude-sonnet-4-5', usage }));
		home.write('s.jsonl', rows.map(assistantLine));
		const index = home.index();
		await index.look();
		expect(total(index, 's').costUsd).toBeCloseTo(0.9, 9);
	});

	it('is at least the priced part where a model has no price, and free where this machine served it', async () => {
		const home = newHome();
		const rows = [
			{ id: 'a', model: 'claude-x' },
			{ id: 'b', usage: { output_tokens: 1_000_000 } },
			{ id: 'c', model: 'qwen-local', usage: { input_tokens: 70, output_tokens: 7 } },
		];
		home.write('s.jsonl', rows.map(assistantLine));
		home.write('unpriced.jsonl', [assistantLine({ id: 'd', model: 'claude-x' })]);
		home.write('free.jsonl', [assistantLine({ id: 'e', model: 'qwen-local' })]);
		const index = home.index({ isLocal: (model) => model === 'qwen-local' });
		await index.look();
		expect(total(index, 's')).toMatchObject({ costUsd: 25, unpricedModels: ['claude-x'], localWork: 77 });
		expect(total(index, 'unpriced')).toMatchObject({ costUsd: null, unpricedModels: ['claude-x'] });
		expect(total(index, 'free')).toMatchObject({ costUsd: 0, unpricedModels: [], localWork: 15 });
	});
});

describe('lines that cannot be read', () => {
	it('are passed over and counted: torn, glued with NUL, no JSON, with a BOM', async () => {
		const home = newHome();
		const path = home.write('s.jsonl', [
			`\uFEFF${assistantLine({ id: 'bom' })}`,
			assistantLine({ id: 'torn' }).slice(0, -4),
			`${assistantLine({ id: 'glued' }).slice(0, 40)}${'\0'.repeat(300)}${assistantLine({ id: 'after NUL' })}`,
			`{"type":"assistant","usage" nonsense}`,
			'',
			`${assistantLine({ id: 'crlf' })}\r`,
		]);
		const index = home.index();
		await index.look();
		expect(total(index, 's').input).toBe(30);
		expect(index.usageOf('claude-code', ['s']).problems.invalidLines).toBe(3);
		expect(index.machineUsage().problems).toEqual(['claude-code: 3 torn lines left out.']);
		// A half line at the end is no torn one: its rest is still to come.
		const line = assistantLine({ id: 'slow' });
		appendFileSync(path, line.slice(0, 90));
		await index.look();
		expect(index.usageOf('claude-code', ['s']).problems.invalidLines).toBe(3);
		appendFileSync(path, `${line.slice(90)}\n`);
		await index.look();
		expect(total(index, 's').input).toBe(40);
	});

	it('are not made by half a character or a line separator inside a text', async () => {
		const home = newHome();
		const half = assistantLine({ id: 'half', text: 'abc' }).replace('abc', 'abc\\ud83d');
		const separators = assistantLine({ id: 'm', text: 'one\u2028two\u2029three' });
		expect(half).toContain('\\ud83d');
		home.write('s.jsonl', [half, separators]);
		const index = home.index();
		await index.look();
		expect(total(index, 's').input).toBe(20);
		expect(index.machineUsage().problems).toEqual([]);
	});

	it('are none for their length alone, up to the limit', async () => {
		const home = newHome();
		home.write('s.jsonl', [
			assistantLine({ id: 'big', text: 'x'.repeat(1_700_000) }),
			assistantLine({ id: 'too big', text: 'x'.repeat(2_100_000) }),
			assistantLine({ id: 'after' }),
		]);
		const index = home.index({ longestLine: 2_000_000 });
		await index.look();
		expect(total(index, 's').input).toBe(20);
		expect(index.usageOf('claude-code', ['s']).problems.overlongLines).toBe(1);
	});

	it('and numbers that are none are counted once although the file is read again', async () => {
		const home = newHome();
		const bad = assistantLine({ id: 'm', usage: { input_tokens: -1, output_tokens: 3 } });
		const path = home.write('s.jsonl', [bad, 'torn']);
		const index = home.index();
		await index.look();
		home.write('new', [bad, 'torn', userLine('hello')]);
		renameSync(home.path('new'), path);
		await index.look();
		expect(index.usageOf('claude-code', ['s']).problems).toMatchObject({
			invalidNumbers: 1,
			invalidLines: 1,
		});
		expect(total(index, 's')).toMatchObject({ input: 0, output: 3 });
	});

	it('make no file unreadable, but what the system refuses does, and what was counted stays', async () => {
		const home = newHome();
		const path = home.write('s.jsonl', [assistantLine({ id: 'm' })]);
		const index = home.index();
		await index.follow(path, 'claude-code');
		renameSync(path, `${path}.away`);
		mkdirSync(path);
		await index.follow(path, 'claude-code');
		expect(index.usageOf('claude-code', ['s']).problems.unreadable).toHaveLength(1);
		expect(total(index, 's').input).toBe(10);
	});
});

describe('looking for sessions', () => {
	const lines = [assistantLine({ id: 'm' })];

	it('finds them below the program’s directory, and says which are about', async () => {
		const home = newHome();
		const started = userLine('go').replace('{', '{"cwd":"/home/dev/app",');
		const now = ROWS_AT + 60_000;
		const recent = home.write('new.jsonl', [started, ...lines]);
		const old = home.write('old.jsonl', [assistantLine({ id: 'o' })]);
		utimesSync(recent, now / 1000, now / 1000);
		utimesSync(old, 1_700_000_000, 1_700_000_000);
		const index = home.index();
		expect(index.machineUsage()).toMatchObject({ today: null, week: null });
		await index.look();
		expect(index.sessionsSince(now - 1_000)).toEqual([
			{
				client: 'claude-code',
				sessionId: 'new',
				directory: '/home/dev/app',
				model: 'claude-opus-4-8',
				lastActivityAt: now,
				file: recent,
				work: 15,
			},
		]);
		expect(index.sessionsSince(0).map(({ sessionId }) => sessionId)).toEqual(['new', 'old']);
		expect(index.machineUsage()).toMatchObject({
			today: { input: 20 },
			week: { input: 20 },
			programs: [{ client: 'claude-code', files: 2, today: { input: 20 } }],
			reading: null,
			problems: [],
		});
	});

	it('follows no link out, and no circle', async () => {
		const home = newHome();
		home.write('s.jsonl', lines);
		const outside = temporaryDirectory();
		writeFileSync(join(outside, 'out.jsonl'), `${assistantLine({ id: 'out' })}\n`);
		symlinkSync(outside, home.path('link'));
		symlinkSync(join(outside, 'out.jsonl'), home.path('file-link.jsonl'));
		symlinkSync(home.path('.'), home.path('circle'));
		const index = home.index();
		await index.look();
		expect(index.machineUsage().programs).toMatchObject([{ files: 1, today: { input: 10 } }]);
	});

	it('counts a project that lies elsewhere and is linked, once, and goes in no circle', async () => {
		const home = newHome();
		home.write('s.jsonl', lines);
		const outside = temporaryDirectory();
		writeFileSync(join(outside, 'out.jsonl'), `${assistantLine({ id: 'out' })}\n`);
		symlinkSync(outside, join(outside, 'circle'));
		const projects = home.path('..');
		for (const [name, target] of [
			['linked', outside],
			['linked-again', outside],
			['up', join(projects, '..')],
			['same', home.path('.')],
			['file', join(outside, 'out.jsonl')],
			['broken', join(outside, 'nowhere')],
		] as const) {
			symlinkSync(target, join(projects, name));
		}
		const index = home.index();
		await index.look();
		expect(index.machineUsage()).toMatchObject({
			programs: [{ files: 2, today: { input: 20 } }],
			problems: [],
		});
		expect(total(index, 'out').input).toBe(10);
	});

	it.skipIf(process.getuid?.() === 0)('goes past a directory that it may not look into', async () => {
		const home = newHome();
		home.write('s.jsonl', lines);
		const closed = home.write('closed/t.jsonl', lines);
		chmodSync(join(closed, '..'), 0);
		const index = home.index();
		await index.look();
		chmodSync(join(closed, '..'), 0o700);
		expect(index.machineUsage()).toMatchObject({ today: { input: 10 } });
		expect(index.machineUsage().problems[0]).toContain('closed cannot be looked through');
	});

	it('counts named files from anywhere, and a demonstration for itself only', async () => {
		const home = newHome();
		const elsewhere = temporaryDirectory();
		const path = join(elsewhere, 'far.jsonl');
		writeFileSync(path, `${lines[0]}\n`);
		const shown = join(elsewhere, 'demo.jsonl');
		writeFileSync(shown, `${assistantLine({ id: 'shown' })}\n`);
		const index = home.index({ isDemo: (each) => each.endsWith('demo.jsonl') });
		await index.look();
		for (const each of [path, shown]) await index.follow(each, 'claude-code');
		expect(index.machineUsage()).toMatchObject({ today: { input: 10 }, programs: [{ files: 1 }] });
		expect(total(index, 'demo').input).toBe(10);
		expect(index.sessionsSince(0).map(({ sessionId }) => sessionId)).toEqual(['far']);
		// It is still followed when nobody names it.
		appendFileSync(path, `${assistantLine({ id: 'more' })}\n`);
		await index.look();
		expect(total(index, 'far').input).toBe(20);
	});

	it('reads hundreds of sessions, each once', async () => {
		const home = newHome();
		for (let number = 0; number < 300; number += 1) {
			home.write(`p${number % 7}/s-${number}.jsonl`, [assistantLine({ id: `m-${number}` })]);
		}
		const index = home.index();
		await Promise.all([index.look(), index.look()]);
		const { bytesRead } = index;
		await index.look();
		expect(index.bytesRead).toBe(bytesRead);
		expect(index.machineUsage()).toMatchObject({
			today: { input: 3_000 },
			programs: [{ files: 300, bytes: bytesRead }],
		});
	});
});

describe('today and this week', () => {
	it('are what was done on those days, whenever it is read', async () => {
		const home = newHome();
		// A Wednesday at noon, on this machine's clock.
		const now = new Date(2026, 10, 25, 12).getTime();
		const at = (month: number, day: number, hour: number, minute = 0) =>
			new Date(2026, month, day, hour, minute).toISOString();
		const times = {
			future: at(10, 26, 3),
			noon: at(10, 25, 12),
			midnight: at(10, 25, 0),
			yesterday: at(10, 24, 23, 59),
			monday: at(10, 23, 0),
			sunday: at(10, 22, 23, 59),
			old: at(7, 1, 12),
		};
		home.write(
			's.jsonl',
			Object.entries(times).map(([id, timestamp]) => assistantLine({ id, timestamp })),
		);
		const index = home.index({ now: () => now });
		await index.look();
		const { today, week, total: all } = index.usageOf('claude-code', ['s']);
		expect([today.input, week.input, all.input]).toEqual([30, 50, 70]);
		expect(index.machineUsage()).toMatchObject({ today: { input: 30 }, week: { input: 50 } });
	});

	it('take a response without a time for as old as its file', async () => {
		const home = newHome();
		const path = home.write('s.jsonl', [assistantLine({ id: 'm', timestamp: 'never' })]);
		utimesSync(path, 1_700_000_000, 1_700_000_000);
		const index = home.index();
		await index.look();
		expect(index.usageOf('claude-code', ['s'])).toMatchObject({ today: { input: 0 }, total: { input: 10 } });
	});
});

describe('trouble that a file tells', () => {
	const trouble = (at: number, message = 'slow down') =>
		JSON.stringify({
			type: 'system',
			subtype: 'api_error',
			error: { status: 429, formatted: message },
			timestamp: new Date(at).toISOString(),
		});
	const heard = (index: UsageIndex): ToldTrouble[] => {
		const told: ToldTrouble[] = [];
		index.onTrouble((each) => told.push(each));
		return told;
	};

	it('is told when it is appended, with its session, once', async () => {
		const home = newHome();
		const path = home.write('s.jsonl', [assistantLine({ id: 'm' })]);
		const index = home.index();
		const told = heard(index);
		await index.look();
		appendFileSync(path, `${trouble(ROWS_AT - 3_600_000)}\n`);
		await index.look();
		await index.look();
		expect(told).toMatchObject([
			{ client: 'claude-code', sessionId: 's', file: path, trouble: { error: 'rate_limit', status: 429 } },
		]);
	});

	it('is history where a file is read for the first time, unless it is younger than two minutes', async () => {
		const home = newHome();
		const now = ROWS_AT + 60_000;
		home.write('s.jsonl', [trouble(now - 121_000, 'old'), trouble(now - 90_000, 'young')]);
		const index = home.index();
		const told = heard(index);
		await index.look();
		expect(told.map((each) => each.trouble.message)).toEqual(['young']);
	});

	it('is history too where it came while the floor was off, and where a file is written anew', async () => {
		const home = newHome();
		const path = home.write('s.jsonl', [assistantLine({ id: 'm' })]);
		const first = home.index({ store: home.store });
		await first.look();
		await first.stop();
		appendFileSync(path, `${trouble(ROWS_AT - 3_600_000)}\n`);
		const index = home.index({ store: home.store });
		const told = heard(index);
		await index.look();
		home.write('new', [trouble(ROWS_AT - 3_600_000)]);
		renameSync(home.path('new'), path);
		await index.look();
		expect(told).toEqual([]);
	});

	it("of a subagent is its parent's", async () => {
		const home = newHome();
		home.write('s-1.jsonl', [assistantLine({ id: 'own' })]);
		const subagent = home.write('s-1/subagents/agent-a.jsonl', [assistantLine({ id: 'a' })]);
		const index = home.index();
		const told = heard(index);
		await index.look();
		appendFileSync(subagent, `${trouble(ROWS_AT)}\n`);
		await index.look();
		expect(told).toMatchObject([{ sessionId: 's-1', file: subagent }]);
	});
});
