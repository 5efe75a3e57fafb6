/**
 * Loops, and work that looks like one, as users of neighbouring programs reported them: whole sessions on a floor with
 * the limits that everybody gets.
 */
import { describe, expect, it } from 'vitest';
import { AgentAtWork } from './agent-at-work.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';
const FAIL = { result: '1 test failed: expected 3, got 4', failed: true };

function atWork(settings: Record<string, unknown> = {}): AgentAtWork {
	const agent = new AgentAtWork({ breaker: settings });
	agent.happen({ kind: 'prompt', text: 'go' });
	return agent;
}

describe('munder-difflin 441: a provider’s outage is not held against its agent (R77)', () => {
	const troubles = {
		'turns that fail': (agent: AgentAtWork) =>
			agent.happen({ kind: 'turn-failed', blame: 'provider', error: 'overloaded', message: '529' }),
		'retries within the turn': (agent: AgentAtWork) =>
			agent.happen({ kind: 'provider-trouble', error: 'overloaded', message: '529', status: 529 }),
	};
	it.each(Object.entries(troubles))('%s', (_what, trouble) => {
		const agent = atWork();
		agent.repeat(20, () => {
			trouble(agent);
			agent.spend(50).wait(45);
		});
		expect(agent.transitions()).toEqual([]);
		expect(agent.view()).toMatchObject({ providerTrouble: { error: 'overloaded' }, warnings: [] });
	});

	it('and is over with the first answer: a loop after it counts', () => {
		const agent = atWork();
		agent.repeat(20, () => {
			troubles['turns that fail'](agent);
			agent.wait(45).happen({ kind: 'prompt', text: 'again' });
		});
		agent.untilSteered(12, () => agent.call('Bash', { command: 'npm test' }, FAIL));
		expect(agent.view()).toMatchObject({ level: 'steering', providerTrouble: null });
	});
});

describe('anomalyco/opencode 47759: a round of a few calls over and over is caught (R79)', () => {
	it.each(['AB', 'ABC', 'ABCD', 'AAB', 'ABAC'])('%s, early', (round) => {
		const agent = atWork();
		const calls = agent.untilSteered(40, (index) => {
			const command = `step ${round[index % round.length]}`;
			agent.call('Bash', { command }, { result: `said ${command}` });
		});
		expect(agent.view().level).toBe('steering');
		// A beat comes every five calls.
		expect(calls).toBeLessThanOrEqual(3 * round.length + 5);
	});

	it('and not while each round tells something new', () => {
		const agent = atWork();
		agent.repeat(40, (index) =>
			agent.call(
				'Bash',
				{ command: index % 2 ? 'make' : 'make check' },
				{ result: `error at ${letters[index % 26]}${index}` },
			),
		);
		expect(agent.transitions()).toEqual([]);
	});
});

describe('can1357/oh-my-pi 10895: one field that varies hides no loop (R81)', () => {
	it.each([
		['a limit of time', (n: number) => ({ command: 'make', timeout: 1_000 + n })],
		['a line', (n: number) => ({ command: `sed -n ${n}p app.log` })],
		[
			'a made-up description',
			(n: number) => ({ command: 'make', description: `try ${letters[n % 26]}${n}` }),
		],
	])('%s', (_what, input) => {
		const agent = atWork();
		const calls = agent.untilSteered(265, (index) =>
			agent.call('Bash', input(index), { result: 'make: no rule to make target "all"', failed: true }),
		);
		expect(agent.view().level).toBe('steering');
		expect(calls).toBeLessThanOrEqual(15);
	});
});

it('openclaw 70546: 21 identical calls are not only warned of (R83)', () => {
	const agent = atWork({ hardStop: true });
	agent.repeat(21, () => agent.call('Bash', { command: 'npm test' }, FAIL));
	expect(agent.transitions()).toEqual(['healthy>steering', 'steering>constrained', 'constrained>stopped']);
});

describe('OpenHands 762, 5355: waiting for something is no loop (R85)', () => {
	it.each([
		['a look of any kind, five minutes apart', 60, 'curl -s http://ci/7', 5, 299],
		['a look every four minutes', 40, 'gh run view 7', 5, 235],
		['a look each minute', 40, 'gh run view 7', 5, 54],
		['sleep and look', 40, 'sleep 30 && curl -s http://ci/7', 31, 0],
	])('%s', (_what, times, command, seconds, pause) => {
		const agent = atWork();
		agent.repeat(times, () =>
			agent.call('Bash', { command }, { result: 'in_progress', seconds }).wait(pause),
		);
		expect(agent.transitions()).toEqual([]);
	});
});

describe('everruns 2295: ranges of one file in turn (R87)', () => {
	const ranges = [1, 200, 400];
	it('trip when they tell the same again', () => {
		const agent = atWork();
		agent.untilSteered(30, (index) =>
			agent.call(
				'Read',
				{ file_path: 'big.ts', offset: ranges[index % 3] },
				{ result: `the lines from ${ranges[index % 3]} on` },
			),
		);
		expect(agent.view().level).toBe('steering');
	});

	it('are work while what they tell is new', () => {
		const agent = atWork();
		agent.repeat(30, (index) =>
			agent.call(
				'Read',
				{ file_path: 'app.log', offset: ranges[index % 3] },
				{
					result: `${letters[index % 26]}: the request of ${letters[(index * 7) % 26]} number ${index} was served`,
				},
			),
		);
		expect(agent.transitions()).toEqual([]);
	});
});

describe('anthropics/claude-code 27281, 6004: tokens without a step forward (R89)', () => {
	it('announcing and not acting', () => {
		const agent = atWork();
		agent.repeat(40, () => agent.spend(600).wait(20));
		expect(agent.arms).toContain('no-progress');
		expect(agent.view().level).not.toBe('healthy');
	});

	it('compacting again and again', () => {
		const agent = atWork();
		agent.repeat(10, () => {
			agent.happen({ kind: 'compact-start' });
			agent.spend(600).wait(40).happen({ kind: 'compact-end' });
			agent.spend(600).wait(60);
		});
		expect(agent.arms).toContain('no-progress');
	});
});

describe('work that was held for a loop', () => {
	it('munder-difflin 376: a person talks to it, without any file or tool (U3)', () => {
		const agent = atWork();
		agent.repeat(20, (index) => {
			agent.spend(900).wait(100).happen({ kind: 'turn-end', message: 'what do you think?' });
			agent.wait(80).happen({ kind: 'prompt', text: `and ${letters[index]}?` });
		});
		expect(agent.transitions()).toEqual([]);
	});

	it.each([
		['no input', 'Bash', undefined],
		['neither name nor input', '', undefined],
		['an empty input', 'Bash', {}],
	])(
		'munder-difflin 502: %s is told, so that no two calls are known to be equal (U5)',
		(_what, tool, input) => {
			const agent = atWork();
			agent.repeat(13, () => agent.call(tool, input, { result: null }).wait(20));
			expect(agent.transitions()).toEqual([]);
		},
	);

	it('openhuman 4024: each failure tells something (U13)', () => {
		const agent = atWork();
		agent.repeat(12, (index) =>
			agent.call(
				'Bash',
				{ command: './migrate.sh' },
				{
					result: `killed after 60 s while migrating table ${letters[index]}${letters[index + 1]}`,
					failed: true,
				},
			),
		);
		expect(agent.transitions()).toEqual([]);
	});

	it('openhuman 4024: what does repeat is told first, and stops nothing (U13)', () => {
		const agent = atWork();
		agent.untilSteered(12, () => agent.call('Bash', { command: './migrate.sh' }, FAIL));
		expect(agent.view()).toMatchObject({ level: 'steering', standing: 'steering', denials: { count: 0 } });
		expect(agent.view().notes[0]?.text).toContain('same failure');
	});

	it('traceroost/core 215: one test command after each edit (U77)', () => {
		const agent = atWork();
		agent.repeat(20, (index) => {
			const changedFile = '/w/app/a.ts';
			agent.call(
				'Edit',
				{ file_path: changedFile, new_string: `try ${index}` },
				{ result: 'ok', changedFile },
			);
			agent.call('Bash', { command: 'npm test' }, FAIL);
		});
		expect(agent.transitions()).toEqual([]);
	});

	it('traceroost/core 215: … whose failure differs in times, paths and ids only, is a loop without the edits (U77)', () => {
		const agent = atWork();
		agent.untilSteered(12, (index) =>
			agent.call(
				'Bash',
				{ command: 'npm test' },
				{
					result: `FAIL in ${index}.${index} s, /tmp/run-${index * 37}/out, pid ${4000 + index}`,
					failed: true,
				},
			),
		);
		expect(agent.view().level).toBe('steering');
	});

	it.each([
		['a route', 'Bash', (n: number) => ({ command: `curl -X POST api/items/${n}` }), '{"ok":true}'],
		['an issue', 'mcp__tracker__update_issue', (n: number) => ({ id: n, state: 'done' }), 'updated'],
		['a file', 'Write', (n: number) => ({ file_path: `part-${n}.ts`, content: `${n}` }), 'File created'],
		['a row', 'mcp__db__execute', (n: number) => ({ sql: `insert into t values (${n})` }), '1 row affected'],
	])('goclaw 1335: deeds that all answer alike: %s (U81)', (_what, tool, input, result) => {
		const agent = atWork();
		agent.repeat(12, (index) => agent.call(tool, input(index), { result }));
		expect(agent.transitions()).toEqual([]);
	});
});

describe('loops that nobody caught', () => {
	it('detent 1224: the same staged change is looked at for hours (U11)', () => {
		const agent = atWork();
		agent.untilSteered(135, () => {
			agent.call('Bash', { command: 'git diff --cached' }, { result: '+ the same staged line' });
			agent.spend(2_000).wait(30);
		});
		expect(agent.view().level).toBe('steering');
	});

	it('zeroclaw 7681: another call in between each few (U79)', () => {
		const agent = atWork();
		const calls = agent.untilSteered(43, (index) => {
			agent.call('Bash', { command: 'npm test' }, FAIL);
			if (index % 5 === 4)
				agent.call('Read', { file_path: `${letters[index % 26]}.ts` }, { result: `code ${index}` });
		});
		expect(agent.view().level).toBe('steering');
		expect(calls).toBeLessThanOrEqual(15);
	});

	it('openclaw 79252: tool after tool is refused by somebody else (U83)', () => {
		const agent = atWork();
		agent.untilSteered(40, (index) =>
			agent.call(
				index % 2 ? 'Write' : 'mcp__files__put',
				{ file_path: `${letters[index % 26]}${index}.ts`, content: letters[(index * 5) % 26] },
				{ result: 'blocked by the policy of the organisation', failed: true },
			),
		);
		expect(agent.view().level).toBe('steering');
	});

	it('detent 1782: churn around the same error clears nothing, and what would is printed (U85)', () => {
		const agent = atWork();
		agent.repeat(15, (index) =>
			agent.call(
				'Bash',
				{ command: 'git apply fix.patch' },
				{
					result: `error: patch failed (workspace 3f9a${index}c2d, ${60 + index} s)`,
					failed: true,
					seconds: 70,
				},
			),
		);
		expect(agent.transitions()).toEqual(['healthy>steering', 'steering>constrained']);
		expect(agent.view().evidence?.clears).toMatch(/different result|another result/);
	});

	it('munder-difflin 57: a steer to whoever has no process any more is not made (U1)', () => {
		const agent = atWork();
		agent.floor.observe(agent.agent().id, { processAlive: false }, agent.now);
		agent.repeat(20, () => agent.call('Bash', { command: 'npm test' }, { result: null }));
		agent.floor.observe(agent.agent().id, { processAlive: false }, agent.now);
		const steered = agent.transitions().length;
		agent.wait(600);
		expect(agent.transitions()).toHaveLength(steered);
		expect(agent.view().state.kind).toBe('exited');
	});
});
