import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { qwenCode } from '../../../src/main/usage/formats/qwen.ts';
import { mangled } from './mangled.ts';
import { byModel, readLines, readRecording, tellsTheSameInParts, tokens } from './told.ts';

const CHAT = '/home/dev/.qwen/projects/-home-dev-app/chats/af4f1e11-b498-4bee-b09e-513ba71f4914.jsonl';
const AT = '2026-11-30T20:20:00.000Z';

const row = (more: object) =>
	JSON.stringify({
		uuid: 'r',
		sessionId: 's',
		timestamp: AT,
		type: 'system',
		cwd: '/home/dev/app',
		version: '0.24.4',
		...more,
	});
const event = (name: string, uuid: string, told: object, more: object = {}) =>
	row({
		uuid,
		subtype: 'ui_telemetry',
		systemPayload: {
			uiEvent: { 'event.name': `qwen-code.${name}`, 'event.timestamp': AT, model: 'qwen3-coder', ...told },
		},
		...more,
	});
const counts = (input: number, cached: number, output: number, thoughts: number, total: unknown) => ({
	input_token_count: input,
	cached_content_token_count: cached,
	output_token_count: output,
	thoughts_token_count: thoughts,
	total_token_count: total,
});
const answered = (uuid: string, told: object, more?: object) =>
	event('api_response', uuid, { ...counts(0, 0, 0, 0, 0), ...told }, more);
const failed = (told: object, more?: object) => event('api_error', 'f', told, more);
const read = async (lines: readonly (string | Buffer)[]) => (await readLines(qwenCode, CHAT, lines)).told;

/** What the stub told of its calls: of the n-th 1000 + n in, 100 + n of them cached, 50 + n out. */
const stub = (...calls: readonly number[]) =>
	tokens(
		calls.length * 900,
		calls.reduce((sum, call) => sum + 100 + call, 0),
		calls.reduce((sum, call) => sum + 50 + call, 0),
	);

describe("Qwen Code's chats", () => {
	it('lie under its home, by project, put away ones below them; files of subagents are none', () => {
		expect(qwenCode.roots({}, '/home/dev')).toEqual(['/home/dev/.qwen/projects']);
		expect(qwenCode.roots({ QWEN_HOME: '/data' }, '/home/dev')).toEqual(['/data/projects']);
		expect(qwenCode.roots({ QWEN_HOME: '/data', QWEN_RUNTIME_DIR: '/run' }, '/home/dev')).toEqual([
			'/run/projects',
		]);
		const sessionId = 'af4f1e11-b498-4bee-b09e-513ba71f4914';
		const chat = { sessionId, mode: 'lines', isSubagent: false };
		expect(qwenCode.identify(CHAT)).toEqual(chat);
		expect(qwenCode.identify(CHAT.replace('chats/', 'chats/archive/'))).toEqual(chat);
		expect(qwenCode.identify(`C:\\h\\.qwen\\projects\\C--app\\chats\\${sessionId}.jsonl`)).toEqual(chat);
		for (const other of [
			`chats/${sessionId}.json`,
			'chats/notes.jsonl',
			`subagents/${sessionId}/agent-general-purpose-call_0.jsonl`,
			`${sessionId}.jsonl`,
			'usage_record.jsonl',
		]) {
			expect(qwenCode.identify(`/h/.qwen/projects/app/${other}`)).toBeNull();
		}
	});

	// Calls 1 and 3 had 21 and 23 tokens of thoughts, which the stub counts in the output as its protocol does.
	it('add up to what the provider told, with a session that went on with another model', async () => {
		const [told] = (await readRecording(qwenCode, 'qwen-0.24-resumed')).values();
		const first = stub(0, 1, 2, 3);
		expect(told?.byModel()).toEqual({
			'stub-model': { ...first, output: first.output + 21 + 23 },
			'other-model': stub(4, 5),
		});
		expect(told?.known).toEqual({ directory: '/home/dev/app', model: 'other-model' });
		expect(told?.left).toEqual({ lines: 0, numbers: 0 });
	});

	it("add up with a subagent's calls, which its session's file tells", async () => {
		const files = await readRecording(qwenCode, 'qwen-0.24-subagent');
		expect(files.size).toBe(1);
		const [told] = files.values();
		expect(told?.byModel()).toEqual({ 'stub-model': stub(0, 1, 2, 3) });
		expect(told?.reports.map(({ sidechain }) => sidechain)).toEqual([false, false, true, false]);
	});

	it('add up with a fork, which copies what was said before it', async () => {
		const files = [...(await readRecording(qwenCode, 'qwen-0.24-forked')).values()];
		expect(files.map(({ reports }) => reports.length).sort()).toEqual([2, 4]);
		expect(byModel(files)).toEqual({ 'stub-model': stub(0, 1), 'other-model': stub(2, 3) });
	});

	it('hold the sum that the messages tell, without the subagents', async () => {
		for await (const path of glob('test/recordings/sessions/qwen-*/projects/*/chats/*.jsonl')) {
			const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
			const messages = lines.map((line) => JSON.parse(line)).flatMap((each) => each.usageMetadata ?? []);
			const main = (await read(lines)).reports.filter(({ sidechain }) => !sidechain);
			expect(main.map(({ usage }) => usage.input + usage.cacheRead + usage.output)).toEqual(
				messages.map(({ totalTokenCount }) => totalTokenCount),
			);
		}
	});

	it('give every token of the total to one count, whether thoughts are in the output or beside it', async () => {
		const count = fc.nat(100_000);
		await fc.assert(
			fc.asyncProperty(
				count,
				count,
				count,
				fc.nat(1000),
				fc.boolean(),
				async (input, text, thoughts, share, beside) => {
					const cached = Math.floor((input * share) / 1000);
					const total = input + text + thoughts;
					const output = beside ? text : text + thoughts;
					const used = (await read([answered('a', counts(input, cached, output, thoughts, total))])).total();
					const isTold = input + output > 0;
					expect(used).toEqual(tokens(isTold ? input - cached : total, cached, isTold ? text + thoughts : 0));
				},
			),
		);
	});

	it.each([
		['no total', counts(100, 40, 20, 5, undefined), tokens(60, 40, 20)],
		['nothing but a total', counts(0, 0, 0, 0, 70), tokens(70, 0, 0)],
		['a total that is too small', counts(100, 0, 20, 5, 7), tokens(100, 0, 20)],
		['a total that is too large', counts(100, 0, 20, 5, 900), tokens(100, 0, 25)],
		['more from the cache than there was', counts(100, 300, 20, 0, 120), tokens(0, 100, 20)],
	])('are counted with %s', async (_what, told, used) => {
		const { left, ...chat } = await read([answered('a', told)]);
		expect(chat.reports.map(({ usage }) => usage)).toEqual([used]);
		expect(left).toEqual({ lines: 0, numbers: 0 });
	});

	it('tell nothing of an answer without tokens but its model', async () => {
		const { reports, known } = await read([answered('a', {})]);
		expect({ reports, known }).toEqual({
			reports: [],
			known: { directory: '/home/dev/app', model: 'qwen3-coder' },
		});
	});

	it('tell two answers apart to which a server of this machine gave the same id', async () => {
		const same = { response_id: 'chatcmpl-7', input_token_count: 10, total_token_count: 10 };
		expect((await read([answered('a', same), answered('b', same), answered('b', same)])).total().input).toBe(
			20,
		);
	});
});

describe("trouble at Qwen Code's provider", () => {
	it('is told as the program met it, once for each of its own tries', async () => {
		const [told] = (await readRecording(qwenCode, 'qwen-0.24-troubles')).values();
		expect(told?.troubles.slice(0, 5).map(({ error, status, isRetry }) => [error, status, isRetry])).toEqual([
			['rate_limit', 429, true],
			['server_error', 503, true],
			['authentication_failed', 401, false],
			['billing_error', 402, false],
			// The 400 is the agent's own.
			['billing_error', 429, true],
		]);
		// Between them it was answered, and asked by its own helper after each turn.
		expect(told?.byModel()).toEqual({ 'stub-model': stub(4, 5, 10, 11, 18, 19) });
		const [limit] = told?.troubles ?? [];
		expect(limit?.message).toBe('429 Rate limit reached for stub-model. Please try again in 20s.');
		expect(limit?.resetsAt).toBe((limit?.at ?? 0) + 20_000);
		expect(limit?.model).toBe('stub-model');
	});

	it.each([
		[{ status_code: 529, error_message: '529 busy' }, 'overloaded', true],
		[
			{ error_type: 'APIConnectionError', error_message: 'Connection error. (cause: UND_ERR_ABORTED)' },
			'connection',
			true,
		],
		[{ error_type: 'TypeError', error_message: 'fetch failed' }, 'connection', true],
		[{ error_type: 'InvalidStreamError', error_message: 'Model stream ended empty.' }, 'unknown', true],
		[{ status_code: 400, error_message: '400 Your credit balance is too low' }, 'billing_error', false],
		[
			{ status_code: 429, error_message: '429 check your plan and billing details. RESOURCE_EXHAUSTED' },
			'rate_limit',
			true,
		],
	])('is named by its status and words: %o', async (told, error, isRetry) => {
		expect((await read([failed(told)])).troubles).toMatchObject([{ error, isRetry, at: Date.parse(AT) }]);
	});

	it("is not the agent's own errors, what somebody stopped, quotes, nor what a fork copied", async () => {
		const words = failed({ status_code: 503, error_message: '503 x' });
		const told = await read([
			failed({ status_code: 400, error_message: '400 too long' }),
			failed({ status_code: 404, error_message: '404 no such model' }),
			failed({ error_type: 'AbortError', error_message: 'This operation was aborted' }),
			failed(
				{ status_code: 503, error_message: '503 x' },
				{ forkedFrom: { sessionId: 's0', messageUuid: 'f' } },
			),
			row({ type: 'user', message: { parts: [{ text: words }] } }),
			event('tool_call', 't', { function_args: JSON.parse(words), name: 'qwen-code.api_error' }),
			row({ type: 'tool_result', subtype: 'ui_telemetry', systemPayload: JSON.parse(words).systemPayload }),
		]);
		expect(told).toMatchObject({ troubles: [], reports: [], left: { lines: 0, numbers: 0 } });
	});
});

describe("hostile lines in Qwen Code's chats", () => {
	it.each([-1, 1e12, 1.5, 'x'])('leave out a count of %s', async (wrong) => {
		const told = await read([answered('a', { ...counts(100, 0, 0, 0, 100), output_token_count: wrong })]);
		expect(told.total()).toEqual(tokens(100, 0, 0));
		expect(told.left).toEqual({ lines: 0, numbers: 1 });
	});

	it('are read past: torn ones, runs of NUL, lone surrogates, a byte order mark, a row without its id', async () => {
		const told = await read([
			`\uFEFF${answered('a', { input_token_count: 1 })}`,
			`${answered('b', { input_token_count: 10 }).slice(0, 90)}\0\0${answered('c', { input_token_count: 100, response_text: '\ud800' })}`,
			'\0\0',
			answered('d', { input_token_count: 1000 }).slice(0, -3),
			answered('', { input_token_count: 10_000 }),
		]);
		expect(told.total().input).toBe(101);
		expect(told.left).toEqual({ lines: 3, numbers: 0 });
	});

	it('tell the same in parts, wherever these meet', async () => {
		const one = fc.oneof(
			fc
				.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(900), fc.constantFrom('m1', 'm2'), fc.boolean())
				.map(([uuid, input, model, isSub]) =>
					answered(uuid, { input_token_count: input, model, ...(isSub ? { subagent_name: 'x' } : {}) }),
				),
			fc.constantFrom(
				failed({ status_code: 503, error_message: 'x' }),
				row({ type: 'user', cwd: '/elsewhere' }),
				'{"uuid"',
			),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(one, { maxLength: 20 }), fc.nat(20), async (lines, cut) => {
				const { whole, parts } = await tellsTheSameInParts(qwenCode, CHAT, lines, cut);
				expect(parts).toEqual(whole);
			}),
		);
	});

	it('tell the same in parts, at every line of the recordings', async () => {
		for await (const path of glob('test/recordings/sessions/qwen-*/projects/*/chats/*.jsonl')) {
			const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
			for (let cut = 0; cut <= lines.length; cut += 1) {
				const { whole, parts } = await tellsTheSameInParts(qwenCode, path, lines, cut);
				expect(parts).toEqual(whole);
			}
		}
	});

	it('never make the reader fail', async () => {
		const lines: string[] = [];
		for await (const path of glob('test/recordings/sessions/qwen-*/projects/*/chats/*.jsonl'))
			lines.push(...readFileSync(path, 'utf8').trimEnd().split('\n'));
		await fc.assert(
			fc.asyncProperty(fc.array(mangled(lines), { maxLength: 8 }), async (some) => {
				const { reports } = await read(some);
				const all = reports.flatMap(({ usage }) => Object.values(usage));
				expect(all.every((tokensTold) => Number.isSafeInteger(tokensTold) && tokensTold >= 0)).toBe(true);
			}),
		);
	});
});
