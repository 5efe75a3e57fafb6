/** `agent-floor run` as a process: real programs, real pipes, real signals, a floor that runs. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModelChainView } from '../../src/shared/models-view.ts';
import { RunningTestFloor } from '../support/running-floor.ts';
import { type Printed, runIn } from './command-line.ts';

const entry = resolve(import.meta.dirname, '../../src/main/cli/main.ts');
const preferred = 'claude-sonnet-5';

let floor: RunningTestFloor;
beforeEach(async () => {
	floor = await RunningTestFloor.start();
});
afterEach(() => floor.dispose());

const chain = (): ModelChainView => {
	const [first] = floor.snapshot().models.chains;
	if (!first) throw new Error('no chain');
	return first;
};

interface Options {
	readonly input?: string | 'ignore' | 'open';
	readonly own?: readonly string[];
	readonly env?: NodeJS.ProcessEnv;
}

function start(
	command: readonly string[],
	{ input = 'ignore', own = [], env = {} }: Options = {},
): ChildProcess {
	const child = spawn(
		process.execPath,
		[entry, 'run', `--data=${floor.directory}`, ...own, '--', ...command],
		{
			cwd: floor.directory,
			env: { ...process.env, ...env },
			stdio: [input === 'ignore' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
			// Without the terminal in which the tests run: a signal of theirs is no Ctrl-C.
			detached: true,
		},
	);
	if (input !== 'ignore' && input !== 'open') child.stdin?.end(input);
	return child;
}

interface Ended {
	readonly code: number | null;
	readonly out: string;
	readonly err: string;
}

async function endOf(child: ChildProcess): Promise<Ended> {
	if (!child.stdout || !child.stderr) throw new Error('no output');
	const [out, err, [code]] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, 'close'),
	]);
	return { code: code as number | null, out, err };
}

const run = (command: readonly string[], options?: Options): Promise<Ended> => endOf(start(command, options));

/** In this process, where no program comes to run. */
const runHere = (command: readonly string[], own: readonly string[] = []): Promise<Printed> =>
	runIn({ env: process.env }, floor.directory, 'run', ...own, '--', ...command);

/** A program for node, as arguments. */
const node = (script: string, ...args: readonly string[]): string[] => [
	process.execPath,
	'-e',
	script,
	'--',
	...args,
];

/** Limited with the preferred model, else it answers with the model and its input. */
const limitedOnce = node(
	`const model = process.argv[1];
	if (model === '${preferred}') { console.error('Error: 429 Too Many Requests, try again in 2 hours'); process.exit(1); }
	process.stdin.setEncoding('utf8'); let said = ''; process.stdin.on('data', (d) => said += d);
	process.stdin.on('end', () => console.log(model, process.env.AGENT_FLOOR_MODEL, said));`,
	'{model}',
);

/** The preferred model was limited, and the next call tests it. */
async function testIsDue(): Promise<void> {
	const caller = { directory: floor.directory, caller: 'before' };
	await floor.request('model:current', caller);
	await floor.request('model:report', { ...caller, outcome: 'rate-limit' });
	await floor.request('model:probe', { chainId: chain().id });
}

describe('agent-floor run', { timeout: 60_000 }, () => {
	it('gives the program its model and passes everything through, byte for byte', async () => {
		const child = start(
			node(
				`process.stdout.write(Buffer.from([0xff, 0x00, 0x0a])); process.stdin.pipe(process.stdout);
				process.stderr.write(process.argv[1] + ' ' + process.env.AGENT_FLOOR_MODEL); process.exitCode = 7;`,
				'--model={model}',
			),
			{ input: 'the prompt' },
		);
		if (!child.stdout || !child.stderr) throw new Error('no output');
		const [out, err, [code]] = await Promise.all([
			buffer(child.stdout),
			text(child.stderr),
			once(child, 'close'),
		]);
		expect(out).toEqual(Buffer.concat([Buffer.from([0xff, 0, 0x0a]), Buffer.from('the prompt')]));
		expect([code, err]).toEqual([7, `--model=${preferred} ${preferred}`]);
		expect(chain().state).toBe('closed');
	});

	it('retries once on the fallback with the same input, and says so', async () => {
		const keep = { own: ['--keep-input'] };
		const { code, out, err } = await run(limitedOnce, { ...keep, input: 'the prompt' });
		expect([code, out]).toEqual([0, 'gpt-5.4-mini gpt-5.4-mini the prompt\n']);
		expect(err.split('\n')).toEqual([
			'Error: 429 Too Many Requests, try again in 2 hours',
			expect.stringMatching(
				/^\[circuit-breaker] RATE LIMITED — falling back to gpt-5\.4-mini \(cooldown: 10m; as/,
			),
			'',
		]);
		expect(chain()).toMatchObject({ state: 'open', metrics: { totalFallbacks: 1 } });
		const next = await run(limitedOnce, { ...keep, input: 'more' });
		expect(next).toEqual({ code: 0, out: 'gpt-5.4-mini gpt-5.4-mini more\n', err: '' });
	});

	it('of two runs only the second one answers on standard output', async () => {
		const json = node(
			`const model = process.argv[1]; const is_error = model === '${preferred}';
			console.log(JSON.stringify({ type: 'result', is_error, api_error_status: is_error ? 429 : undefined, session_id: 's', result: model }));
			process.exit(is_error ? 1 : 0);`,
			'{model}',
		);
		const { code, out, err } = await run(json);
		expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ result: 'gpt-5.4-mini' })]);
		expect(err).toMatch(/^\[circuit-breaker] RATE LIMITED .*\n\{.*"api_error_status":429.*\}\n$/);
	});

	it('a limited run that is not repeated gives what it said, on standard output', async () => {
		const says = node(
			"console.log('partly done'); console.error('Error: 429 Too Many Requests'); process.exit(1)",
		);
		expect(await run(says, { input: 'a pipe' })).toMatchObject({ code: 1, out: 'partly done\n' });
	});

	it('a program that goes on printing is not held back', async () => {
		const child = start(
			node("console.log('at once'); process.stdin.on('end', () => console.log('later')).resume()"),
			{
				input: 'open',
			},
		);
		if (!child.stdout) throw new Error('no output');
		child.stdout.once('data', () => child.stdin?.end());
		expect((await endOf(child)).out).toBe('at once\nlater\n');
	});

	it('retries once and no more: the exit code of the second run is passed on', async () => {
		const always = node(
			`console.error('rate limit exceeded'); process.exit(process.argv[1] === '${preferred}' ? 8 : 9)`,
			'{model}',
		);
		const first = await run(always);
		expect(first.code).toBe(9);
		expect(first.err.match(/rate limit exceeded/g)).toHaveLength(2);
		expect(first.err).toContain('[circuit-breaker] Fallback also limited — trying gpt-5-mini');
		const second = await run(always);
		expect(second.code).toBe(9);
		expect(second.err).toMatch(/RATE LIMITED — All models of the chain are limited; /);
		const nothing = await run(always);
		expect([nothing.code, nothing.out]).toEqual([3, '']);
		expect(nothing.err).toMatch(/^All models of the chain are limited; .* is free at /);
		expect(nothing.err).not.toContain('rate limit exceeded');
	});

	it('reads what the program says as data, not what its answer says', async () => {
		const talk = await run(node("console.log('rate limit exceeded: 429 Too Many Requests')"));
		expect([talk.code, chain().state]).toEqual([0, 'closed']);
		const result = { type: 'result', is_error: true, api_error_status: 429, session_id: 's', result: 'no' };
		const claude = node(`console.log(JSON.stringify(${JSON.stringify(result)})); process.exit(1)`);
		const { code, err } = await run(claude);
		expect(code).toBe(1);
		expect(err).toMatch(/RATE LIMITED/);
	});

	it('a failure of another kind is no success: the test call is given back, nothing heals', async () => {
		const fails = node("console.error('529 overloaded'); process.exit(1)");
		await testIsDue();
		for (let index = 0; index < 3; index += 1) {
			const { code, err } = await run(fails);
			expect([code, err]).toEqual([
				1,
				expect.stringMatching(/^\[circuit-breaker] Testing preferred model .* as asked\.\.\.\n/),
			]);
			expect(chain()).toMatchObject({ state: 'half-open', halfOpenSuccesses: 0, probe: null });
		}
		for (const words of ['Half-open success 1/2', 'RECOVERED — back to preferred model (claude-sonnet-5)']) {
			expect((await run(node(''))).err).toContain(words);
		}
		expect(chain().state).toBe('closed');
	});

	it('of two runs at once only one makes the test call', async () => {
		await testIsDue();
		const echo = node('process.stdin.resume(); console.log(process.env.AGENT_FLOOR_MODEL)');
		const tester = start(echo, { input: 'open' });
		await vi.waitFor(() => expect(chain().probe).not.toBeNull(), { timeout: 15_000 });
		expect((await run(echo, { input: '' })).out).toBe('gpt-5.4-mini\n');
		tester.stdin?.end();
		expect((await endOf(tester)).out).toBe(`${preferred}\n`);
	});

	it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
		'%s reaches the program, and the test call is given back',
		async (signal) => {
			await testIsDue();
			const child = start(
				node(
					`process.on('${signal}', () => { console.log('told'); process.exit(0); });
				console.log('ready'); console.error('ready'); setInterval(() => {}, 1000);`,
				),
			);
			// Not on standard output, which is held back.
			child.stderr?.on('data', (chunk) => {
				if (String(chunk).includes('ready')) child.kill(signal);
			});
			const { code, out } = await endOf(child);
			expect([code, out]).toEqual([0, 'ready\ntold\n']);
			expect(chain()).toMatchObject({ state: 'half-open', halfOpenSuccesses: 0, probe: null });
		},
	);

	it('a program that a signal ends says nothing, whatever it wrote', async () => {
		const killed = node("console.error('rate limit exceeded'); process.kill(process.pid, 'SIGKILL')");
		expect((await run(killed)).code).toBe(137);
		expect(chain().state).toBe('closed');
	});

	it('what cannot be started is said, and changes nothing', async () => {
		await testIsDue();
		const { code, out, err } = await run(['no-such-program-here']);
		expect([code, out]).toEqual([2, '']);
		expect(err).toMatch(
			/agent-floor run: no-such-program-here could not be started: there is no such program/,
		);
		expect(chain()).toMatchObject({ state: 'half-open', probe: null });
	});

	it.each([
		['./plain.txt', 'it may not be executed'],
		['plain.txt', 'there is no such program on the PATH'],
		['/nonexistent/program', 'there is no such file'],
		['./plain.txt/below', 'there is no such file'],
		['.', 'there is no such program on the PATH'],
		['./', 'it is a directory'],
		['./script', 'the program that its first line names does not exist'],
	])('%s: %s', async (command, words) => {
		await writeFile(join(floor.directory, 'plain.txt'), 'x');
		await writeFile(join(floor.directory, 'script'), '#!/no/such/shell\n', { mode: 0o755 });
		const { code, err } = await runHere([command]);
		expect([code, err]).toEqual([2, `agent-floor run: ${command} could not be started: ${words}.`]);
	});

	it('missing credit asks the person: no fallback, no second run', async () => {
		const { code, err } = await run(node("console.error('Credit balance is too low'); process.exit(1)"));
		expect(code).toBe(1);
		expect(err).toMatch(/^Credit balance is too low\n\[circuit-breaker] NO CREDIT — /);
		expect(chain()).toMatchObject({ state: 'closed', spendLimit: { model: preferred } });
	});

	it('more than a reader takes at once comes whole and in order', async () => {
		const child = start(node("for (let i = 0; i < 200000; i += 1) process.stdout.write(i + '\\n')"));
		if (!child.stdout) throw new Error('no output');
		// A slow reader: nothing is read until the program has long filled every buffer.
		await vi.waitFor(() => expect(child.stdout?.readableLength).toBeGreaterThan(0), { timeout: 15_000 });
		const { code, out } = await endOf(child);
		expect(code).toBe(0);
		expect(out).toBe(Array.from({ length: 200_000 }, (_, index) => `${index}\n`).join(''));
	});

	it('a reader that leaves ends the program as it would without us, and gives the model back', async () => {
		await testIsDue();
		const child = start(
			node(
				"setInterval(() => process.stdout.write('x'.repeat(1000)), 1); process.stdout.on('error', () => process.exit(5))",
			),
		);
		child.stdout?.once('data', () => child.stdout?.destroy());
		const [code] = await once(child, 'exit');
		expect(code).toBe(5);
		expect(chain()).toMatchObject({ state: 'half-open', probe: null });
	});

	it('a child of the program that stays does not keep us', async () => {
		const leaves = node(
			`require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 9000)'], { stdio: ['ignore', 'inherit', 'inherit'], detached: true }).unref();
			console.log('done ' + process.pid);`,
		);
		const child = start(leaves);
		let out = '';
		child.stdout?.on('data', (chunk) => {
			out += String(chunk);
		});
		const [code] = await once(child, 'exit');
		expect([code, out]).toEqual([0, expect.stringMatching(/^done \d+\n$/)]);
	});

	it('a pipe is the program’s own: what it may have read is not there for a second run, and that is said', async () => {
		const { code, out, err } = await run(limitedOnce, { input: 'the prompt' });
		expect([code, out]).toEqual([1, '']);
		expect(err).toMatch(/\nNot run again: it may have read its input, .* Add --keep-input .* <\/dev\/null /);
		expect((await run(limitedOnce, { input: 'more' })).out).toBe('gpt-5.4-mini gpt-5.4-mini more\n');
	});

	it.each([
		['a file', 'while read line; do echo "got $line"; RUN; done <list'],
		['a pipe', 'cat list | while read line; do echo "got $line"; RUN; done'],
	])('leaves a loop its lines where the program reads none: %s', async (_, script) => {
		await writeFile(join(floor.directory, 'list'), 'a\nb\nc\n');
		const program = `"${process.execPath}" "${entry}" run --data="${floor.directory}" -- true`;
		const child = spawn('sh', ['-c', script.replace('RUN', program)], {
			cwd: floor.directory,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		expect(await endOf(child)).toEqual({ code: 0, out: 'got a\ngot b\ngot c\n', err: '' });
	});

	// Other systems do not tell how far a file was read.
	it.runIf(process.platform === 'linux')('a file is given again from where it stood', async () => {
		await writeFile(join(floor.directory, 'list'), 'first\nthe prompt');
		// With the preferred model it reads everything, and is limited then.
		const reads = node(
			`const said = require('node:fs').readFileSync(0, 'utf8');
			if (process.argv[1] === '${preferred}') { console.error('Error: 429 Too Many Requests'); process.exit(1); }
			console.log(process.argv[1], said);`,
			'{model}',
		);
		const words = reads.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
		const program = `"${process.execPath}" "${entry}" run --data="${floor.directory}" -- ${words}`;
		const child = spawn('sh', ['-c', `{ read line; echo "$line"; ${program}; } <list`], {
			cwd: floor.directory,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		expect(await endOf(child)).toMatchObject({ code: 0, out: 'first\ngpt-5.4-mini the prompt\n' });
	});

	const hasTerminals = spawnSync('script', ['-qec', 'true', '/dev/null'], { input: '' }).status === 0;

	/** A command line in a terminal of its own, with what it shows so far. */
	function inTerminal(commandLine: string) {
		const terminal = spawn('script', ['-qec', commandLine, '/dev/null'], {
			cwd: floor.directory,
			stdio: ['pipe', 'pipe', 'ignore'],
			detached: true,
		});
		let out = '';
		terminal.stdout.on('data', (chunk) => {
			out += String(chunk);
		});
		return {
			type: (keys: string) => terminal.stdin.write(keys),
			shows: (words: RegExp) =>
				vi.waitFor(() => expect(out).toMatch(words), { timeout: 15_000 }).then(() => out),
			end: once(terminal, 'close').then(() => out),
			kill: () => process.kill(-Number(terminal.pid), 'SIGKILL'),
		};
	}
	const ctrlC = '\u0003';
	const quoted = (...words: readonly string[]): string => words.map((word) => `"${word}"`).join(' ');

	it.runIf(hasTerminals)('a Ctrl-C is heard once, also where the prompt comes from a pipe', async () => {
		const hears = join(floor.directory, 'hears.mjs');
		await writeFile(
			hears,
			`let count = 0; process.on('SIGINT', () => { count += 1; console.log('told ' + count); });
			process.on('SIGUSR1', () => setTimeout(() => console.log('bye'), 300)); setInterval(() => {}, 1000); console.log('ready ' + process.pid);`,
		);
		const program = quoted(process.execPath, entry, 'run', `--data=${floor.directory}`, '--');
		const waits = `"${process.execPath}" -e "process.on('SIGINT', () => {}); setTimeout(() => {}, 60000)"`;
		const { type, shows, end, kill } = inTerminal(`${waits} | ${program} ${quoted(process.execPath, hears)}`);
		const ready = await shows(/ready \d+/);
		type(ctrlC);
		await shows(/told 1/);
		// The next one comes after everything of the first.
		type(ctrlC);
		await shows(/told 2/);
		process.kill(Number(/ready (\d+)/.exec(ready)?.[1]), 'SIGUSR1');
		await shows(/bye/);
		kill();
		expect((await end).match(/told \d/g)).toEqual(['told 1', 'told 2']);
	});

	const hasLoops = hasTerminals && spawnSync('bash', ['-c', 'true']).status === 0;
	it.runIf(hasLoops).each([
		['that dies of it', "console.log('ready'); setInterval(() => {}, 1000);"],
		[
			'that leaves with 130',
			"process.on('SIGINT', () => process.exit(130)); console.log('ready'); setInterval(() => {}, 1000);",
		],
	])('a Ctrl-C ends the loop around a program %s', async (_, script) => {
		await writeFile(join(floor.directory, 'program.cjs'), script);
		const program = quoted(process.execPath, entry, 'run', `--data=${floor.directory}`, '--');
		const loop = `while :; do ${program} ${quoted(process.execPath, 'program.cjs')}; echo "ended $?"; sleep 60; done`;
		await writeFile(join(floor.directory, 'loop.sh'), loop);
		const { type, shows, end } = inTerminal('bash loop.sh');
		await shows(/ready/);
		type(ctrlC);
		expect(await end).not.toContain('ended');
	});

	it.runIf(hasLoops)('a Ctrl-C ends the loop around a run that waits for a model', async () => {
		const caller = { directory: floor.directory, caller: 'before' };
		for (const model of [preferred, 'gpt-5.4-mini', 'gpt-5-mini']) {
			await floor.request('model:report', { ...caller, model, outcome: 'rate-limit' });
		}
		const program = quoted(process.execPath, entry, 'run', `--data=${floor.directory}`, '--wait', 'true');
		await writeFile(
			join(floor.directory, 'loop.sh'),
			`while :; do ${program}; echo "ended $?"; sleep 60; done`,
		);
		const { type, shows, end } = inTerminal('bash loop.sh');
		await shows(/Waiting\./);
		type(ctrlC);
		expect(await end).not.toContain('ended');
	});

	it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const)(
		'dies of %s as its program did',
		async (signal) => {
			const child = start(node(`process.kill(process.pid, '${signal}'); setInterval(() => {}, 1000)`));
			expect(await once(child, 'exit')).toEqual([null, signal]);
			expect(chain().state).toBe('closed');
		},
	);

	it('puts a model’s name in as it is', async () => {
		const { out } = await run(node('console.log(process.argv[1])', '<{model}>'), {
			own: ["--preferred=a$&b$'c"],
		});
		expect(out).toBe("<a$&b$'c>\n");
	});

	it.each(['--evil', 'two\nlines', 'e\u001b[31mvil'])('a model called %j is not run', async (model) => {
		const { code, out, err } = await runHere(node('console.log(1)'), [`--preferred=${model}`]);
		expect([code, out]).toEqual([2, '']);
		expect(err).toMatch(
			/^agent-floor run failed: The chain names the model ".*"\. No model is called that: /,
		);
		expect(err).not.toMatch(/\p{Cc}/u);
	});

	it('input from a file is kept as well', async () => {
		const file = join(floor.directory, 'prompt.txt');
		await writeFile(file, 'from a file');
		const descriptor = openSync(file, 'r');
		const child = spawn(
			process.execPath,
			[entry, 'run', `--data=${floor.directory}`, '--keep-input', '--', ...limitedOnce],
			{
				cwd: floor.directory,
				stdio: [descriptor, 'pipe', 'pipe'],
			},
		);
		closeSync(descriptor);
		expect((await endOf(child)).out).toBe('gpt-5.4-mini gpt-5.4-mini from a file\n');
		expect(await readFile(file, 'utf8')).toBe('from a file');
	});

	it('takes the command without -- too, and leaves its options alone', async () => {
		const child = spawn(
			process.execPath,
			[
				entry,
				'run',
				'--data',
				floor.directory,
				'--preferred',
				'gpt-5.4',
				process.execPath,
				'-p',
				'process.argv.slice(1).join()',
				'--',
				'--help',
				'--wait',
			],
			{ stdio: ['ignore', 'pipe', 'pipe'] },
		);
		expect(await endOf(child)).toMatchObject({ code: 0, out: '--help,--wait\n' });
	});

	it('used wrongly', async () => {
		const without = await runHere([]);
		expect([without.code, without.err.split('\n')[0]]).toEqual([
			2,
			'agent-floor run: it takes a command, after --. `agent-floor run --help` tells more.',
		]);
		const unknown = await runHere(['true'], ['--retries=3']);
		expect(unknown.code).toBe(2);
		expect((await runHere([], ['--help'])).out).toContain('Usage: agent-floor run');
	});
});
