import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineTail } from '../../src/main/usage/line-tail.ts';
import { temporaryDirectory } from './transcript-files.ts';

async function linesOf(tail: LineTail): Promise<string[]> {
	const lines: string[] = [];
	await tail.poll((line) => lines.push(line.toString('utf8')));
	return lines;
}

function newTail(content?: string, longestLine?: number): { tail: LineTail; path: string } {
	const path = join(temporaryDirectory(), 'log.jsonl');
	if (content !== undefined) writeFileSync(path, content);
	return { path, tail: new LineTail(path, longestLine === undefined ? {} : { longestLine }) };
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
		expect(await tail.poll(() => {})).toMatchObject({ found: false });
		writeFileSync(path, 'a\n');
		expect(await linesOf(tail)).toEqual(['a']);
		rmSync(path);
		expect(await tail.poll(() => {})).toMatchObject({ found: false });
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
		const lines: string[] = [];
		const outcomes = [await tail.poll((line) => lines.push(line.toString()))];
		appendFileSync(path, 'y'.repeat(5000));
		outcomes.push(await tail.poll((line) => lines.push(line.toString())));
		appendFileSync(path, `z\nb\n${'w'.repeat(1001)}\nc\n`);
		outcomes.push(await tail.poll((line) => lines.push(line.toString())));
		expect(lines).toEqual(['a', 'b', 'c']);
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
		await expect(tail.poll(() => {})).rejects.toThrow();
	});

	it('gives the same lines for any split of the file into appends', async () => {
		const text = fc.string({
			unit: fc.constantFrom('a', '\n', '\r', '\u2028', 'é', '\0', '💥'),
			maxLength: 60,
		});
		await fc.assert(
			fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (appends) => {
				const { tail, path } = newTail('');
				const lines: string[] = [];
				for (const part of appends) {
					appendFileSync(path, part);
					lines.push(...(await linesOf(tail)));
				}
				expect(lines).toEqual(appends.join('').split('\n').slice(0, -1));
			}),
			{ numRuns: 60 },
		);
	});
});
