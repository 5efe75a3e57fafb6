import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announcementsBetween } from '../../src/renderer/store/announcements.ts';
import { Announcer, inOneBreath } from '../../src/renderer/store/announcer.ts';
import type { AgentView } from '../../src/shared/agent-view.ts';
import type { FailoverView } from '../../src/shared/failover-view.ts';
import { minuteWords } from '../../src/shared/format.ts';
import type { ModelChainView } from '../../src/shared/models-view.ts';
import { emptyPicture, pictureOf } from '../../src/shared/picture.ts';
import type { FloorSnapshot } from '../../src/shared/snapshot.ts';
import { failoverViews } from '../support/failover-views.ts';
import { modelViews } from '../support/model-views.ts';
import { anAgent, anIncident, aPassedCap, aSnapshot, aState, aStatus, NOW } from './agents.ts';

const heard = (before: AgentView[], after: AgentView[]) =>
	announcementsBetween(pictureOf(aSnapshot(before)), pictureOf(aSnapshot(after))).map(
		({ urgency, text }) => `${urgency}: ${text}`,
	);

const steering = anAgent('api', {
	level: 'steering',
	standing: 'steering',
	levelReason: 'same call 9 times',
});
const asking = anAgent('api', {
	state: aState('waiting', { needsYou: true, reason: 'permission for Bash' }),
});

describe('what is announced', () => {
	it('is nothing for the first snapshot', () => {
		expect(announcementsBetween(emptyPicture, pictureOf(aSnapshot([steering, asking])))).toEqual([]);
	});

	it('is every change of level, politely, with its reason', () => {
		expect(heard([anAgent('api')], [steering])).toEqual(['polite: api is steering: same call 9 times']);
		expect(heard([steering], [anAgent('api')])).toEqual(['polite: api is healthy again']);
	});

	it('is an agent that waits for the operator, assertively, once', () => {
		expect(heard([anAgent('api')], [asking])).toEqual(['assertive: api waits for you: permission for Bash']);
		expect(heard([asking], [{ ...asking, lastTools: [] }])).toEqual([]);
		expect(heard([], [asking])).toEqual(['assertive: api waits for you: permission for Bash']);
	});

	it('is an agent that was stopped, assertively, and by whom', () => {
		const order = { kind: 'stop', words: '', at: NOW } as const;
		expect(heard([anAgent('api')], [anAgent('api', { standing: 'stopped', order })])).toEqual([
			'assertive: api is stopped: by your order',
		]);
		const held = anAgent('api', { standing: 'stopped', order: { ...order, kind: 'hold' } });
		expect(heard([anAgent('api')], [held])).toEqual(['assertive: api is held by your order']);
		const laddered = anAgent('api', { level: 'stopped', standing: 'stopped', levelReason: 'still looping' });
		expect(heard([anAgent('api')], [laddered])).toEqual(['assertive: api is stopped: still looping']);
	});

	it('is a cap that was passed, once, whatever the ladder does then', () => {
		const over = (level: AgentView['level'], count: number) =>
			anAgent('api', {
				level,
				standing: level,
				levelReason: `Spent ${count} work tokens`,
				evidence: aPassedCap({ count }),
			});
		expect(heard([anAgent('api')], [over('steering', 512_300)])).toEqual([
			'polite: api has passed its cap of 500\u00a0000 work tokens',
			'polite: api is steering',
		]);
		expect(heard([over('steering', 512_300)], [over('steering', 530_000)])).toEqual([]);
		expect(heard([over('steering', 530_000)], [over('constrained', 540_000)])).toEqual([
			'polite: api is constrained',
		]);
	});

	it('is a cap of the floor once for all agents that it meets, and again when it was raised', () => {
		const meets = (id: string, limit: number) =>
			anAgent(id, { evidence: aPassedCap({ arm: 'cost-cap', unit: 'USD', count: 40, limit }) });
		const said = 'polite: The floor has passed its cap of $10.00';
		expect(heard([anAgent('a'), anAgent('b')], [meets('a', 10), anAgent('b')])).toEqual([said]);
		expect(heard([meets('a', 10), anAgent('b')], [anAgent('a'), meets('b', 10)])).toEqual([]);
		expect(heard([meets('a', 10)], [meets('a', 15)])).toEqual([
			'polite: The floor has passed its cap of $15.00',
		]);
	});

	it('is no cap again that is still passed while nobody spends', () => {
		const arms = [
			{
				arm: 'cost-cap',
				counted: '',
				count: 12,
				limit: 10,
				unit: 'USD',
				note: 'It spends nothing.',
			} as const,
		];
		const spending = anAgent('a', {
			arms,
			evidence: aPassedCap({ arm: 'cost-cap', unit: 'USD', count: 12, limit: 10 }),
		});
		const resting = anAgent('a', { arms });
		expect(heard([anAgent('a')], [resting])).toHaveLength(1);
		expect(heard([spending], [resting])).toEqual([]);
		expect(heard([resting], [spending])).toEqual([]);
	});

	it('is not the ordinary work of an agent', () => {
		const working = anAgent('api', { outputTokensPerMinute: 100, model: 'other' });
		expect(heard([anAgent('api')], [working, anAgent('new')])).toEqual([]);
	});

	it('is nothing of agents that only tell again what is known, whoever else changes', () => {
		const many = Array.from({ length: 200 }, (_, at) =>
			anAgent(`agent-${at}`, {
				level: at % 2 === 0 ? 'steering' : 'healthy',
				standing: at % 2 === 0 ? 'steering' : 'healthy',
				state: at % 5 === 0 ? aState('waiting', { needsYou: true, reason: 'permission' }) : aState('live'),
			}),
		);
		const again = many.map((agent) => ({
			...agent,
			state: { ...agent.state, lastHeardAt: NOW },
			levelReason: 'told again',
			outputTokensPerMinute: 12,
		}));
		expect(heard(many, again)).toEqual([]);
		expect(heard(many, [...again.slice(1), anAgent('agent-0')])).toEqual([
			'polite: agent-0 is healthy again',
		]);
	});

	it('interrupts for nothing but a stop and what needs the operator', () => {
		const kinds = [
			anAgent('a', { level: 'steering', standing: 'steering' }),
			anAgent('a', { level: 'constrained', standing: 'constrained' }),
			anAgent('a', { standing: 'constrained', order: { kind: 'constrain', words: '', at: NOW } }),
			anAgent('a', { state: aState('exited', { reason: 'it crashed' }) }),
			anAgent('a', { state: aState('waiting', { reason: 'turn done' }) }),
			anAgent('a', { state: aState('unverifiable') }),
			anAgent('a', { evidence: aPassedCap() }),
		];
		for (const after of kinds) {
			expect(heard([anAgent('a')], [after]).filter((said) => said.startsWith('assertive'))).toEqual([]);
		}
	});

	it('shows hidden characters of a name instead of speaking them', () => {
		const named = { ...steering, name: 'api\u202Egnp' };
		expect(heard([anAgent('api')], [named])[0]).toContain('api⟨U+202E⟩gnp');
	});
});

describe('what is announced of failover', () => {
	const make = failoverViews(NOW);
	type Scene = Partial<FailoverView> & { readonly snapshot?: Partial<FloorSnapshot> };
	const pictured = ({ snapshot, ...failover }: Scene) =>
		pictureOf(aSnapshot([], { failover: make.failover(failover), ...snapshot }));
	const said = (before: Scene, after: Scene) =>
		announcementsBetween(pictured(before), pictured(after)).map(({ urgency, text }) => `${urgency}: ${text}`);
	const popup = make.popup('p');

	it('is a lost provider with its recommendation, assertively, once', () => {
		expect(said({}, { popups: [popup] })).toEqual([
			"assertive: Network lost: Anthropic can't be reached. Continue locally with qwen3-coder:30b: fits your GPU, handles planning tasks. Your conversation carries over",
		]);
		expect(said({ popups: [popup] }, { popups: [{ ...popup, updatedAt: NOW }] })).toEqual([]);
		expect(said({ popups: [popup] }, { popups: [{ ...popup, waiting: true }] })).toEqual([]);
	});

	it('is a popup that begins to ask again, and the refusal where nothing fits', () => {
		const refusing = { ...popup, recommendation: '', refusal: 'Nothing holds it.' };
		expect(said({ popups: [{ ...refusing, waiting: true }] }, { popups: [refusing] })).toEqual([
			"assertive: Network lost: Anthropic can't be reached. Nothing holds it",
		]);
	});

	it('is that it is over, politely, with the reason', () => {
		const ended = anIncident('incident-p', { endedAt: NOW, endReason: 'Anthropic answers again' });
		expect(said({ popups: [popup] }, { snapshot: { incidents: [ended] } })).toEqual([
			"polite: Over: Network lost: Anthropic can't be reached. Anthropic answers again",
		]);
		expect(said({ popups: [popup] }, { snapshot: { incidents: [anIncident('incident-p')] } })).toEqual([]);
	});

	it('is a command that wants consent, and that its question expired', () => {
		const consent = make.consent('c', { target: 'git push\u202E' });
		expect(said({}, { consents: [consent] })).toEqual([
			'assertive: shop waits for your consent to run Bash: git push⟨U+202E⟩',
		]);
		expect(said({ consents: [consent] }, { snapshot: { at: consent.expiresAt } })).toEqual([
			'polite: The question of shop expired, nothing was answered',
		]);
	});

	it('is a tier and why, politely, and never that all is well', () => {
		const local = { snapshot: { status: aStatus({ tier: 'LOCAL-ONLY', tierReason: 'Anthropic is lost' }) } };
		expect(said({}, local)).toEqual(['polite: Tier LOCAL-ONLY: Anthropic is lost']);
		expect(said(local, {})).toEqual([]);
	});
});

describe('what is announced of limited models', () => {
	const make = modelViews(NOW);
	const pictured = (chains: readonly ModelChainView[], epoch = 'first') =>
		pictureOf(aSnapshot([], { epoch, models: make.models(chains) }));
	const said = (before: readonly ModelChainView[], after: readonly ModelChainView[], epoch?: string) =>
		announcementsBetween(pictured(before), pictured(after, epoch)).map(
			({ urgency, text }) => `${urgency}: ${text}`,
		);
	const until = (at: number) => minuteWords(at, NOW);
	const opened = `polite: claude-sonnet-5 is rate-limited: gpt-5.4-mini stands in until ${until(NOW + 432_000)}`;
	const whole = `polite: claude-sonnet-5 and all its fallbacks are rate-limited until ${until(NOW + 102_000)}`;

	it('is that a fallback stands in, politely, once', () => {
		expect(said([make.chain()], [make.open()])).toEqual([opened]);
		expect(said([], [make.open()])).toEqual([opened]);
		expect(said([make.open()], [make.open({ consecutiveFailures: 2 })])).toEqual([]);
	});

	it('is not each test call, nor that it failed', () => {
		expect(said([make.open()], [make.halfOpen()])).toEqual([]);
		expect(said([make.halfOpen()], [make.open()])).toEqual([]);
		expect(said([make.open()], [make.held()])).toEqual([]);
	});

	it('is that the preferred model has recovered', () => {
		const recovered = ['polite: claude-sonnet-5 has recovered and is used again'];
		expect(said([make.halfOpen()], [make.chain()])).toEqual(recovered);
		expect(said([make.exhausted()], [make.chain()])).toEqual(recovered);
	});

	it('is that the whole chain is limited, and that one of it is free again', () => {
		expect(said([make.open()], [make.exhausted()])).toEqual([whole]);
		expect(said([make.chain()], [make.exhausted()])).toEqual([whole]);
		expect(said([make.exhausted()], [make.open({ modelInUse: 'gpt-5-mini' })])).toEqual([
			'polite: gpt-5-mini is free again and is used',
		]);
	});

	it('is money that ran out, assertively, once for all chains with that model', () => {
		const spent = 'assertive: claude-sonnet-5 has reached a spending limit: waiting does not help';
		expect(said([make.chain()], [make.spent()])).toEqual([spent]);
		expect(said([make.spent()], [make.spent()])).toEqual([]);
		expect(said([], [make.spent({ id: 'a' }), make.spent({ id: 'b' })])).toEqual([spent]);
		expect(said([make.spent()], [make.chain()])).toEqual([]);
	});

	it('is a limit also where money ran out before', () => {
		const { spendLimit } = make.spent();
		expect(said([make.spent()], [make.open({ spendLimit })])).toEqual([opened]);
	});

	it('is nothing that another start of the engine only remembers', () => {
		expect(said([make.chain()], [make.open()], 'second')).toEqual([]);
	});
});

describe('when it is said', () => {
	beforeEach(() => {
		vi.useFakeTimers();
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	it('is at once, then at most once a second, several in one breath', () => {
		const said: string[] = [];
		const announcer = new Announcer((text) => said.push(text));
		for (const text of ['one', 'two', 'three']) announcer.announce({ text });
		expect(said).toEqual(['one.']);
		vi.advanceTimersByTime(999);
		expect(said).toHaveLength(1);
		vi.advanceTimersByTime(1);
		expect(said).toEqual(['one.', 'two. three.']);
		vi.advanceTimersByTime(5000);
		announcer.announce({ text: 'four' });
		expect(said.at(-1)).toBe('four.');
	});

	it('is never, once the window closes', () => {
		const said: string[] = [];
		const announcer = new Announcer((text) => said.push(text));
		for (const text of ['one', 'two']) announcer.announce({ text });
		announcer.dispose();
		vi.advanceTimersByTime(5000);
		expect(said).toEqual(['one.']);
	});

	it('names three of a burst and counts the rest', () => {
		const five = ['a', 'b', 'c', 'd', 'e'].map((text) => ({ text }));
		expect(inOneBreath(five)).toBe('a. b. c. And 2 more.');
	});

	it('sums a burst by what it comes down to', () => {
		const burst = Array.from({ length: 9 }, (_, at) => ({
			text: `agent ${at}`,
			gist: at % 2 === 0 ? 'steering' : 'healthy again',
		}));
		expect(inOneBreath(burst)).toBe('agent 0. agent 1. agent 2. And 6 more: 3 healthy again, 3 steering.');
	});

	it('is, of one agent, only the newest that was not said yet', () => {
		const said: string[] = [];
		const announcer = new Announcer((text) => said.push(text));
		announcer.announce({ text: 'first' });
		announcer.announce({ text: 'api is steering', agentId: 'api' });
		announcer.announce({ text: 'web is steering', agentId: 'web' });
		announcer.announce({ text: 'api is constrained', agentId: 'api' });
		vi.advanceTimersByTime(1000);
		expect(said.at(-1)).toBe('api is constrained. web is steering.');
	});

	it('leaves time to hear what is long, and not for ever', () => {
		const said: string[] = [];
		const announcer = new Announcer((text) => said.push(text));
		announcer.announce({ text: 'x'.repeat(60) });
		announcer.announce({ text: 'y'.repeat(900) });
		vi.advanceTimersByTime(2900);
		expect(said).toHaveLength(1);
		vi.advanceTimersByTime(200);
		expect(said).toHaveLength(2);
		announcer.announce({ text: 'z' });
		vi.advanceTimersByTime(6000);
		expect(said).toHaveLength(3);
	});

	it('is no flood: two hundred changes a second for a minute', () => {
		const said: string[] = [];
		const announcer = new Announcer((text) => said.push(text));
		for (let second = 0; second < 60; second += 1) {
			for (let at = 0; at < 200; at += 1) {
				announcer.announce({ text: `agent ${at} is steering`, agentId: `${at}`, gist: 'steering' });
				vi.advanceTimersByTime(5);
			}
		}
		expect(said.length).toBeGreaterThan(10);
		expect(said.length).toBeLessThanOrEqual(60);
		expect(Math.max(...said.map(({ length }) => length))).toBeLessThan(120);
	});
});

describe('what is read out in one breath', () => {
	it('ends every text once', () => {
		const texts = ['Tier REFUSING: nothing answers.', 'shop is steering', 'Is it back?'];
		expect(inOneBreath(texts.map((text) => ({ text })))).toBe(
			'Tier REFUSING: nothing answers. shop is steering. Is it back?',
		);
	});
});
