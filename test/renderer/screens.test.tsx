import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { AgentDetail } from '../../src/renderer/screens/agent/agent-drawer.tsx';
import { IncidentsStrip } from '../../src/renderer/screens/floor/incidents-strip.tsx';
import { connectionWords } from '../../src/renderer/screens/shell/connection.tsx';
import { FootLine } from '../../src/renderer/screens/shell/foot-line.tsx';
import { Shell } from '../../src/renderer/screens/shell/shell.tsx';
import { FloorProvider } from '../../src/renderer/store/floor-context.tsx';
import { createFloorStore } from '../../src/renderer/store/floor-store.ts';
import { defaultPreferences } from '../../src/renderer/store/preferences.ts';
import { createViewStore, type ViewState } from '../../src/renderer/store/view-store.ts';
import { LiveRegions } from '../../src/renderer/widgets/live-regions.tsx';
import type { AgentView } from '../../src/shared/agent-view.ts';
import { pictureOf } from '../../src/shared/picture.ts';
import { usageView } from '../support/usage-views.ts';
import { anAgent, anIncident, aSnapshot, aState, aStatus, hooksOf, NOW } from './agents.ts';
import { drawn } from './drawn.tsx';
import { FakeTransport } from './fake-transport.ts';

const floorOf = (agent: AgentView, change: Partial<ViewState> = {}) =>
	drawn(<Shell />, aSnapshot([agent]), change).text;

const looping = anAgent('api', {
	level: 'steering',
	standing: 'steering',
	levelReason: 'the same call was made 13 times',
	evidence: {
		arm: 'repeated-tool',
		counted: 'identical calls of Bash “npm test”',
		count: 13,
		limit: 8,
		unit: 'calls',
		since: NOW - 180_000,
		lastAt: NOW - 4000,
		lastOccurrences: [{ at: NOW - 4000, text: 'npm test' }],
		clears: 'a different call or a changed file',
	},
	climbHeld: 'the note has not been read yet',
	notes: [
		{
			id: 'n',
			text: 'You ran npm test 13 times.',
			source: 'ladder',
			queuedAt: NOW - 12_000,
			deliveredAt: null,
		},
	],
	usage: usageView({
		input: 100,
		output: 200,
		cacheRead: 3_100_000,
		cacheCreation: 50,
		work: 182_400,
		costUsd: 1.2,
		unpricedModels: ['house/model'],
		asOf: NOW - 5000,
	}),
	outputTokensPerMinute: 1240,
	denials: { count: 2, last: { at: NOW, tool: 'Write', reason: 'reading only' } },
	warnings: ['Tokens are at 84 % of the cap'],
	providerTrouble: { error: 'overloaded_error', message: 'Overloaded', at: NOW - 9000 },
	subagents: [{ id: 's', type: 'Explore', since: NOW }],
	doing: {
		at: NOW - 14_000,
		tool: 'Bash',
		target: 'npm test',
		outcome: 'running',
		durationMs: null,
		subagentId: null,
	},
});

describe('an agent on the floor', () => {
	it.each([
		'steering',
		'the same call was made 13 times',
		'13 calls, limit 8',
		'Clears: a different call or a changed file',
		'queued 12 s ago, not read yet',
		'≥ $1.20',
		'some models unpriced',
		'182k work tokens',
		'3.1M cache reads',
		'1.2k /min',
		'2 calls refused, last Write : reading only',
		'Tokens are at 84 % of the cap',
		'Provider trouble: Overloaded 9 s ago',
		'1 subagent: Explore',
		'Bash npm test running 14 s',
	])('says “%s”', (words) => {
		expect(floorOf(looping)).toContain(words);
	});

	it('folds what was counted one by one, and opens it', () => {
		const words = [
			'since 3 m ago',
			'identical calls of Bash',
			'Not climbing: the note has not been read yet',
		];
		const folded = floorOf(looping);
		const open = floorOf(looping, { openWhys: new Set(['api']) });
		for (const one of words) {
			expect(folded).not.toContain(one);
			expect(open).toContain(one);
		}
	});

	it.each([
		'Steering',
		'for 10 m',
		'The same call was made 13 times',
		'13 calls, limit 8',
		'Bash npm test running 14 s',
		'sonnet-4-5',
		'≥ $1.20',
		'182k work tokens',
		'2 calls refused',
		'Note You ran npm test 13 times. queued 12 s ago, not read yet',
		'Provider trouble: Overloaded',
		'Steer… Hold Constrain Stop…',
	])('says “%s” as a card', (words) => {
		const cards = { preferences: { ...defaultPreferences, look: 'cards' } } as const;
		expect(floorOf(looping, cards).toLowerCase()).toContain(words.toLowerCase());
	});

	it('says whose order it is under, in whose words', () => {
		const held = anAgent('api', {
			standing: 'stopped',
			order: { kind: 'hold', words: 'Wait for me.', at: NOW - 60_000 },
		});
		expect(floorOf(held)).toMatch(/held by you.*You hold it, 1 m ago : Wait for me\./);
	});

	it('says how far a stop has got, and when that was true', () => {
		const stopProgress = { phase: 'still-running', pids: [12, 13], checkedAt: NOW - 8000 } as const;
		const text = floorOf(
			anAgent('api', { standing: 'stopped', stopProgress: { ...stopProgress, pids: [12, 13] } }),
		);
		expect(text).toContain('still running: pids 12, 13 checked 8 s ago');
	});

	it('never shows $0 for what is not known', () => {
		const usage = { ...looping.usage, costUsd: null, unpricedModels: ['x'] } as AgentView['usage'];
		const text = floorOf(anAgent('api', { usage }));
		expect(text).toContain('unpriced');
		expect(text).not.toContain('$0');
		expect(floorOf(anAgent('api'))).toContain('no usage read yet');
	});

	it('says where a question is answered, and only of a question', () => {
		const words = 'answer it in its own terminal';
		const state = aState('waiting', { needsYou: true, reason: 'wants to run Bash' });
		expect(floorOf(anAgent('api', { state }))).toContain(words);
		expect(floorOf(anAgent('api', { state, level: 'stopped', standing: 'stopped' }))).not.toContain(words);
		const providerTrouble = { error: 'overloaded', message: '', at: state.since };
		expect(floorOf(anAgent('api', { state, providerTrouble }))).not.toContain(words);
		expect(floorOf(anAgent('api', { state: aState('waiting', { reason: 'turn done' }) }))).not.toContain(
			words,
		);
	});

	it('marks an agent of the demo', () => {
		expect(floorOf(anAgent('api', { demo: true }))).toContain('api demo');
	});

	it('shows what agents wrote as text', () => {
		const { html, text } = drawn(
			<Shell />,
			aSnapshot([
				anAgent('x', { name: '<img src=x onerror=alert(1)>\u202E', directory: '/tmp/\u001b[31m/a' }),
			]),
		);
		expect(html).not.toContain('<img');
		expect(text).toContain('<img src=x onerror=alert(1)>⟨U+202E⟩');
		expect(text).toContain('␛[31m');
	});

	it('carries what tests hold on to', () => {
		const { html } = drawn(<Shell />, aSnapshot([looping]));
		expect(html).toMatch(
			/data-testid="agent-card" data-agent-id="api" data-level="steering" data-standing="steering" data-state="live"/,
		);
	});
});

describe('the floor', () => {
	it('counts what needs the operator first', () => {
		const asking = anAgent('a', {
			state: aState('waiting', { needsYou: true, reason: 'permission for Bash' }),
		});
		const { text } = drawn(<Shell />, aSnapshot([anAgent('b'), asking, looping]));
		expect(text).toMatch(/1 needs you 1 steering 1 working/);
		expect(text).toContain('waiting for you: permission for Bash');
		expect(drawn(<Shell />, aSnapshot([anAgent('b')])).text).toContain('Nothing needs you');
	});

	it('names at its foot only the agent that the keys act on', () => {
		const foot = (change: Partial<ViewState>) =>
			drawn(<FootLine />, aSnapshot([anAgent('a'), anAgent('b')]), change).text;
		expect(foot({ activeAgentId: 'a', focusedAgentId: 'b' })).toMatch(/b .*\/b .*s steer h hold/);
		expect(foot({ focusedAgentId: 'a', drawerAgentId: 'b' })).toContain('/home/ada/code/b');
		for (const none of [{ activeAgentId: 'a' }, { focusedAgentId: 'a', dialog: { kind: 'keys' } }] as const) {
			expect(foot(none)).not.toContain('/home/ada/code');
			expect(foot(none)).not.toContain('hold');
		}
	});

	it('folds what has exited', () => {
		const gone = anAgent('gone-agent', { state: aState('exited', { reason: '/exit' }) });
		expect(drawn(<Shell />, aSnapshot([gone])).text).not.toContain('gone-agent');
		expect(
			drawn(<Shell />, aSnapshot([gone]), {
				preferences: { ...defaultPreferences, folds: { 'need exited': false } },
			}).text,
		).toContain('exited: /exit');
	});

	it('shows open incidents, the urgent first, and not the ended', () => {
		const incidents = [
			anIncident('a', { title: 'Older and urgent', severity: 'urgent', openedAt: NOW - 9000 }),
			anIncident('b', { title: 'Newer', count: 3 }),
			anIncident('c', { title: 'Over', endedAt: NOW, endReason: 'recovered' }),
		];
		const { text } = drawn(<Shell />, aSnapshot([anAgent('a')], { incidents }));
		expect(text).toMatch(/Older and urgent.*Newer 3 times, last 20 s ago/);
		expect(text).not.toContain('Over ');
	});

	it('leads from an incident to its agent, and offers to resume one that is stopped', () => {
		const incidents = [anIncident('i', { agentId: 'api' })];
		const withAgent = (agent: AgentView) => drawn(<IncidentsStrip />, aSnapshot([agent], { incidents })).html;
		expect(withAgent(anAgent('api', { standing: 'stopped', level: 'stopped' }))).toMatch(
			/aria-label="Resume api".*aria-label="Show api"/,
		);
		expect(withAgent(anAgent('api'))).not.toContain('Resume');
		expect(withAgent(anAgent('api'))).toContain('aria-label="Show api"');
		expect(withAgent(anAgent('another'))).not.toContain('Show ');
	});

	it.each([
		[aStatus({ breakerEnabled: false }), 'The ladder is off.'],
		[aStatus({ demo: true }), 'This is the demo.'],
		[aStatus({ tier: 'LOCAL-ONLY', tierReason: 'no provider answers' }), 'LOCAL-ONLY No provider answers'],
		[aStatus({ lastBeatLateMs: 14_000 }), 'beat 12 s ago, came 14 s late'],
	])('says what is true of all of it', (status, words) => {
		const floor = createFloorStore(NOW, pictureOf(aSnapshot([anAgent('a')], { status })));
		Object.assign(floor.getInitialState(), { connection: { state: 'connected', since: NOW } });
		const html = renderToString(
			<FloorProvider
				value={{
					transport: new FakeTransport(),
					floor,
					view: createViewStore(),
					clock: { now: () => NOW, subscribe: () => () => {} },
				}}
			>
				<Shell />
			</FloorProvider>,
		);
		expect(html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')).toContain(words);
	});

	it('teaches while it is empty', () => {
		const absent = drawn(<Shell />, aSnapshot([], { status: aStatus({ hooks: hooksOf({}) }) }));
		expect(absent.html).toContain('data-testid="empty-floor"');
		expect(absent.text).toContain('No agent is on the floor yet');
		expect(absent.text).toContain('Looking for agent programs on this machine…');
		expect(absent.html).toContain('data-testid="play-demo"');
		const waiting = drawn(<Shell />, aSnapshot([]));
		expect(waiting.text).toContain('Connected: waiting for the first session');
		expect(waiting.text).toContain('Waiting for a session of Claude Code. Start claude in any directory');
	});

	it('is silent before the first snapshot, and does not call an unread floor empty', () => {
		const { html } = drawn(<Shell />, null);
		expect(html).not.toContain('empty-floor');
		expect(html).not.toContain('agent-card');
	});
});

describe('the connection', () => {
	it.each([
		['connected', 1000, true, 'engine connected'],
		['refused', 1000, false, 'the engine does not let this window in'],
		['connecting', 1000, false, 'connecting…'],
		['connecting', 9000, false, 'no answer from the engine for 9 s'],
		['disconnected', 40_000, true, 'engine lost 40 s ago: what you see is old'],
	] as const)('%s for %d ms (picture: %s) is “%s”', (state, age, known, words) => {
		expect(connectionWords(state, age, known)).toBe(words);
	});
});

describe('the drawer', () => {
	it('shows every number apart', () => {
		const part = <AgentDetail agent={looping} titleId="t" />;
		const { text } = drawn(part, aSnapshot([looping]), { drawerTab: 'usage' });
		expect(text).toContain('Cache reads, not counted as work 3 100 000');
		expect(text).toContain('at least $1.20 No price is known for house/model');
	});
});

it('has both live regions on the page from the start, empty', () => {
	const { html } = drawn(<LiveRegions />, null);
	expect(html).toMatch(/role="status"[^>]*><\/div><div[^>]*role="alert"[^>]*><\/div>/);
	// A modal dialog hides everything else from a screen reader, but for what says `aria-live` outright.
	expect(html).toMatch(/aria-live="polite".*aria-live="assertive"/);
});
