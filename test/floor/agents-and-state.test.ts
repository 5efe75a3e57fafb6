import { describe, expect, it } from 'vitest';
import { agentFromMemory, memoryOf } from '../../src/main/floor/agent-memory.ts';
import { CircuitBreaker } from '../../src/main/floor/breaker.ts';
import type { Happening } from '../../src/main/floor/events.ts';
import { order, resetEvidence } from '../../src/main/floor/orders.ts';
import {
	PROMPT_SILENCE_LIMIT_MS,
	SILENCE_LIMIT_MS,
	TOOL_SILENCE_LIMIT_MS,
} from '../../src/main/floor/state.ts';
import { viewOf } from '../../src/main/floor/view.ts';
import { defaultSettings } from '../../src/shared/settings.ts';
import { FloorFixture } from '../support/floor-fixture.ts';
import { sampleOf } from './ladder/ladder-driver.ts';

const state = (fixture: FloorFixture) => viewOf(fixture.agent(), fixture.now).state;

describe('who is on the floor', () => {
	const firstEvents: Happening[] = [
		{ kind: 'session-start', source: 'startup' },
		{ kind: 'prompt', text: 'x' },
		{ kind: 'tool-call', callId: 'a', tool: 'Bash', input: { command: 'ls' } },
		{ kind: 'waiting', on: 'permission', message: 'm' },
		{ kind: 'turn-end', message: '' },
		{ kind: 'compact-start' },
		{ kind: 'subagent-end' },
		{ kind: 'other' },
	];
	it.each(firstEvents)('an agent comes to life on its first event of any kind ($kind)', (happening) => {
		const fixture = new FloorFixture();
		fixture.happen(happening);
		expect(viewOf(fixture.agent(), fixture.now)).toMatchObject({ name: 'app', level: 'healthy' });
	});

	it('tells sessions apart, and keeps subagents with their agent', () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'prompt', text: 'a' });
		fixture.happen({ kind: 'prompt', text: 'b' }, { sessionId: 's2' });
		fixture.happen({ kind: 'subagent-start' }, { subagentId: 'sub', subagentType: 'Explore' });
		expect(fixture.floor.agents()).toHaveLength(2);
		expect(viewOf(fixture.agent(), fixture.now).subagents).toMatchObject([{ id: 'sub', type: 'Explore' }]);
	});

	const mine = { pid: 4711, startTime: '99' };
	it('keeps its identity when the same process rotates its session id (U31)', () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'session-start', source: 'startup' }, { process: mine });
		fixture.happen({ kind: 'session-end', reason: 'clear' });
		fixture.happen({ kind: 'session-start', source: 'clear' }, { sessionId: 's2', process: mine });
		expect(fixture.floor.agents()).toHaveLength(1);
		expect(fixture.agent('s2')).toMatchObject({ sessionId: 's2', exited: null });
		expect(fixture.agent('s2').id).toBe(fixture.agent('s1').id);
	});

	it.each([
		['claude-code', 'clear'],
		['claude-code', 'resume'],
		['claude-code', 'fork'],
		['codex', 'clear'],
		['gemini-cli', 'clear'],
		['copilot-cli', 'new'],
	])('%s: a session that starts by "%s" in the same process is the same agent', (client, source) => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'session-start', source: 'startup' }, { client, process: mine });
		fixture.happen({ kind: 'session-start', source }, { client, sessionId: 's2', process: mine });
		expect(fixture.floor.agents()).toHaveLength(1);
		expect(fixture.floor.agentOfSession(client, 's2')?.sessionId).toBe('s2');
	});

	it.each<Happening>([
		{ kind: 'prompt', text: 'go on' },
		{ kind: 'tool-call', callId: 'c', tool: 'Read', input: { file_path: 'a' } },
		{ kind: 'session-start', source: 'startup' },
	])('a session whose start was lost is found by its process ($kind, U31)', (first) => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'session-start', source: 'startup' }, { process: mine });
		fixture.happen({ kind: 'prompt', text: 'a' });
		fixture.happen({ kind: 'turn-end', message: '' });
		fixture.happen(first, { sessionId: 's2', process: mine });
		expect(fixture.floor.agents()).toHaveLength(1);
		expect(fixture.agent('s2')).toMatchObject({ exited: null, sessionId: 's2' });
	});

	it('a process that serves a second session while the first is at work has two agents', () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'session-start', source: 'startup' }, { process: mine });
		fixture.happen({ kind: 'prompt', text: 'a' });
		fixture.happen({ kind: 'prompt', text: 'b' }, { sessionId: 's2', process: mine });
		expect(fixture.floor.agents()).toHaveLength(2);
	});

	it.each(['codex', 'gemini-cli', 'copilot-cli', 'opencode'])(
		'%s: an idle session and one that begins in the same process are two, for it may serve many',
		(client) => {
			const fixture = new FloorFixture();
			fixture.happen({ kind: 'session-start', source: 'startup' }, { client, process: mine });
			fixture.happen({ kind: 'prompt', text: 'b' }, { client, sessionId: 's2', process: mine });
			expect(fixture.floor.agents()).toHaveLength(2);
		},
	);

	it.each([
		['clear', 'healthy'],
		['new', 'healthy'],
		['resume', 'steering'],
	])('what was counted before a session that starts by "%s" leaves the agent %s', (source, level) => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'session-start', source: 'startup' }, { process: mine });
		fixture.loop(4);
		fixture.happen({ kind: 'session-start', source }, { sessionId: 's2', process: mine });
		fixture.now += 1_000;
		for (let call = 0; call < 2; call += 1)
			fixture.use('Bash', { command: 'npm test' }, 'same', { sessionId: 's2' });
		fixture.beat();
		expect(fixture.agent('s2').level).toBe(level);
	});

	it.each([
		['another process', { process: { pid: 4711, startTime: '100' } }],
		['a process whose start is not known', { process: { pid: 4711, startTime: null } }],
		['no process', { process: null }],
	])('never merges sessions on less: %s', (_name, context) => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'session-start', source: 'startup' }, { process: mine });
		fixture.happen({ kind: 'session-start', source: 'clear' }, { sessionId: 's2', ...context });
		expect(fixture.floor.agents()).toHaveLength(2);
	});
});

describe('what can truthfully be said', () => {
	it('follows a turn: at the prompt, live, waiting with the reason, live, done, ended', () => {
		const fixture = new FloorFixture();
		const seen: string[] = [];
		const note = (): void => {
			const { kind, reason, needsYou } = state(fixture);
			seen.push(`${kind}${needsYou ? '!' : ''} ${reason}`.trim());
		};
		for (const happening of [
			{ kind: 'session-start', source: 'startup' },
			{ kind: 'prompt', text: 'x' },
			{ kind: 'waiting', on: 'permission', message: 'wants to run Bash' },
			{
				kind: 'tool-result',
				callId: 'a',
				tool: 'Bash',
				input: {},
				result: '',
				failed: false,
				interrupted: false,
				durationMs: 1,
				changedFile: null,
			},
			{ kind: 'turn-end', message: 'done' },
			{ kind: 'session-end', reason: 'logout' },
		] satisfies Happening[]) {
			fixture.happen(happening);
			note();
		}
		expect(seen).toEqual([
			'waiting started, no prompt yet',
			'live',
			'waiting! wants to run Bash',
			'live',
			'waiting finished its turn',
			'exited session ended (logout)',
		]);
	});

	it('a subagent’s event does not answer the agent’s question (U27)', () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'waiting', on: 'question', message: 'which?' });
		fixture.happen(
			{ kind: 'tool-call', callId: 'x', tool: 'Read', input: { path: 'a' } },
			{ subagentId: 'sub' },
		);
		expect(state(fixture)).toMatchObject({ kind: 'waiting', needsYou: true });
		fixture.happen({ kind: 'prompt', text: 'this one' });
		expect(state(fixture).kind).toBe('live');
	});

	it.each([
		['its own end', { kind: 'subagent-end' }, 'sub'],
		['the agent’s next prompt', { kind: 'prompt', text: 'x' }, null],
		['the end of the agent’s turn', { kind: 'turn-end', message: '' }, null],
	] as const)('what a subagent waits for ends with %s (U47, U95)', (_name, happening, subagentId) => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'waiting', on: 'permission', message: 'asks' }, { subagentId: 'sub' });
		expect(state(fixture).needsYou).toBe(true);
		fixture.happen(happening, { subagentId });
		expect(state(fixture).needsYou).toBe(false);
	});

	it('takes the process from the start of a session alone: at its end the pid may be another’s', () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'session-start', source: 'startup' }, { process: { pid: 7, startTime: '7' } });
		fixture.happen({ kind: 'session-end', reason: 'other' }, { process: { pid: 1234, startTime: '1' } });
		expect(fixture.agent().process?.pid).toBe(7);
	});

	it('an interrupted agent waits for its person (U25)', () => {
		const fixture = new FloorFixture();
		fixture.happen({
			kind: 'tool-result',
			callId: 'a',
			tool: 'Bash',
			input: {},
			result: '',
			failed: true,
			interrupted: true,
			durationMs: 1,
			changedFile: null,
		});
		expect(state(fixture)).toMatchObject({ kind: 'waiting', reason: 'interrupted by a person' });
	});

	it.each([
		['thinking', (_: FloorFixture) => undefined, SILENCE_LIMIT_MS],
		[
			'a tool in flight (U23)',
			(f: FloorFixture) =>
				f.happen({ kind: 'tool-call', callId: 'a', tool: 'Bash', input: { command: 'make' } }),
			TOOL_SILENCE_LIMIT_MS,
		],
		[
			'at its prompt',
			(f: FloorFixture) => f.happen({ kind: 'turn-end', message: '' }),
			PROMPT_SILENCE_LIMIT_MS,
		],
	])('silence makes it unverifiable only after what it is doing allows: %s', (_name, prepare, limit) => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'prompt', text: 'x' });
		prepare(fixture);
		fixture.now += limit;
		expect(state(fixture).kind).not.toBe('unverifiable');
		fixture.now += 1;
		expect(state(fixture)).toMatchObject({ kind: 'unverifiable', lastHeardAt: fixture.now - limit - 1 });
	});

	it('a process that is seen alive is live however long it is silent; one that is gone has exited (U19)', () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'session-start', source: 'startup' }, { process: { pid: 1234, startTime: '1' } });
		fixture.happen({ kind: 'prompt', text: 'x' });
		fixture.now += 3_600_000;
		fixture.floor.observe(fixture.agent().id, { processAlive: true }, fixture.now);
		expect(state(fixture).kind).toBe('live');
		fixture.floor.observe(fixture.agent().id, { processAlive: null }, fixture.now);
		expect(state(fixture).kind).toBe('unverifiable');
		fixture.floor.observe(fixture.agent().id, { processAlive: false }, fixture.now);
		expect(state(fixture)).toMatchObject({
			kind: 'exited',
			reason: expect.stringContaining('process is gone'),
		});
	});

	it('an end after the operator’s stop is “stopped by you”, not a failure (U41)', () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'session-start', source: 'startup' }, { process: { pid: 1234, startTime: '1' } });
		order(fixture.floor, fixture.agent().id, 'stop', '', fixture.now);
		fixture.floor.observe(fixture.agent().id, { processAlive: false }, fixture.now);
		expect(state(fixture).reason).toBe('stopped by you');
	});

	it('a straggler after the end does not bring an agent back; a prompt does', () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'session-end', reason: 'other' });
		fixture.happen({
			kind: 'tool-result',
			callId: 'a',
			tool: 'Bash',
			input: {},
			result: '',
			failed: false,
			interrupted: false,
			durationMs: 1,
			changedFile: null,
		});
		expect(state(fixture).kind).toBe('exited');
		fixture.happen({ kind: 'prompt', text: 'x' });
		expect(state(fixture).kind).toBe('live');
	});

	it('a call whose end nobody reported is “unknown” when the turn goes on', () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'tool-call', callId: 'a', tool: 'Bash', input: { command: 'x' } });
		fixture.happen({ kind: 'turn-end', message: '' });
		expect(viewOf(fixture.agent(), fixture.now)).toMatchObject({
			doing: null,
			lastTools: [{ outcome: 'unknown' }],
		});
	});
});

describe('what outlives a restart', () => {
	it('brings identity, order, sticky stop and notes back; not a level whose evidence is gone', () => {
		const fixture = new FloorFixture({ breaker: { hardStop: true } });
		fixture.happen({ kind: 'session-start', source: 'startup' }, { process: { pid: 5, startTime: '5' } });
		order(fixture.floor, fixture.agent().id, 'hold', 'wait', fixture.now);
		const agent = fixture.agent();
		agent.level = 'steering';
		const back = agentFromMemory(JSON.parse(JSON.stringify(memoryOf(agent))));
		expect(back).toMatchObject({
			id: agent.id,
			order: { kind: 'hold', words: 'wait' },
			level: 'healthy',
			process: { pid: 5 },
		});
		agent.level = 'stopped';
		agent.ladderStop = { at: fixture.now, reason: 'looped' };
		expect(agentFromMemory(JSON.parse(JSON.stringify(memoryOf(agent))))).toMatchObject({
			level: 'stopped',
			ladderStop: { reason: 'looped' },
		});
	});

	it('what was reset counts no more after a restart, and what is spent from then on does', () => {
		const cap = { agentTokenCaps: { 'claude-code:s1': 1_000 } };
		const fixture = new FloorFixture({ breaker: cap });
		fixture.happen({ kind: 'session-start', source: 'startup' });
		const agent = fixture.agent();
		agent.sample = { model: null, input: 5_000, output: 0, cacheRead: 0, cacheCreation: 0, usd: 2 };
		resetEvidence(fixture.floor, agent.id, fixture.now);
		const back = agentFromMemory(JSON.parse(JSON.stringify(memoryOf(agent))));
		expect(back?.forgotten).toEqual({ work: 5_000, usd: 2 });
		const breaker = new CircuitBreaker(() => ({ ...defaultSettings.breaker, ...cap }));
		breaker.restore(agent.id, 'healthy', back?.forgotten);
		const counted = (input: number, beat: number) =>
			breaker
				.tick(
					[{ agentId: agent.id, progressing: false, sample: { ...sampleOf(), input }, tokenCap: 1_000 }],
					beat,
				)[0]
				?.arms.find(({ arm }) => arm === 'agent-token-cap')?.count;
		expect([counted(4_000, 1), counted(5_000, 2), counted(5_400, 3)]).toEqual([0, 0, 400]);
	});

	it('a memory of an older version has nothing forgotten', () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'session-start', source: 'startup' });
		const { forgotten: _, ...older } = memoryOf(fixture.agent());
		expect(agentFromMemory(older)?.forgotten).toBeNull();
	});

	it.each([undefined, null, [], {}, 'x', { id: 1 }])('says no to what is not a memory: %s', (value) => {
		expect(agentFromMemory(value)).toBeNull();
	});
});
