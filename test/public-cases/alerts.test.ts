/** Notices that were missed, repeated or came in floods in neighbouring programs. */
import { describe, expect, it } from 'vitest';
import { COOLDOWN_MS } from '../../src/main/notices/told-memory.ts';
import { NoticeDesk, type Rules, seen } from '../notices/notice-desk.ts';
import { FloorFixture } from '../support/floor-fixture.ts';

/** A floor with its planner, which has seen it empty. */
class Watched extends FloorFixture {
	readonly desk: NoticeDesk;

	constructor(rules: Partial<Rules> = {}) {
		super();
		this.desk = new NoticeDesk({ now: this.now, rules });
		this.desk.see(seen({}));
	}

	/** Titles of the notices that come up now. */
	notices(): string[] {
		const turns = Object.fromEntries(
			this.floor.agents().flatMap(({ id, turn }) => {
				return turn !== null && turn.endedAt !== null ? [[id, [turn.startedAt, turn.endedAt]] as const] : [];
			}),
		);
		this.desk.now = this.now;
		return this.desk.see(seen({ agents: this.floor.views(this.now) }, turns));
	}
}

const MINUTE = 60_000;

it('leynier/alera 218: short turns that end are no news, and nothing of before the start is (U53)', () => {
	const watched = new Watched();
	for (let index = 0; index < 40; index += 1) {
		const context = { sessionId: `s${index % 20}` };
		watched.happen({ kind: 'prompt', text: 'go' }, context);
		watched.now += 500;
		watched.happen({ kind: 'turn-end', message: '' }, context);
		expect(watched.notices()).toEqual([]);
	}
	watched.now += 60 * MINUTE;
	watched.desk.restart();
	expect(watched.notices()).toEqual([]);
});

it('leynier/alera 218: long turns that end together are one notice (U53)', () => {
	const watched = new Watched();
	const sessions = Array.from({ length: 20 }, (_, index) => ({ sessionId: `s${index}` }));
	for (const context of sessions) watched.happen({ kind: 'prompt', text: 'go' }, context);
	watched.now += 30 * MINUTE;
	const told: string[] = [];
	for (const context of sessions) {
		watched.happen({ kind: 'turn-end', message: '' }, context);
		told.push(...watched.notices());
		watched.now += 1_000;
	}
	expect(told[0]).toBe('app is done');
	expect(told.length).toBeLessThan(8);
	watched.now += 10_000;
	watched.notices();
	expect(watched.desk.titles()).toEqual(['20 turns are done']);
});

describe('slopus/happy 1560, anthropics/claude-code 45014 and 73384: done is not the same as asking', () => {
	it('the two are told apart, and each has a sound of its own that is off until it is wanted', () => {
		const watched = new Watched({ soundDone: true });
		watched.happen({ kind: 'prompt', text: 'go' });
		watched.happen({ kind: 'prompt', text: 'go' }, { sessionId: 's2' });
		watched.now += 10 * MINUTE;
		watched.happen({ kind: 'turn-end', message: '' });
		watched.happen({ kind: 'waiting', on: 'question', message: 'Which one?' }, { sessionId: 's2' });
		watched.notices();
		expect(watched.desk.shown.map(({ kind, sound }) => [kind, sound])).toEqual([
			['needs-you', false],
			['done', true],
		]);
	});

	const afterTen = (watched: Watched) => {
		watched.happen({ kind: 'prompt', text: 'go' });
		watched.now += 10 * MINUTE;
	};

	it('a subagent that ends is not the end of the turn', () => {
		const watched = new Watched();
		afterTen(watched);
		watched.happen({ kind: 'subagent-start' }, { subagentId: 'sub' });
		watched.happen({ kind: 'turn-end', message: '' }, { subagentId: 'sub' });
		watched.happen({ kind: 'subagent-end' }, { subagentId: 'sub' });
		expect(watched.notices()).toEqual([]);
		watched.happen({ kind: 'turn-end', message: '' });
		expect(watched.notices()).toEqual(['app is done']);
	});

	it('… nor is what it does after the turn another turn: the agent is done when both have ended', () => {
		const watched = new Watched();
		afterTen(watched);
		const sub = { subagentId: 'sub' };
		watched.happen({ kind: 'subagent-start' }, sub);
		watched.happen({ kind: 'turn-end', message: '' });
		watched.happen({ kind: 'tool-call', callId: 'c', tool: 'Read', input: {} }, sub);
		expect(watched.notices()).toEqual([]);
		watched.happen({ kind: 'subagent-end' }, sub);
		expect(watched.notices()).toEqual(['app is done']);
	});

	it.each([
		['cut short by its person', 'tool-result'],
		['failed', 'turn-failed'],
		['ended with its session', 'session-end'],
	] as const)('a turn that was %s is not done', (_, kind) => {
		const watched = new Watched();
		afterTen(watched);
		const call = { callId: 'c', tool: 'Bash', input: {} };
		watched.happen({ kind: 'tool-call', ...call });
		const outcome = { result: '', failed: true, durationMs: null, changedFile: null };
		if (kind === 'tool-result') watched.happen({ kind, ...call, ...outcome, interrupted: true });
		else if (kind === 'turn-failed') {
			watched.happen({ kind, error: 'overloaded', message: 'm', blame: 'provider' });
		} else watched.happen({ kind, reason: 'exit' });
		watched.happen({ kind: 'turn-end', message: '' });
		expect(watched.notices().filter((title) => title.includes('done'))).toEqual([]);
	});

	it('a wake of its own is a turn of its own, and a prompt in the middle says that somebody is there', () => {
		const watched = new Watched();
		afterTen(watched);
		watched.happen({ kind: 'prompt', text: 'also this' });
		watched.now += MINUTE;
		watched.happen({ kind: 'turn-end', message: '' });
		expect(watched.notices()).toEqual([]);
		watched.now += 60 * MINUTE;
		watched.happen({ kind: 'tool-call', callId: 'c', tool: 'Read', input: {} });
		watched.now += MINUTE;
		watched.happen({ kind: 'turn-end', message: '' });
		expect(watched.notices()).toEqual([]);
	});
});

it('alamops/agetor 193: an agent that flaps between work and rest hides no real wait (U35)', () => {
	const watched = new Watched();
	for (let index = 0; index < 20; index += 1) {
		watched.happen({ kind: 'prompt', text: 'again' });
		watched.now += 700;
		watched.happen({ kind: 'turn-end', message: '' });
		expect(watched.notices()).toEqual([]);
	}
	watched.happen({ kind: 'prompt', text: 'go' });
	watched.happen({ kind: 'waiting', on: 'permission', message: 'wants to run Bash `make`' });
	expect(watched.notices()).toEqual(['app needs you']);
});

it('alamops/agetor 193: one that asks and works in turn is told of once a minute at most (U35, U53)', () => {
	const watched = new Watched();
	let told = 0;
	for (let second = 0; second < 180; second += 1) {
		watched.happen(
			second % 4 < 2
				? { kind: 'waiting', on: 'permission', message: 'wants to run Bash `make`' }
				: { kind: 'prompt', text: 'yes' },
		);
		told += watched.notices().length;
		watched.now += 1_000;
	}
	expect(told).toBe(3);
});

it('a permission that its program tells of twice is told of once', () => {
	const watched = new Watched();
	watched.happen({ kind: 'waiting', on: 'permission', message: 'wants to run Bash `make`' });
	expect(watched.notices()).toEqual(['app needs you']);
	watched.now += 6_000;
	watched.happen({ kind: 'waiting', on: 'permission', message: 'Claude needs your permission to use Bash' });
	for (let second = 0; second < 180; second += 1) {
		watched.now += 1_000;
		expect(watched.notices()).toEqual([]);
	}
});

it('utensils/claudette 594, nimbalyst 635: what is answered or has left is taken off the screen (U49, U95)', () => {
	const watched = new Watched();
	for (const answer of ['prompt', 'session-end'] as const) {
		watched.happen({ kind: 'waiting', on: 'permission', message: 'wants to run Bash `make`' });
		watched.now += COOLDOWN_MS;
		watched.notices();
		expect(watched.desk.titles()).toEqual(['app needs you']);
		if (answer === 'prompt') watched.happen({ kind: 'prompt', text: 'no' });
		else watched.happen({ kind: 'session-end', reason: 'exit' });
		watched.notices();
		expect(watched.desk.titles()).toEqual([]);
	}
});

it('Szotasz/marveen 786, 1186: what was told is not told every half hour, and one agent holds up no other (U55)', () => {
	const watched = new Watched();
	const told: string[] = [];
	for (let hour = 0; hour < 4; hour += 1) {
		watched.happen({ kind: 'waiting', on: 'permission', message: 'm' }, { sessionId: `s${hour}` });
		for (let half = 0; half < 2; half += 1) {
			watched.now += 30 * MINUTE;
			told.push(...watched.notices());
		}
	}
	expect(told).toHaveLength(4);
});
