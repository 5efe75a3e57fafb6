import { win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windowsCommand } from '../../src/main/cli/windows-command.ts';

const files = new Set(
	[
		'C:\\tools\\claude.cmd',
		'C:\\tools\\codex.exe',
		'C:\\tools\\both.exe',
		'C:\\tools\\both.cmd',
		'C:\\w\\app\\a b.cmd',
	].map((file) => file.toLowerCase()),
);
const place = {
	env: { PATH: 'C:\\none;C:\\tools', PATHEXT: '.COM;.EXE;.BAT;.CMD', COMSPEC: 'C:\\Windows\\cmd.exe' },
	workingDirectory: 'C:\\w\\app',
	isFile: (path: string) => files.has(path.toLowerCase()),
};

describe('a program on Windows', () => {
	it.each([
		['codex', 'C:\\tools\\codex.exe'],
		['codex.exe', 'C:\\tools\\codex.exe'],
		['both', 'C:\\tools\\both.exe'],
		['nothing', 'nothing'],
		['C:\\tools\\codex.exe', 'C:\\tools\\codex.exe'],
	])('%s is started as it is', (command, file) => {
		const asked = windowsCommand(command, ['a b', '"'], place);
		expect([asked.file.toLowerCase(), asked.args, asked.verbatim]).toEqual([
			file.toLowerCase(),
			['a b', '"'],
			false,
		]);
	});

	it('a .cmd file goes through cmd.exe, with its path and arguments quoted', () => {
		const asked = windowsCommand('claude', ['-p', 'say "hi" & del'], place);
		expect(asked.file).toBe('C:\\Windows\\cmd.exe');
		expect(asked.args.slice(0, 3)).toEqual(['/d', '/s', '/c']);
		expect(asked.verbatim).toBe(true);
		expect(windowsCommand('.\\a b.cmd', [], place).args[3]).toBe('"C:\\w\\app\\a^ b.cmd"');
	});

	it('a line break cannot be handed to cmd.exe, and is refused instead of cut', () => {
		expect(() => windowsCommand('claude', ['-p', 'one\ntwo'], place)).toThrow(/line break/);
		expect(windowsCommand('codex', ['one\ntwo'], place).args).toEqual(['one\ntwo']);
	});

	it('every argument comes through cmd.exe, its .cmd file and the program’s own reading as it was', () => {
		const argument = fc
			.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'"\\^%&|<>()! ,;=*?[]`a$\'') }))
			.filter((text) => !/[\r\n\0]/.test(text));
		fc.assert(
			fc.property(fc.array(argument, { maxLength: 4 }), (args) => {
				const { args: given } = windowsCommand('claude', args, place);
				const line = (given[3] ?? '').slice(1, -1);
				const inCommand = afterCmd(line);
				const rest = inCommand.slice(win32.normalize('C:\\tools\\claude.cmd').length);
				expect(readArguments(afterCmd(rest))).toEqual(args);
			}),
			{ numRuns: Number(process.env.PROPERTY_RUNS ?? 1_000) },
		);
	});
});

/** One reading by cmd.exe: a caret takes the meaning of what follows; outside of quotes nothing special may remain. */
function afterCmd(line: string): string {
	let read = '';
	let isQuoted = false;
	for (let at = 0; at < line.length; at += 1) {
		const character = line[at] ?? '';
		if (character === '^' && !isQuoted) {
			at += 1;
			read += line[at] ?? '';
			continue;
		}
		if (character === '"') isQuoted = !isQuoted;
		if (!isQuoted && /[&|<>()%!]/.test(character)) throw new Error(`cmd.exe would act on ${character}`);
		read += character;
	}
	return read;
}

/** As `CommandLineToArgvW` and the C runtime read a line. */
function readArguments(line: string): string[] {
	const read: string[] = [];
	let at = 0;
	while (at < line.length) {
		while (line[at] === ' ') at += 1;
		if (at >= line.length) break;
		let word = '';
		let isQuoted = false;
		for (; at < line.length && (isQuoted || line[at] !== ' '); at += 1) {
			let slashes = 0;
			while (line[at] === '\\') {
				slashes += 1;
				at += 1;
			}
			if (line[at] === '"') {
				word += '\\'.repeat(Math.floor(slashes / 2));
				if (slashes % 2 === 1) word += '"';
				else isQuoted = !isQuoted;
				continue;
			}
			word += '\\'.repeat(slashes);
			if (at < line.length && (isQuoted || line[at] !== ' ')) word += line[at];
			else break;
		}
		read.push(word);
	}
	return read;
}
