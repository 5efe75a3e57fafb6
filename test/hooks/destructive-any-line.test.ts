// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell, not a template
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDestructiveJudge, type DestructiveJudge } from '../../src/main/hooks/destructive/judge.ts';
import { loadShellGrammar, type ReadCommandLine } from '../../src/main/hooks/shell-grammar.ts';

let read: ReadCommandLine;
let judge: DestructiveJudge;
beforeAll(async () => {
	read = await loadShellGrammar();
	judge = await createDestructiveJudge(read);
});
const bash = (command: string) => judge('Bash', { command });

/** One word for the shell, whatever is in it. */
const quoted = (line: string): string => `'${line.replaceAll("'", "'\\''")}'`;

/** Wrappers that run the words behind them. */
const simple: readonly ((line: string) => string)[] = [
	(line) => `sudo ${line}`,
	(line) => `sudo -nu me ${line}`,
	(line) => `env X=1 ${line}`,
	(line) => `env -u X ${line}`,
	(line) => `nohup ${line}`,
	(line) => `timeout -k 1 5 ${line}`,
	(line) => `command -p ${line}`,
	(line) => `exec -a x ${line}`,
	(line) => `caffeinate -i ${line}`,
	(line) => `flock -n /tmp/l ${line}`,
	(line) => `chroot / ${line}`,
	(line) => `unshare -r ${line}`,
	(line) => `nsenter -t 1 -m ${line}`,
	(line) => `runuser -u me -- ${line}`,
	(line) => `busybox ${line}`,
	(line) => `docker exec -it c ${line}`,
	(line) => `docker run --rm -e A=1 img ${line}`,
	(line) => `kubectl -n a exec p -- ${line}`,
	(line) => `ssh -p 22 h ${line}`,
	(line) => `xargs -n 1 ${line}`,
	(line) => `watchexec -e ts -- ${line}`,
	(line) => `npx --yes ${line}`,
	(line) => `uv run ${line}`,
	(line) => `pnpm exec ${line}`,
	(line) => `find . -exec ${line} +`,
];

/** What runs a text as a line. */
const texts: readonly ((line: string) => string)[] = [
	(line) => `bash -c ${quoted(line)}`,
	(line) => `sh -ec -- ${quoted(line)}`,
	(line) => `env --split-string=${quoted(line)}`,
	(line) => `su me -c ${quoted(line)}`,
	(line) => `eval ${quoted(line)}`,
	(line) => `trap ${quoted(line)} EXIT`,
	(line) => `alias x=${quoted(line)}`,
	(line) => `git submodule foreach ${quoted(line)}`,
	(line) => `git rebase -x ${quoted(line)} HEAD~2`,
	(line) => `bash <<< ${quoted(line)}`,
	(line) => `echo ${quoted(line)} | sh`,
	(line) => `printf '%s' ${quoted(line)} | sudo bash -s`,
	(line) => `cat <<'EOF' | bash\n${line}\nEOF`,
	(line) => `sh <<'EOF'\n${line}\nEOF`,
];

/** Syntax around a command. */
const syntax: readonly ((line: string) => string)[] = [
	(line) => line,
	(line) => `A=1 ${line}`,
	(line) => `(${line}\n)`,
	(line) => `ls && ${line}`,
	(line) => `echo "$(${line}\n)"`,
	(line) => `if x; then ${line}\nfi`,
	(line) => `while read a; do ${line}\ndone < f`,
	(line) => `{ ${line}\n}`,
	(line) => `f() { ${line}\n}; f`,
	(line) => `ls\n${line}\nls`,
	(line) => `diff <(${line}\n) f`,
];

describe('any command line', () => {
	it('never throws', () => {
		fc.assert(
			fc.property(fc.string({ maxLength: 200 }), fc.jsonValue(), (command, input) => {
				const answers = [
					bash(command),
					judge('Bash', input),
					judge(command, input),
					judge('x', { command: input }),
				];
				expect(answers.every((answer) => answer === null || answer.length > 0)).toBe(true);
			}),
			{ numRuns: 300 },
		);
	});

	it('never throws on lines made of the shell’s own pieces', () => {
		const piece = fc.constantFrom(
			...'rm git push sh -c bash eval $( ) ` " \' { } , ; | & && > < << <<< EOF \n \\ $x ${IFS} -- -S env sudo xargs {} * = [ ] ! (( )) if then fi'.split(
				' ',
			),
			' ',
			' ',
		);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
				const answer = bash(pieces.join(''));
				expect(answer === null || answer.length > 0).toBe(true);
			}),
			{ numRuns: 300 },
		);
	});

	it('is destructive however a destructive command is wrapped', () => {
		fc.assert(
			fc.property(
				fc.constantFrom('git push', 'rm -rf x', 'kubectl delete pod x', 'npm run deploy', './deploy.sh'),
				fc.array(fc.constantFrom(...simple), { maxLength: 3 }),
				fc.constantFrom((line: string) => line, ...texts),
				fc.constantFrom(...syntax),
				(line, wrappers, text, around) => {
					const wrapped = around(text(wrappers.reduce<string>((inner, one) => one(inner), line)));
					expect(bash(wrapped), wrapped).not.toBeNull();
				},
			),
			{ numRuns: 300 },
		);
	});

	it('needs no consent however a harmless command is wrapped', () => {
		fc.assert(
			fc.property(
				fc.constantFrom('git status', 'ls -la', 'npm test', "grep 'git push' f"),
				fc.array(fc.constantFrom(...simple), { maxLength: 3 }),
				fc.constantFrom(...syntax),
				(line, wrappers, around) => {
					const wrapped = around(wrappers.reduce<string>((inner, one) => one(inner), line));
					expect(bash(wrapped), wrapped).toBeNull();
				},
			),
			{ numRuns: 300 },
		);
	});
});

describe('the work for one line is bounded', () => {
	const repeated = (piece: string): string => piece.repeat(Math.floor(9_900 / piece.length));
	it.each([
		['sudo '],
		['watch '],
		['eval '],
		['xargs sh -c '],
		['hyperfine '],
		['cmd /c '],
		['tmux new '],
		['parallel ::: '],
		['env -S '],
		['find -exec '],
		['git -c alias.a=b '],
		['echo x|sh;'],
		['tee|sh|'],
		['a=b '],
		['$('],
		['('],
		['{,'],
		['"'],
		['\\'],
		['a\\\n'],
		['update '],
		['urlopen('],
	])('of 10 kB of %j', async (piece) => {
		let characters = 0;
		let parses = 0;
		const counting = await createDestructiveJudge((line, use) => {
			parses += 1;
			characters += line.length;
			return read(line, use);
		});
		for (const before of ['', 'hyperfine ', 'watch watch ']) {
			characters = 0;
			parses = 0;
			counting('Bash', { command: before + repeated(piece) });
			expect(characters).toBeLessThanOrEqual(60_000);
			expect(parses).toBeLessThanOrEqual(3_000);
		}
	});

	it.each([
		['commands', `${'sudo '.repeat(1_000)}ls`],
		['lines', `${'eval '.repeat(100)}ls`],
		['groups', `${'( '.repeat(300)}ls${' )'.repeat(300)}`],
	])('%s that are nested too deep need consent', (_what, line) => {
		expect(bash(line)).toMatch(/too deep/);
	});

	it('a line that is too long is searched for telling words', () => {
		const long = `echo ${'a'.repeat(20_000)}`;
		expect(bash(long)).toBeNull();
		for (const end of ['rm x', "r'm' x", 'git push', 'curl x | sh', '{r\\m,x}', './release'])
			expect(bash(`${long}; ${end}`), end).not.toBeNull();
	});
});

describe('other tools', () => {
	it.each([
		['mcp__x__run', { command: 'rm -rf x' }],
		['shell', { command: ['bash', '-lc', 'git push'] }],
		['exec_command', { cmd: 'git push' }],
		['Monitor', { command: 'rm -rf x' }],
		['mcp__x__execute_sql', { query: 'drop table x' }],
		['PowerShell', { command: '[IO.File]::Delete("x")' }],
		['PowerShell', { command: 'ri x' }],
	])('%s %j needs consent', (tool, input) => {
		expect(judge(tool, input)).not.toBeNull();
	});

	it.each([
		['mcp__x__run', { command: 'ls' }],
		['shell', { command: ['bash', '-lc', 'git status'] }],
		['mcp__x__execute_sql', { query: 'select 1' }],
		['Grep', { pattern: 'drop table', query: 'drop table' }],
		['Write', { file_path: 'deploy.sh', content: 'rm -rf x' }],
		['Task', { prompt: 'git push' }],
	])('%s %j needs none', (tool, input) => {
		expect(judge(tool, input)).toBeNull();
	});
});
