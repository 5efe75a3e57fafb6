import { appendFileSync, copyFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClaudeTranscriptReader, type TranscriptUsage } from '../../src/main/usage/claude-transcript.ts';
import { addUsage, NO_TOKENS, type TokenUsage } from '../../src/main/usage/token-usage.ts';
import { assistantLine, type Row, temporaryDirectory, userLine } from './transcript-files.ts';

function write(path: string, lines: readonly string[]): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
}

function totalOf(usage: TranscriptUsage | null): TokenUsage {
	if (!usage) throw new Error('no transcript');
	return [...usage.byModel.values()].reduce((sum, model) => addUsage(sum, model.usage), NO_TOKENS);
}

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

describe('the usage of a session', () => {
	it('is what the real program recorded', async () => {
		const path = join(temporaryDirectory(), 's.jsonl');
		copyFileSync('test/recordings/claude-code.transcript.jsonl', path);
		const usage = await new ClaudeTranscriptReader().poll(path);
		expect(totalOf(usage)).toMatchObject({ input: 75, output: 36, cacheRead: 300, cacheCreation: 0 });
		expect(usage?.lastModel).toBe('claude-opus-4-8');
		expect(usage?.byModel.get('claude-opus-4-8')?.usd).toBeCloseTo((75 * 5 + 36 * 25 + 300 * 0.5) / 1e6, 12);
		expect(usage?.problems).toEqual({ invalidLines: 0, overlongLines: 0, invalidNumbers: 0, unreadable: [] });
	});

	it('counts the rows of one response once, with the last output', async () => {
		const path = join(temporaryDirectory(), 's.jsonl');
		write(path, threeRows.map(assistantLine));
		const total = totalOf(await new ClaudeTranscriptReader().poll(path));
		expect(total).toMatchObject({ input: 4, cacheCreation: 900, cacheRead: 15_000, output: 311 });
	});

	it('counts a response once although a resumed session copies it', async () => {
		const directory = temporaryDirectory();
		const first = join(directory, 's-1.jsonl');
		const resumed = join(directory, 's-2.jsonl');
		write(first, threeRows.map(assistantLine));
		write(resumed, [
			...threeRows.map((row) => assistantLine({ ...row, sessionId: 's-2' })),
			assistantLine({ id: 'msg_2', sessionId: 's-2' }),
		]);
		const reader = new ClaudeTranscriptReader();
		expect(totalOf(await reader.poll(first))).toMatchObject({ input: 4, output: 311 });
		expect(totalOf(await reader.poll(resumed))).toMatchObject({ input: 10, output: 5, cacheRead: 0 });
	});

	it('tells two forks apart that reach the same total', async () => {
		const directory = temporaryDirectory();
		const reader = new ClaudeTranscriptReader();
		for (const fork of ['a', 'b']) {
			write(join(directory, `${fork}.jsonl`), [
				assistantLine({ id: 'shared' }),
				assistantLine({ id: `only-${fork}` }),
			]);
		}
		const a = totalOf(await reader.poll(join(directory, 'a.jsonl')));
		const b = totalOf(await reader.poll(join(directory, 'b.jsonl')));
		expect(a.input + b.input).toBe(30);
	});

	it('counts sidechains, and not as the model of the agent', async () => {
		const path = join(temporaryDirectory(), 's.jsonl');
		write(path, [
			assistantLine({ id: 'own' }),
			assistantLine({ id: 'side', model: 'claude-haiku-4-5', isSidechain: true }),
		]);
		const usage = await new ClaudeTranscriptReader().poll(path);
		expect(totalOf(usage).input).toBe(20);
		expect(usage?.lastModel).toBe('claude-opus-4-8');
	});

	it("counts subagents' transcripts for their parent, once", async () => {
		const directory = temporaryDirectory();
		const path = join(directory, 's-1.jsonl');
		const subagents = join(directory, 's-1', 'subagents');
		write(path, [assistantLine({ id: 'own' })]);
		write(join(subagents, 'agent-a.jsonl'), [assistantLine({ id: 'a', isSidechain: true })]);
		write(join(subagents, 'workflows', 'wf_1', 'agent-b.jsonl'), [
			assistantLine({ id: 'b', isSidechain: true }),
			// The same response also stands in the first subagent's file.
			assistantLine({ id: 'a', isSidechain: true }),
		]);
		writeFileSync(join(subagents, 'agent-a.meta.json'), assistantLine({ id: 'not a transcript' }));
		const reader = new ClaudeTranscriptReader();
		expect(totalOf(await reader.poll(path)).input).toBe(30);
		appendFileSync(join(subagents, 'agent-a.jsonl'), `${assistantLine({ id: 'a2', isSidechain: true })}\n`);
		expect(totalOf(await reader.poll(path)).input).toBe(40);
	});

	it('leaves out what no model wrote', async () => {
		const path = join(temporaryDirectory(), 's.jsonl');
		write(path, [assistantLine({ id: 'm', model: '<synthetic>' })]);
		const usage = await new ClaudeTranscriptReader().poll(path);
		expect(usage?.byModel.size).toBe(0);
		expect(usage?.lastModel).toBeNull();
	});

	it('is null while there is no file, and stays when the file was cleared away', async () => {
		const directory = temporaryDirectory();
		const path = join(directory, 's.jsonl');
		const reader = new ClaudeTranscriptReader();
		expect(await reader.poll(path)).toBeNull();
		write(path, [assistantLine({ id: 'm' })]);
		await reader.poll(path);
		renameSync(path, `${path}.gone`);
		expect(totalOf(await reader.poll(path)).input).toBe(10);
	});

	it('does not count twice when the file is cut short or replaced', async () => {
		const path = join(temporaryDirectory(), 's.jsonl');
		const reader = new ClaudeTranscriptReader();
		write(path, [assistantLine({ id: 'a' }), assistantLine({ id: 'b' })]);
		await reader.poll(path);
		write(path, [assistantLine({ id: 'b' })]);
		await reader.poll(path);
		write(`${path}.new`, [
			assistantLine({ id: 'a' }),
			assistantLine({ id: 'b' }),
			assistantLine({ id: 'c' }),
		]);
		renameSync(`${path}.new`, path);
		expect(totalOf(await reader.poll(path)).input).toBe(30);
	});

	it('reads past torn lines, NUL bytes, lines that are no JSON and a BOM, and counts them', async () => {
		const path = join(temporaryDirectory(), 's.jsonl');
		write(path, [
			`\uFEFF${assistantLine({ id: 'bom' })}`,
			assistantLine({ id: 'torn' }).slice(0, -4),
			`${assistantLine({ id: 'glued' }).slice(0, 40)}${'\0'.repeat(300)}${assistantLine({ id: 'after NUL' })}`,
			`{"type":"assistant","usage" nonsense}`,
			'',
			`${assistantLine({ id: 'crlf' })}\r`,
		]);
		const usage = await new ClaudeTranscriptReader().poll(path);
		expect(totalOf(usage).input).toBe(30);
		expect(usage?.problems.invalidLines).toBe(3);
	});

	it('does not break a line at U+2028', async () => {
		const path = join(temporaryDirectory(), 's.jsonl');
		const line = assistantLine({ id: 'm', text: 'one\u2028two\u2029three' });
		expect(line).toContain('\u2028');
		write(path, [line]);
		const usage = await new ClaudeTranscriptReader().poll(path);
		expect(totalOf(usage).input).toBe(10);
		expect(usage?.problems.invalidLines).toBe(0);
	});

	it('reads a response of megabytes and skips one over the limit', async () => {
		const path = join(temporaryDirectory(), 's.jsonl');
		write(path, [
			assistantLine({ id: 'big', text: 'x'.repeat(1_700_000) }),
			assistantLine({ id: 'too big', text: 'x'.repeat(2_100_000) }),
			assistantLine({ id: 'after' }),
		]);
		const usage = await new ClaudeTranscriptReader({ longestLine: 2_000_000 }).poll(path);
		expect(totalOf(usage).input).toBe(20);
		expect(usage?.problems.overlongLines).toBe(1);
	});

	it('counts numbers that are none, and once when the file is read again', async () => {
		const path = join(temporaryDirectory(), 's.jsonl');
		const reader = new ClaudeTranscriptReader();
		const bad = assistantLine({ id: 'm', usage: { input_tokens: -1, output_tokens: 3 } });
		write(path, [bad, 'torn']);
		expect((await reader.poll(path))?.problems).toMatchObject({ invalidNumbers: 1, invalidLines: 1 });
		write(`${path}.new`, [bad, 'torn', userLine('hello')]);
		renameSync(`${path}.new`, path);
		const usage = await reader.poll(path);
		expect(usage?.problems).toMatchObject({ invalidNumbers: 1, invalidLines: 1 });
		expect(totalOf(usage)).toMatchObject({ input: 0, output: 3 });
	});

	it('says what it could not open, and keeps what it had', async () => {
		const directory = temporaryDirectory();
		const path = join(directory, 's.jsonl');
		const reader = new ClaudeTranscriptReader();
		write(path, [assistantLine({ id: 'm' })]);
		await reader.poll(path);
		renameSync(path, `${path}.away`);
		mkdirSync(path);
		const usage = await reader.poll(path);
		expect(usage?.problems.unreadable).toHaveLength(1);
		expect(totalOf(usage).input).toBe(10);
	});

	it('prices each response by itself', async () => {
		const path = join(temporaryDirectory(), 's.jsonl');
		// Together they are over the context size above which this model costs twice as much; each alone is not.
		const row = (id: string): Row => ({ id, model: 'claude-sonnet-4-5', usage: { input_tokens: 150_000 } });
		write(path, [assistantLine(row('a')), assistantLine(row('b'))]);
		const usage = await new ClaudeTranscriptReader().poll(path);
		expect(usage?.byModel.get('claude-sonnet-4-5')?.usd).toBeCloseTo(0.9, 9);
	});

	it('forgets a session on request', async () => {
		const path = join(temporaryDirectory(), 's.jsonl');
		const reader = new ClaudeTranscriptReader();
		write(path, [assistantLine({ id: 'm' })]);
		await reader.poll(path);
		reader.forget(path);
		expect(totalOf(await reader.poll(path)).input).toBe(10);
	});
});

describe('any history of a transcript', () => {
	const row = fc.record({
		id: fc.constantFrom('a', 'b', 'c', 'd'),
		model: fc.constantFrom('claude-opus-4-8', 'claude-sonnet-4-5', 'claude-x', '<synthetic>'),
		isSidechain: fc.boolean(),
		text: fc.string({ unit: fc.constantFrom('x', ' ', 'é', '💥'), maxLength: 5 }),
		usage: fc.record({ input_tokens: fc.nat(300_000), output_tokens: fc.integer({ min: -1, max: 5000 }) }),
	});
	// The model of a response never changes between its rows.
	const line = fc.oneof(
		{
			weight: 5,
			arbitrary: row.map((value) => assistantLine({ ...value, id: `${value.id} ${value.model}` })),
		},
		fc.constantFrom(userLine('hi'), '{"torn', '\0\0\0', ''),
	);
	const content = fc
		.array(line, { maxLength: 12 })
		.map((lines) => Buffer.from(lines.map((l) => `${l}\n`).join('')));

	it('split into any appends and polls gives the totals of one reading', async () => {
		await fc.assert(
			fc.asyncProperty(content, fc.array(fc.nat(3000), { maxLength: 8 }), async (bytes, cuts) => {
				const directory = temporaryDirectory();
				const whole = join(directory, 'whole.jsonl');
				const grown = join(directory, 'grown.jsonl');
				writeFileSync(whole, bytes);
				const once = await new ClaudeTranscriptReader().poll(whole);
				const reader = new ClaudeTranscriptReader();
				let from = 0;
				for (const cut of [
					...cuts.map((at) => Math.min(at, bytes.length)).sort((a, b) => a - b),
					bytes.length,
				]) {
					appendFileSync(grown, bytes.subarray(from, cut));
					from = cut;
					await reader.poll(grown);
				}
				const grownUsage = await reader.poll(grown);
				expect(grownUsage?.byModel).toEqual(once?.byModel);
				expect(grownUsage?.lastModel).toEqual(once?.lastModel);
				expect(grownUsage?.problems).toMatchObject({ invalidLines: once?.problems.invalidLines });
			}),
			{ numRuns: 60 },
		);
	});

	it('never counts a response more often than it happened, in however many files it stands', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(content, { minLength: 2, maxLength: 4 }), async (files) => {
				const directory = temporaryDirectory();
				const together = join(directory, 'together.jsonl');
				writeFileSync(together, Buffer.concat(files));
				const expected = totalOf(await new ClaudeTranscriptReader().poll(together));
				const reader = new ClaudeTranscriptReader();
				const paths = files.map((bytes, index) => {
					const path = join(directory, `${index}.jsonl`);
					writeFileSync(path, bytes);
					return path;
				});
				for (const path of paths) await reader.poll(path);
				let sum = NO_TOKENS;
				for (const path of paths) sum = addUsage(sum, totalOf(await reader.poll(path)));
				expect(sum).toEqual(expected);
			}),
			{ numRuns: 40 },
		);
	});
});
