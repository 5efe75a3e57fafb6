import { describe, expect, it } from 'vitest';
import { BURST_LONGEST_MS, BURST_WINDOW_MS, GATHER_MS } from '../../src/main/notices/notice-planner.ts';
import { COOLDOWN_MS } from '../../src/main/notices/told-memory.ts';
import { agent, consent, failover, heldTurn, incident, NOON, popup } from '../desktop/floor-fixture.ts';
import { asking, MINUTE, NoticeDesk, resting, seen } from './notice-desk.ts';

const DAY = 24 * 60 * MINUTE;

describe('what needs the operator', () => {
	it('is told at once, in full, with whom a click shows and what may be in view', () => {
		const desk = new NoticeDesk();
		desk.see(seen({ agents: [asking('a'), agent('b')] }));
		expect(desk.shown).toEqual([
			{
				key: `agent:a:ask@${NOON}`,
				kind: 'needs-you',
				title: 'a needs you',
				body: 'may it run Bash?',
				agentId: 'a',
				at: NOON,
				about: ['a'],
				sound: false,
			},
		]);
	});

	it('is one notice for one cause: an agent for its incident, a popup for its own', () => {
		const desk = new NoticeDesk();
		const agents = [asking('a')];
		const popups = [popup('p', { incidentId: 'lost' })];
		desk.settle(seen({ agents, incidents: [incident('i', { agentId: 'a' })] }));
		desk.settle(seen({ agents, incidents: [incident('lost')], failover: failover({ popups }) }));
		expect(desk.told).toEqual([`agent:a:ask@${NOON}`, 'popup:p']);
	});

	it('is an urgent incident, and no other', () => {
		const desk = new NoticeDesk();
		const calm = incident('calm', { severity: 'attention' });
		desk.settle(seen({ incidents: [incident('i'), calm, incident('over', { endedAt: NOON })] }));
		expect(desk.shown).toMatchObject([{ key: 'incident:i', agentId: null, about: ['i'] }]);
	});

	it('is a lost provider, with the recommendation or why there is none; not once it was answered', () => {
		const lost = (change = {}) => seen({ failover: failover({ popups: [popup('p', change)] }) });
		const desk = new NoticeDesk();
		desk.see(lost());
		expect(desk.shown[0]).toMatchObject({
			title: "Network lost: Anthropic can't be reached.",
			body: 'Continue locally with qwen3-coder:30b: fits your GPU, handles planning tasks. Your conversation carries over.',
		});
		desk.settle(lost({ turns: [heldTurn('one'), heldTurn('two')], updatedAt: NOON + 1 }));
		expect(desk.shown).toHaveLength(1);
		desk.see(lost({ waiting: true }));
		expect(desk.titles()).toEqual([]);
		const refusing = new NoticeDesk();
		refusing.see(lost({ recommendation: '', refusal: 'No local model holds 190k tokens.' }));
		expect(refusing.shown[0]?.body).toBe('No local model holds 190k tokens.');
	});

	it('is a command that waits for consent, as plain text, until it is over', () => {
		const desk = new NoticeDesk();
		desk.see(seen({ failover: failover({ consents: [consent('c', { target: 'git push\u202E' })] }) }));
		expect(desk.shown).toMatchObject([
			{
				title: 'May shop run Bash?',
				body: 'It overwrites history on a remote, which cannot be undone from here: git push⟨U+202E⟩',
				agentId: null,
				about: ['c'],
			},
		]);
		desk.see(seen({}));
		expect(desk.last?.withdraw).toEqual(['consent:c']);
	});

	it('is taken back when it is answered, and a second time nothing is', () => {
		const desk = new NoticeDesk();
		desk.see(seen({ agents: [asking('a')] }));
		desk.see(seen({ agents: [agent('a')] }));
		expect(desk.last?.withdraw).toEqual([`agent:a:ask@${NOON}`]);
		desk.see(seen({ agents: [] }));
		expect(desk.last?.withdraw).toEqual([]);
	});

	it('is silent when the settings say so, also about the same thing later', () => {
		const desk = new NoticeDesk({ rules: { needsYou: false } });
		const floor = seen({ agents: [asking('a')] });
		desk.see(floor);
		desk.rules = { ...desk.rules, needsYou: true };
		expect(desk.settle(floor)).toEqual([]);
		desk.restart();
		expect(desk.settle(floor)).toEqual([]);
	});

	it('asked once more in other words is the same ask: told once, and still on the screen', () => {
		const desk = new NoticeDesk();
		desk.see(seen({ agents: [asking('a')] }));
		const again = seen({ agents: [asking('a', NOON + 6_000)] });
		desk.now += 6_000;
		expect(desk.settle(again)).toEqual([]);
		expect(desk.titles()).toEqual(['a needs you']);
		desk.restart();
		expect(desk.settle(again)).toEqual([]);
	});

	it('… but a later question is news, and so is a stop', () => {
		const desk = new NoticeDesk();
		desk.see(seen({ agents: [asking('a')] }));
		expect(desk.see(seen({ agents: [asking('a', NOON + 5 * MINUTE)] }), 5 * MINUTE)).toEqual(['a needs you']);
		const stopped = asking('a', NOON + 5 * MINUTE, { level: 'stopped', levelSince: NOON + 5 * MINUTE + 1 });
		expect(desk.settle(seen({ agents: [stopped] }))).toEqual(['a needs you']);
		expect(desk.told.at(-1)).toBe(`agent:a:stop@${NOON + 5 * MINUTE + 1}`);
		expect(desk.titles()).toEqual(['a needs you']);
	});

	it('a stop is one occurrence, whatever its agent goes through meanwhile (U47)', () => {
		const desk = new NoticeDesk();
		const stopped = (since: number) => asking('a', since, { level: 'stopped', levelSince: NOON });
		desk.see(seen({ agents: [stopped(NOON)] }));
		for (let hour = 1; hour < 48; hour += 1) {
			desk.now += 60 * MINUTE;
			if (hour % 5 === 0) desk.restart();
			desk.settle(seen({ agents: [stopped(desk.now)] }));
		}
		expect(desk.told).toEqual([`agent:a:stop@${NOON}`]);
	});

	it('asking again at once waits for the cooldown, holds up nobody else, and is not dropped', () => {
		const desk = new NoticeDesk();
		desk.see(seen({ agents: [asking('a'), agent('b')] }));
		desk.see(seen({ agents: [agent('a'), agent('b')] }), 1_000);
		const again = asking('a', NOON + 2_000);
		expect(desk.see(seen({ agents: [again, agent('b')] }), 1_000)).toEqual([]);
		expect(desk.last?.askAgainAt).toBe(NOON + COOLDOWN_MS);
		const both = seen({ agents: [again, asking('b', NOON + 30_000)] });
		expect(desk.see(both, 28_000)).toEqual(['b needs you']);
		expect(desk.see(both, 30_000)).toEqual(['a needs you']);
	});

	it('a provider that comes and goes is told of once a minute at most', () => {
		const desk = new NoticeDesk();
		for (let flap = 0; flap < 18; flap += 1) {
			const popups = [popup(`p${flap}`, { openedAt: desk.now })];
			desk.see(seen({ failover: failover({ popups }) }));
			desk.see(seen({}), 10_000);
		}
		expect(desk.shown).toHaveLength(3);
	});

	it('a clock that is set back holds nothing up', () => {
		const desk = new NoticeDesk();
		desk.see(seen({ agents: [asking('a')] }));
		const both = seen({ agents: [asking('a', NOON - 60 * MINUTE), asking('b')] });
		expect(desk.see(both, -60 * MINUTE)).toEqual(['2 need you']);
	});
});

describe('a burst', () => {
	const five = ['a', 'b', 'c', 'd', 'e'].map((id, index) => asking(id, NOON + index));

	it('is told of by its first at once; what follows is one notice, counted in place, with one sound', () => {
		const desk = new NoticeDesk({ rules: { soundNeedsYou: true } });
		expect(desk.see(seen({ agents: five.slice(0, 1) }))).toEqual(['a needs you']);
		expect(desk.see(seen({ agents: five.slice(0, 2) }), 500)).toEqual([]);
		expect(desk.see(seen({ agents: five.slice(0, 4) }), 500)).toEqual([]);
		expect(desk.last?.askAgainAt).toBe(NOON + GATHER_MS);
		expect(desk.see(seen({ agents: five.slice(0, 4) }), GATHER_MS - 1_000)).toEqual(['4 need you']);
		expect(desk.last?.withdraw).toEqual([`agent:a:ask@${NOON}`]);
		expect(desk.see(seen({ agents: five }), GATHER_MS)).toEqual(['5 need you']);
		const [first, four, all] = desk.shown;
		expect(four?.key).toBe(all?.key);
		expect(all?.body).toBe('a needs you · b needs you · c needs you and 2 more');
		expect([first?.sound, four?.sound, all?.sound]).toEqual([true, false, false]);
		expect(desk.titles()).toEqual(['5 need you']);
	});

	it('that comes all at once is one notice at once, and stands until the last is answered', () => {
		const desk = new NoticeDesk();
		expect(desk.see(seen({ agents: five }))).toEqual(['5 need you']);
		expect(desk.shown[0]).toMatchObject({ agentId: null, about: [] });
		desk.see(seen({ agents: five.slice(4) }), 1_000);
		expect(desk.titles()).toEqual(['5 need you']);
		desk.see(seen({}), 1_000);
		expect(desk.titles()).toEqual([]);
	});

	it('counts only what still asks', () => {
		const desk = new NoticeDesk();
		desk.see(seen({ agents: five.slice(0, 1) }));
		expect(desk.see(seen({ agents: five.slice(1, 2) }), GATHER_MS)).toEqual(['b needs you']);
		expect(desk.titles()).toEqual(['b needs you']);
	});

	it('is over after a quiet while, and never goes on for ever', () => {
		const desk = new NoticeDesk();
		desk.see(seen({ agents: [asking('a')] }));
		const b = asking('b', NOON + BURST_WINDOW_MS);
		expect(desk.see(seen({ agents: [asking('a'), b] }), BURST_WINDOW_MS)).toEqual(['b needs you']);

		const steady = new NoticeDesk();
		const agents = Array.from({ length: 20 }, (_, index) => asking(`n${index}`, NOON + index * 10_000));
		for (let count = 1; count <= agents.length; count += 1) {
			steady.see(seen({ agents: agents.slice(0, count) }), count === 1 ? 0 : 10_000);
		}
		const keys = new Set(steady.shown.map(({ key }) => key));
		const bursts = Math.ceil((agents.length * 10_000) / BURST_LONGEST_MS);
		expect(keys.size).toBe(bursts * 2);
	});

	it('of the one kind leaves the other alone', () => {
		const desk = new NoticeDesk();
		const turns = { x: [NOON - 10 * MINUTE, NOON], y: [NOON - 10 * MINUTE, NOON] } as const;
		desk.see(seen({ agents: [...five, resting('x'), resting('y')] }, turns));
		expect(desk.titles()).toEqual(['5 need you', '2 turns are done']);
	});
});

describe('a turn that is done', () => {
	const long = { a: [NOON - 12 * MINUTE, NOON] } as const;

	it('is told with how long it took, and taken back when the agent goes on', () => {
		const desk = new NoticeDesk({ rules: { soundDone: true } });
		desk.see(seen({ agents: [resting('a')] }, long));
		expect(desk.shown).toMatchObject([
			{
				key: `done:a@${NOON}`,
				kind: 'done',
				title: 'a is done',
				body: 'Its turn took 12 m. It waits for your next prompt.',
				agentId: 'a',
				sound: true,
			},
		]);
		desk.see(seen({ agents: [agent('a')] }));
		expect(desk.titles()).toEqual([]);
	});

	const work = [{ id: 's', type: 'Explore', since: NOON }];
	it.each([
		['one that was short', resting('a'), [NOON - 4 * MINUTE, NOON]],
		['an agent that has left', agent('a', { state: { ...resting('a').state, kind: 'exited' } }), long.a],
		['one that was stopped by the operator', resting('a', NOON, { standing: 'stopped' }), long.a],
		['one that goes on', agent('a'), long.a],
		['one with a subagent that works on', resting('a', NOON, { subagents: work }), long.a],
		['one that nobody told of', resting('a'), null],
	] as const)('is not %s', (_, view, turn) => {
		const desk = new NoticeDesk();
		expect(desk.settle(seen({ agents: [view] }, turn === null ? {} : { a: turn }))).toEqual([]);
	});

	it('is an agent that asks nothing: a question is told as what it is', () => {
		const desk = new NoticeDesk();
		expect(desk.settle(seen({ agents: [asking('a')] }, long))).toEqual(['a needs you']);
	});

	it('is told when the last subagent ends', () => {
		const desk = new NoticeDesk();
		desk.see(seen({ agents: [resting('a', NOON, { subagents: work })] }, long));
		expect(desk.see(seen({ agents: [resting('a')] }, long), 30 * MINUTE)).toEqual(['a is done']);
	});

	it('stays told while nobody can tell how the agent is', () => {
		const desk = new NoticeDesk();
		desk.see(seen({ agents: [resting('a')] }, long));
		const silent = agent('a', { state: { ...resting('a').state, kind: 'unverifiable' } });
		desk.see(seen({ agents: [silent] }, long), 3 * 60 * MINUTE);
		expect(desk.titles()).toEqual(['a is done']);
	});

	it('comes up with no change of the settings: what was too short then is history', () => {
		const desk = new NoticeDesk();
		const short = seen({ agents: [resting('a')] }, { a: [NOON - 4 * MINUTE, NOON] });
		desk.see(short);
		desk.rules = { ...desk.rules, doneAfterMinutes: 0 };
		expect(desk.settle(short)).toEqual([]);
	});

	it('is no news when it ended long before the start', () => {
		expect(new NoticeDesk({ now: NOON + DAY }).settle(seen({ agents: [resting('a')] }, long))).toEqual([]);
	});
});

describe('the demo', () => {
	const played = asking('x', NOON, { name: 'a\u202Eb', demo: true });

	it('is told of, marked and drawn plainly, while it is all there is; a restart need not know', () => {
		const desk = new NoticeDesk();
		const gone = agent('real', { state: { ...agent('real').state, kind: 'exited' } });
		expect(desk.see(seen({ agents: [played, gone] }))).toEqual(['Demo: a⟨U+202E⟩b needs you']);
		expect([...desk.kept]).toEqual([]);
		desk.see(seen({}), DAY);
		expect(desk.settle(seen({ agents: [played] }))).toEqual([]);
	});

	it('is silent beside real agents, and does not come up when they have left', () => {
		const desk = new NoticeDesk();
		const about = { agentId: 'x' };
		const parts = {
			incidents: [incident('i', about)],
			failover: failover({
				consents: [consent('c', about)],
				popups: [popup('p', { turns: [heldTurn('t', about)] })],
			}),
		};
		expect(desk.settle(seen({ agents: [played, agent('real')], ...parts }))).toEqual([]);
		expect(desk.settle(seen({ agents: [played], ...parts }))).toEqual([]);
	});
});

describe('over a restart', () => {
	it('nothing is told twice, and what an earlier run showed is taken back when it is over', () => {
		const desk = new NoticeDesk();
		const floor = seen({ agents: [asking('a')], incidents: [incident('i')] });
		desk.see(seen({ agents: [asking('a')] }));
		desk.settle(floor);
		desk.restart();
		expect(desk.settle(floor)).toEqual([]);
		desk.see(seen({ incidents: [incident('i')] }));
		expect(desk.last?.withdraw).toEqual([`agent:a:ask@${NOON}`]);
		desk.restart();
		desk.see(seen({}));
		expect(desk.last?.withdraw).toContain('incident:i');
	});

	it('what began meanwhile, or was not told yet, is told once', () => {
		const desk = new NoticeDesk();
		desk.see(seen({ agents: [asking('a')] }));
		const more = seen({ agents: [asking('a'), asking('b', NOON + 1)] });
		// The burst is still gathering.
		expect(desk.see(more, 1_000)).toEqual([]);
		desk.restart();
		expect(desk.settle(more)).toEqual(['b needs you']);
		desk.restart();
		expect(desk.settle(more)).toEqual([]);
	});

	it('an incident that the new run opens anew for the same cause is not news; a later one is', () => {
		const money = { kind: 'spend-limit', title: 'opus has no credit left' };
		const old = incident('old', money);
		const desk = new NoticeDesk();
		desk.see(seen({ incidents: [old] }));
		desk.now += 60 * MINUTE;
		desk.restart([old]);
		const anew = incident('anew', { ...money, openedAt: desk.now + 1_000 });
		expect(desk.settle(seen({ incidents: [anew] }))).toEqual([]);
		desk.restart([anew]);
		expect(desk.settle(seen({ incidents: [anew] }))).toEqual([]);
		const later = incident('later', { ...money, openedAt: desk.now + DAY });
		expect(desk.see(seen({ incidents: [later] }), DAY)).toEqual(['opus has no credit left']);
	});

	it('remembers what stands for as long as it stands, and the rest for a week', () => {
		const desk = new NoticeDesk();
		const stopped = asking('a', NOON, { level: 'stopped', levelSince: NOON });
		desk.see(seen({ agents: [stopped, asking('b')] }));
		for (let day = 0; day < 30; day += 1) desk.see(seen({ agents: [stopped] }), DAY);
		expect([...desk.kept.keys()]).toEqual([`agent:a:stop@${NOON}`]);
	});
});

describe('a notice that could not be shown (U55)', () => {
	it('is told again at the pace of the cooldown until it is shown, also after a restart', () => {
		const desk = new NoticeDesk();
		const floor = seen({ agents: [asking('a')] });
		desk.see(floor);
		for (let tries = 0; tries < 3; tries += 1) {
			desk.fail(`agent:a:ask@${NOON}`);
			expect(desk.see(floor, 1_000)).toEqual([]);
			expect(desk.see(floor, COOLDOWN_MS - 1_000)).toEqual(['a needs you']);
		}
		expect(desk.settle(floor)).toEqual([]);
		desk.fail(`agent:a:ask@${NOON}`);
		desk.restart();
		expect(desk.settle(floor)).toEqual(['a needs you']);
	});

	it('is not told again when what it told of is over; nor does it hold up another', () => {
		const desk = new NoticeDesk();
		desk.see(seen({ agents: [asking('a')] }));
		desk.fail(`agent:a:ask@${NOON}`);
		expect(desk.see(seen({ agents: [asking('b')] }), 1_000)).toEqual(['b needs you']);
		expect(desk.settle(seen({ agents: [asking('b')] }))).toEqual([]);
	});

	it('of a burst tells everybody again', () => {
		const desk = new NoticeDesk();
		const floor = seen({ agents: ['a', 'b', 'c'].map((id) => asking(id)) });
		desk.see(floor);
		desk.fail(desk.shown[0]?.key ?? '');
		expect(desk.settle(floor)).toEqual(['3 need you']);
	});
});
