/** The programs that are known to only read, each with the rule for its arguments. Everything else is refused. */
import { judgeGit } from './git.ts';
import { anyArguments, type Call, only, type Rule, without } from './options.ts';
import { quoted, Refused } from './refused.ts';
import { judgeSed } from './sed.ts';
import type { Word } from './shell-word.ts';
import { judgeDate, judgeFind, judgePrintf, judgeRead, judgeSet, oneOperand } from './single-programs.ts';
import { judgeTestWords } from './test-expression.ts';
import { judgeCommandBuiltin, judgeEnv, judgeTimeout, judgeXargs, wrapper } from './wrappers.ts';

/** No option of these writes a file, runs a program or opens a connection. */
const READERS =
	'ls dir cat tac head tail wc grep egrep fgrep cut tr nl od hexdump strings stat du df pwd whoami id groups uname ' +
	'printenv echo true false : which whereis type basename dirname realpath readlink diff cmp comm jq ps pgrep cd sleep ' +
	'seq rev fold fmt expand unexpand paste join column md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum ' +
	'sum expr nproc uptime free tty lscpu';

/** Of these only the question for their version is known to run nothing of the project. */
const VERSIONED =
	'node npx python python3 pip pip3 ruby perl php java gcc g++ clang cc make cmake docker bash';

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
	...READERS.split(' ').map((name) => [name, anyArguments] as const),
	...VERSIONED.split(' ').map((name) => [name, judgeVersion] as const),
	// zsh evaluates what these are given as arithmetic, which can run commands.
	...['exit', 'break', 'continue'].map((name) => [name, only(/^\d{1,3}$/, 'none')] as const),
	['npm', judgeNpm],
	['git', judgeGit],
	['find', judgeFind],
	['sed', judgeSed],
	['rg', without({ long: ['--pre', '--hostname-bin'] })],
	['fd', without({ short: 'xX', long: ['--exec'] })],
	['fdfind', without({ short: 'xX', long: ['--exec'] })],
	['sort', without({ short: 'o', long: ['--output', '--compress-program'] })],
	// Compiles a magic file.
	['file', without({ short: 'C', long: ['--compile'] })],
	// -R calls tree again in every directory, with -o.
	['tree', without({ short: 'oR', long: ['--output'] })],
	['base64', without({ short: 'o', long: ['--output'] })],
	['base32', without({ short: 'o', long: ['--output'] })],
	// -D writes its device cache.
	['lsof', without({ short: 'D' })],
	// The second file operand is the output.
	['uniq', oneOperand(['-f', '-s', '-w'])],
	['xxd', oneOperand(['-c', '-cols', '-g', '-groupsize', '-l', '-len', '-n', '-o', '-s', '-seek', '-R'])],
	['date', judgeDate],
	// A bare operand sets the name.
	['hostname', only(/^-[fsiId]$/, 'none')],
	['top', only(/^(?:-b|-n\d+|-bn\d+|-c|-H|-w\d*|-\d+)$/, 'none')],
	['printf', judgePrintf],
	['read', judgeRead],
	['set', judgeSet],
	['test', ({ words }) => judgeTestWords(words)],
	['env', judgeEnv],
	['xargs', judgeXargs],
	['timeout', judgeTimeout],
	['command', judgeCommandBuiltin],
	['nice', wrapper(/^(?:-n\d+|--adjustment=\d+)$/)],
	['time', wrapper(/^-p$/)],
]);

/** @throws Refused unless the command's first word names a known program and the rest only makes it read. */
export function judgeProgram(words: readonly Word[]): void {
	const [first, ...rest] = words;
	// Only redirections or assignments.
	if (first === undefined) return;
	if (first.kind !== 'literal') throw new Refused('which program runs is only known when it runs');
	const program = /^(?:\/usr)?\/bin\/([^/]+)$/.exec(first.text)?.[1] ?? first.text;
	const rule = rules.get(program);
	if (rule === undefined) throw new Refused(`${quoted(first.text)} is not a known read-only program`);
	rule({ program, words: rest, run: judgeProgram });
}

/** Prints its version, and nothing of the project runs. */
function judgeVersion({ program, words }: Call): void {
	const [word, ...more] = words;
	// `-v` is "verbose" to some of them, and a verbose interpreter reads its program from standard input.
	const flag =
		program === 'node'
			? /^(?:--version|-v)$/
			: /^python3?$/.test(program)
				? /^(?:--version|-V)$/
				: /^--version$/;
	if (word?.kind === 'literal' && flag.test(word.text) && more.length === 0) return;
	throw new Refused(`\`${program}\` runs programs; only \`${program} --version\` is known to be harmless`);
}

/** npm: what is installed and why. */
function judgeNpm(call: Call): void {
	const [word, ...words] = call.words;
	if (word?.kind !== 'literal' || !/^(?:ls|list|ll|explain|why|root|prefix)$/.test(word.text)) {
		judgeVersion(call);
		return;
	}
	// Not --cache or --logs-dir: npm would write there.
	only(/^(?:--(?:all|json|long|parseable|global|production|prod|dev|link|depth=\d+|omit=\w+)|-[alpg])$/)({
		...call,
		words,
	});
}
