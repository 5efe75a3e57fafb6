/** What an agent is said to be doing, where neighbouring programs were reported to say something else. */
import { describe, expect, it } from 'vitest';
import { order } from '../../src/main/floor/orders.ts';
import { needsYou } from '../../src/shared/attention.ts';
import { stateWords } from '../../src/shared/format.ts';
import { composeTray } from '../../src/shared/tray.ts';
import { floor as floorView, status } from '../desktop/floor-fixture.ts';
import { BEAT_MS, FloorFixture } from '../support/floor-fixture.ts';
import { AgentAtWork } from './agent-at-work.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function views(fixture: FloorFixture) {
	const quiet = status({ nextBeatAt: fixture.now + BEAT_MS });
	return floorView({ agents: fixture.floor.views(fixture.now), status: quiet });
}

it('block/buzz 4434: a turn that never ends says how long it goes on, however busy it is (U15)', () => {
	const agent = new AgentAtWork();
	agent.happen({ kind: 'session-start', source: 'startup' }, { process: { pid: 4711, startTime: '1' } });
	agent.happen({ kind: 'prompt', text: 'go' });
	expect(stateWords(agent.view().state, agent.now)).toBe('live');
	agent.repeat(37, (index) =>
		agent.call('Read', { file_path: `${index}` }, { result: `${index}`, seconds: 59 }),
	);
	expect(agent.view().doing).toBeNull();
	expect(stateWords(agent.view().state, agent.now)).toBe('live for 37 m');
	agent.happen({ kind: 'turn-end', message: '' });
	agent.happen({ kind: 'prompt', text: 'and now' });
	expect(stateWords(agent.view().state, agent.now)).toBe('live');
});

it('hivecommons/hive 6237: an agent that was never given anything to do does not look busy (U17)', () => {
	const fixture = new FloorFixture();
	fixture.happen({ kind: 'session-start', source: 'startup' });
	fixture.now += 20 * MINUTE;
	expect(stateWords(fixture.floor.views(fixture.now)[0]?.state ?? never(), fixture.now)).toBe(
		'waiting: started, no prompt yet',
	);
});

describe('phnx-labs/agi-cli 1461: who asked days ago and was never heard again (U47)', () => {
	const asking = () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'prompt', text: 'go' });
		fixture.happen({ kind: 'waiting', on: 'permission', message: 'wants to run Bash `make`' });
		return fixture;
	};

	it('needs nobody, says why, and leaves the floor in the end', () => {
		const fixture = asking();
		expect(needsYou(views(fixture)).agents).toHaveLength(1);
		fixture.now += 3 * HOUR;
		expect(needsYou(views(fixture)).agents).toEqual([]);
		expect(fixture.floor.views(fixture.now)).toMatchObject([
			{ state: { kind: 'unverifiable', reason: 'nothing heard and its process is not known' } },
		]);
		fixture.now += 22 * HOUR;
		fixture.beat();
		expect(fixture.floor.views(fixture.now)).toEqual([]);
	});

	it('still needs you while its process is seen', () => {
		const fixture = asking();
		fixture.now += 3 * HOUR;
		fixture.floor.observe(fixture.agent().id, { processAlive: true }, fixture.now);
		expect(needsYou(views(fixture)).agents).toHaveLength(1);
	});

	it('is counted, not cut off, where a list has no room', () => {
		const fixture = new FloorFixture();
		for (let index = 0; index < 30; index += 1) {
			const sessionId = `s${index}`;
			fixture.happen({ kind: 'waiting', on: 'question', message: 'which?' }, { sessionId });
		}
		const picture = composeTray(views(fixture), fixture.now);
		expect(picture.badge.count).toBe(30);
		expect(JSON.stringify(picture.menu)).toContain('and 22 more');
	});
});

describe('kurrent-io/kcap-cli 845: who asked for the end is kept with it (U41)', () => {
	const stop = (agent: AgentAtWork) => void order(agent.floor, agent.agent().id, 'stop', '', agent.now);
	const climb = (agent: AgentAtWork) => {
		agent.repeat(25, () => agent.call('Bash', { command: 'npm test' }, { result: 'no', failed: true }));
		expect(agent.view().level).toBe('stopped');
	};
	const gone = (agent: AgentAtWork) => {
		const { id } = agent.agent();
		agent.floor.setStopProgress(id, { phase: 'stopped', pids: [4711], checkedAt: agent.now });
		agent.floor.observe(id, { processAlive: false }, agent.now);
	};
	const vanished = (agent: AgentAtWork) =>
		agent.floor.observe(agent.agent().id, { processAlive: false }, agent.now);
	const told = (agent: AgentAtWork) => void agent.happen({ kind: 'session-end', reason: 'exit 137' });

	it.each([
		['the operator, seen by its process', stop, gone, 'stopped by you'],
		['the operator, as the program tells', stop, told, 'stopped by you'],
		['the ladder, seen by its process', climb, gone, 'stopped by the ladder, then its process ended'],
		['the ladder, as the program tells', climb, told, 'stopped by the ladder, then its session ended'],
		['nobody, seen by its process', () => {}, vanished, 'its process is gone; it did not say why'],
		['nobody, as the program tells', () => {}, told, 'session ended (exit 137)'],
	])('%s', (_who, ask, end, reason) => {
		const agent = new AgentAtWork({ breaker: { hardStop: true } });
		agent.happen({ kind: 'session-start', source: 'startup' }, { process: { pid: 4711, startTime: '1' } });
		agent.happen({ kind: 'prompt', text: 'go' });
		ask(agent);
		end(agent);
		expect(agent.view().state).toMatchObject({ kind: 'exited', reason });
	});
});

it('gastownhall/gascity 4358: what goes on in order is never drawn as an alarm (U95)', () => {
	const agent = new AgentAtWork();
	agent.happen({ kind: 'prompt', text: 'go' });
	agent.repeat(30, (index) =>
		agent
			.spend(50_000)
			.call('Read', { file_path: `${index}` }, { result: `${index}` })
			.wait(50),
	);
	const picture = composeTray(views(agent), agent.now);
	expect([picture.icon, picture.badge.count]).toEqual(['calm', 0]);
});

it('anthropics/claude-code 80100: a process that could not be looked at is not said to be there, nor to be gone (U19)', () => {
	const fixture = new FloorFixture();
	fixture.happen({ kind: 'session-start', source: 'startup' }, { process: { pid: 4711, startTime: '1' } });
	fixture.happen({ kind: 'prompt', text: 'go' });
	fixture.floor.observe(fixture.agent().id, { processAlive: null }, fixture.now);
	fixture.now += HOUR;
	expect(fixture.floor.views(fixture.now)).toMatchObject([
		{ state: { kind: 'unverifiable', reason: 'nothing heard and its process could not be checked' } },
	]);
});

function never(): never {
	throw new Error('no agent');
}
