import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../../src/main/hooks/install/unified-diff.ts';

/** Applies hunks to the letter: every context and removed line must be where the header says. */
function applied(diff: string, before: string): string {
	if (diff === '') return before;
	const lines = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
	let result = '';
	let at = 0;
	const body = diff.match(/[^\n]*\n/g)?.slice(2) ?? [];
	body.forEach((line, index) => {
		const text = body[index + 1]?.startsWith('\\') ? line.slice(1, -1) : line.slice(1);
		const header = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@$/.exec(line.trimEnd());
		if (header) {
			const start = Number(header[1]) - (header[2] === '0' ? 0 : 1);
			result += lines.slice(at, start).join('');
			at = start;
		} else if (line.startsWith('+')) result += text;
		else if (!line.startsWith('\\')) {
			expect(lines[at++]).toBe(text);
			if (line.startsWith(' ')) result += text;
		}
	});
	return result + lines.slice(at).join('');
}

const texts = fc
	.array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', '@@\n', '-x\n', '\\\n', 'ü\u2028\n'), { maxLength: 30 })
	.chain((lines) => fc.constantFrom('', 'last').map((last) => lines.join('') + last));

describe('a unified diff', () => {
	it('turns one text into the other', () => {
		fc.assert(
			fc.property(texts, texts, (before, after) => {
				expect(applied(unifiedDiff('f', before, after), before)).toBe(after);
			}),
			{ numRuns: 500 },
		);
	});

	it('is empty only when nothing differs', () => {
		fc.assert(
			fc.property(texts, texts, (before, after) => {
				expect(unifiedDiff('f', before, after) === '').toBe(before === after);
			}),
		);
	});

	it('is as short as can be, with three lines around', () => {
		const before = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';
		expect(unifiedDiff('f', before, before.replace('5\n', 'five\n'))).toBe(
			'--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n',
		);
	});

	it('tells of missing files and missing line ends', () => {
		expect(unifiedDiff('f', null, '{}\n')).toBe('--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+{}\n');
		expect(unifiedDiff('f', 'a', null)).toBe(
			'--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\\ No newline at end of file\n',
		);
	});

	it('is what git can apply', async () => {
		const directory = await mkdtemp(join(tmpdir(), 'agent-floor-diff-'));
		const before = '{\r\n\t"a": 1,\r\n\t"b": 2\r\n}';
		const after = '{\r\n\t"a": 1,\r\n\t"c": [\r\n\t],\r\n\t"b": 3\r\n}';
		await writeFile(join(directory, 'f'), before);
		await writeFile(join(directory, 'patch'), unifiedDiff('f', before, after));
		await promisify(execFile)('git', ['apply', '-p0', '--whitespace=nowarn', 'patch'], {
			cwd: directory,
			env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
		});
		expect(await readFile(join(directory, 'f'), 'utf8')).toBe(after);
		await rm(directory, { recursive: true });
	});
});
