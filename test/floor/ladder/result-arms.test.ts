/** The arms that judge by what calls told, with the limits of a fresh installation. */
import { describe, expect, it } from 'vitest';
import type { BreakerDecision } from '../../../src/main/floor/breaker.ts';
import { defaultSettings } from '../../../src/shared/settings.ts';
import { LadderDriver, MINUTE_MS, sampleOf } from './ladder-driver.ts';

const FAILS = { result: 'AssertionError: expected undefined to be 42', failed: true };
const driverOf = (change: Record<string, unknown> = {}) =>
	new LadderDriver({ ...defaultSettings.breaker, ...change });
const test = (driver: LadderDriver) => driver.call('Bash', { command: 'npm test' }, FAILS);
const armOf = ({ evidence }: BreakerDecision) => evidence?.arm ?? null;
const gauge = (decision: BreakerDecision, arm: string) => decision.arms.find((one) => one.arm === arm);

describe('same result', () => {
	it('trips when equal calls with an equal result exceed the limit, and says what it counted', () => {
		const driver = driverOf();
		driver.times(4, () => test(driver));
		expect(driver.beat().evidence).toBeNull();
		test(driver);
		expect(driver.beat()).toMatchObject({
			state: {
				level: 'steering',
				reason: 'Called Bash `npm test` 5 times and got the same failure (limit 4)',
			},
			evidence: {
				arm: 'same-result',
				counted: 'equal calls with the same failure: Bash `npm test`',
				count: 5,
				limit: 4,
				unit: 'calls',
				lastOccurrences: Array(3).fill({ text: 'Bash `npm test`: failed', at: expect.any(Number) }),
			},
		});
	});

	it.each<[string, (driver: LadderDriver) => void]>([
		['a changed file', (driver) => driver.breaker.recordProgress('a', 'file', driver.now)],
		['a prompt', (driver) => driver.breaker.recordProgress('a', 'prompt', driver.now)],
		['another result', (driver) => driver.call('Bash', { command: 'npm test' }, { result: 'all passed' })],
		['five minutes', (driver) => driver.wait(5 * MINUTE_MS)],
	])('%s ends the streak', (_what, happens) => {
		const driver = driverOf();
		driver.times(4, () => test(driver));
		happens(driver.wait(1));
		driver.wait(1).times(4, () => test(driver));
		expect(driver.beat().evidence).toBeNull();
	});

	it('counts runs that take longer than five minutes', () => {
		const driver = driverOf();
		driver.times(5, (index) => {
			const call = { tool: 'Bash', input: { command: './full-run.sh' }, callId: `${index}` };
			driver.breaker.recordToolUse('a', call.tool, call.input, { callId: call.callId, at: driver.now });
			driver.wait(8 * MINUTE_MS);
			driver.breaker.recordToolResult('a', { ...call, ...FAILS, at: driver.now });
			driver.wait(5_000);
		});
		expect(armOf(driver.beat())).toBe('same-result');
	});

	it.each([
		['a nonce', (n: number) => ({ url: `https://x.example/jobs?ts=${n}` })],
		['an attempt', (n: number) => ({ url: 'https://x.example/jobs', attempt: n })],
	])('%s makes no other call of it', (_what, input) => {
		const driver = driverOf();
		driver.times(5, (index) => driver.call('get', input(index), { result: '{"state":"queued"}' }));
		expect(armOf(driver.beat())).toBe('same-result');
	});

	it.each([
		['an unknown input', undefined, 'the same words'],
		['no result', { command: 'npm test' }, undefined],
		['an empty result', { command: 'git diff --stat' }, ''],
	])('%s is no equal call with an equal result', (_what, input, result) => {
		const driver = driverOf({ repeatedToolLimit: 100 });
		driver.times(8, () => driver.call('Bash', input, result === undefined ? {} : { result }));
		expect(driver.beat().evidence).toBeNull();
	});

	it('is not hidden by single calls in between, and not by a call that is refused', () => {
		const driver = driverOf();
		driver.times(43, (index) => {
			test(driver);
			if (index % 6 === 5) driver.call('Read', { file_path: `${index}.ts` }, { result: `text ${index}` });
			if (index % 9 === 8) {
				driver.breaker.recordToolUse(
					'a',
					'Write',
					{ file_path: `${index}` },
					{ denied: true, at: driver.now },
				);
			}
		});
		expect(gauge(driver.beat(), 'same-result')?.count).toBeGreaterThan(40);
	});

	it('a call that the floor refused is one more attempt, and what is told of it is the floor’s own word', () => {
		const driver = driverOf();
		driver.times(5, () => test(driver));
		driver.times(3, (index) => {
			const call = { tool: 'Bash', input: { command: 'npm test' }, callId: `denied-${index}` };
			driver.breaker.recordToolUse('a', call.tool, call.input, { ...call, denied: true, at: driver.now });
			driver.breaker.recordToolResult('a', {
				...call,
				result: `Refused ${index}`,
				failed: true,
				at: driver.now,
			});
			driver.wait(1_000);
		});
		const { evidence } = driver.beat();
		expect(evidence).toMatchObject({ arm: 'same-result', count: 8 });
		expect(evidence?.lastOccurrences.at(-1)?.text).toBe('Bash `npm test`: refused by Agent Floor');
	});

	it('a measurement tells its times: it has the budget of repeated calls', () => {
		const driver = driverOf();
		const run = (index: number) =>
			driver.call('Bash', { command: 'hyperfine ./a' }, { result: `Time (mean): ${100 + index} ms` });
		driver.times(8, run);
		expect(driver.beat().evidence).toBeNull();
		run(8);
		expect(armOf(driver.beat())).toBe('repeated-tool');
	});

	it('work between the looks is no loop', () => {
		const driver = driverOf();
		driver.times(25, (index) => {
			driver.call('Bash', { command: `make step-${index}` }, { result: `built part ${index} of 25` });
			driver.call('Bash', { command: 'git status' }, { result: 'nothing to commit, working tree clean' });
		});
		expect(driver.beat().evidence).toBeNull();
	});
});

describe('calls of one turn', () => {
	const start = (driver: LadderDriver, callId: string) =>
		driver.breaker.recordToolUse('a', 'Bash', { command: 'npm test' }, { callId, at: driver.now });
	const end = (driver: LadderDriver, callId: string) =>
		driver.breaker.recordToolResult('a', {
			callId,
			tool: 'Bash',
			input: { command: 'npm test' },
			...FAILS,
			at: driver.now,
		});

	it('that are equal and run side by side count once', () => {
		const driver = driverOf();
		const turn = (number: number) => {
			const ids = [1, 2, 3].map((member) => `${number}-${member}`);
			for (const id of ids) start(driver, id);
			driver.wait(1_000);
			for (const id of ids.toReversed()) end(driver, id);
			driver.wait(1_000);
		};
		driver.times(2, turn);
		expect(gauge(driver.beat(), 'same-result')?.count).toBe(2);
		for (let number = 2; number < 5; number += 1) turn(number);
		expect(gauge(driver.beat(), 'same-result')?.count).toBe(5);
	});

	it('that are told one after the other count once when the program says that they were one turn', () => {
		const driver = driverOf();
		const ids = ['1', '2', '3', '4', '5'];
		for (const id of ids) {
			start(driver, id);
			end(driver.wait(10), id);
		}
		driver.breaker.recordToolBatch('a', ids);
		expect(driver.beat().evidence).toBeNull();
	});
});

describe('cycle', () => {
	it.each([2, 3, 4])('of %i calls trips after its third round', (period) => {
		const driver = driverOf();
		const round = (members: number) =>
			driver.times(members, (member) =>
				driver.call('Read', { file_path: `${'abcd'[member]}.ts` }, { result: `text of ${'abcd'[member]}` }),
			);
		driver.times(2, () => round(period));
		round(period - 1);
		expect(driver.beat().evidence).toBeNull();
		driver.call(
			'Read',
			{ file_path: `${'abcd'[period - 1]}.ts` },
			{ result: `text of ${'abcd'[period - 1]}` },
		);
		const { evidence } = driver.beat();
		expect(evidence).toMatchObject({ arm: 'cycle', count: 3, limit: 2, unit: 'rounds' });
		expect(evidence?.counted).toMatch(new RegExp(`^rounds of the same ${period} calls .*Read \`a.ts\``));
	});

	it('one call of which has another answer each round is work', () => {
		const driver = driverOf();
		driver.times(20, (index) => {
			driver.call('Read', { file_path: 'a.ts' }, { result: 'text of a' });
			driver.call('Read', { file_path: 'b.ts' }, { result: 'text of b' });
			driver.call('Bash', { command: 'kubectl get pods' }, { result: `ready ${index} of 40` });
		});
		expect(driver.beat().evidence).toBeNull();
	});

	it('of an edit and its opposite is a cycle, although each changes the file', () => {
		const driver = driverOf();
		driver.times(10, (index) => {
			const [from, to] = index % 2 ? ['b', 'a'] : ['a', 'b'];
			const edit = { file_path: 'x.ts', old_string: from, new_string: to };
			driver.call('Edit', edit, { result: 'The file has been updated.' });
			driver.breaker.recordProgress('a', 'file', driver.now);
			driver.wait(1);
			driver.call('Bash', { command: 'npm test' }, { result: `fails with ${to}`, failed: true });
		});
		expect(armOf(driver.beat())).toBe('cycle');
	});

	it('of different edits is work', () => {
		const driver = driverOf();
		driver.times(20, (index) => {
			const edit = { file_path: 'x.ts', old_string: `v${index}`, new_string: `v${index + 1}` };
			driver.call('Edit', edit, { result: 'The file has been updated.' });
			driver.breaker.recordProgress('a', 'file', driver.now);
			test(driver.wait(1));
		});
		expect(driver.beat().evidence).toBeNull();
	});
});

describe('polling', () => {
	const look = (driver: LadderDriver, result = 'in_progress') =>
		driver.call('Bash', { command: 'sleep 20; gh run view 7' }, { result }).wait(20_000);

	it('has a budget of its own: beyond it, and not before, it trips', () => {
		const driver = driverOf();
		driver.times(40, () => {
			look(driver);
			expect(driver.tick([{ agentId: 'a', sample: null, progressing: false }])[0]?.evidence).toBeNull();
		});
		look(driver);
		expect(driver.beat()).toMatchObject({ evidence: { arm: 'polling', count: 41, limit: 40 } });
	});

	it.each(['still running, 3 of 9', 'passed'])(
		'another answer (%s) is news and starts it again',
		(answer) => {
			const driver = driverOf();
			driver.times(30, () => look(driver));
			look(driver, answer);
			driver.times(30, () => look(driver));
			expect(gauge(driver.beat(), 'polling')?.count).toBeLessThan(40);
		},
	);

	it('the next thing that is waited for starts it again, though its answers are the same', () => {
		const driver = driverOf();
		driver.times(100, (index) => {
			const job = Math.floor(index / 20);
			const result = index % 20 === 19 ? 'build 1/1 Complete' : 'build 0/1 Running';
			driver.call('Bash', { command: `sleep 20; kubectl get job build-${job}` }, { result }).wait(20_000);
			if (index % 3 === 0) expect(driver.beat().evidence).toBeNull();
		});
	});

	it('waiting a little longer each time is the same wait', () => {
		const driver = driverOf();
		driver.times(41, (index) =>
			driver.call('Bash', { command: `sleep ${20 + index}; gh run view 7` }, { result: 'in_progress' }),
		);
		expect(armOf(driver.beat())).toBe('polling');
	});

	it.each([
		['a wait of its own between two looks', 'curl -s localhost:3000/health'],
		['a look at pods', 'kubectl get pods'],
	])('%s makes them polls', (_what, command) => {
		const driver = driverOf();
		driver.times(20, () => {
			driver.call('Bash', { command: 'sleep 10' }, { result: '' });
			driver.call('Bash', { command }, { result: 'connection refused', failed: true });
		});
		const decision = driver.beat();
		expect(decision.evidence).toBeNull();
		expect(gauge(decision, 'polling')?.count).toBe(20);
	});

	it('without a wait a command that is asked again and again is a call like any other', () => {
		const driver = driverOf();
		driver.times(5, () =>
			driver.call('Bash', { command: 'kubectl get pods' }, { result: 'app 3/40 Running' }),
		);
		expect(armOf(driver.beat())).toBe('same-result');
	});

	it('is no lack of progress: waiting is what it does', () => {
		const driver = driverOf();
		driver.times(30, (index) => {
			look(driver);
			expect(driver.beat({ sample: sampleOf({ output: 200 * index }) }).evidence).toBeNull();
		});
	});

	it.each([
		['that blocks', 'TaskOutput', { task_id: 'b1', block: true }, 30_000, 2_000],
		['every 20 s', 'BashOutput', { bash_id: 'b1' }, 100, 20_000],
		['by a command', 'Bash', { command: 'gh run view 7' }, 800, 25_000],
		['that takes the time it names', 'Bash', { command: 'node pause.js 30; ./ready' }, 30_500, 2_000],
	])('a look %s is no lack of progress, and not for ever', (_what, tool, input, took, pause) => {
		const driver = driverOf();
		let output = 0;
		const look = (index: number) => {
			const call = { callId: `${index}`, tool, input };
			driver.breaker.recordToolUse('a', tool, input, { ...call, at: driver.now });
			driver.wait(took).breaker.recordToolResult('a', {
				...call,
				result: 'running',
				failed: false,
				at: driver.now,
			});
			driver.wait(pause);
			output += 60;
			return driver.tick([{ agentId: 'a', sample: sampleOf({ output }), progressing: false }])[0];
		};
		for (let index = 0; index < 40; index += 1) expect(look(index)?.evidence).toBeNull();
		expect([look(40), look(41)].map((decision) => decision && armOf(decision))).toContain('polling');
	});

	it('switched off, looks count like any other call', () => {
		const driver = driverOf({ pollingLimit: null });
		driver.times(9, () => driver.call('BashOutput', { bash_id: '1' }, { result: 'no new output' }));
		expect(armOf(driver.beat())).toBe('repeated-tool');
	});

	it.each([5, 6, 15])('R85: a poll every %i minutes never trips', (minutes) => {
		const driver = driverOf();
		driver.times(60, () => {
			driver.call('Bash', { command: `sleep ${minutes * 60}; gh run list` }, { result: 'in_progress' });
			driver.wait(minutes * MINUTE_MS);
			expect(driver.beat().evidence).toBeNull();
		});
	});
});

describe('nothing new', () => {
	it('trips on known calls in any order, whatever they are', () => {
		const driver = driverOf();
		const order = [0, 1, 2, 3, 4, 5, 3, 0, 5, 1, 4, 2, 0, 3, 1, 5];
		for (const member of order) {
			driver.call('Read', { file_path: `part-${'abcdef'[member]}.ts` }, { result: `text of ${member}` });
		}
		expect(driver.beat()).toMatchObject({
			state: { reason: 'Made 10 calls that told nothing new, last Read `part-f.ts` (limit 8)' },
			evidence: { arm: 'no-new-result', count: 10 },
		});
	});

	it('U83: tool after tool that is refused with the same words is one standstill', () => {
		const driver = driverOf();
		const [letters, tools] = ['abcdefghijklmnopqrst', ['Edit', 'Write', 'NotebookEdit']];
		driver.times(20, (index) =>
			driver.call(
				tools[index % 3] ?? '',
				{ file_path: `file-${letters[index]}` },
				{
					result: 'This tool is blocked by the policy of this machine.',
					failed: true,
				},
			),
		);
		expect(armOf(driver.beat())).toBe('no-new-result');
	});

	it.each([
		['names the input', (word: string) => `The use of ${word} was denied by the policy of this machine.`],
		[
			'changes in numbers',
			(word: string) => `worker ${word.length * 7} refused: the queue is closed for you`,
		],
	])('a failure that %s is weaker: it takes twice as many', (_what, text) => {
		const driver = driverOf();
		const name = (index: number) => `target${'abcdefghijklmnopqrstuvwxyz'[index]}`;
		driver.times(20, (index) =>
			driver.call('open', { name: name(index) }, { result: text(name(index)), failed: true }),
		);
		expect(armOf(driver.beat())).toBe('no-new-result');
	});

	it.each([
		['page after page is the first one', (n: number) => ({ state: 'open', page: n })],
		[
			'every token leads back to the first page',
			(n: number) => ({ state: 'open', after: `tok${'abcdefghijklmnopqrstu'[n]}` }),
		],
	])('%s', (_what, input) => {
		const driver = driverOf();
		const page = 'first order, second order, third order, fourth order, fifth order: all of them are open';
		driver.times(20, (index) => driver.call('list_orders', input(index), { result: page }));
		expect(armOf(driver.beat())).toBe('no-new-result');
	});

	it.each([
		[
			'edits that answer the same',
			'Edit',
			(n: number) => ({ file_path: 'a.ts', old_string: `v${n}`, new_string: `w${n}` }),
			'The file has been updated.',
		],
		[
			'records that are created',
			'create_issue',
			(n: number) => ({ title: `Part ${n}` }),
			'{"ok":true,"message":"the issue was created"}',
		],
		[
			'searches for different things',
			'Grep',
			(n: number) => ({ pattern: `old_${'abcdefghijklmnopqrstuvwxyz'[n]}Name` }),
			'No matches found',
		],
		[
			'commands that fail without words',
			'Bash',
			(n: number) => ({ command: `check ${'abcdefghijklmnopqrstuvwxyz'[n]}` }),
			'Exit code 1',
		],
		[
			'a list that goes on',
			'TodoWrite',
			(n: number) => ({ todos: [`${n} done`] }),
			'Todos have been modified.',
		],
		[
			'things that are filed, by number,',
			'file_contact',
			(n: number) => ({ contact_id: 1000 + n }),
			'{"success":true,"message":"The contact was filed and the index is up to date."}',
		],
		[
			'packages that are linted, by name,',
			'Bash',
			(n: number) => ({ command: `pnpm --filter ${'abcdefghijklmnopqrstuvwxyz'[n]}-pkg lint` }),
			'> eslint . --max-warnings 0\n\nNo problems were found in the files that were checked.',
		],
		[
			'procedures that are called',
			'run_sql',
			(n: number) => ({ q: `CALL rebuild(${n})` }),
			'{"rows":[],"rowCount":0,"command":"CALL","status":"ok","notices":[]}',
		],
	])('U81: %s are no standstill', (_what, tool, input, result) => {
		const driver = driverOf();
		driver.times(26, (index) =>
			driver.call(tool, input(index), { result, failed: result.startsWith('Exit code') }),
		);
		expect(driver.beat().evidence).toBeNull();
	});

	it('tries that came to something at last are forgiven', () => {
		const driver = driverOf();
		driver.times(9, (index) => {
			const path = { command: `curl -s localhost:3000/part-${'abcdefghi'[index]}` };
			driver.times(3, () =>
				driver.call('Bash', path, {
					result: 'Failed to connect to localhost: Connection refused',
					failed: true,
				}),
			);
			driver.call('Bash', path, { result: `{"part":"${'abcdefghi'[index]}"}` });
		});
		expect(driver.beat().evidence).toBeNull();
	});

	it('what is read again after a compaction was forgotten, unless nothing was achieved since the last one', () => {
		const driver = driverOf();
		const readAll = () => {
			driver.breaker.recordCompactStart('a', driver.now);
			driver.breaker.recordCompactEnd('a', driver.wait(20_000).now);
			driver.wait(1);
			driver.times(6, (index) =>
				driver.call('Read', { file_path: `${index}.md` }, { result: `text ${index}` }),
			);
		};
		readAll();
		driver.call('Bash', { command: 'make' }, { result: 'built' });
		readAll();
		expect(driver.beat().evidence).toBeNull();
		readAll();
		readAll();
		expect(armOf(driver.beat())).not.toBeNull();
	});
});

describe('a limit of null', () => {
	it.each(['sameResultLimit', 'cycleLimit', 'pollingLimit', 'noNewResultLimit'])(
		'switches %s off, and the gauge says so',
		(limit) => {
			const arm =
				{
					sameResultLimit: 'same-result',
					cycleLimit: 'cycle',
					pollingLimit: 'polling',
					noNewResultLimit: 'no-new-result',
				}[limit] ?? '';
			const driver = driverOf({ [limit]: null, repeatedToolLimit: 1_000 });
			driver.times(60, (index) => {
				driver.call('Bash', { command: `sleep 5; step ${'ab'[index % 2]}` }, { result: 'the same' });
				driver.call('Read', { file_path: `${'ab'[index % 2]}` }, { result: `text of ${index % 2}` });
			});
			const decision = driver.beat();
			expect(armOf(decision)).not.toBe(arm);
			expect(gauge(decision, arm)).toMatchObject({ limit: null, note: 'Switched off in the settings.' });
		},
	);
});
