import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileTail, type TailPosition } from '../../src/main/usage/file-tail.ts';
import { temporaryDirectory } from './transcript-files.ts';

/** A look at the file: the lines it handed on, and how. */
async function look(tail: FileTail, most = Number.POSITIVE_INFINITY) {
	const lines: string[] = [];
	let again = false;
	let chunks = 0;
	const { found, overlong } = await tail.poll({
		begin: (isAgain) => {
			again = isAgain;
		},
		line: (line) => lines.push(line.toString('utf8')),
		chunk: () => {
			chunks += 1;
			return chunks < most;
		},
	});
	return { lines, found, overlong, again };
}

async function linesOf(tail: FileTail): Promise<string[]> {
	return (await look(tail)).lines;
}

function newTail(content?: string, longestLine?: number): { tail: FileTail; path: string } {
	const path = join(temporaryDirectory(), 'log.jsonl');
	if (content !== undefined) writeFileSync(path, content);
	return { path, tail: new FileTail(path, longestLine === undefined ? {} : { longestLine }) };
}

/** The same file after a restart: all that is known of it is plain JSON. */
function restarted(tail: FileTail, longestLine?: number): FileTail {
	const position = JSON.parse(JSON.stringify(tail.position)) as TailPosition;
	return new FileTail(tail.path, { position, ...(longestLine === undefined ? {} : { longestLine }) });
}

describe('following a file by lines', () => {
	it('hands on each line once as the file grows', async () => {
		const { tail, path } = newTail('a\nb\n');
		expect(await linesOf(tail)).toEqual(['a', 'b']);
		expect(await linesOf(tail)).toEqual([]);
		appendFileSync(path, 'c\n');
		expect(await linesOf(tail)).toEqual(['c']);
	});

	it('keeps a torn last line until it is whole', async () => {
		const { tail, path } = newTail('a\nhal');
		expect(await linesOf(tail)).toEqual(['a']);
		appendFileSync(path, 'f');
		expect(await linesOf(tail)).toEqual([]);
		appendFileSync(path, '\n');
		expect(await linesOf(tail)).toEqual(['half']);
	});

	it('ends a line at a line feed and nowhere else', async () => {
		const { tail } = newTail('a\u2028b\u2029c\u0085d\re\r\nf\n');
		expect(await linesOf(tail)).toEqual(['a\u2028b\u2029c\u0085d\re\r', 'f']);
	});

	it('finds no error in a file that is not there, and reads it when it comes', async () => {
		const { tail, path } = newTail();
		expect(await look(tail)).toMatchObject({ found: false });
		writeFileSync(path, 'a\n');
		expect(await linesOf(tail)).toEqual(['a']);
		rmSync(path);
		expect(await look(tail)).toMatchObject({ found: false });
	});

	it('starts again when the file was cut short', async () => {
		const { tail, path } = newTail('a\nb\nc\n');
		await linesOf(tail);
		truncateSync(path, 2);
		appendFileSync(path, 'x\n');
		expect(await linesOf(tail)).toEqual(['a', 'x']);
	});

	it('starts again when another file took its place', async () => {
		const { tail, path } = newTail('a\nb\n');
		await linesOf(tail);
		writeFileSync(`${path}.new`, 'a\nb\nc\n');
		renameSync(`${path}.new`, path);
		expect(await linesOf(tail)).toEqual(['a', 'b', 'c']);
	});

	it('starts again when the file was written anew in place, even when it is longer now', async () => {
		const { tail, path } = newTail('a\nb\n');
		await linesOf(tail);
		writeFileSync(path, 'p\nq\nr\ns\n');
		expect(await linesOf(tail)).toEqual(['p', 'q', 'r', 's']);
	});

	it('skips a line over the limit, counts it once and reads on', async () => {
		const { tail, path } = newTail(`a\n${'x'.repeat(5000)}`, 1000);
		const outcomes = [await look(tail)];
		appendFileSync(path, 'y'.repeat(5000));
		outcomes.push(await look(tail));
		appendFileSync(path, `z\nb\n${'w'.repeat(1001)}\nc\n`);
		outcomes.push(await look(tail));
		expect(outcomes.flatMap(({ lines }) => lines)).toEqual(['a', 'b', 'c']);
		expect(outcomes.map((outcome) => outcome.overlong)).toEqual([1, 0, 1]);
	});

	it('reads a line of megabytes', async () => {
		const long = 'é'.repeat(850_000);
		const { tail } = newTail(`a\n${long}\nb\n`);
		expect(await linesOf(tail)).toEqual(['a', long, 'b']);
	});

	it('says what is in the way when the path is no file', async () => {
		const { tail, path } = newTail();
		mkdirSync(path);
		await expect(look(tail)).rejects.toThrow();
	});

	it('gives the same lines for any split of the file into appends, with a restart between any two', async () => {
		const text = fc.string({
			unit: fc.constantFrom('a', '\n', '\r', '\u2028', 'é', '\0', '💥'),
			maxLength: 60,
		});
		const append = fc.record({ part: text, isRestarted: fc.boolean() });
		await fc.assert(
			fc.asyncProperty(fc.array(append, { maxLength: 8 }), async (appends) => {
				const { tail: first, path } = newTail('', 40);
				let tail = first;
				const lines: string[] = [];
				for (const { part, isRestarted } of appends) {
					appendFileSync(path, part);
					if (isRestarted) tail = restarted(tail, 40);
					lines.push(...(await linesOf(tail)));
				}
				const whole = appends.map(({ part }) => part).join('');
				const expected = whole.split('\n').slice(0, -1);
				expect(lines).toEqual(expected.filter((line) => Buffer.byteLength(line) <= 40));
			}),
			{ numRuns: 60 },
		);
	});
});

describe('going on after a restart', () => {
	it('reads only what was appended meanwhile', async () => {
		const { tail, path } = newTail('a\nb\nhal');
		await linesOf(tail);
		appendFileSync(path, 'f\nc\n');
		expect(await look(restarted(tail))).toMatchObject({ lines: ['half', 'c'], again: false });
	});

	it('goes on where a look was ended before the file was', async () => {
		const line = 'x'.repeat(200_000);
		const { tail } = newTail(`${line}1\n${line}2\n${line}3\n${line}4\n`);
		const first = await look(tail, 1);
		expect(first.lines.length).toBeLessThan(4);
		const rest = await linesOf(restarted(tail));
		expect([...first.lines, ...rest].map((each) => each.at(-1))).toEqual(['1', '2', '3', '4']);
	});

	it.each([
		['cut short', (path: string) => truncateSync(path, 2), ['a']],
		['written anew', (path: string) => writeFileSync(path, 'p\nq\nr\n'), ['p', 'q', 'r']],
		[
			'replaced by one that begins like it',
			(path: string) => {
				writeFileSync(`${path}.new`, 'a\nb\nc\n');
				renameSync(`${path}.new`, path);
			},
			['a', 'b', 'c'],
		],
	])('starts again when the file was %s meanwhile', async (_what, change, expected) => {
		const { tail, path } = newTail('a\nb\n');
		await linesOf(tail);
		change(path);
		expect(await look(restarted(tail))).toMatchObject({ lines: expected, again: true });
	});
});

describe('a document', () => {
	it('is handed on whole, at every change', async () => {
		const path = join(temporaryDirectory(), 'chat.json');
		const tail = new FileTail(path, { mode: 'document' });
		writeFileSync(path, '{\n"a": 1\n}');
		expect(await look(tail)).toMatchObject({ lines: ['{\n"a": 1\n}'], again: false });
		expect(await linesOf(tail)).toEqual([]);
		writeFileSync(path, '{\n"a": 1,\n"b": 2\n}');
		expect(await look(tail)).toMatchObject({ lines: ['{\n"a": 1,\n"b": 2\n}'], again: true });
		expect(await linesOf(restarted(tail))).toEqual([]);
	});

	it('over the limit is skipped and counted', async () => {
		const path = join(temporaryDirectory(), 'chat.json');
		writeFileSync(path, 'x'.repeat(1001));
		expect(await look(new FileTail(path, { mode: 'document', longestLine: 1000 }))).toMatchObject({
			lines: [],
			overlong: 1,
		});
	});
});
