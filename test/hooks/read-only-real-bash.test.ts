// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell, not a template
import { spawnSync } from 'node:child_process';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createReadOnlyJudge } from '../../src/main/hooks/read-only/judge.ts';
import { harmless, placed } from './shell-lines.ts';

const judge = await createReadOnlyJudge();
const isReadOnly = (command: string): boolean => judge('Bash', { command }).readOnly;

/** The last word has the shell itself: what was judged read-only is run, and must neither call nor change anything. */
describe.skipIf(!existsSync('/bin/bash'))('when Bash runs what was judged read-only', () => {
	const root = mkdtempSync(join(tmpdir(), 'read-only-'));
	const [bin, work, called] = [join(root, 'bin'), join(root, 'work'), join(root, 'called')];
	mkdirSync(bin);
	for (const name of ['evil', 'rm', 'touch', 'tee', 'a', 'b', 'out', 'x', ']', '-delete', 'EOF']) {
		writeFileSync(join(bin, name), `#!/bin/sh\necho "$0 $*" >> '${called}'\n`);
		chmodSync(join(bin, name), 0o755);
	}
	const tidy = (): void => {
		rmSync(work, { recursive: true, force: true });
		mkdirSync(work);
		for (const name of ['a', 'b', '-delete']) writeFileSync(join(work, name), 'one\nevil\n');
	};
	const contents = (): string =>
		readdirSync(work)
			.map((name) => `${name}: ${readFileSync(join(work, name), 'utf8')}`)
			.join();
	tidy();
	const untouched = contents();
	afterAll(() => rmSync(root, { recursive: true, force: true }));

	/** What is put somewhere into a harmless line, separated by `¦`. */
	const hostile = fc.constantFrom(
		...(
			'evil¦ evil ¦;evil¦|evil¦\nevil\n¦$(evil)¦`evil`¦\\`evil\\`¦\'$(evil)\'¦"$(evil)"¦>out¦ > out¦>|out¦&>out¦<>out¦' +
			'>(evil)¦<(evil)¦${x:-$(evil)}¦${x#$(evil)}¦${x@P}¦${!x}¦ -delete¦-oout¦ -o out¦ w out¦{evil,a}¦[a]¦*¦$x¦"$x"¦' +
			'$((x))¦ -v ¦ -eq 1¦x=evil ¦\\¦\\\n¦\\ ¦ #¦"¦\'¦`¦$(¦)¦(¦{¦}¦[¦]¦&&¦||¦&¦;¦\n¦\t¦<<EOF\n¦\nEOF\n¦!'
		).split('¦'),
	);
	const lines = fc
		.tuple(placed(harmless), fc.array(fc.tuple(fc.nat(), hostile), { minLength: 1, maxLength: 3 }))
		.map(([line, insertions]) =>
			insertions.reduce((text, [at, piece]) => {
				const place = at % (text.length + 1);
				return text.slice(0, place) + piece + text.slice(place);
			}, line),
		);

	test('nothing else is called and no file changes', () => {
		fc.assert(
			fc.property(
				lines,
				fc.constantFrom('-delete', 'a[$(evil)]', '-oout', 'evil', '1 -o -v b[$(evil)]', ''),
				(line, x) => {
					fc.pre(isReadOnly(line));
					spawnSync('/bin/bash', ['--norc', '--noprofile', '-c', line], {
						cwd: work,
						env: { PATH: `${bin}:/usr/bin:/bin`, HOME: root, x },
						input: 'evil\n',
						timeout: 1_000,
						stdio: ['pipe', 'ignore', 'ignore'],
					});
					const harm = [existsSync(called) ? readFileSync(called, 'utf8') : '', contents()];
					rmSync(called, { force: true });
					tidy();
					expect(harm).toEqual(['', untouched]);
				},
			),
			{ numRuns: 40, maxSkipsPerRun: 1_000 },
		);
	}, 60_000);
});
