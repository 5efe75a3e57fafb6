import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionsFor } from '../../src/renderer/store/agent-actions.ts';
import { groupOf } from '../../src/shared/attention.ts';
import type { FloorSnapshot } from '../../src/shared/snapshot.ts';
import {
	composeTray,
	LABEL_LIMIT,
	TOOLTIP_LIMIT,
	TRAY_CHAIN_LIMIT,
	TRAY_LIST_LIMIT,
	type TrayPicture,
} from '../../src/shared/tray.ts';
import {
	agent,
	anyFloor,
	chains,
	consent,
	failover,
	floor,
	heldTurn,
	incident,
	NOON,
	needyAgent,
	popup,
	status,
} from './floor-fixture.ts';

const labels = (picture: TrayPicture): string[] =>
	picture.menu.flatMap((item) => (item.kind === 'separator' ? [] : [item.label]));

/** Labels that stand for one agent or incident. */
const listed = (picture: TrayPicture): string[] =>
	labels(picture).filter((label) => /^[A-Z][a-z ]+: /.test(label) && !label.startsWith('Agent Floor'));

const live = (demo = false) => agent('calm', { demo });
const climbed = (level: 'steering' | 'constrained' | 'stopped') =>
	agent(level, { level, standing: level, levelReason: `because of ${level}` });

describe('groupOf an agent that has exited', () => {
	const exited = { kind: 'exited', reason: '', needsYou: false, since: NOON, lastHeardAt: NOON } as const;
	const under = (kind: 'hold' | 'constrain' | 'stop') => ({ kind, words: '', at: NOON });

	it.each([
		['stopped by the ladder', { level: 'stopped', standing: 'stopped' }, 'stopped'],
		['stopped by order', { standing: 'stopped', order: under('stop') }, 'stopped'],
		['held by order', { standing: 'stopped', order: under('hold') }, 'stopped'],
		['constrained by order', { standing: 'constrained', order: under('constrain') }, 'constrained'],
		['constrained by the ladder alone', { level: 'constrained', standing: 'constrained' }, 'exited'],
		['free', {}, 'exited'],
	] as const)('%s', (_name, change, group) => {
		const gone = agent('gone', { ...change, state: exited });
		expect(groupOf(gone)).toBe(group);
		// Whoever is not folded away can be resumed, and the other way round.
		expect(actionsFor(gone)).toEqual(group === 'exited' ? [] : ['resume']);
	});

	it('is counted and listed with its rung', () => {
		const gone = agent('gone', { standing: 'stopped', order: under('stop'), state: exited });
		const picture = composeTray(floor({ agents: [gone] }), NOON);
		expect(picture.tooltip).toBe('Agent Floor: 1 stopped');
		expect(listed(picture)).toEqual(['Stopped: gone – stopped by you, exited']);
		expect(picture.badge.count).toBe(0);
	});
});

describe('composeTray', () => {
	const table: {
		name: string;
		floor: FloorSnapshot | null;
		icon: TrayPicture['icon'];
		tooltip: string;
		count: number;
		description: string;
	}[] = [
		{
			name: 'the engine does not answer',
			floor: null,
			icon: 'lost',
			tooltip: 'Agent Floor: the floor does not answer; agents are not watched',
			count: 0,
			description: 'The floor does not answer',
		},
		{
			name: 'an empty floor',
			floor: floor(),
			icon: 'calm',
			tooltip: 'Agent Floor: no agent is running',
			count: 0,
			description: 'Nothing needs you',
		},
		{
			name: 'agents at work',
			floor: floor({ agents: [live(), agent('second')] }),
			icon: 'calm',
			tooltip: 'Agent Floor: 2 working',
			count: 0,
			description: 'Nothing needs you',
		},
		{
			name: 'one that needs the operator, among others',
			floor: floor({
				agents: [climbed('steering'), climbed('constrained'), climbed('stopped'), needyAgent('ask'), live()],
			}),
			icon: 'urgent',
			tooltip: 'Agent Floor: 1 needs you · 1 stopped · 1 constrained · 1 steering · 1 working',
			count: 1,
			description: '1 needs you',
		},
		{
			name: 'the ladder has acted and nobody is needed',
			floor: floor({ agents: [climbed('steering')] }),
			icon: 'attention',
			tooltip: 'Agent Floor: 1 steering',
			count: 0,
			description: 'Nothing needs you',
		},
		{
			name: 'only the orders of the operator stand',
			floor: floor({
				agents: [agent('held', { standing: 'stopped', order: { kind: 'hold', words: '', at: NOON } })],
			}),
			icon: 'calm',
			tooltip: 'Agent Floor: 1 held',
			count: 0,
			description: 'Nothing needs you',
		},
		{
			name: 'an agent that exited while it asked needs nobody',
			floor: floor({
				agents: [
					needyAgent('gone', {
						level: 'stopped',
						state: {
							kind: 'exited',
							reason: 'session ended',
							needsYou: true,
							since: NOON,
							lastHeardAt: NOON,
						},
					}),
				],
			}),
			icon: 'calm',
			tooltip: 'Agent Floor: no agent is running',
			count: 0,
			description: 'Nothing needs you',
		},
		{
			name: 'the demo',
			floor: floor({
				agents: [needyAgent('a', { demo: true }), needyAgent('b')],
				status: status({ demo: true }),
			}),
			icon: 'urgent',
			tooltip: 'Agent Floor (demo): 2 need you',
			count: 2,
			description: '2 need you (1 of the demo)',
		},
		{
			name: 'an urgent incident of the floor itself',
			floor: floor({ incidents: [incident('store'), incident('old', { endedAt: NOON })] }),
			icon: 'urgent',
			tooltip: 'Agent Floor: 1 needs you',
			count: 1,
			description: '1 needs you',
		},
		{
			name: 'an incident about an agent that is counted already',
			floor: floor({ agents: [needyAgent('ask')], incidents: [incident('x', { agentId: 'ask' })] }),
			icon: 'urgent',
			tooltip: 'Agent Floor: 1 needs you',
			count: 1,
			description: '1 needs you',
		},
		{
			name: 'a lost provider: the popup and its incident are one cause',
			floor: floor({
				incidents: [incident('lost')],
				failover: failover({ popups: [popup('p', { incidentId: 'lost' })] }),
			}),
			icon: 'urgent',
			tooltip: 'Agent Floor: 1 needs you',
			count: 1,
			description: '1 needs you',
		},
		{
			name: 'a lost provider whose turns wait for the network, as the operator chose',
			floor: floor({
				agents: [live()],
				incidents: [incident('lost')],
				failover: failover({ popups: [popup('p', { incidentId: 'lost', waiting: true })] }),
			}),
			icon: 'attention',
			tooltip: 'Agent Floor: 1 working',
			count: 0,
			description: 'Nothing needs you',
		},
		{
			name: 'a lost provider whose turns have all gone on',
			floor: floor({
				incidents: [incident('lost')],
				failover: failover({
					popups: [popup('p', { incidentId: 'lost', turns: [heldTurn('t', { state: 'switching' })] })],
				}),
			}),
			icon: 'attention',
			tooltip: 'Agent Floor: no agent is running',
			count: 0,
			description: 'Nothing needs you',
		},
		{
			name: 'two popups, a consent and an agent that asks',
			floor: floor({
				agents: [needyAgent('ask')],
				failover: failover({ popups: [popup('p'), popup('q')], consents: [consent('c')] }),
			}),
			icon: 'urgent',
			tooltip: 'Agent Floor: 4 need you',
			count: 4,
			description: '4 need you',
		},
		{
			name: 'a heartbeat that stopped',
			floor: floor({ agents: [needyAgent('ask')], status: status({ nextBeatAt: NOON - 90_001 }) }),
			icon: 'lost',
			tooltip: 'Agent Floor: 1 needs you · The heartbeat is late: what is shown may be old',
			count: 1,
			description: '1 needs you',
		},
		{
			name: 'a heartbeat that is late within three beats',
			floor: floor({ status: status({ nextBeatAt: NOON - 90_000 }) }),
			icon: 'calm',
			tooltip: 'Agent Floor: no agent is running',
			count: 0,
			description: 'Nothing needs you',
		},
		{
			name: 'another tier',
			floor: floor({
				agents: [live()],
				status: status({ tier: 'LOCAL-ONLY', tierReason: 'the provider is down' }),
			}),
			icon: 'calm',
			tooltip: 'Agent Floor: 1 working · LOCAL-ONLY: the provider is down',
			count: 0,
			description: 'Nothing needs you',
		},
	];

	it.each(table)('$name', ({ floor: seen, icon, tooltip, count, description }) => {
		const picture = composeTray(seen, NOON);
		expect({ icon: picture.icon, tooltip: picture.tooltip, badge: picture.badge }).toEqual({
			icon,
			tooltip,
			badge: { count, description },
		});
	});

	describe('limited models', () => {
		const { models, chain, open, halfOpen, held, exhausted, unaided, spent } = chains;
		const money = incident('money', { kind: 'spend-limit' });
		const composed = (view: Parameters<typeof models>[0], change: Partial<FloorSnapshot> = {}) =>
			composeTray(floor({ agents: [live()], models: models(view), ...change }), NOON, 'UTC');
		const texts = (picture: TrayPicture) =>
			picture.menu.flatMap((item) => (item.kind === 'text' ? [item.label] : []));

		it.each([
			['none limited', [chain()], 'calm', '1 working', []],
			[
				'one gives way to a fallback: named, and it needs nobody',
				[open()],
				'calm',
				'1 working · claude-sonnet-5 is rate-limited: gpt-5.4-mini stands in until 12:08',
				['claude-sonnet-5 is rate-limited: gpt-5.4-mini stands in until 12:08'],
			],
			[
				'one is tested',
				[halfOpen()],
				'calm',
				'1 working · claude-sonnet-5 was rate-limited and is being tested: gpt-5.4-mini stands in',
				['claude-sonnet-5 was rate-limited and is being tested: gpt-5.4-mini stands in'],
			],
			[
				'one is held',
				[held()],
				'calm',
				'1 working · claude-sonnet-5 is held on gpt-5.4-mini by you',
				['claude-sonnet-5 is held on gpt-5.4-mini by you'],
			],
			[
				'a whole chain is limited',
				[exhausted()],
				'attention',
				'1 working · claude-sonnet-5 and all its fallbacks are rate-limited until 12:02',
				['claude-sonnet-5 and all its fallbacks are rate-limited until 12:02'],
			],
			[
				'one without a fallback',
				[unaided()],
				'attention',
				'1 working · claude-sonnet-5 is rate-limited until 12:08: it has no fallback, calls still go to it',
				['claude-sonnet-5 is rate-limited until 12:08: it has no fallback, calls still go to it'],
			],
			[
				'money ran out, and its incident was dismissed',
				[spent()],
				'attention',
				'1 working · claude-sonnet-5 has reached a spending limit: waiting does not help',
				['claude-sonnet-5 has reached a spending limit: waiting does not help'],
			],
			[
				'several: the first in the tooltip',
				[open({ id: 'b' }), exhausted({ id: 'c', preferredModel: 'gpt-5.4' })],
				'attention',
				'1 working · gpt-5.4 and all its fallbacks are rate-limited until 12:02, and 1 more',
				[
					'gpt-5.4 and all its fallbacks are rate-limited until 12:02',
					'claude-sonnet-5 is rate-limited: gpt-5.4-mini stands in until 12:08',
				],
			],
		] as const)('%s', (_name, view, icon, tooltip, lines) => {
			const picture = composed(view);
			expect(picture).toMatchObject({ icon, tooltip: `Agent Floor: ${tooltip}`, badge: { count: 0 } });
			expect(texts(picture).slice(1)).toEqual(lines);
		});

		it('are counted once: by the incident that asks for money, not beside it', () => {
			const picture = composed([spent()], { incidents: [money] });
			expect(picture).toMatchObject({ icon: 'urgent', badge: { count: 1 } });
			expect(labels(picture).filter((label) => /money|spending/.test(label))).toEqual([
				'Needs you: Something is wrong with money',
			]);
		});

		it('are still named where money ran out too', () => {
			const spendLimit = spent().spendLimit;
			expect(texts(composed([open({ spendLimit })], { incidents: [money] }))).toContain(
				'claude-sonnet-5 is rate-limited: gpt-5.4-mini stands in until 12:08',
			);
		});

		it('are counted where there are more than the menu has room for', () => {
			const many = Array.from({ length: TRAY_CHAIN_LIMIT + 2 }, (_, n) => open({ id: `chain-${n}` }));
			const lines = texts(composed(many)).slice(1);
			expect(lines).toHaveLength(TRAY_CHAIN_LIMIT + 1);
			expect(lines.at(-1)).toBe('and 2 more models');
		});

		it('give the same picture while nothing but the clock changes, so that an open menu stays open', () => {
			const seen = floor({ models: models([open(), exhausted({ id: 'x' })]) });
			const pictures = Array.from({ length: 60 }, (_, second) =>
				composeTray(seen, NOON + second * 1000, 'UTC'),
			);
			for (const picture of pictures) expect(picture).toEqual(pictures[0]);
		});
	});

	it('lists what matters most first, then what has waited longest, in words', () => {
		const older = {
			kind: 'waiting',
			reason: 'a question',
			needsYou: true,
			since: NOON - 9,
			lastHeardAt: NOON,
		} as const;
		const picture = composeTray(
			floor({
				agents: [
					live(),
					climbed('steering'),
					agent('silent', {
						state: {
							kind: 'unverifiable',
							reason: 'nothing heard',
							needsYou: false,
							since: NOON,
							lastHeardAt: NOON - 4 * 60_000,
						},
					}),
					needyAgent('younger', { demo: true }),
					needyAgent('older', { state: older }),
					climbed('stopped'),
					climbed('constrained'),
				],
			}),
			NOON,
		);
		expect(labels(picture)).toEqual([
			'Agent Floor: 2 need you · 1 stopped · 1 constrained · 1 steering · 1 working · 1 unverifiable',
			'Needs you: older – a question',
			'Needs you: younger (demo) – may it run Bash?',
			'Stopped: stopped – because of stopped',
			'Constrained: constrained – because of constrained',
			'Steering: steering – because of steering',
			'Working: calm',
			'Unverifiable: silent – not heard from for minutes',
			'Show the floor',
			'Quit Agent Floor',
		]);
	});

	it('composes for callers that know nothing of failover', () => {
		const { status: its, agents, incidents } = floor({ agents: [needyAgent('a')] });
		expect(composeTray({ status: its, agents, incidents }, NOON).badge.count).toBe(1);
	});

	it('names what is lost and what asks for consent, as plain text, the longest waiting first', () => {
		const picture = composeTray(
			floor({
				failover: failover({
					consents: [consent('c', { target: 'git push\u202E', askedAt: NOON - 1 })],
					popups: [popup('p', { openedAt: NOON - 2 })],
				}),
			}),
			NOON,
		);
		expect(listed(picture)).toEqual([
			"Needs you: Network lost: Anthropic can't be reached.",
			'Needs you: shop – may it run Bash: git push⟨U+202E⟩',
		]);
	});

	it('says of an agent what it waits for, and counts it with its question', () => {
		const held = (waiting: boolean) =>
			composeTray(
				floor({
					agents: [agent('shop'), agent('other')],
					failover: failover({ popups: [popup('p', { waiting })] }),
				}),
				NOON,
			);
		expect(held(false).tooltip).toContain('Agent Floor: 1 needs you · 1 working');
		expect(listed(held(false))).toContain('Needs you: shop – turn held, Anthropic is lost');
		expect(held(true).tooltip).toContain('Agent Floor: 2 working');
		expect(listed(held(true))).toContain('Working: shop – turn held until Anthropic is back');
		const wanting = composeTray(
			floor({ agents: [agent('shop')], failover: failover({ consents: [consent('c')] }) }),
			NOON,
		);
		expect(listed(wanting)).toContain('Needs you: shop – wants your consent');
		expect(wanting.badge.count).toBe(1);
	});

	it('calls a held agent held, beside the stopped', () => {
		const held = agent('mine', { standing: 'stopped', order: { kind: 'hold', words: '', at: NOON } });
		const picture = composeTray(floor({ agents: [held, climbed('stopped')] }), NOON);
		expect(picture.tooltip).toBe('Agent Floor: 1 stopped · 1 held');
		expect(listed(picture)).toContain('Held: mine – held by you');
	});

	it('counts all and lists the first, with "and n more"', () => {
		const agents = Array.from({ length: TRAY_LIST_LIMIT + 3 }, (_, n) => needyAgent(`agent-${n}`));
		const picture = composeTray(floor({ agents }), NOON);
		expect(picture.badge.count).toBe(TRAY_LIST_LIMIT + 3);
		expect(picture.title).toBe(`(${TRAY_LIST_LIMIT + 3}) Agent Floor`);
		expect(listed(picture)).toHaveLength(TRAY_LIST_LIMIT);
		expect(labels(picture)).toContain('and 3 more');
	});

	it('shows a hostile name as one plain line', () => {
		const name = `evil\u202Egnp.exe\n\u001B[31m${'x'.repeat(500)}`;
		const [line] = listed(composeTray(floor({ agents: [needyAgent('a', { name })] }), NOON));
		expect(line).toBe('Needs you: evil⟨U+202E⟩gnp.exe ␛[31mxxxxxxxxxxxxxx… – may it run Bash?');
	});

	it('never throws, and counts exactly what needs the operator, for any floor', () => {
		fc.assert(
			fc.property(anyFloor, fc.integer({ min: 0, max: NOON * 2 }), (seen, now) => {
				const picture = composeTray(seen, now);
				const asking = new Set(
					seen.agents.filter((one) => groupOf(one) === 'needs-you').map((one) => one.id),
				);
				const alone = seen.incidents.filter(
					(one) =>
						one.endedAt === null &&
						one.severity === 'urgent' &&
						!seen.failover.popups.some((popup) => popup.incidentId === one.id) &&
						!(one.agentId !== null && asking.has(one.agentId)),
				);
				const asked = seen.failover.popups.filter(
					({ waiting, turns }) => !waiting && turns.some(({ state }) => state === 'asking'),
				);
				const others = alone.length + asked.length + seen.failover.consents.length;
				expect(picture.badge.count).toBe(asking.size + others);
				expect(picture.title.startsWith('(')).toBe(picture.badge.count > 0);
				expect([...picture.tooltip].length).toBeLessThanOrEqual(TOOLTIP_LIMIT);
				// Listed and "more" together are everything that has not exited.
				const present = seen.agents.filter((one) => groupOf(one) !== 'exited').length + others;
				const items = picture.menu.filter(
					(item) => item.kind === 'command' && !['Show the floor', 'Quit Agent Floor'].includes(item.label),
				);
				expect(items).toHaveLength(Math.min(present, TRAY_LIST_LIMIT) + (present > TRAY_LIST_LIMIT ? 1 : 0));
				for (const label of labels(picture)) {
					expect(label).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
					expect([...label].length).toBeLessThanOrEqual(LABEL_LIMIT);
				}
			}),
		);
	});

	it('gives the same picture for any order of agents and incidents', () => {
		fc.assert(
			fc.property(anyFloor, fc.infiniteStream(fc.nat()), (seen, keys) => {
				const shuffled = <T>(list: readonly T[]): T[] =>
					list
						.map((item) => ({ item, key: keys.next().value ?? 0 }))
						.sort((a, b) => a.key - b.key)
						.map(({ item }) => item);
				const other = {
					...seen,
					agents: shuffled(seen.agents),
					incidents: shuffled(seen.incidents),
					failover: {
						...seen.failover,
						popups: shuffled(seen.failover.popups),
						consents: shuffled(seen.failover.consents),
					},
					models: { ...seen.models, chains: shuffled(seen.models.chains) },
				};
				expect(composeTray(other, NOON)).toEqual(composeTray(seen, NOON));
			}),
		);
	});
});
