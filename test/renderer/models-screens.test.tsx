import { describe, expect, it } from 'vitest';
import { AgentDetail } from '../../src/renderer/screens/agent/agent-drawer.tsx';
import { ModelsPage } from '../../src/renderer/screens/models/models-dialog.tsx';
import { Shell } from '../../src/renderer/screens/shell/shell.tsx';
import { TierPanel } from '../../src/renderer/screens/tier/tier-panel.tsx';
import type { FloorState } from '../../src/renderer/store/floor-store.ts';
import { minuteWords, timeWords } from '../../src/shared/format.ts';
import type { ModelChainView, ModelsView } from '../../src/shared/models-view.ts';
import type { Incident } from '../../src/shared/snapshot.ts';
import { modelViews } from '../support/model-views.ts';
import { anAgent, anIncident, aSnapshot, NOW } from './agents.ts';
import { drawn } from './drawn.tsx';

const make = modelViews(NOW);
const at = (time: number) => timeWords(time, NOW);
const minute = (time: number) => minuteWords(time, NOW);
const page = (models: ModelsView, floorChange: Partial<FloorState> = {}) =>
	drawn(<ModelsPage />, aSnapshot([], { models }), {}, floorChange);
const cardOf = (chain: ModelChainView, floorChange: Partial<FloorState> = {}) =>
	page(make.models([chain]), floorChange);
/** The text from `start` on. */
const from = (text: string, start: string) => text.slice(text.indexOf(start));

describe('the card of a chain', () => {
	it('on its preferred model is quiet: its models, its counters, and what could be done', () => {
		const { html, text } = cardOf(make.chain());
		expect(text).toContain(
			'claude-sonnet-5 on its preferred model preferred claude-sonnet-5 versatile in use',
		);
		expect(text).toContain(
			'fallback 1 gpt-5.4-mini lightweight ready fallback 2 gpt-5-mini lightweight ready',
		);
		expect(text).toContain('Fallbacks 0 how often a limit of claude-sonnet-5 opened the circuit');
		expect(text).toContain('From the settings; counts for every call on this machine; cooldown 10 m.');
		expect(text).toContain('Probe now claude-sonnet-5 is in use, there is nothing to test.');
		expect(html).toContain('data-circuit="closed"');
		expect(html).not.toContain('chain-now');
	});

	it('on a fallback says since when, why, and when the preferred model is tested, counting down', () => {
		const { html, text } = cardOf(make.open());
		expect(html).toContain('data-circuit="open"');
		expect(text).toContain(
			'claude-sonnet-5 on a fallback since 4 m claude-sonnet-5 is rate-limited by anthropic',
		);
		expect(text).toContain(
			`gpt-5.4-mini stands in. claude-sonnet-5 is tested at ${at(NOW + 432_000)}, in 7 m 12 s .`,
		);
		expect(text).toContain(
			`preferred claude-sonnet-5 versatile limited until ${at(NOW + 432_000)} fallback 1`,
		);
		expect(text).toContain('gpt-5.4-mini lightweight in use');
		expect(text).toContain('Fallbacks 3 , last 4 m ago');
		expect(text).toContain(
			'Recoveries 2 , last 1 h 5 m ago how often two successes in a row closed it again',
		);
		expect(text).toContain('Probe now Ends the cooldown: the next caller’s call tests claude-sonnet-5.');
		expect(text).toContain(
			'Hold on fallback Stays on gpt-5.4-mini and tests nothing until you let it recover.',
		);
		expect(html).toContain('title="totalFallbacks and lastFallbackAt in the state file"');
	});

	it('whose time has come says so instead of counting below nothing', () => {
		for (const resumeAt of [NOW, NOW - 5000, null]) {
			const { text } = cardOf(make.open({ resumeAt }));
			expect(text).toContain('The next call tests claude-sonnet-5');
			expect(text).not.toContain(', in ');
		}
	});

	it('being tested says who makes the one test call, and bars a second one', () => {
		const { html, text } = cardOf(make.halfOpen());
		expect(html).toContain('data-circuit="half-open"');
		expect(text).toContain('claude-sonnet-5 testing recovery since 4 m');
		expect(text).toContain('the loop in /home/ada/code/shop makes the test call, since 3 s .');
		expect(text).toContain('Probe now claude-sonnet-5 is being tested now.');
		const { text: alone } = cardOf(make.halfOpen({ probe: null }));
		expect(alone).toContain('The next call tests claude-sonnet-5.');
		expect(alone).toContain('Probe now The next call tests claude-sonnet-5 already.');
	});

	it('limited whole says until when callers wait', () => {
		const { text } = cardOf(make.exhausted());
		expect(text).toContain('claude-sonnet-5 every model is limited');
		expect(text).toContain(
			`Callers wait until ${at(NOW + 102_000)}, in 1 m 42 s . claude-sonnet-5 is tested`,
		);
		expect(text).toContain(`gpt-5-mini lightweight limited until ${at(NOW + 102_000)} . 429.`);
		expect(text).toContain('3 limits since the last success');
		expect(cardOf(make.exhausted({ waitUntil: NOW })).text).toContain('One of its models is free now');
	});

	it('held says by whom, and lets go', () => {
		const { text } = cardOf(make.held());
		expect(text).toContain('claude-sonnet-5 held on its fallback by you');
		expect(text).toContain('claude-sonnet-5 is not tested until you let it recover.');
		expect(text).toContain('Probe now You hold it: let it recover first.');
		expect(text).toContain('Let it recover Ends your hold: claude-sonnet-5 is tested');
		expect(text).not.toContain('Hold on fallback');
	});

	it('without a fallback says that calls go on, and cannot be held', () => {
		const { text } = cardOf(make.unaided());
		expect(text).toContain('limited, without a fallback');
		expect(text).not.toContain('Callers wait');
		expect(text).toContain('Hold on fallback It has no fallback to be held on.');
		expect(text).toContain('Seen limited, in no chain');
	});

	it('whose fallbacks may all not stand in cannot be held; one that only is not served now can', () => {
		const skipped = (until: number | null) =>
			cardOf(
				make.chain({
					models: [
						make.chainModel('claude-sonnet-5', { state: 'in-use' }),
						make.chainModel('gpt-5.4', { state: 'skipped', why: 'it costs more', until }),
					],
				}),
			).text;
		expect(skipped(null)).toContain('gpt-5.4 powerful passed over . It costs more.');
		expect(skipped(null)).toContain('It has no fallback to be held on.');
		expect(skipped(NOW + 60_000)).toContain('Callers wait for gpt-5.4, passed over until');
	});

	it('out of money says what it is and who can help, and falls back to nothing', () => {
		const { html, text } = cardOf(make.spent());
		expect(text).toContain('spending limit: needs you');
		expect(text).toContain(
			'claude-sonnet-5 has reached a spending limit. 2 m ago The provider said: “ Your credit balance is too low to access the API ”',
		);
		expect(text).toContain('This is money, not a rate limit: waiting does not help');
		expect(text).toContain('Add credit or raise the limit');
		expect(html).toContain('chain-spend-limit');
	});

	it('being tested with nothing else to use says that the others wait for it, and for no time', () => {
		const { text } = cardOf(make.halfOpen({ modelInUse: null, waitUntil: null }));
		expect(text).toContain('testing recovery');
		expect(text).toContain('makes the test call, since 3 s . The others wait until it has ended');
		const alone = cardOf(make.halfOpen({ modelInUse: null, waitUntil: null, probe: null })).text;
		expect(alone).toContain('The next call tests claude-sonnet-5; the others wait for it.');
		for (const words of [text, alone]) expect(words).not.toContain('Callers wait');
	});

	it('says in its head for which provider it is, to the ear too', () => {
		const { html, text } = cardOf(make.open({ provider: 'anthropic' }));
		expect(text).toMatch(/^ ?claude-sonnet-5 at anthropic on a fallback since/);
		const [, name, provider] = /aria-labelledby="(\S+) (\S+)" data-testid="model-chain"/.exec(html) ?? [];
		expect(html).toContain(`<h3 id="${name}">`);
		expect(html).toContain(`<p id="${provider}" data-testid="chain-provider">`);
		expect(cardOf(make.open()).html).not.toContain('chain-provider');
	});

	it('names the repositories that share it, and the provider that it counts for', () => {
		const repositories = ['/home/ada/code/shop', '/home/ada/code/api'];
		const { text } = cardOf(make.open({ repositories, provider: 'anthropic', source: 'repository' }));
		expect(text).toContain('2 repositories share it');
		expect(text).toContain('/code/api');
		expect(text).toContain('From a repository’s state file; counts for calls to anthropic');
	});

	it('shows what providers and loops said as plain text', () => {
		const { html, text } = cardOf(
			make.halfOpen({
				why: 'limited: <b>pay</b>\u202E',
				probe: { holder: '<img src=x>', since: NOW, until: NOW },
			}),
		);
		expect(text).toContain('Limited: <b>pay</b>⟨U+202E⟩');
		expect(text).toContain('<img src=x> makes the test call');
		expect(html).not.toContain('<img');
	});

	it('without the engine counts nothing down and can be asked for nothing', () => {
		const { html, text } = cardOf(make.open(), { lostSince: NOW - 60_000 });
		expect(text).toContain(`claude-sonnet-5 is tested at ${at(NOW + 432_000)}, as last known`);
		expect(html).not.toContain('chain-countdown');
		expect(text).toContain('Probe now The engine does not answer.');
		expect(html.match(/aria-disabled="true"/g)).toHaveLength(2);
	});
});

describe('the page of all chains', () => {
	it('puts first what matters most', () => {
		const { html } = page(
			make.models([make.chain({ id: 'calm' }), make.open({ id: 'open' }), make.spent({ id: 'money' })]),
		);
		expect([...html.matchAll(/data-chain-id="(\w+)"/g)].map(([, id]) => id)).toEqual([
			'money',
			'open',
			'calm',
		]);
	});

	it('puts what the operator set up before models that were only seen, and what is calm last', () => {
		const { html } = page(
			make.models([
				make.chain({ id: 'calm' }),
				make.unaided({ id: 'seen' }),
				make.held({ id: 'held' }),
				make.spent({ id: 'money', source: 'seen' }),
			]),
		);
		expect([...html.matchAll(/data-chain-id="(\w+)"/g)].map(([, id]) => id)).toEqual([
			'money',
			'held',
			'seen',
			'calm',
		]);
	});

	it('says how a chain is made where there is none', () => {
		expect(page(make.models()).text).toContain('No chain is set up, and no model was seen limited.');
	});

	it('lists state files that could not be used, with what was done about it', () => {
		const problems = [
			{ file: '/w/shop/.squad/ralph-circuit-breaker.json', problem: 'It was set aside.', at: NOW - 50_000 },
		];
		const { text } = page(make.models([make.chain()], { problems }));
		expect(text).toContain('A state file could not be used');
		expect(text).toContain('ralph-circuit-breaker.json It was set aside. 50 s ago');
	});
});

describe('a limited model on the floor', () => {
	const floorWith = (models: ModelsView, agent: Parameters<typeof anAgent>[1] = {}) =>
		aSnapshot([anAgent('shop', agent)], { models });

	it('is a badge with a count, and one line at the foot with its countdown', () => {
		const { html, text } = drawn(<Shell />, floorWith(make.models([make.open(), make.chain({ id: 'b' })])));
		expect(html).toMatch(/data-testid="models-badge" data-limited="1"/);
		expect(text).toContain('Rate limits 1 limited Outbox Providers & models');
		expect(text).toContain('claude-sonnet-5 limited → gpt-5.4-mini, 7 m 12 s left');
		expect(html).toContain(
			`title="claude-sonnet-5 is rate-limited: gpt-5.4-mini stands in until ${minute(NOW + 432_000)}"`,
		);
	});

	it.each([
		['tested', make.halfOpen(), 'claude-sonnet-5 being tested → gpt-5.4-mini'],
		['held', make.held(), 'claude-sonnet-5 held → gpt-5.4-mini'],
		['limited whole', make.exhausted(), 'claude-sonnet-5 and its fallbacks limited, 1 m 42 s left'],
		['alone', make.unaided(), 'claude-sonnet-5 limited, 7 m 12 s left'],
		['out of money', make.spent(), 'claude-sonnet-5: spending limit'],
	])('is told in a few words when %s', (_name, chain, words) => {
		expect(drawn(<Shell />, floorWith(make.models([chain]))).text).toContain(words);
	});

	it('counts the others, and nothing down once the engine is lost', () => {
		const models = make.models([make.open({ id: 'a' }), make.open({ id: 'b' })]);
		const known = drawn(<Shell />, floorWith(models)).text;
		expect(from(known, '→')).toContain('gpt-5.4-mini, 7 m 12 s left · 1 more model');
		const lost = drawn(<Shell />, floorWith(models), {}, { lostSince: NOW }).text;
		expect(from(lost, '→')).toContain('gpt-5.4-mini, last known · 1 more model');
	});

	it('is nothing while every chain is on its preferred model, but the way there stays', () => {
		const { html, text } = drawn(<Shell />, floorWith(make.models([make.chain()])));
		expect(html).not.toContain('limit-line');
		expect(html).toMatch(/data-testid="models-badge" data-limited="0"/);
		expect(text).toContain('Usage Rate limits Outbox Providers & models');
	});

	it('is counted in the panel of the tier', () => {
		const panel = (models: ModelsView) =>
			drawn(<TierPanel tier="NORMAL" why="" onLeave={() => {}} />, floorWith(models)).text;
		expect(panel(make.models([make.open()]))).toContain('Rate limits: 1…');
		expect(panel(make.models([make.chain()]))).toContain('Rate limits: none…');
	});
});

describe('an incident that needs the operator', () => {
	const urgent = (id: string) => anIncident(id, { severity: 'urgent', kind: 'spend-limit' });
	const floorWith = (incidents: Incident[], floorChange: Partial<FloorState> = {}) =>
		drawn(<Shell />, aSnapshot([anAgent('shop')], { incidents }), {}, floorChange).text;

	it('is counted in the headline, as in the title and the tray', () => {
		expect(floorWith([urgent('a')])).toContain('1 incident needs you');
		expect(floorWith([urgent('a'), urgent('b')])).toContain('2 incidents need you');
		expect(floorWith([urgent('a')])).not.toContain('Nothing needs you');
		expect(floorWith([urgent('a')], { lostSince: NOW })).toContain('1 incident, last known');
	});

	it('is not one that is over, or that only tells', () => {
		for (const change of [{ severity: 'attention' }, { severity: 'urgent', endedAt: NOW }] as const)
			expect(floorWith([anIncident('a', change)])).toContain('Nothing needs you');
	});
});

describe('an agent that another model answers than it asked for', () => {
	const served = {
		harness: 'cloud',
		at: 'anthropic',
		model: 'gpt-5.4-mini',
		asked: 'claude-sonnet-5-20250929',
		since: NOW - 180_000,
	} as const;
	const rowOf = (chains: readonly ModelChainView[], change: { model?: string } = {}) =>
		drawn(
			<Shell />,
			aSnapshot([anAgent('shop', { served: { ...served, ...change } })], { models: make.models(chains) }),
		);

	it('says on its row which and why, with the time of the chain in the title', () => {
		const { html, text } = rowOf([make.open()]);
		expect(text).toContain('shop gpt-5.4-mini for claude-sonnet-5 · rate-limited Claude Code');
		expect(html).toMatch(/data-testid="served-badge" data-harness="cloud"/);
		expect(html).toContain(
			`title="claude-sonnet-5 is rate-limited: gpt-5.4-mini stands in until ${minute(NOW + 432_000)}. gpt-5.4-mini answers this agent, since 3 m"`,
		);
	});

	it('says so where its chain is not known, and what has become of the chain since', () => {
		expect(rowOf([]).text).toContain('gpt-5.4-mini for claude-sonnet-5 · rate-limited');
		expect(rowOf([make.held()]).text).toContain('gpt-5.4-mini for claude-sonnet-5 · held by you');
		const { html, text } = rowOf([make.chain()]);
		expect(text).toContain('gpt-5.4-mini for claude-sonnet-5 · recovered since');
		expect(html).toContain('claude-sonnet-5 has recovered: the agent’s next call goes to it');
	});

	it('is not marked for a dated name of the same model', () => {
		const { html } = rowOf([make.open()], { model: 'claude-sonnet-5' });
		expect(html).not.toContain('served-badge');
	});

	it('does not say that a model recovered which ran out of money', () => {
		expect(rowOf([make.spent()]).text).toContain('gpt-5.4-mini for claude-sonnet-5 · spending limit since');
		const spendLimit = make.spent().spendLimit;
		expect(rowOf([make.open({ spendLimit })]).text).toContain('claude-sonnet-5 · rate-limited');
	});

	it('says it in the drawer', () => {
		const agent = anAgent('shop', { served });
		const { text } = drawn(
			<AgentDetail agent={agent} titleId="t" />,
			aSnapshot([agent], { models: make.models([make.open()]) }),
		);
		expect(text).toContain(
			'Answered by gpt-5.4-mini for claude-sonnet-5 · rate-limited at anthropic , since 3 m',
		);
	});
});
