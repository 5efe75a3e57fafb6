/** Faults that users of neighbouring projects reported in public, each as a test of its whole kind. */
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../src/shared/settings.ts';
import { inputOf, LadderDriver, MINUTE_MS, sampleOf } from './ladder/ladder-driver.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';

describe('loop detection', () => {
	it('R77: retries during an outage are neither activity nor a stuck agent', () => {
		const driver = new LadderDriver({ hardStop: true });
		driver.beat({ sample: sampleOf() });
		driver.wait(6 * MINUTE_MS);
		driver.times(10, (index) => {
			const sample = sampleOf({ output: 10 * (index + 1) });
			expect(driver.beat({ sample, providerTrouble: true })).toMatchObject({ state: { level: 'healthy' } });
		});
	});

	it.each([
		['AB', 2],
		['AAB', 3],
		['ABC', 3],
		['ABAC', 4],
		['AAAB', 4],
		['ABCD', 4],
		['AAAB', 3, 4 * 3],
	])('R79: %s over and over is caught', (pattern, _period, calls = 9 * pattern.length) => {
		const driver = new LadderDriver();
		driver.times(calls, (index) => {
			driver.call('Bash', { command: pattern[index % pattern.length] }, { result: 'the same' });
		});
		expect(driver.beat().evidence).toMatchObject({ arm: 'repeated-tool' });
	});

	it('R79: a round of five different steps is not', () => {
		const driver = new LadderDriver();
		driver.times(60, (index) => driver.call('Bash', { command: 'ABCDE'[index % 5] }, { result: 'the same' }));
		expect(driver.beat().evidence).toBeNull();
	});

	it.each([
		['a failure', (n: number) => ({ timeout: n, command: 'make' }), { result: 'no rule', failed: true }],
		[
			'a telling answer',
			(n: number) => ({ file_path: 'app.log', offset: n }),
			{ result: 'waiting for lock' },
		],
	])('R81: 265 calls that vary one number and end in %s are caught', (_what, input, outcome) => {
		const driver = new LadderDriver();
		driver.times(265, (index) => driver.call('Bash', input(index), outcome));
		const { evidence } = driver.beat();
		expect(evidence?.arm).toBe('repeated-tool');
		expect(evidence?.count).toBeGreaterThan(8);
	});

	it('R83: what was only warned about for 21 calls goes up the whole ladder', () => {
		const driver = new LadderDriver({ hardStop: true });
		const actions = ['none'];
		driver.times(21, (index) => {
			driver.call('Bash', { command: 'npm test' }, { result: 'no', failed: true });
			if (index % 3 === 2) actions.push(driver.beat().action);
		});
		expect(actions.filter((action) => action !== 'none')).toEqual(['steer', 'constrain', 'stop']);
	});

	it.each([5, 6, 15])('R85: a poll every %i minutes never trips, whatever it answers', (minutes) => {
		const driver = new LadderDriver();
		driver.times(50, () => {
			driver.call('Bash', { command: 'gh run list' }, { result: 'in_progress' });
			driver.wait(minutes * MINUTE_MS - 1_000);
			expect(driver.tick([inputOf('a')])[0]?.state.level).toBe('healthy');
		});
	});

	it.each([
		['repeats', () => 'file unchanged', 'repeated-tool'],
		['is new each time', (n: number) => `lines ${n}`, undefined],
	])('R87: alternating read ranges of one file trip only if the result %s', (_what, result, arm) => {
		const driver = new LadderDriver();
		driver.times(20, (index) => {
			const offset = index % 2 ? 200 : 0;
			driver.call('Read', { file_path: 'big.ts', offset, limit: 200 }, { result: result(index) });
		});
		expect(driver.beat().evidence?.arm).toBe(arm);
	});

	it('R87: reading on through a file is work', () => {
		const driver = new LadderDriver();
		driver.times(40, (index) => {
			driver.call('Read', { file_path: 'big.ts', offset: index * 200 }, { result: `lines ${index * 200}` });
		});
		expect(driver.beat().evidence).toBeNull();
	});

	it('R89: an agent that announces and never acts makes no progress', () => {
		const driver = new LadderDriver();
		const arms: (string | undefined)[] = [];
		driver.times(14, (index) => {
			arms.push(driver.beat({ sample: sampleOf({ output: 500 * (index + 1) }) }).evidence?.arm);
		});
		expect(arms.at(-1)).toBe('no-progress');
	});

	it('R89: compacting again and again without a step in between makes no progress', () => {
		const driver = new LadderDriver();
		const arms: (string | undefined)[] = [];
		driver.times(40, (index) => {
			if (index % 4 === 0) driver.breaker.recordCompactStart('a', driver.now);
			if (index % 4 === 1) driver.breaker.recordCompactEnd('a', driver.now);
			arms.push(driver.beat({ sample: sampleOf({ output: 500 * (index + 1) }) }).evidence?.arm);
		});
		expect(arms).toContain('no-progress');
	});

	it('R89: a compaction after steps forward is not held against the agent', () => {
		const driver = new LadderDriver();
		driver.times(40, (index) => {
			if (index % 8 === 0) driver.call('Read', { file_path: `${index}` }, { result: `${index}` });
			if (index % 8 === 0) driver.breaker.recordCompactStart('a', driver.now);
			if (index % 8 === 3) driver.breaker.recordCompactEnd('a', driver.now);
			expect(driver.beat({ sample: sampleOf({ output: 500 * (index + 1) }) }).evidence).toBeNull();
		});
	});
});

describe('ladder', () => {
	it('U1: an agent without a process is frozen: it is not steered, and steers are not counted again', () => {
		const driver = new LadderDriver();
		driver.times(20, () => driver.call('Bash', { command: 'npm test' }, { result: 'no', failed: true }));
		driver.times(10, () =>
			expect(driver.beat({ frozen: true })).toMatchObject({ action: 'none', evidence: null }),
		);
	});

	it('U3: an agent that a person talks to is not without progress', () => {
		const driver = new LadderDriver();
		driver.times(60, (index) => {
			if (index % 9 === 0) driver.breaker.recordProgress('a', 'prompt', driver.now);
			expect(driver.beat({ sample: sampleOf({ output: index * 100 }) }).evidence).toBeNull();
		});
	});

	it.each([undefined, '', 7])('U5: dropped names (%j) and inputs are not "13 times identical"', (tool) => {
		const driver = new LadderDriver();
		driver.times(13, () => driver.breaker.recordToolUse('a', tool as string, undefined, { at: driver.now }));
		expect(driver.beat().evidence).toBeNull();
	});

	it('U5: a call whose input is not available says so where it is shown', () => {
		const driver = new LadderDriver();
		driver.times(9, (index) => {
			driver.call('Bash', { command: 'npm test' }, { result: 'no', failed: true });
			if (index % 8 === 7) driver.call('Bash', {});
		});
		expect(driver.beat().evidence?.count).toBe(9);
	});

	it('U7: the cost of earlier runs of an agent stays spent', () => {
		const driver = new LadderDriver({ costCapUsd: 2_000 });
		const beat = (usd: number, input: number) =>
			driver.beat({ sample: sampleOf({ input, usd }), progressing: true }).evidence?.count;
		expect([beat(700, 100), beat(1_419, 200), beat(400, 50), beat(987, 90)]).toEqual([
			undefined,
			undefined,
			undefined,
			2_406,
		]);
	});

	it('U7: a cap does not re-arm with a restart of the agent', () => {
		const driver = new LadderDriver();
		const beat = (input: number) => driver.beat({ sample: sampleOf({ input }), tokenCap: 1_000 }).state.level;
		expect([beat(900), beat(90), beat(120), beat(130)]).toEqual([
			'healthy',
			'healthy',
			'steering',
			'constrained',
		]);
	});

	it('U11: an answer that stays the same is no progress, empty or not', () => {
		const driver = new LadderDriver({ repeatedToolLimit: 1_000 });
		const arms: (string | undefined)[] = [];
		driver.times(30, (index) => {
			driver.call('Bash', { command: 'git diff --cached' }, { result: '+ the same staged diff' });
			arms.push(driver.beat({ sample: sampleOf({ output: 300 * (index + 1) }) }).evidence?.arm);
		});
		expect(arms.at(-1)).toBe('no-progress');
	});

	it('U11: an answer that changes is', () => {
		const driver = new LadderDriver({ repeatedToolLimit: 1_000 });
		driver.times(30, (index) => {
			driver.call('Bash', { command: 'git diff --cached' }, { result: `+ line ${index}` });
			expect(driver.beat({ sample: sampleOf({ output: 300 * (index + 1) }) }).evidence).toBeNull();
		});
	});

	it('U13: failures that teach something halt nobody; the first rung is a note', () => {
		const driver = new LadderDriver();
		driver.times(20, (index) => {
			const result = `killed after 60 s at step ${letters[index]}`;
			driver.call('Bash', { command: './migrate.sh' }, { result, failed: true });
		});
		expect(driver.beat().evidence).toBeNull();
		driver.times(9, () => driver.call('Bash', { command: './migrate.sh' }, { result: 'no', failed: true }));
		expect(driver.beat()).toMatchObject({ action: 'steer', evidence: { limit: 8 } });
	});

	it('U77: error texts are compared without times, temporary paths and ids', () => {
		const driver = new LadderDriver();
		driver.times(9, (index) => {
			const result = `FAIL in ${index + 1}.${index}s at 10:00:0${index} /tmp/run-${index * 7}/out pid ${4_000 + index}`;
			driver.call('Bash', { command: 'npm test' }, { result, failed: true });
		});
		expect(driver.beat().evidence?.counted).toBe('identical calls of Bash `npm test` with the same failure');
	});

	it('U79: single calls in between do not hide 43 stuck ones', () => {
		const driver = new LadderDriver();
		driver.times(43, (index) => {
			driver.call('Bash', { command: 'npm test' }, { result: 'no', failed: true });
			if (index % 7 === 3) driver.call('Read', { file_path: `${index}.ts` }, { result: `${index}` });
		});
		expect(driver.beat().evidence?.count).toBe(43);
	});

	it.each([
		['Bash', (n: number) => ({ command: `curl -X POST api/items/${n} -d '{"n":${n}}'` }), '{"ok":true}'],
		['Bash', (n: number) => ({ command: `mkdir out-${n}` }), ''],
		['Bash', (n: number) => ({ command: 'test -f part.ts', timeout: n }), ''],
		['Write', (n: number) => ({ file_path: `src/part-${n}.ts`, content: `${n}` }), 'File created'],
		['Edit', (n: number) => ({ file_path: 'a.ts', old_string: `v${n}`, new_string: `w${n}` }), 'updated'],
		['mcp__tracker__update_issue', (n: number) => ({ id: n, state: 'done' }), '{"status":"success"}'],
		['mcp__tracker__createIssue', (n: number) => ({ title: `Part ${n}` }), 'created'],
		['graphql', (n: number) => ({ query: `mutation { close(id: ${n}) { ok } }` }), '{"data":{"ok":true}}'],
	])('U81: successes of %s with one static answer are work', (tool, input, result) => {
		const driver = new LadderDriver();
		driver.times(30, (index) => driver.call(tool, input(index), { result }));
		expect(driver.beat().evidence).toBeNull();
	});

	it('U81: quite different inputs with the same output are no loop', () => {
		const driver = new LadderDriver();
		driver.times(26, (index) =>
			driver.call('Grep', { pattern: letters[index] }, { result: 'No matches found' }),
		);
		expect(driver.beat().evidence).toBeNull();
	});

	it.each([
		['never answered', undefined],
		['answered with one and the same refusal', 'blocked by policy'],
	])('U83: tool after tool that is %s is no progress of the session', (_what, refusal) => {
		const driver = new LadderDriver();
		const arms: (string | undefined)[] = [];
		driver.times(30, (index) => {
			const answer = refusal === undefined ? {} : { result: refusal, failed: true };
			driver.call(index % 2 ? 'Write' : 'Edit', { file_path: `file-${letters[index % 26]}${index}` }, answer);
			arms.push(driver.beat({ sample: sampleOf({ output: 300 * (index + 1) }) }).evidence?.arm);
		});
		expect(arms.at(-1)).toBe('no-progress');
	});

	it('U83: different calls that each get an answer of their own are progress', () => {
		const driver = new LadderDriver();
		driver.times(30, (index) => {
			driver.call(
				'Read',
				{ file_path: `${index}.ts` },
				{ result: `no such file: ${index}.ts`, failed: true },
			);
			expect(driver.beat({ sample: sampleOf({ output: 300 * (index + 1) }) }).evidence).toBeNull();
		});
	});

	it('U85: what clears a rung is the cause and not the churn around it, and it is printed', () => {
		const driver = new LadderDriver({ hardStop: true });
		const fail = (index: number) => {
			const result = `error: patch failed (workspace 3f9a${index}c2d, ${60 + index}s, 2026-01-05T09:00:${10 + index}Z)`;
			driver.call('Bash', { command: 'git apply fix.patch' }, { result, failed: true });
		};
		driver.times(9, fail);
		expect(driver.beat().state.level).toBe('steering');
		fail(10);
		expect(driver.beat().state.level).toBe('constrained');
		fail(11);
		const { state, evidence } = driver.beat();
		expect(state.level).toBe('stopped');
		expect(evidence?.clears).toBe(
			'It makes a different call or gets a different result, a file changes, a person writes to it, or 5 min pass without this call.',
		);
	});

	it('U97: a cost of 0 for tokens is "not reported": it neither lowers the total nor restarts the count', () => {
		const driver = new LadderDriver({ costCapUsd: 5 });
		const beat = (usd: number, input: number) =>
			driver.beat({ sample: sampleOf({ input, usd }), progressing: true }).evidence?.count;
		expect([beat(4, 100), beat(0, 200), beat(4.5, 300), beat(5.5, 400)]).toEqual([
			undefined,
			undefined,
			undefined,
			5.5,
		]);
	});

	it('U97: a total with agents of unknown cost says "at least"', () => {
		const driver = new LadderDriver({ costCapUsd: 5 });
		const [priced] = driver.tick([
			inputOf('priced', { sample: sampleOf({ input: 100, usd: 6 }) }),
			inputOf('zero', { sample: sampleOf({ input: 100, usd: 0 }) }),
			inputOf('none', { sample: sampleOf({ input: 100, usd: null }) }),
			inputOf('idle', { sample: sampleOf({ usd: 0 }) }),
		]);
		expect(priced?.state.reason).toBe(
			"The floor spent at least $6.00 (cap $5.00); $6.00 of it is this agent's, the most among those still spending",
		);
		expect(priced?.evidence?.counted).toBe(
			'cost of the whole floor (4 agents); the cost of 2 agents is not known and not counted',
		);
	});
});

describe('with the limits of a fresh installation', () => {
	const driverOf = () => new LadderDriver({ ...defaultSettings.breaker });

	it.each([
		[
			'R79: A, B, A, B',
			6,
			(n: number) => ({ file_path: 'ab'[n % 2] }),
			(n: number) => `text of ${'ab'[n % 2]}`,
		],
		[
			'R81: one field varies, the answer stays',
			19,
			(n: number) => ({ file_path: 'app.log', offset: n }),
			() => 'waiting for the lock of the package index',
		],
		[
			'R87: alternating ranges of one file, unchanged',
			6,
			(n: number) => ({ file_path: 'big.ts', offset: n % 2 ? 200 : 0 }),
			(n: number) => `lines ${n % 2}`,
		],
		[
			'U11: the same diff again and again',
			5,
			() => ({ file_path: 'staged.diff' }),
			() => '+ the same staged diff',
		],
	])('%s is caught after %i calls', (_what, calls, input, result) => {
		const driver = driverOf();
		driver.times(calls - 1, (index) => driver.call('Read', input(index), { result: result(index) }));
		expect(driver.beat().evidence).toBeNull();
		driver.call('Read', input(calls - 1), { result: result(calls - 1) });
		expect(driver.beat().evidence).not.toBeNull();
	});

	it.each([
		[
			'R81: one field varies, and so does the answer',
			(n: number) => ({ file_path: 'app.log', offset: n }),
			(n: number) => `line ${n}`,
		],
		[
			'R87: range after range',
			(n: number) => ({ file_path: 'big.ts', offset: n * 200 }),
			(n: number) => `lines from ${n * 200}`,
		],
		['U11: a diff that grows', () => ({ file_path: 'staged.diff' }), (n: number) => `+ ${n} lines`],
		[
			'U83: each is refused for a reason of its own',
			(n: number) => ({ file_path: `${n}.ts` }),
			(n: number) => `${letters[n % 26]}${n}: another thing is missing`,
		],
	])('%s is work', (_what, input, result) => {
		const driver = driverOf();
		driver.times(60, (index) => driver.call('Read', input(index), { result: result(index) }));
		expect(driver.beat().evidence).toBeNull();
	});

	it('U77: the same failing test after each edit is work; without an edit it is not', () => {
		const driver = driverOf();
		const test = (index: number) => {
			const result = `FAIL in ${index + 1}s at 10:00:${10 + index} /tmp/run-${index}/out pid ${4_000 + index}`;
			driver.call('Bash', { command: 'npm test' }, { result, failed: true });
		};
		driver.times(15, (index) => {
			test(index);
			driver.breaker.recordProgress('a', 'file', driver.now);
			driver.wait(1);
		});
		expect(driver.beat().evidence).toBeNull();
		driver.times(5, test);
		expect(driver.beat().evidence).toMatchObject({ arm: 'same-result', count: 5 });
	});

	it('U85: what clears a rung is printed, and does', () => {
		const driver = driverOf();
		driver.times(5, () =>
			driver.call('Bash', { command: 'npm test' }, { result: 'no test found', failed: true }),
		);
		expect(driver.beat().evidence?.clears).toBe(
			'The call comes back with another result, other calls tell something new, a file changes, a person writes to it, or 5 min pass without this call.',
		);
		driver.call('Bash', { command: 'npm test' }, { result: 'all passed' });
		expect(driver.beat()).toMatchObject({ evidence: null, state: { level: 'healthy' } });
	});
});

describe('subagents', () => {
	it('ten that each look once are no loop', () => {
		const driver = new LadderDriver();
		driver.times(10, (index) => {
			driver.call('Bash', { command: 'git status' }, { result: 'clean', actor: `sub-${index}` });
		});
		expect(driver.beat().evidence).toBeNull();
	});

	it('one that loops climbs its agent, and is named', () => {
		const driver = new LadderDriver();
		driver.times(9, (index) => {
			driver.call('Bash', { command: 'git status' }, { result: 'clean', actor: 'sub-1' });
			driver.call('Read', { file_path: `${index}` }, { result: `${index}` });
		});
		expect(driver.beat().state.reason).toBe(
			'Called Bash `git status` 9 times with the same result in subagent sub-1 (limit 8)',
		);
	});

	it('many of them cost bounded memory: the quietest are forgotten first', () => {
		const driver = new LadderDriver();
		driver.times(8, () => driver.call('Bash', { command: 'x' }, { result: 'y', actor: 'first' }));
		driver.times(40, (index) =>
			driver.call('Bash', { command: 'x' }, { result: 'y', actor: `sub-${index}` }),
		);
		driver.call('Bash', { command: 'x' }, { result: 'y', actor: 'first' });
		expect(driver.beat().evidence).toBeNull();
	});
});
