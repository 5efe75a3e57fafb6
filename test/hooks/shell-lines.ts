// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell, not a template
/** Command lines for tests: harmless ones, and places in which a command can stand. */
import fc from 'fast-check';

export const harmless = fc.constantFrom(
	'ls',
	'cat a',
	'git status',
	'echo "$x"',
	'sed -n "1,5p" a',
	'find . -name "*.ts"',
	'sort a | uniq -c',
	'[ -f a ]',
	'x=$(pwd)',
	'cat a 2>/dev/null',
);

/** Places in which one command can stand. */
const places: readonly ((command: string, other: string) => string)[] = [
	(command) => command,
	(command, other) => `${other}; ${command}`,
	(command, other) => `${command}; ${other}`,
	(command, other) => `${other} && ${command}`,
	(command, other) => `${other} || ${command}`,
	(command, other) => `${other} | ${command}`,
	(command, other) => `${command} | ${other}`,
	(command, other) => `${other}\n${command}`,
	(command) => `( ${command} )`,
	(command) => `{ ${command}; }`,
	(command) => `! ( ${command} )`,
	(command) => `echo $( ${command} )`,
	(command) => `echo "a $( ${command} ) b"`,
	(command) => `x=$( ${command} )`,
	(command) => `cat <( ${command} )`,
	(command) => `cat <<< "$( ${command} )"`,
	(command, other) => `if ${command}; then ${other}; fi`,
	(command, other) => `if ${other}; then ${command}; fi`,
	(command, other) => `if ${other}; then ls; else ${command}; fi`,
	(command) => `while false; do ${command}; done`,
	(command) => `until ${command}; do break; done`,
	(command) => `for f in a b; do ${command}; done`,
	(command) => `case a in a) ${command} ;; esac`,
	(command) => `[ -n "$( ${command} )" ]`,
	(command) => `echo "\${x:-$( ${command} )}"`,
];

/** The command in one place, or in places within places. */
export const placed = (command: fc.Arbitrary<string>): fc.Arbitrary<string> =>
	fc
		.tuple(command, fc.array(fc.tuple(fc.constantFrom(...places), harmless), { maxLength: 4 }))
		.map(([inner, around]) => around.reduce((line, [place, other]) => place(line, other), inner));
