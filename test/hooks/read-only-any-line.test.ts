// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell, not a template
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createReadOnlyJudge } from '../../src/main/hooks/read-only/judge.ts';
import { harmless, placed } from './shell-lines.ts';

const judge = await createReadOnlyJudge();
const isReadOnly = (command: string): boolean => judge('Bash', { command }).readOnly;

describe('wherever it stands', () => {
	const word = fc.stringMatching(/^[a-z0-9_./-]{0,8}$/);

	test('a harmless command is read-only', () => {
		// So the tests below refuse for what they put there, not for the place.
		fc.assert(fc.property(placed(harmless), isReadOnly));
	});

	test('a program that is not listed is not', () => {
		const unlisted = fc
			.tuple(word, fc.array(word, { maxLength: 3 }))
			.map(([name, rest]) => ['zz', name, ' ', ...rest].join(''));
		fc.assert(fc.property(placed(unlisted), (line) => !isReadOnly(line)));
	});

	test('a write redirection is not', () => {
		const operators = ['>', '>>', '>|', '&>', '&>>', '>&', '<>', '1>', '2>', '2>>', ' > ', ' >> '];
		const writing = fc
			.tuple(harmless, fc.constantFrom(...operators), word)
			.map(([command, operator, target]) => `${command} ${operator}f${target}`);
		fc.assert(fc.property(placed(writing), (line) => !isReadOnly(line)));
	});

	test('a program that only the shell will know is not', () => {
		const names = fc.constantFrom(
			'$x',
			'"$x"',
			'${x}',
			'$(echo rm)',
			'`echo rm`',
			'r$x',
			'{rm,a}',
			'r?',
			'./ls',
			'/tmp/ls',
		);
		fc.assert(fc.property(placed(names.map((name) => `${name} a`)), (line) => !isReadOnly(line)));
	});
});

test('nothing is thrown, whatever the line and the input', () => {
	const text = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.string({ unit: fc.constantFrom(...'ls$(){}[]<>|&;\'"`\\\n #x=-') }),
	);
	fc.assert(
		fc.property(
			fc.oneof(
				text.map((command) => ({ command })),
				fc.anything(),
			),
			fc.string(),
			(input, tool) => {
				for (const name of ['Bash', tool]) expect(typeof judge(name, input).readOnly).toBe('boolean');
			},
		),
		{ numRuns: 500 },
	);
});
