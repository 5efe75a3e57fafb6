/** Every fault observed in the ladder's public ancestor, by its row in the pitfalls table. */
import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '../../src/main/floor/breaker.ts';
import { BEAT_MS, inputOf, LadderDriver, MINUTE_MS, SEED_CONFIG, sampleOf } from './ladder/ladder-driver.ts';

const TEST = { command: 'npm test' };
const FAILS = { result: '3 failed, 12 passed', failed: true };

function loop(driver: LadderDriver, calls = 9): LadderDriver {
	return driver.times(calls, () => driver.call('Bash', TEST, FAILS));
}

describe('counters never decay', () => {
	it('eight identical calls, hours of idleness, one more: no trip', () => {
		const driver = loop(new LadderDriver(), 8).wait(3 * 60 * MINUTE_MS);
		expect(loop(driver, 1).beat().state.level).toBe('healthy');
	});

	it.each(['loop', 'errors'])('old evidence (%s) neither climbs nor holds a level', (kind) => {
		const driver = new LadderDriver({ hardStop: true });
		if (kind === 'loop') loop(driver);
		else driver.times(6, () => driver.breaker.recordError('a', { at: driver.now }));
		expect(driver.beat().state.level).toBe('steering');
		driver.wait(5 * MINUTE_MS);
		expect(driver.beat()).toMatchObject({ evidence: null, state: { level: 'healthy' } });
		driver.times(20, () => expect(driver.beat().state.level).toBe('healthy'));
	});

	it('an error that comes more than five minutes after the last one starts a new run', () => {
		const driver = new LadderDriver();
		driver.times(12, () => driver.wait(5 * MINUTE_MS).breaker.recordError('a', { at: driver.now }));
		expect(driver.beat().state.level).toBe('healthy');
	});
});

describe('the ladder climbs before the steer could be read', () => {
	const steered = () => {
		const driver = loop(new LadderDriver({ hardStop: true }));
		driver.beat({ steer: { deliveredAt: null, actedAt: driver.now } });
		return driver;
	};

	it('the first rung needs no note', () => {
		const driver = loop(new LadderDriver());
		expect(driver.beat({ steer: { deliveredAt: null, actedAt: null } }).state.level).toBe('steering');
	});

	it('an undelivered note holds the level, up and down, and says so', () => {
		const driver = steered();
		const decision = driver.beat({ steer: { deliveredAt: null, actedAt: driver.now } });
		expect(decision).toMatchObject({
			action: 'none',
			changed: false,
			climbHeld: 'The note has not reached the agent yet',
			state: { level: 'steering' },
		});
		expect(decision.state.reason).toMatch(/^Called Bash `npm test` 9 times/);
	});

	it('a delivered note holds until the agent acts', () => {
		const driver = steered();
		const decision = driver.beat({ steer: { deliveredAt: driver.now, actedAt: driver.now } });
		expect(decision.climbHeld).toBe('The agent has not acted since it was given the note');
	});

	it.each([0, 1])(
		'what it did after the note (%i ms after the last one) must be the same fault again',
		(later) => {
			const driver = steered();
			const lastCallAt = driver.now - BEAT_MS - 1_000;
			const deliveredAt = lastCallAt + later;
			const decision = driver.beat({ steer: { deliveredAt, actedAt: driver.now } });
			expect(decision.evidence?.lastAt).toBe(lastCallAt);
			expect(decision.climbHeld).toBe('It has not happened again since the agent was given the note');
		},
	);

	it('one more identical call after the note climbs', () => {
		const driver = steered();
		const deliveredAt = driver.now;
		loop(driver.wait(1), 1);
		const decision = driver.beat({ steer: { deliveredAt, actedAt: driver.now } });
		expect(decision).toMatchObject({ action: 'constrain', climbHeld: '', state: { level: 'constrained' } });
	});

	it('evidence that went stale while the note waited brings the agent down', () => {
		const driver = steered().wait(5 * MINUTE_MS);
		expect(driver.beat({ steer: { deliveredAt: null, actedAt: null } }).state.level).toBe('healthy');
	});

	it('an agent over its cap climbs only for what it spends after the note', () => {
		const driver = new LadderDriver();
		const beat = (input: number, steer: { deliveredAt: number | null; actedAt: number | null }) =>
			driver.beat({ sample: sampleOf({ input }), tokenCap: 100, steer });
		beat(200, { deliveredAt: null, actedAt: null });
		expect(beat(300, { deliveredAt: null, actedAt: driver.now }).state.level).toBe('steering');
		const deliveredAt = driver.now;
		expect(beat(400, { deliveredAt, actedAt: deliveredAt + 1_000 }).state.level).toBe('constrained');
	});
});

describe('"consecutive" no-progress beats need not be consecutive', () => {
	const stalled = () => {
		const driver = new LadderDriver();
		driver.beat({ sample: sampleOf() });
		return driver.wait(6 * MINUTE_MS);
	};
	const busy = (driver: LadderDriver, output: number) => driver.beat({ sample: sampleOf({ output }) });

	it('two in a row trip', () => {
		const driver = stalled();
		expect(busy(driver, 100).state.level).toBe('healthy');
		expect(busy(driver, 200).evidence).toMatchObject({ arm: 'no-progress', count: 2, unit: 'beats' });
	});

	it.each<[string, (driver: LadderDriver) => unknown]>([
		['an idle beat', (driver) => busy(driver, 100)],
		['a missing sample', (driver) => driver.beat()],
		['a sample that cannot be true', (driver) => driver.beat({ sample: sampleOf({ output: Number.NaN }) })],
		['a counter that begins again', (driver) => busy(driver, 1)],
		[
			'provider trouble',
			(driver) => driver.beat({ sample: sampleOf({ output: 150 }), providerTrouble: true }),
		],
		['a changed file', (driver) => driver.beat({ sample: sampleOf({ output: 150 }), progressing: true })],
		[
			'a compaction',
			(driver) => {
				driver.breaker.recordCompactStart('a', driver.now);
				busy(driver, 150);
				driver.breaker.recordCompactEnd('a', driver.now);
				driver.wait(2 * MINUTE_MS);
			},
		],
	])('%s breaks the run', (_what, interrupt) => {
		const driver = stalled();
		busy(driver, 100);
		interrupt(driver);
		expect(busy(driver, 1_000).state.level).toBe('healthy');
		expect(busy(driver, 2_000).state.level).toBe('steering');
	});
});

describe('velocity divides by export time stamps', () => {
	it('2 000 tokens 1.1 s apart are no speed', () => {
		const driver = new LadderDriver();
		driver.tick([inputOf('a', { sample: sampleOf({ output: 100 }), progressing: true })]);
		driver.wait(1_100);
		const sample = sampleOf({ output: 2_100 });
		expect(driver.tick([inputOf('a', { sample, progressing: true })])[0]?.state.level).toBe('healthy');
	});

	it('a long answer that shows up all at once is spread over the time it took', () => {
		const driver = new LadderDriver();
		driver.times(8, () => driver.beat({ sample: sampleOf({ output: 100 }), progressing: true }));
		expect(driver.beat({ sample: sampleOf({ output: 60_100 }), progressing: true }).state.level).toBe(
			'healthy',
		);
	});

	it('a beat without a sample does not shorten the span', () => {
		const driver = new LadderDriver();
		driver.beat({ sample: sampleOf({ output: 100 }), progressing: true });
		driver.beat();
		expect(driver.beat({ sample: sampleOf({ output: 50_000 }), progressing: true }).state.level).toBe(
			'healthy',
		);
	});

	it('a lasting speed trips on every beat, also with short beats', () => {
		const driver = new LadderDriver({ hardStop: true });
		const levels = new Set<string>();
		driver.times(40, (index) => {
			driver.wait(1_000);
			const sample = sampleOf({ output: index * 2_000 });
			const [decision] = driver.tick([inputOf('a', { sample, progressing: true })]);
			if (index > 13) levels.add(decision?.state.level ?? '');
		});
		expect([...levels]).toEqual(['stopped']);
	});

	it('a counter that begins again is a new baseline', () => {
		const driver = new LadderDriver();
		driver.beat({ sample: sampleOf({ output: 500_000 }), progressing: true });
		driver.beat({ sample: sampleOf({ output: 100 }), progressing: true });
		expect(driver.beat({ sample: sampleOf({ output: 29_000 }), progressing: true }).state.level).toBe(
			'healthy',
		);
	});
});

describe('tool identity is a 200-character prefix', () => {
	it('long commands with the same beginning are different calls', () => {
		const driver = new LadderDriver();
		driver.times(20, (index) => {
			driver.breaker.recordToolUse('a', 'Edit', { new_string: `${'x'.repeat(5_000)}${index}` });
		});
		expect(driver.beat().state.level).toBe('healthy');
	});

	it('key order does not make equal calls differ', () => {
		const driver = new LadderDriver();
		driver.times(9, (index) => {
			const input = index % 2 ? { path: 'a', limit: 5 } : { limit: 5, path: 'a' };
			driver.breaker.recordToolUse('a', 'Read', input);
		});
		expect(driver.beat().evidence?.count).toBe(9);
	});

	it.each([[{}], [''], ['  '], [null], [undefined], [[]], [{ command: null }]])(
		'an input of %j is unknown, and unknown is never identical',
		(input) => {
			const driver = new LadderDriver();
			driver.times(30, () => driver.breaker.recordToolUse('a', 'Bash', input));
			expect(driver.beat().state.level).toBe('healthy');
		},
	);
});

describe('A,B,A,B… is never caught; neither is a call whose one volatile argument changes', () => {
	it.each([1, 2, 3, 4])('a cycle of %i calls is caught when one of them exceeds the limit', (period) => {
		const driver = new LadderDriver();
		driver.times(8 * period, (index) => {
			driver.call('Bash', { command: `step ${'abcd'[index % period]}` }, { result: 'same' });
		});
		expect(driver.beat().state.level).toBe('healthy');
		driver.times(period, (index) => {
			driver.call('Bash', { command: `step ${'abcd'[index]}` }, { result: 'same' });
		});
		const { evidence } = driver.beat();
		expect(evidence).toMatchObject({ arm: 'repeated-tool', count: 9 });
		if (period > 1) expect(evidence?.counted).toContain(`in a cycle of ${period} calls`);
	});

	it('a cycle that is caught names the calls of a round', () => {
		const driver = new LadderDriver();
		driver.times(18, (index) => {
			driver.call(index % 2 ? 'Bash' : 'Read', index % 2 ? TEST : { file_path: 'a.ts' }, { result: 'same' });
		});
		expect(driver.beat().state.reason).toBe(
			'Called Bash `npm test` 9 times in a cycle of 2 calls (Bash `npm test`, Read `a.ts`) with the same result (limit 8)',
		);
	});

	it.each([
		['a counter', (n: number) => `curl -s localhost/health?try=${n}`],
		['a time', (n: number) => `curl -s localhost/health?t=2026-01-05T09:00:${10 + n}Z`],
		['an attempt', (n: number) => `curl -s localhost/ready?attempt=${n}`],
	])('%s that changes with every call, and always the same answer', (_what, command) => {
		const driver = new LadderDriver();
		driver.times(9, (index) => driver.call('Bash', { command: command(index) }, { result: 'pending' }));
		expect(driver.beat().evidence?.counted).toContain('with only numbers, ids or dates changed');
	});

	it('… but numbered things are different things, even when they all answer “ok”', () => {
		const driver = new LadderDriver();
		driver.times(40, (index) => driver.call('Read', { file_path: `page-${index}.md` }, { result: 'ok' }));
		driver.times(40, (index) => driver.call('Bash', { command: `check chapter ${index}` }, { result: 'ok' }));
		expect(driver.beat().state.level).toBe('healthy');
	});

	it('… also while the newest of them has no answer yet', () => {
		const driver = new LadderDriver();
		driver.times(9, (index) => driver.call('Bash', { command: `make check try=${index}` }, FAILS));
		driver.call('Bash', { command: 'make check try=10' });
		expect(driver.beat().evidence?.count).toBe(9);
	});

	it('… but never without an answer', () => {
		const driver = new LadderDriver();
		driver.times(30, (index) => driver.call('Read', { file_path: 'big.ts', offset: index * 200 }));
		expect(driver.beat().state.level).toBe('healthy');
	});

	it('… or is the last one word for word', () => {
		const driver = new LadderDriver();
		driver.times(9, (index) => driver.call('Bash', { command: `make check try=${index}` }, FAILS));
		driver.call('Bash', { command: 'make check try=8' });
		expect(driver.beat().evidence?.arm).toBe('repeated-tool');
	});

	it('… but a different answer each time is new information', () => {
		const driver = new LadderDriver();
		driver.times(30, (index) =>
			driver.call('Read', { file_path: 'a', offset: index }, { result: `line ${index}` }),
		);
		expect(driver.beat().state.level).toBe('healthy');
	});

	it('the same call with a result it did not have before starts again', () => {
		const driver = loop(new LadderDriver(), 8);
		driver.call('Bash', TEST, { result: 'TypeError: total is undefined', failed: true });
		expect(driver.beat().state.level).toBe('healthy');
		driver.times(8, () =>
			driver.call('Bash', TEST, { result: 'TypeError: total is undefined', failed: true }),
		);
		expect(driver.beat().evidence).toMatchObject({ count: 9 });
	});

	it.each([
		['jest', (n: number) => `Tests: 1 failed, 14 passed\nTime:        1.${100 + n * 7} s, estimated 2 s`],
		[
			'rspec',
			(n: number) =>
				`Finished in 0.0${n + 10} seconds\n3 examples, 1 failure\nRandomized with seed ${n * 7919}`,
		],
		['a port', (n: number) => `Error: listen EADDRINUSE 127.0.0.1:${40_000 + n}`],
		['a process', (n: number) => `==${n + 4000}==ERROR: AddressSanitizer: heap-use-after-free`],
	])('a failure that differs in nothing but its numbers is no news: %s', (_what, output) => {
		const driver = new LadderDriver();
		driver.times(9, (index) => driver.call('Bash', TEST, { result: output(index), failed: true }));
		expect(driver.beat().evidence).toMatchObject({ arm: 'repeated-tool', count: 9 });
	});

	it('any number, id or date that differs is weak: it takes five times as many', () => {
		const scan = (count: number, input: (n: number) => unknown) => {
			const driver = new LadderDriver();
			driver.times(count, (index) =>
				driver.call('Read', input(index), { result: 'not found', failed: true }),
			);
			return driver.beat().evidence;
		};
		for (const input of [
			(n: number) => ({ file_path: `docs/chapter-${n}.md` }),
			(n: number) => ({ file_path: `.snapshots/${(0x9e8adf58 + n).toString(16)}.json` }),
			(n: number) => ({ query: `day=2024-05-${10 + (n % 20)} page ${n}` }),
		]) {
			expect(scan(40, input)).toBeNull();
			expect(scan(41, input)).toMatchObject({ arm: 'repeated-tool', count: 41 });
		}
	});

	it('one other call at the very end does not hide a loop; two say that the agent has gone on', () => {
		const driver = loop(new LadderDriver(), 9);
		driver.call('Read', { file_path: 'README.md' }, { result: 'text' });
		expect(driver.beat().evidence).toMatchObject({ count: 9 });
		driver.call('Read', { file_path: 'other.md' }, { result: 'more' });
		expect(driver.beat().evidence).toBeNull();
	});

	it('results that come and go among the known ones are no news', () => {
		const driver = new LadderDriver();
		driver.times(12, (index) => driver.call('Bash', TEST, { result: index % 2 ? 'red' : 'green' }));
		expect(driver.beat().state.level).toBe('steering');
	});
});

describe('the same test command between real edits looks like a loop', () => {
	it.each<[string, (driver: LadderDriver) => void]>([
		['a changed file', (driver) => driver.breaker.recordProgress('a', 'file', driver.now)],
		['a prompt', (driver) => driver.breaker.recordProgress('a', 'prompt', driver.now)],
	])('%s between two calls breaks the streak', (_what, progress) => {
		const driver = new LadderDriver();
		driver.times(30, (index) => {
			driver.call('Bash', TEST, index < 15 ? FAILS : { result: 'all passed' });
			progress(driver);
			driver.wait(1);
		});
		expect(driver.beat().state.level).toBe('healthy');
	});

	it('a call told without a time came before a change told after it', () => {
		const driver = new LadderDriver();
		driver.times(8, () => driver.breaker.recordToolUse('a', 'Bash', TEST));
		driver.breaker.recordProgress('a', 'file', driver.now);
		driver.times(8, () => driver.breaker.recordToolUse('a', 'Bash', TEST));
		expect(driver.beat().state.level).toBe('healthy');
	});

	it('a change found late ends only what came before it', () => {
		const driver = loop(new LadderDriver(), 5);
		const changedAt = driver.now;
		loop(driver.wait(1), 9).breaker.recordProgress('a', 'file', changedAt);
		expect(driver.beat().evidence?.count).toBe(9);
	});

	it('a call told late, that began before the change, does not count', () => {
		const driver = loop(new LadderDriver(), 8);
		driver.breaker.recordProgress('a', 'file', driver.now);
		driver.breaker.recordToolUse('a', 'Bash', TEST, { at: driver.now - 5_000 });
		loop(driver.wait(1), 8);
		expect(driver.beat().state.level).toBe('healthy');
	});

	it('writing the same file with the same content again changes nothing', () => {
		const driver = new LadderDriver();
		driver.times(10, () => {
			driver.call('Write', { file_path: 'a.ts', content: 'x' }, { result: 'updated' });
			driver.breaker.recordProgress('a', 'file', driver.now);
		});
		expect(driver.beat().evidence).toMatchObject({ arm: 'repeated-tool', count: 9 });
	});

	it('a test command between reads is no loop, also when the reads come round again', () => {
		const driver = new LadderDriver();
		driver.times(20, (index) => {
			driver.call('Bash', TEST, FAILS);
			driver.call('Read', { file_path: `${'abcdefghij'[index % 10]}.ts` }, { result: `${index % 10}` });
		});
		expect(driver.beat().state.level).toBe('healthy');
	});

	it('a look at the same thing between steps that bring news is no loop', () => {
		const driver = new LadderDriver();
		driver.times(20, (index) => {
			driver.call('Bash', { command: 'git status' }, { result: 'clean' });
			driver.call('Bash', { command: 'cat log' }, { result: `line ${'abcdefghijklmnopqrst'[index]}` });
		});
		expect(driver.beat().state.level).toBe('healthy');
	});

	it.each([
		['AAX', 'healthy'],
		['AAAAX', 'steering'],
	])('%s over and over, X always new → %s', (pattern, level) => {
		const driver = new LadderDriver();
		driver.times(pattern.length * 8 - 1, (index) => {
			const isLoop = pattern[index % pattern.length] === 'A';
			const word = 'abcdefghijklmnopqrstuvwxyzäöüABCDEFGHIJKLMNOPQRSTUVWXYZ'[index];
			driver.call(
				'Bash',
				{ command: isLoop ? 'npm test' : `look ${word}` },
				{ result: isLoop ? 'no' : `${word}` },
			);
		});
		expect(driver.beat().state.level).toBe(level);
	});

	it('work that turns into a loop is a loop from then on', () => {
		const driver = new LadderDriver();
		driver.times(12, (index) => {
			driver.call('Bash', { command: `make ${'abcdefghijkl'[index]}` }, { result: 'built' });
			driver.call('Bash', TEST, FAILS);
		});
		expect(driver.beat().state.level).toBe('healthy');
		const { evidence } = loop(driver, 8).beat();
		expect(evidence?.count).toBeGreaterThanOrEqual(9);
		expect(evidence?.count).toBeLessThan(15);
	});

	it('a look around after each different step of work is no loop, even where no change is seen', () => {
		const driver = new LadderDriver();
		driver.times(25, (index) => {
			driver.call(
				'Bash',
				{ command: `make step-${'abcdefghijklmnopqrstuvwxyz'[index]}` },
				{ result: 'built' },
			);
			driver.call('Bash', { command: 'git status' }, { result: 'clean' });
		});
		expect(driver.beat().state.level).toBe('healthy');
	});
});

describe('a failed tool call is never seen', () => {
	it('failures count, and the reason says so', () => {
		expect(loop(new LadderDriver()).beat().state.reason).toBe(
			'Called Bash `npm test` 9 times with the same failure (limit 8)',
		);
	});

	it('a call that never gets an answer (denied) counts', () => {
		const driver = new LadderDriver();
		driver.times(9, () => driver.call('Write', { file_path: 'a', content: 'b' }));
		expect(driver.beat().evidence?.lastOccurrences.at(-1)?.text).toBe('Write `a`: refused or running');
	});

	it('a call whose input only its result tells counts', () => {
		const driver = new LadderDriver();
		driver.times(9, (index) => {
			const callId = `id-${index}`;
			driver.breaker.recordToolUse('a', 'Bash', undefined, { callId, at: driver.now });
			const outcome = { callId, tool: 'Bash', input: TEST, result: 'no', failed: true };
			driver.breaker.recordToolResult('a', { ...outcome, at: driver.now });
		});
		expect(driver.beat().evidence?.count).toBe(9);
	});

	it('a result without its call counts as one call', () => {
		const driver = new LadderDriver();
		driver.times(9, (index) => {
			const outcome = { callId: `id-${index}`, tool: 'Bash', input: TEST, result: 'no', failed: true };
			driver.breaker.recordToolResult('a', { ...outcome, at: driver.now });
		});
		expect(driver.beat().evidence?.count).toBe(9);
	});
});

describe('a provider outage or a rate limit climbs every agent', () => {
	it('nothing climbs in provider trouble, and the level is held with its reason', () => {
		const driver = loop(new LadderDriver());
		const held = driver.beat({ providerTrouble: true });
		expect(held).toMatchObject({ changed: false, state: { level: 'healthy', reason: '' } });
		expect(held.climbHeld).toBe('Its provider is failing: that is not held against the agent');
		expect(driver.beat().state.level).toBe('steering');
		expect(driver.beat({ providerTrouble: true }).state.level).toBe('steering');
	});

	it('clean beats go down in provider trouble too', () => {
		const driver = loop(new LadderDriver());
		driver.beat();
		driver.wait(5 * MINUTE_MS);
		expect(driver.beat({ providerTrouble: true }).state.level).toBe('healthy');
	});
});

describe('cumulative caps never clear', () => {
	it('an idle top spender is not climbed, nor is an idle one blamed in its place', () => {
		const driver = new LadderDriver({ costCapTokens: 1_000, hardStop: true });
		const beat = (a: number, b: number) => {
			driver.wait(BEAT_MS);
			const inputs = [
				inputOf('a', { sample: sampleOf({ input: a }), progressing: true }),
				inputOf('b', { sample: sampleOf({ input: b }), progressing: true }),
			];
			return driver.tick(inputs).map((decision) => decision.state.level);
		};
		beat(100, 100);
		expect(beat(2_000, 500)).toEqual(['steering', 'healthy']);
		expect(beat(2_000, 500)).toEqual(['healthy', 'healthy']);
		expect(beat(2_000, 600)).toEqual(['healthy', 'steering']);
		for (let beats = 0; beats < 10; beats += 1) expect(beat(2_000, 600)).toEqual(['healthy', 'healthy']);
	});

	it('says which metric it counts: cache reads are not work', () => {
		const driver = new LadderDriver({ costCapTokens: 1_000 });
		const sample = sampleOf({ input: 200, output: 200, cacheCreation: 700, cacheRead: 9_000_000 });
		expect(driver.beat({ sample }).evidence).toMatchObject({
			arm: 'token-cap',
			counted:
				'work tokens (input + output + cache creation, without cache reads) of the whole floor (1 agent)',
			count: 1_100,
			limit: 1_000,
			unit: 'tokens',
		});
	});

	it('warns from 80 % on, and not below', () => {
		const driver = new LadderDriver();
		const warnings = (input: number) =>
			driver.beat({ sample: sampleOf({ input }), tokenCap: 1_000_000, progressing: true }).warnings;
		expect(warnings(799_999)).toEqual([]);
		expect(warnings(800_000)).toEqual(["80 % of this agent's 1 000 000 work tokens"]);
		expect(warnings(920_000)).toEqual(["92 % of this agent's 1 000 000 work tokens"]);
		expect(warnings(999_999)).toEqual(["99 % of this agent's 1 000 000 work tokens"]);
	});

	it('warns of the floor caps on the agent they would meet', () => {
		const driver = new LadderDriver({ costCapUsd: 10, costCapTokens: 1_000 });
		const decisions = driver.tick([
			inputOf('a', { sample: sampleOf({ input: 600, usd: 2 }) }),
			inputOf('b', { sample: sampleOf({ input: 300, usd: 7 }) }),
		]);
		expect(decisions.map((decision) => decision.warnings)).toEqual([
			[
				"90 % of the floor's 1 000 work tokens, 600 of them by this agent, the most among those still spending",
			],
			["90 % of the floor's $10.00, $7.00 of it by this agent, the most among those still spending"],
		]);
	});

	it('the operator can raise the cap or reset what was spent', () => {
		const driver = new LadderDriver();
		const beat = (input: number, tokenCap: number) =>
			driver.beat({ sample: sampleOf({ input }), tokenCap, progressing: true }).evidence?.count;
		expect(beat(1_500, 1_000)).toBe(1_500);
		expect(beat(1_600, 2_000)).toBeUndefined();
		driver.breaker.resetEvidence('a');
		expect(beat(2_500, 1_000)).toBeUndefined();
		expect(beat(2_601, 1_000)).toBe(1_001);
	});

	it('an agent that was there before the floor was started is not spending because it is seen', () => {
		const driver = new LadderDriver();
		driver.breaker.restore('a', 'healthy');
		const beat = (input: number) => driver.beat({ sample: sampleOf({ input }), tokenCap: 1_000 }).state.level;
		expect([beat(5_000), beat(5_000), beat(5_001)]).toEqual(['healthy', 'healthy', 'steering']);
	});

	it('ties between top spenders go to the smaller id', () => {
		const driver = new LadderDriver({ costCapTokens: 10 });
		const inputs = ['b', 'a', 'c'].map((id) => inputOf(id, { sample: sampleOf({ input: 50 }) }));
		const tripped = driver.tick(inputs).filter((decision) => decision.changed);
		expect(tripped.map((decision) => decision.agentId)).toEqual(['a']);
	});
});

describe('a limit or a sample that makes no sense trips everybody', () => {
	const nonsense = [0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

	it.each(nonsense)('a limit of %f switches its arm off', (limit) => {
		const driver = new LadderDriver({
			repeatedToolLimit: limit,
			errorStormLimit: limit,
			tokenVelocityPerMin: limit,
			costCapUsd: limit,
			costCapTokens: limit,
			agentTokenCaps: { a: limit },
		});
		loop(driver, 30).times(30, () => driver.breaker.recordError('a'));
		driver.times(3, (index) => {
			const sample = sampleOf({ output: index * 900_000, usd: index * 100 });
			const decision = driver.beat({ sample, progressing: true, tokenCap: limit });
			expect(decision).toMatchObject({ evidence: null, warnings: [], state: { level: 'healthy' } });
		});
	});

	it('half a call or half an error is no limit', () => {
		const driver = loop(new LadderDriver({ repeatedToolLimit: 0.5, errorStormLimit: 0.5 }), 30);
		driver.times(30, () => driver.breaker.recordError('a'));
		expect(driver.beat().evidence).toBeNull();
	});

	it.each([
		['output', Number.NaN],
		['input', -1],
		['cacheCreation', Number.POSITIVE_INFINITY],
		['cacheRead', Number.MAX_SAFE_INTEGER + 1],
		['usd', Number.NaN],
		['usd', -0.01],
		['usd', Number.POSITIVE_INFINITY],
	])('a sample with %s %f is rejected and shown, and nobody is blamed for it', (field, value) => {
		const driver = new LadderDriver({ costCapUsd: 1, costCapTokens: 1_000 });
		const tick = (bad: object) => {
			driver.wait(BEAT_MS);
			return driver.tick([
				inputOf('good', { sample: sampleOf({ input: 400, usd: 0.4 }), progressing: true }),
				inputOf('bad', { sample: { ...sampleOf({ input: 500, usd: 0.5 }), ...bad }, progressing: true }),
			]);
		};
		tick({});
		const [good, bad] = tick({ [field]: value });
		expect([good?.evidence, bad?.evidence]).toEqual([null, null]);
		expect(good?.warnings).toEqual([]);
		expect(bad?.warnings).toEqual([
			`The usage sample of this beat cannot be true (${field}: ${value}) and was not counted`,
		]);
		// What it had spent before still counts, and the next good sample goes on from there.
		expect(tick({ input: 700 })[1]?.evidence).toMatchObject({ arm: 'token-cap', count: 1_100 });
	});
});

describe('the clock jumps', () => {
	it('stamps from the future count as now, and do not hide a loop', () => {
		const driver = new LadderDriver();
		driver.times(9, () => {
			driver.breaker.recordToolUse('a', 'Bash', TEST, { at: driver.now + 24 * 60 * MINUTE_MS });
		});
		expect(driver.beat().evidence).toMatchObject({ count: 9, lastAt: driver.now });
		driver.wait(5 * MINUTE_MS);
		expect(driver.beat().evidence).toBeNull();
	});

	it.each([-24 * 60 * MINUTE_MS, -1, 24 * 60 * MINUTE_MS])(
		'a jump of %i ms trips nobody who works',
		(jump) => {
			const driver = new LadderDriver();
			const work = (index: number) => {
				driver.call('Read', { file_path: `${index}` }, { result: `${index}` });
				return driver.beat({ sample: sampleOf({ output: index * 1_000 }) }).evidence;
			};
			for (let index = 1; index < 20; index += 1) expect(work(index)).toBeNull();
			driver.wait(jump);
			for (let index = 20; index < 40; index += 1) expect(work(index)).toBeNull();
		},
	);

	it('after a jump back a loop is still seen, and still ages', () => {
		const driver = loop(new LadderDriver());
		driver.beat();
		driver.wait(-60 * MINUTE_MS);
		expect(driver.beat().state.level).toBe('constrained');
		driver.wait(5 * MINUTE_MS);
		expect(driver.beat().evidence).toBeNull();
	});

	it('a jump back on a beat that does not name an agent leaves no stamps of it in the future', () => {
		const driver = loop(new LadderDriver());
		driver.tick([inputOf('a', { sample: sampleOf({ input: 50 }), tokenCap: 10 })]);
		driver.wait(-60 * MINUTE_MS).tick([]);
		driver.wait(1_000);
		const tripped = (input: number) =>
			driver.tick([inputOf('a', { sample: sampleOf({ input }), tokenCap: 10 })]);
		expect(tripped(60)[0]?.evidence).toMatchObject({ arm: 'repeated-tool', lastAt: driver.now });
		driver.config = { ...driver.config, repeatedToolLimit: 0 };
		expect(tripped(70)[0]?.evidence).toMatchObject({ arm: 'agent-token-cap', since: driver.now });
	});

	it('a change from the future ends no streak that comes after it', () => {
		const driver = new LadderDriver();
		driver.breaker.recordProgress('a', 'file', driver.now + 24 * 60 * MINUTE_MS);
		driver.beat();
		expect(loop(driver.wait(1)).beat().state.level).toBe('steering');
	});

	it('after a jump back an agent still ages away', () => {
		const driver = loop(new LadderDriver());
		driver.beat();
		driver.wait(-60 * MINUTE_MS).tick([]);
		driver.wait(30 * MINUTE_MS).tick([]);
		expect(driver.breaker.levelFor('a')).toBe('healthy');
	});

	it('a beat without a time keeps the time of the one before', () => {
		const driver = new LadderDriver();
		const { ts } = driver.beat().state;
		expect(driver.breaker.tick([inputOf('a')], Number.NaN)[0]?.state.ts).toBe(ts);
	});

	it.each([undefined, 9e12])('a clock of its own stamps what is told with the time %s', (at) => {
		let now = 1_000_000;
		const breaker = new CircuitBreaker(() => SEED_CONFIG, { now: () => now });
		const details = at === undefined ? {} : { at };
		for (let call = 0; call < 9; call += 1) breaker.recordToolUse('a', 'Bash', TEST, details);
		now += 6 * MINUTE_MS;
		expect(breaker.tick([inputOf('a')], now)[0]?.state.level).toBe('healthy');
	});
});

describe('turning the breaker off and on trips at once on old counters', () => {
	it.each(['loop', 'errors', 'no progress'])('%s is forgotten', (kind) => {
		const driver = new LadderDriver();
		driver.beat({ sample: sampleOf() });
		driver.wait(6 * MINUTE_MS);
		if (kind === 'loop') loop(driver);
		if (kind === 'errors') driver.times(6, () => driver.breaker.recordError('a', { at: driver.now }));
		const beat = (output: number) =>
			driver.beat({ sample: sampleOf({ output: kind === 'no progress' ? output : 0 }) }).state.level;
		beat(100);
		expect(beat(200)).not.toBe('healthy');
		driver.config = { ...driver.config, enabled: false };
		expect(beat(300)).toBe('healthy');
		driver.config = { ...driver.config, enabled: true };
		expect([beat(400), beat(500)]).toEqual(['healthy', 'healthy']);
	});

	it('also of an agent that no beat names while it is off', () => {
		const driver = loop(new LadderDriver());
		driver.config = { ...driver.config, enabled: false };
		driver.tick([]);
		driver.config = { ...driver.config, enabled: true };
		expect(driver.beat().state.level).toBe('healthy');
	});
});

describe('one entry per agent, pruned by age, one climb a beat', () => {
	it('the same agent twice in the input climbs once and is decided once', () => {
		const driver = loop(new LadderDriver({ hardStop: true }));
		const decisions = driver.tick([inputOf('a'), inputOf('a'), inputOf('a')]);
		expect(decisions.map((decision) => decision.state.level)).toEqual(['steering']);
	});

	it('a sample that is told twice counts once', () => {
		const driver = new LadderDriver({ costCapTokens: 150 });
		const twice = inputOf('a', { sample: sampleOf({ input: 100 }) });
		expect(driver.tick([twice, twice])[0]?.state.level).toBe('healthy');
	});

	it('a result told twice counts as it was told first', () => {
		const driver = new LadderDriver();
		driver.times(9, (index) => {
			const told = { callId: `id-${index}`, tool: 'Bash', input: TEST, failed: true, at: driver.now };
			driver.breaker.recordToolResult('a', { ...told, result: 'no' });
			driver.breaker.recordToolResult('a', { ...told, result: `told otherwise ${'abcdefghi'[index]}` });
		});
		expect(driver.beat().evidence).toMatchObject({ count: 9 });
	});

	it('the same call told twice counts once', () => {
		const driver = new LadderDriver();
		driver.times(8, (index) => {
			const details = { callId: `id-${index}`, at: driver.now };
			driver.times(3, () => driver.breaker.recordToolUse('a', 'Bash', TEST, details));
			const outcome = { callId: `id-${index}`, tool: 'Bash', input: TEST, result: 'no', failed: true };
			driver.times(3, () => driver.breaker.recordToolResult('a', { ...outcome, at: driver.now }));
		});
		expect(driver.beat().state.level).toBe('healthy');
	});

	it('a late record after forget makes a new healthy agent that ages away', () => {
		const driver = loop(new LadderDriver());
		driver.beat();
		driver.breaker.forget('a');
		driver.breaker.recordToolUse('a', 'Bash', TEST, { at: driver.now });
		expect(driver.breaker.levelFor('a')).toBe('healthy');
		expect(driver.beat().state.level).toBe('healthy');
	});

	it('an agent that no beat names and of which nothing is heard is forgotten after half an hour', () => {
		const driver = loop(new LadderDriver());
		driver.beat();
		driver.wait(29 * MINUTE_MS).tick([]);
		expect(driver.breaker.levelFor('a')).toBe('steering');
		driver.breaker.recordToolUse('a', 'Read', { file_path: 'a' }, { at: driver.now });
		driver.wait(29 * MINUTE_MS).tick([]);
		driver.wait(29 * MINUTE_MS).tick([]);
		expect(driver.breaker.levelFor('a')).toBe('steering');
		driver.wait(1 * MINUTE_MS).tick([]);
		expect(driver.breaker.levelFor('a')).toBe('healthy');
	});
});

describe("the orchestrating agent is left out of the floor's totals", () => {
	it('totals count every agent named, frozen ones too, and blame none of those', () => {
		const driver = new LadderDriver({ costCapTokens: 1_000 });
		const decisions = driver.tick([
			inputOf('orchestrator', { sample: sampleOf({ input: 5_000 }), frozen: true }),
			inputOf('worker', { sample: sampleOf({ input: 10 }) }),
		]);
		expect(decisions.map((decision) => decision.state.level)).toEqual(['healthy', 'steering']);
		expect(decisions[1]?.evidence?.count).toBe(5_010);
	});
});

describe('a human typing counts as no progress', () => {
	it('a prompt is progress for five minutes', () => {
		const driver = new LadderDriver();
		driver.beat({ sample: sampleOf() });
		driver.wait(6 * MINUTE_MS);
		driver.breaker.recordProgress('a', 'prompt', driver.now);
		driver.times(9, (index) => {
			expect(driver.beat({ sample: sampleOf({ output: index + 1 }) }).evidence).toBeNull();
		});
	});
});

describe("an operator's stop is overwritten", () => {
	it('a frozen agent keeps its level and reason, whatever it does and whatever is switched off', () => {
		const driver = loop(new LadderDriver({ hardStop: true }));
		driver.times(3, () => driver.beat());
		const { reason } = driver.beat().state;
		const frozen = () => driver.beat({ frozen: true });
		expect(frozen()).toMatchObject({ action: 'none', changed: false, evidence: null });
		driver.wait(60 * MINUTE_MS);
		expect(frozen().state).toMatchObject({ level: 'stopped', reason });
		driver.config = { ...driver.config, hardStop: false };
		expect(frozen().state.level).toBe('stopped');
		driver.config = { ...driver.config, enabled: false };
		expect(frozen().state.level).toBe('stopped');
	});
});
