import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { geminiCli } from '../../../src/main/usage/formats/gemini.ts';
import { mangled } from './mangled.ts';
import { byModel, readFile, readLines, readRecording, tellsTheSameInParts, tokens } from './told.ts';

const CHAT = '/home/dev/.gemini/tmp/app/chats/session-2026-11-30T20-19-9b1fe893.jsonl';
const SESSION = '9b1fe893-613c-4e37-99b8-c8e223d8fb50';
const AT = '2026-11-30T20:20:00.000Z';
const begin = JSON.stringify({ sessionId: SESSION, projectHash: 'h', startTime: AT, kind: 'main' });
const answer = (id: string, told: object, more: object = {}) => ({
	id,
	timestamp: AT,
	type: 'gemini',
	content: '',
	tokens: { input: 0, output: 0, cached: 0, thoughts: 0, tool: 0, total: 0, ...told },
	model: 'gemini-2.5-pro',
	...more,
});
const line = (id: string, told: object, more?: object) => JSON.stringify(answer(id, told, more));
const error = (content: string, more: object = {}) =>
	JSON.stringify({ id: 'e', timestamp: AT, type: 'error', content, ...more });
const read = async (lines: readonly (string | Buffer)[]) =>
	(await readLines(geminiCli, CHAT, [begin, ...lines])).told;

const places: string[] = [];
afterEach(async () => {
	for (const place of places.splice(0)) await rm(place, { recursive: true, force: true });
});
async function home(files: Readonly<Record<string, string>>): Promise<string> {
	const place = await mkdtemp(join(tmpdir(), 'gemini-home-'));
	places.push(place);
	for (const [name, text] of Object.entries(files)) {
		await mkdir(join(place, name, '..'), { recursive: true });
		await writeFile(join(place, name), text);
	}
	return place;
}

describe("Gemini CLI's chats", () => {
	it('lie under its home, by project; those of subagents in a folder of their session', () => {
		expect(geminiCli.roots({}, '/home/dev')).toEqual(['/home/dev/.gemini/tmp']);
		expect(geminiCli.roots({ GEMINI_CLI_HOME: '/data' }, '/home/dev')).toEqual(['/data/.gemini/tmp']);
		expect(geminiCli.identify(CHAT)).toEqual({
			sessionId: 'app/session-2026-11-30T20-19-9b1fe893',
			mode: 'lines',
			isSubagent: false,
		});
		expect(geminiCli.identify(CHAT.slice(0, -1))?.mode).toBe('document');
		expect(geminiCli.identify(`/h/.gemini/tmp/app/chats/${SESSION}/sub-1.jsonl`)).toEqual({
			sessionId: SESSION,
			mode: 'lines',
			isSubagent: true,
		});
		expect(geminiCli.identify('C:\\h\\.gemini\\tmp\\a\\chats\\session-2026-1-ab.jsonl')?.sessionId).toBe(
			'a/session-2026-1-ab',
		);
		for (const other of ['logs.json', 'chats/checkpoint.json', 'chats/session-1.jsonl.tmp-7', 'x.txt']) {
			expect(geminiCli.identify(`/h/.gemini/tmp/app/${other}`)).toBeNull();
		}
	});

	// The stub reported 3001 in (1001 cached), 51 out, 21 thoughts; 500, 40, 10 and 33 for its own tools; 3003, 1003, 53, 23.
	it('add up to what the provider was asked for, with a session that was resumed', async () => {
		const files = await readRecording(geminiCli, 'gemini-0.61-resumed');
		expect(byModel([...files.values()])).toEqual({
			'gemini-2.5-pro': tokens(2000 + 533, 1001, 51 + 21 + 40 + 10),
			'gemini-2.5-flash': tokens(2000, 1003, 53 + 23),
		});
		const [first] = files.values();
		expect(first?.known).toEqual({
			sessionId: SESSION,
			directory: '/home/dev/app',
			model: 'gemini-2.5-flash',
		});
		expect(first?.left).toEqual({ lines: 0, numbers: 0 });
	});

	it('give every token of the total to one count', async () => {
		const count = fc.nat(100_000);
		await fc.assert(
			fc.asyncProperty(
				count,
				count,
				count,
				count,
				fc.nat(1000),
				async (input, output, thoughts, tool, share) => {
					const cached = Math.floor((input * share) / 1000);
					const total = input + output + thoughts + tool;
					const used = (await read([line('a', { input, output, cached, thoughts, tool, total })])).total();
					expect(used.input + used.output + used.cacheRead).toBe(total);
					expect(used.cacheRead).toBe(cached);
				},
			),
		);
	});

	it('count a message once, however often it is written, with the larger of each count', async () => {
		const all = JSON.stringify({
			$set: { messages: [answer('a', { input: 100, output: 9 }), { id: 'u', type: 'user' }] },
		});
		expect(
			(await read([line('a', { input: 100, output: 5 }), line('a', { input: 100, output: 9 }), all])).total(),
		).toEqual(tokens(100, 0, 9));
	});

	it('keep counting what was rewound: it was billed', async () => {
		const rewound = JSON.stringify({ $rewindTo: 'a' });
		expect((await read([line('a', { input: 100 }), rewound, line('b', { input: 30 })])).total().input).toBe(
			130,
		);
	});

	it('of the older kind are one document, which a newer file repeats', async () => {
		const document = {
			sessionId: SESSION,
			projectHash: 'h',
			messages: [answer('a', { input: 100 }), answer('b', { input: 7 })],
		};
		const { told } = await readLines(geminiCli, CHAT.slice(0, -1), [JSON.stringify(document, null, 2)]);
		expect(told.total().input).toBe(107);
		const resumed = await read([line('a', { input: 100 }), line('b', { input: 7 }), line('c', { input: 3 })]);
		expect(byModel([told, resumed])).toEqual({ 'gemini-2.5-pro': tokens(110, 0, 0) });
	});

	it('tell what a subagent used, whose file names its parent by its place', async () => {
		const path = `/home/dev/.gemini/tmp/app/chats/${SESSION}/sub-1.jsonl`;
		const { told } = await readLines(geminiCli, path, [
			JSON.stringify({ sessionId: 'sub-1', projectHash: 'h', kind: 'subagent' }),
			line('a', { input: 100 }),
		]);
		expect(told.known).toEqual({});
		expect(told.reports).toMatchObject([{ sidechain: true }]);
	});

	it('lie in a folder that names the project, or is its hash', async () => {
		const chat = `${begin}\n`;
		const hash = createHash('sha256').update('/home/dev/b').digest('hex');
		const place = await home({
			'projects.json': JSON.stringify({ projects: { '/home/dev/a': 'a', '/home/dev/b': 'b-1' } }),
			'tmp/told/.project_root': '/home/dev/told\n',
			'tmp/told/chats/session-1-x.jsonl': chat,
			'tmp/a/chats/session-1-x.jsonl': chat,
			[`tmp/${hash}/chats/session-1-x.jsonl`]: chat,
			'tmp/unknown/chats/session-1-x.jsonl': chat,
			[`tmp/a/chats/${SESSION}/sub.jsonl`]: chat,
		});
		const directoryOf = async (path: string) =>
			(await readFile(geminiCli, join(place, 'tmp', path))).known.directory;
		expect(await directoryOf('told/chats/session-1-x.jsonl')).toBe('/home/dev/told');
		expect(await directoryOf('a/chats/session-1-x.jsonl')).toBe('/home/dev/a');
		expect(await directoryOf(`a/chats/${SESSION}/sub.jsonl`)).toBe('/home/dev/a');
		expect(await directoryOf(`${hash}/chats/session-1-x.jsonl`)).toBe('/home/dev/b');
		expect(await directoryOf('unknown/chats/session-1-x.jsonl')).toBeUndefined();
	});

	it.each([
		[
			'[API Error: You exceeded your quota. Please retry in 3s. (Status: RESOURCE_EXHAUSTED)]',
			'rate_limit',
			429,
			3000,
		],
		[
			'[API Error: check your plan and billing details (Status: RESOURCE_EXHAUSTED)]',
			'rate_limit',
			429,
			null,
		],
		[
			'[API Error: busy]\nPlease wait and try again later. To increase your limits, …',
			'rate_limit',
			429,
			null,
		],
		['[API Error: The model is overloaded. (Status: UNAVAILABLE)]', 'overloaded', 503, null],
		['[API Error: boom (Status: INTERNAL)]', 'server_error', 500, null],
		['[API Error: no (Status: PERMISSION_DENIED)]', 'authentication_failed', 403, null],
		['[API Error: exception TypeError: fetch failed sending request]', 'connection', null, null],
		['[API Error: An unknown error occurred.]', 'unknown', null, null],
	])('tell of trouble at the provider: %s', async (content, name, status, afterMs) => {
		const resetsAt = afterMs === null ? null : Date.parse(AT) + afterMs;
		expect((await read([error(content)])).troubles).toMatchObject([
			{ error: name, status, resetsAt, message: content },
		]);
	});

	it("leave the agent's own errors, quotes and repeats alone", async () => {
		const words = '[API Error: busy (Status: UNAVAILABLE)]';
		const told = await read([
			error('[API Error: too long (Status: INVALID_ARGUMENT)]'),
			error('Command failed'),
			JSON.stringify({ id: 'u', type: 'user', content: [{ text: words }] }),
			JSON.stringify({ id: 'g', type: 'gemini', content: `${words} ${line('x', { input: 9 })}` }),
			JSON.stringify({ $set: { messages: [JSON.parse(error(words))] } }),
		]);
		expect(told).toMatchObject({ troubles: [], reports: [], left: { lines: 0, numbers: 0 } });
	});

	it.each([-1, 1e12, 1.5, 'x'])('leave out a count of %s', async (wrong) => {
		const told = await read([line('a', { input: 100, output: wrong })]);
		expect(told.total()).toEqual(tokens(100, 0, 0));
		expect(told.left).toEqual({ lines: 0, numbers: 1 });
	});

	it('are read past torn lines, runs of NUL, lone surrogates and a byte order mark', async () => {
		const { told } = await readLines(geminiCli, CHAT, [
			`\uFEFF${begin}`,
			`${line('a', { input: 1 }).slice(0, 40)}\0\0${line('b', { input: 10 }, { content: '\ud800' })}`,
			'\0\0',
			line('c', { input: 100 }).slice(0, -3),
			'{"$set":{"lastUpd',
		]);
		expect(told.total().input).toBe(10);
		expect(told.left).toEqual({ lines: 3, numbers: 0 });
	});

	it('tell the same in parts, wherever these meet', async () => {
		const one = fc.oneof(
			fc
				.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(900), fc.constantFrom('m1', 'm2'))
				.map(([id, input, model]) => line(id, { input }, { model })),
			fc.constantFrom(
				begin,
				error('[API Error: x (Status: INTERNAL)]'),
				'{"$set":{"sessionId":"other"}}',
				'{"tokens"',
			),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(one, { maxLength: 20 }), fc.nat(20), async (lines, cut) => {
				const { whole, parts } = await tellsTheSameInParts(geminiCli, CHAT, lines, cut);
				expect(parts).toEqual(whole);
			}),
		);
	});

	it('never make the reader fail', async () => {
		const lines = readFileSync('test/recordings/gemini-cli.session.jsonl', 'utf8').trimEnd().split('\n');
		await fc.assert(
			fc.asyncProperty(fc.array(mangled(lines), { maxLength: 8 }), async (some) => {
				const told = await read(some);
				expect(told.reports.every(({ usage }) => Object.values(usage).every(Number.isSafeInteger))).toBe(
					true,
				);
			}),
		);
	});
});
