import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	type Arrangement,
	groupOrder,
	isFolded,
	layoutOf,
	openIds,
	stableLayout,
} from '../../src/renderer/store/floor-layout.ts';
import type { AgentView } from '../../src/shared/agent-view.ts';
import { groupOf } from '../../src/shared/attention.ts';
import type { FailoverView } from '../../src/shared/failover-view.ts';
import { applyDelta, type FloorPicture, pictureOf } from '../../src/shared/picture.ts';
import { failoverViews } from '../support/failover-views.ts';
import { aDelta, anAgent, aSnapshot, aState, NOW } from './agents.ts';

const pictureWith = (...agents: AgentView[]): FloorPicture => pictureOf(aSnapshot(agents));
const byNeed = (filter = ''): Arrangement => ({ filter, grouping: 'need' });
const byRepository: Arrangement = { filter: '', grouping: 'repository' };
const lines = (picture: FloorPicture, filter = '') =>
	layoutOf(picture, byNeed(filter)).groups.map(({ group, ids }) => `${group}: ${ids.join(' ')}`);

const everyKind = [
	anAgent('gone', { state: aState('exited') }),
	anAgent('silent', { state: aState('unverifiable') }),
	anAgent('done', { state: aState('waiting', { reason: 'turn done' }) }),
	anAgent('busy'),
	anAgent('looping', { level: 'steering', standing: 'steering' }),
	anAgent('reading', { level: 'constrained', standing: 'constrained' }),
	anAgent('held', { standing: 'stopped', order: { kind: 'hold', words: '', at: NOW } }),
	anAgent('asking', { state: aState('waiting', { needsYou: true, reason: 'permission for Bash' }) }),
];

describe('the order of the floor', () => {
	it('is what needs the operator first, what is over last', () => {
		expect(lines(pictureWith(...everyKind))).toEqual([
			'needs-you: asking',
			'stopped: held',
			'constrained: reading',
			'steering: looping',
			'working: busy',
			'waiting: done',
			'unverifiable: silent',
			'exited: gone',
		]);
	});

	it('puts who has waited longest first, and who exited last first', () => {
		const asks = (id: string, since: number) =>
			anAgent(id, { state: aState('waiting', { needsYou: true, since }) });
		const left = (id: string, since: number) => anAgent(id, { state: aState('exited', { since }) });
		expect(lines(pictureWith(asks('new', 9), asks('old', 1), left('early', 1), left('late', 9)))).toEqual([
			'needs-you: old new',
			'exited: late early',
		]);
	});

	it('does not depend on the order in which agents became known', () => {
		fc.assert(
			fc.property(fc.shuffledSubarray(everyKind, { minLength: everyKind.length }), (agents) => {
				expect(layoutOf(pictureWith(...agents), byNeed())).toEqual(
					layoutOf(pictureWith(...everyKind), byNeed()),
				);
			}),
		);
	});

	it('loses and doubles no agent', () => {
		const layout = layoutOf(pictureWith(...everyKind), byNeed());
		expect(layout.groups.flatMap(({ ids }) => ids).sort()).toEqual(everyKind.map(({ id }) => id).sort());
		expect(layout).toMatchObject({ total: everyKind.length, shown: everyKind.length });
		expect(new Set(everyKind.map(groupOf))).toEqual(new Set(groupOrder));
	});
});

describe('an agent that a question is about', () => {
	const make = failoverViews(NOW);
	const pictureAsking = (failover: Partial<FailoverView>, ...agents: AgentView[]) =>
		pictureOf(aSnapshot(agents, { failover: make.failover(failover) }));
	const asking = make.popup('p', { turns: [make.heldTurn('t', { agentId: 'busy' })] });

	it('needs you while its turn is held for an answer, and not while it waits for the network', () => {
		const agents = [anAgent('busy'), anAgent('other')];
		expect(lines(pictureAsking({ popups: [asking] }, ...agents))).toEqual([
			'needs-you: busy',
			'working: other',
		]);
		expect(lines(pictureAsking({ popups: [{ ...asking, waiting: true }] }, ...agents))).toEqual([
			'working: busy other',
		]);
		expect(lines(pictureAsking({ popups: [asking] }, ...agents), 'needs you')).toEqual(['needs-you: busy']);
	});

	it('needs you while its command wants consent, longest first, whatever its rung', () => {
		const consents = [make.consent('c', { agentId: 'looping', askedAt: NOW - 60_000 })];
		expect(lines(pictureAsking({ popups: [asking], consents }, ...everyKind))[0]).toBe(
			'needs-you: asking looping busy',
		);
	});

	it('needs nobody once it has exited', () => {
		const gone = anAgent('busy', { state: aState('exited') });
		expect(lines(pictureAsking({ popups: [asking] }, gone))).toEqual(['exited: busy']);
	});

	it('moves when the question comes, though no agent changed', () => {
		const select = stableLayout(byNeed());
		const before = pictureWith(anAgent('busy'));
		select(before);
		const after = applyDelta(before, aDelta(11, { failover: make.failover({ popups: [asking] }) }));
		expect(select(after).groups.map(({ group }) => group)).toEqual(['needs-you']);
	});
});

describe('the filter', () => {
	it.each([
		['asking', 'needs-you: asking'],
		['NEEDS you', 'needs-you: asking'],
		['constrained', 'constrained: reading'],
		['/home/ada code/busy', 'working: busy'],
		['permission sonnet', 'needs-you: asking'],
		['nothing of the kind', undefined],
	])('%s', (filter, line) => {
		expect(lines(pictureWith(...everyKind), filter)).toEqual(line === undefined ? [] : [line]);
	});

	it('still counts everybody', () => {
		expect(layoutOf(pictureWith(...everyKind), byNeed('asking'))).toMatchObject({ total: 8, shown: 1 });
	});
});

describe('a layout that stays', () => {
	it('is the same object while nothing moved, and shares the groups that did not', () => {
		const select = stableLayout(byNeed());
		const before = pictureWith(...everyKind);
		const first = select(before);
		const typing = applyDelta(
			before,
			aDelta(11, { agents: [anAgent('busy', { outputTokensPerMinute: 900 })] }),
		);
		expect(select(typing)).toBe(first);
		const climbed = applyDelta(
			typing,
			aDelta(12, { agents: [anAgent('busy', { level: 'steering', standing: 'steering' })] }),
		);
		const second = select(climbed);
		expect(second).not.toBe(first);
		const groupIn = (layout: typeof first, name: string) => layout.groups.find(({ group }) => group === name);
		expect(groupIn(second, 'waiting')).toBe(groupIn(first, 'waiting'));
		expect(groupIn(second, 'steering')?.ids).toEqual(['busy', 'looping']);
	});
});

describe('agents by repository', () => {
	const at = (name: string) => ({ repository: { name, path: `/home/ada/code/${name}` } });
	const calm = anAgent('calm', at('alpha'));
	const looping = anAgent('looping', { ...at('zeta'), level: 'steering', standing: 'steering' });
	const asking = anAgent('asking', { ...at('zeta'), state: aState('waiting', { needsYou: true }) });
	const idle = anAgent('idle', { ...at('beta'), state: aState('waiting') });
	const loose = anAgent('loose', { directory: '/srv/notes' });
	const gone = anAgent('gone', { ...at('alpha'), state: aState('exited') });
	const told = (...agents: AgentView[]) =>
		layoutOf(pictureWith(...agents), byRepository).groups.map(
			({ title, path, ids, tally }) =>
				`${title} (${path}): ${ids.join(' ')}; ${tally.map(([need, agents]) => `${agents} ${need}`).join(', ')}`,
		);

	it('puts those that need you first, then the worst level, then the name; without a repository its directory', () => {
		expect(told(loose, idle, calm, looping)).toEqual([
			'zeta (/home/ada/code/zeta): looping; 1 steering',
			'alpha (/home/ada/code/alpha): calm; 1 working',
			'beta (/home/ada/code/beta): idle; 1 waiting',
			'notes (/srv/notes): loose; 1 working',
		]);
		expect(told(calm, anAgent('held', { ...at('beta'), standing: 'stopped' }), looping, asking)[0]).toBe(
			'zeta (/home/ada/code/zeta): asking looping; 1 needs-you, 1 steering',
		);
	});

	it('keeps what has exited apart, folded', () => {
		const layout = layoutOf(pictureWith(gone, calm), byRepository);
		expect(layout.groups.map(({ key }) => key)).toEqual(['repository /home/ada/code/alpha', 'need exited']);
		expect(openIds(layout, {})).toEqual(['calm']);
		expect(openIds(layout, { 'need exited': false })).toEqual(['calm', 'gone']);
		expect(openIds(layout, { 'repository /home/ada/code/alpha': true })).toEqual([]);
		expect(layout.groups.map((group) => isFolded(group, {}))).toEqual([false, true]);
	});

	it('tells two repositories of one name apart', () => {
		const other = anAgent('other', { repository: { name: 'alpha', path: '/srv/alpha' } });
		expect(told(calm, other)).toHaveLength(2);
	});
});

describe('a layout that is kept up to date', () => {
	const needs: Partial<AgentView>[] = [
		{},
		{ state: aState('waiting') },
		{ state: aState('waiting', { needsYou: true }) },
		{ state: aState('exited') },
		{ level: 'steering', standing: 'steering' },
		{ repository: { name: 'one', path: '/r/one' } },
		{ outputTokensPerMinute: 7 },
	];
	const writes = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.nat(needs.length)), {
		maxLength: 12,
	});

	it.each([byNeed(), byNeed('waiting'), byRepository])(
		'is what it would be from nothing: %o',
		(arrangement) => {
			fc.assert(
				fc.property(writes, (order) => {
					const select = stableLayout(arrangement);
					let picture = pictureWith(anAgent('a'), anAgent('b'));
					select(picture);
					for (const [at, [id, need]] of order.entries()) {
						const change = needs[need];
						picture = applyDelta(
							picture,
							aDelta(11 + at, change ? { agents: [anAgent(id, change)] } : { removedAgentIds: [id] }),
						);
						expect(select(picture)).toEqual(layoutOf(picture, arrangement));
					}
				}),
			);
		},
	);
});
