import { describe, expect, it } from 'vitest';
import { DecisionsDock } from '../../src/renderer/screens/failover/decisions-dock.tsx';
import { ModelChoice } from '../../src/renderer/screens/failover/model-choice.tsx';
import { lineWords } from '../../src/renderer/screens/failover/popup-line.tsx';
import { Shell } from '../../src/renderer/screens/shell/shell.tsx';
import { DecisionNotice } from '../../src/renderer/widgets/decision-notice.tsx';
import type { FailoverPopup, FailoverView } from '../../src/shared/failover-view.ts';
import { failoverViews } from '../support/failover-views.ts';
import { anAgent, anIncident, aSnapshot, aStatus, NOW } from './agents.ts';
import { drawn } from './drawn.tsx';

const make = failoverViews(NOW);
const floorWith = (failover: Partial<FailoverView>, change: Parameters<typeof aSnapshot>[1] = {}) =>
	aSnapshot([anAgent('shop')], { failover: make.failover(failover), ...change });
const dockWith = (failover: Partial<FailoverView>, change: Parameters<typeof drawn>[2] = {}) =>
	drawn(<DecisionsDock />, floorWith(failover, { status: aStatus({ tier: 'LOCAL-ONLY' }) }), change);
const two = make.popup('p', {
	turns: [
		make.heldTurn('one', { cutMidAnswer: true }),
		make.heldTurn('two', { agentId: 'docs', agentName: 'docs', activity: 'other', heldUntil: NOW + 30_000 }),
	],
});

describe('a lost provider', () => {
	it.each([
		"Network lost: Anthropic can't be reached.",
		'The connection was refused (ECONNREFUSED). 12 s ago',
		'Continue locally with qwen3-coder:30b : fits your GPU, handles planning tasks.',
		'Your conversation carries over.',
		'Context 100 of 100 holds this conversation: 41k of 65k tokens',
		'Device 100 of 100 fits your GPU',
		'Task 80 of 100 handles planning tasks',
		'History 75 of 100 9 of 12 turns kept in this workspace',
		'2 turns held',
		'shop sonnet-4-5 , planning, about 41.2k tokens',
		'waits for your answer, held 12 s , 1 m 48 s left; part of the answer had arrived',
		'docs sonnet-4-5 , about 41.2k tokens waits for your answer, held 12 s , 30 s left',
		'Switch & continue',
		'Choose another…',
		'Wait for network',
	])('says “%s”', (words) => {
		expect(dockWith({ popups: [two] }).text).toContain(words);
	});

	it('is a dialog that is not modal, named by its sentence, with a place for the keyboard', () => {
		const { html } = dockWith({ popups: [two] });
		expect(html).toMatch(/<dialog open="" class="decision" aria-labelledby="[^"]+" aria-describedby="[^"]+"/);
		expect(html).not.toContain('aria-modal="true"');
		expect(html).toMatch(/<button[^>]*data-decision-stop="true"[^>]*data-testid="failover-switch"/);
	});

	it('offers a choice for one agent only when several are held', () => {
		expect(dockWith({ popups: [two] }).html).toContain('aria-label="Only this… docs: choose its model"');
		expect(dockWith({ popups: [make.popup('p')] }).html).not.toContain('Only this');
	});

	it('says that a cold model takes longer', () => {
		const cold = make.popup('p', { candidates: [make.candidate('m', { cold: true })] });
		expect(dockWith({ popups: [cold] }).text).toContain('It is not loaded');
	});

	it('refuses in words, recommends nothing, and offers to queue, when nothing local fits', () => {
		const refusing = make.popup('p', {
			candidates: [],
			excluded: [make.excluded('m', 'Its context is too small. Set OLLAMA_CONTEXT_LENGTH.')],
			recommendation: '',
			refusal: 'Nothing here holds 190k tokens.',
		});
		const { html, text } = dockWith({ popups: [refusing] });
		expect(text).toMatch(
			/Nothing here holds 190k tokens\..*Why none fits….*Wait for network.*Queue for retry/,
		);
		expect(html).not.toContain('data-testid="recommendation"');
	});

	it('stacks one popup for each provider', () => {
		const { html } = dockWith({ popups: [make.popup('p'), make.popup('q', { providerId: 'openai' })] });
		expect(html.match(/data-testid="failover-popup"/g)).toHaveLength(2);
	});

	it('becomes one line while it waits for the network, and can be opened again', () => {
		const waiting = {
			...two,
			waiting: true,
			turns: two.turns.map((turn) => ({ ...turn, state: 'waiting' as const })),
		};
		const small = dockWith({ popups: [waiting] });
		expect(small.html).not.toContain('failover-popup');
		expect(small.text).toContain("Anthropic can't be reached. 2 turns wait for the network, 30 s left Open");
		const open = dockWith({ popups: [waiting] }, { decisionSizes: new Map([['p', 'large']]) });
		expect(open.text).toContain('Waiting for network');
	});

	it('can be put aside unanswered, and still says that it asks', () => {
		const { text } = dockWith({ popups: [two] }, { decisionSizes: new Map([['p', 'small']]) });
		expect(text).toContain('2 turns wait for your answer, 30 s left Answer');
	});

	it('runs no time against turns that are on their way, and does not offer to switch them again', () => {
		const going = make.popup('p', { turns: [make.heldTurn('t', { state: 'switching' })] });
		expect(dockWith({ popups: [going] }).text).not.toContain('left');
		const open = dockWith({ popups: [going] }, { decisionSizes: new Map([['p', 'large']]) });
		expect(open.text).toContain('going on locally, held 12 s');
		expect(open.html).toMatch(/data-testid="failover-switch" aria-disabled="true"/);
	});

	it('says so when the time of a turn is over', () => {
		const late = make.popup('p', { turns: [make.heldTurn('t', { heldUntil: NOW })] });
		expect(dockWith({ popups: [late] }).text).toContain('time is over');
	});

	it('offers no answers when no turn is held', () => {
		const none = make.popup('p', { turns: [] });
		const { text } = dockWith({ popups: [none] }, { decisionSizes: new Map([['p', 'large']]) });
		expect(text).toContain('No turn is held now. This goes away when Anthropic is back.');
		expect(text).not.toContain('Switch & continue');
	});

	it('shows what servers and providers wrote as text', () => {
		const hostile = make.popup('p', {
			detail: '<img src=x>\u202E',
			candidates: [make.candidate('evil\u202Emodel')],
			recommendation: 'Continue locally with evil\u202Emodel: fits.',
		});
		const { html, text } = dockWith({ popups: [hostile] });
		expect(html).not.toContain('<img');
		expect(text).toContain('<img src=x>⟨U+202E⟩');
		expect(text).toContain('evil⟨U+202E⟩model');
	});
});

describe('a question while the engine is lost', () => {
	const lost = { lostSince: NOW - 12_000 };
	const lostDock = (failover: Partial<FailoverView>, view: Parameters<typeof drawn>[2] = {}) =>
		drawn(<DecisionsDock />, floorWith(failover, { status: aStatus({ tier: 'LOCAL-ONLY' }) }), view, lost);
	const enabled = (html: string) =>
		[...html.matchAll(/<button[^>]*data-testid="((?:failover|consent)-[a-z]+)"[^>]*>/g)]
			.filter(([tag]) => !tag.includes('aria-disabled="true"'))
			.map(([, testId]) => testId);

	it('is last known, with its age and what may have become of it, and takes no answer', () => {
		const { html, text } = lostDock({ popups: [two], consents: [make.consent('c')] });
		expect(text).toMatch(/Network lost.*Last known, 12 s ago \. This window cannot reach the engine/);
		expect(text).toContain('the turns it held have ended with an error');
		expect(text).toContain('If the engine is down, the client’s own prompt decides.');
		expect(text).not.toContain('Only this');
		// The list of models can still be read.
		expect(enabled(html)).toEqual(['failover-choose']);
	});

	it('counts nothing down, large or small', () => {
		const failover = { popups: [two], consents: [make.consent('c')] };
		const sizes = { decisionSizes: new Map([['p', 'small'] as const, ['c', 'small'] as const]) };
		for (const { text } of [lostDock(failover), lostDock(failover, sizes)]) {
			expect(text).not.toMatch(/ left|decides in|time is over|xpired/);
			expect(text).toContain('ast known');
		}
		expect(lostDock(failover, sizes).text).not.toContain('Answer');
	});

	it('is not counted as waiting, and calls nobody away from a dialog', () => {
		const floor = floorWith({ popups: [two] });
		const { text } = drawn(<Shell />, floor, {}, lost);
		expect(text).toContain('1 decision, last known');
		expect(text).not.toContain('decision waits');
		expect(drawn(<Shell />, floorWith({}), {}, lost).text).toContain('What needs you is not known');
		expect(drawn(<DecisionNotice onGo={() => {}} />, floor, {}, lost).text).toBe('');
	});

	it('says what goes on without the engine and what does not', () => {
		const connection = { state: 'disconnected', since: NOW - 12_000 } as const;
		const { text } = drawn(<Shell />, floorWith({}), {}, { ...lost, connection });
		expect(text).toMatch(
			/agents connected by hooks work on and nothing is refused\. Agents that talk through the gateway cannot reach their provider until the floor is back\./,
		);
	});
});

describe('the answers to a lost provider', () => {
	const places = (change: Partial<FailoverPopup>) =>
		[
			...dockWith({ popups: [make.popup('p', change)] }).html.matchAll(
				/<button[^>]*data-testid="(failover-[a-z]+)"[^>]*>/g,
			),
		]
			.map(([, testId]) => testId)
			.filter((testId) => testId !== 'failover-look');
	const none = { candidates: [], recommendation: '', refusal: 'Nothing fits.' };

	it('keep their places, whatever becomes of the recommendation', () => {
		expect(places({})).toEqual(['failover-switch', 'failover-choose', 'failover-wait', 'failover-queue']);
		expect(places(none)).toEqual(places({}));
		const { html } = dockWith({ popups: [make.popup('p', none)] });
		expect(html).toMatch(/data-testid="failover-switch"[^>]*aria-disabled="true"/);
		expect(html).toMatch(/data-testid="failover-queue"[^>]*aria-disabled="false"/);
	});

	it('come with another look at the local servers where none fits, and its age', () => {
		const localServers = [
			make.localServer('ollama', { checkedAt: NOW - 20_000 }),
			make.localServer('vllm', { checkedAt: NOW - 90_000 }),
			make.localServer('lmstudio', { checkedAt: null }),
		];
		const { text } = dockWith({ popups: [make.popup('p', none)], localServers });
		expect(text).toContain('Local servers were looked at 20 s ago . Look again');
		expect(dockWith({ popups: [make.popup('p', none)] }).text).toContain('not looked at yet');
		expect(dockWith({ popups: [make.popup('p')], localServers }).text).not.toContain('Look again');
	});

	it('promise no error of a provider that never answered', () => {
		expect(dockWith({ popups: [two] }).text).toContain(
			'When its time is over, also while it waits for the network, a turn gets the provider’s own error, or, if nothing answered, an error that says so.',
		);
	});
});

describe('the words of a popup in one line', () => {
	const line = (change: Partial<FailoverPopup>) => lineWords(make.popup('p', change));
	it.each<[Partial<FailoverPopup>, string]>([
		[{}, '1 turn waits for your answer'],
		[{ waiting: true }, '1 turn waits for the network'],
		[{ turns: [make.heldTurn('t', { state: 'retrying' })] }, '1 turn is on the way'],
		[{ turns: [] }, 'no turn is held'],
		[{ turns: two.turns }, '2 turns wait for your answer'],
	])('%j is “%s”', (change, words) => {
		expect(line(change)).toBe(words);
	});
});

describe('the choice of a model', () => {
	const popup = {
		...two,
		candidates: [make.candidate('first'), make.candidate('second', { score: 0.64, cold: true })],
		excluded: [make.excluded('third', 'It has no tools. Choose one that has.')],
	};
	const choice = (scope: string | null, of: FailoverPopup = popup) =>
		drawn(
			<ModelChoice
				id="c"
				popup={of}
				scope={scope}
				barred={false}
				pending={null}
				onScope={() => {}}
				onChoose={() => {}}
			/>,
			null,
		);

	it('lists scores with their reasons, and what cannot with the cure', () => {
		const { text } = choice(null);
		expect(text).toMatch(
			/first on ollama 91 of 100 recommended.*second on ollama , not loaded 64 of 100.*third on ollama cannot take every turn It has no tools\. Choose one that has\./,
		);
		expect(text).not.toContain('Try it');
	});

	it('lets one agent try what cannot take every turn', () => {
		expect(choice('docs').html).toContain('aria-label="Try it: third"');
		const alone = { ...popup, turns: two.turns.slice(0, 1) };
		expect(choice('shop', alone).html).not.toContain('Try it');
		expect(choice('shop', alone).html).not.toContain('type="radio"');
	});

	it('says what to start when no model is known', () => {
		expect(choice(null, { ...popup, candidates: [], excluded: [] }).text).toContain(
			'Start Ollama, LM Studio',
		);
	});
});

describe('a command that wants consent', () => {
	it.each([
		'May shop run this?',
		'It overwrites history on a remote, which cannot be undone from here.',
		'The tier is LOCAL-ONLY, so it needs your word, each time.',
		'git push --force origin main',
		'the client’s own prompt decides in 24 s ; where it has none, the call is denied.',
		'Allow once Deny',
	])('says “%s”', (words) => {
		expect(dockWith({ consents: [make.consent('c')] }).text).toContain(words);
	});

	it('says where it would run, and that it is not known where it is not', () => {
		const within = (directory: string) =>
			dockWith({ consents: [make.consent('c', { target: 'rm -rf junk', directory })] }).text;
		expect(within('/home/ada/\u202Eshop')).toContain('Bash in /home/ada/⟨U+202E⟩shop rm -rf junk');
		expect(within('')).toContain('Bash in a directory that is not known rm -rf junk');
	});

	it('shows the whole command, its hidden characters visible, where it can be scrolled by keyboard', () => {
		const target = `echo \u202E${'x'.repeat(5000)} && rm -rf /`;
		const { html, text } = dockWith({ consents: [make.consent('c', { target })] });
		expect(text).toContain('⟨U+202E⟩xxx');
		expect(text).toContain('x && rm -rf /');
		expect(html).toContain('aria-label="The whole command" tabindex="0"');
	});

	it('brings the keyboard to Deny first', () => {
		const { html } = dockWith({ consents: [make.consent('c')] });
		expect(html).toMatch(/data-testid="consent-deny" data-decision-stop="true"/);
		expect(html).not.toMatch(/data-testid="consent-allow" data-decision-stop/);
	});

	it('offers no answer once it has expired', () => {
		const { html, text } = dockWith({ consents: [make.consent('c', { expiresAt: NOW })] });
		expect(text).toContain('Expired, nothing was answered.');
		expect(html).not.toContain('consent-allow');
	});

	it('stays as a line when it is closed without an answer, and goes when it was answered', () => {
		const consents = [make.consent('c')];
		const closed = dockWith({ consents }, { decisionSizes: new Map([['c', 'small']]) });
		expect(closed.text).toContain('unanswered, 24 s left Answer');
		expect(closed.html).not.toContain('consent-allow');
		expect(dockWith({ consents }, { answeredConsents: new Set(['c']) }).html).not.toContain('consent');
	});
});

describe('what is over', () => {
	const note = {
		kind: 'popup',
		id: 'p',
		incidentId: 'i',
		providerId: 'anthropic',
		sentence: 'Network lost.',
	} as const;

	it('is a quiet note with how the incident ended, and nothing while it is open', () => {
		const incident = anIncident('i');
		const settled = [note];
		const ended = { ...incident, endedAt: NOW - 5000, endReason: 'Anthropic answers again' };
		expect(drawn(<DecisionsDock />, floorWith({}, { incidents: [ended] }), { settled }).text).toContain(
			'Over: Anthropic answers again. Network lost. 5 s ago',
		);
		expect(
			drawn(<DecisionsDock />, floorWith({}, { incidents: [incident] }), { settled }).text,
		).not.toContain('Over');
	});

	it('says of a question that expired that nothing was answered', () => {
		const settled = [
			{ kind: 'expired-consent', id: 'c', agentName: 'shop', tool: 'Bash', target: 'git push' },
		] as const;
		expect(drawn(<DecisionsDock />, floorWith({}), { settled }).text).toContain(
			'Expired, nothing was answered: shop , Bash git push',
		);
	});

	it('leaves nothing on the floor when there is nothing to say', () => {
		expect(drawn(<DecisionsDock />, floorWith({})).html).toBe('');
	});
});

describe('the floor while a provider is lost', () => {
	const incidents = [anIncident('incident-p', { severity: 'urgent', title: 'Anthropic is lost' })];

	it('counts the decision, tells of it once, and hints at its key', () => {
		const { html, text } = drawn(<Shell />, floorWith({ popups: [two] }, { incidents }));
		expect(text).toMatch(
			/1 decision waits .*Needs you 1 .*turn held: Anthropic is lost, 1 m 48 s left Decide/,
		);
		expect(text).not.toContain('needs you');
		expect(text).not.toContain('Nothing needs you');
		expect(html).not.toContain('data-testid="incident"');
		expect(text).toContain('f decide');
	});

	it('tells of the incident when no popup stands for it', () => {
		expect(drawn(<Shell />, floorWith({}, { incidents })).text).toContain('Anthropic is lost');
	});

	it('says so in a dialog that lies over it', () => {
		const notice = (failover: Partial<FailoverView>) =>
			drawn(<DecisionNotice onGo={() => {}} />, floorWith(failover)).text;
		expect(notice({})).toBe('');
		expect(notice({ popups: [two] })).toContain("Anthropic can't be reached. Close this and answer");
		expect(notice({ consents: [make.consent('c')] })).toContain('A command waits for your consent.');
		expect(notice({ popups: [two], consents: [make.consent('c')] })).toContain('2 questions wait');
		expect(notice({ popups: [{ ...two, waiting: true }] })).toBe('');
	});
});
