import { describe, expect, it } from 'vitest';
import { AgentDetail } from '../../src/renderer/screens/agent/agent-drawer.tsx';
import { GuideList } from '../../src/renderer/screens/connections/gateway-guides.tsx';
import { PullModel } from '../../src/renderer/screens/connections/pull-model.tsx';
import { Comparing } from '../../src/renderer/screens/improve/compare-dialog.tsx';
import { OutboxList } from '../../src/renderer/screens/outbox/outbox-dialog.tsx';
import { OutboxEntry } from '../../src/renderer/screens/outbox/outbox-entry.tsx';
import { SettingsBody } from '../../src/renderer/screens/settings/settings-page.tsx';
import { Shell } from '../../src/renderer/screens/shell/shell.tsx';
import { popupWords, SloTable } from '../../src/renderer/screens/slo/service-levels.tsx';
import { TierPanel } from '../../src/renderer/screens/tier/tier-panel.tsx';
import type { FailoverView, OutboxView } from '../../src/shared/failover-view.ts';
import { defaultSettings } from '../../src/shared/settings.ts';
import { failoverViews } from '../support/failover-views.ts';
import { anAgent, aSnapshot, aStatus, NOW } from './agents.ts';
import { drawn } from './drawn.tsx';

const make = failoverViews(NOW);
const floorWith = (failover: Partial<FailoverView>, change: Parameters<typeof aSnapshot>[1] = {}) =>
	aSnapshot([anAgent('shop')], { failover: make.failover(failover), ...change });

describe('the tier', () => {
	it('is one quiet word while all is well', () => {
		const status = aStatus({ tierReason: 'nothing is known to be down' });
		const { html, text } = drawn(<Shell />, floorWith({}, { status }));
		expect(text).toContain('Tier NORMAL');
		expect(text).not.toContain('nothing is known to be down');
		expect(html).toMatch(/data-testid="tier-badge" data-tier="NORMAL"/);
	});

	it('names itself and why in one line otherwise', () => {
		const status = aStatus({ tier: 'READ-ONLY-REMOTE', tierReason: '2 turns wait to be sent' });
		expect(drawn(<Shell />, floorWith({}, { status })).text).toContain(
			'READ-ONLY-REMOTE 2 turns wait to be sent',
		);
	});

	const panel = (failover: Partial<FailoverView>) =>
		drawn(<TierPanel tier="NORMAL" why="all is well" onLeave={() => {}} />, floorWith(failover));

	it('opens on every provider with its evidence and age', () => {
		const { text } = panel({
			providers: [
				make.provider('anthropic', {
					remote: 'unreachable',
					breaker: 'open',
					reason: 'The connection was refused.',
					lastFailureAt: NOW - 12_000,
					nextTrialAt: NOW + 18_000,
					retryAfterUntil: NOW + 40_000,
					calls: 6,
					errors: 3,
					rateLimited: 1,
				}),
				make.provider('openai', { remote: 'unknown', lastSuccessAt: null, calls: 0, p95LatencyMs: null }),
				make.provider('groq', { remote: 'unauthorised', breaker: 'half-open', nextTrialAt: NOW - 1 }),
			],
		});
		expect(text).toMatch(
			/Anthropic unreachable The connection was refused\. last answer 4 s ago , last failure 12 s ago ; 6 calls, 3 errors, 1 rate-limited in the last 60 s, p95 1\.8 s to the first byte; breaker open: no call is sent, next trial in 18 s ; it asked not to be called for 40 s/,
		);
		expect(text).toContain('openai not known: no recent call no answer yet; no call in the last 60 s');
		expect(text).toMatch(/groq not authorised .*one trial call decides, the next call is a trial/);
	});

	it('opens on local servers and models, unknown said to be unknown', () => {
		const { text } = panel({
			capability: {
				local: 'ready',
				localModels: [
					make.model('qwen3-coder:30b', { tags: ['reasoning'] }),
					make.model('bare', {
						fit: 'UNKNOWN',
						fitReason: 'Its size is not told.',
						context: { inUse: null, max: null },
						sizeBytes: null,
						tools: null,
						loaded: null,
					}),
				],
				remote: 'unreachable',
				activeSession: null,
			},
			localServers: [
				make.localServer('ollama'),
				make.localServer('vllm', { kind: 'vllm', state: 'unreadable', problem: 'It answered a web page.' }),
			],
		});
		expect(text).toContain('Ollama 0.12.3 running, 2 models http://127.0.0.1:11434 , checked 20 s ago');
		expect(text).toMatch(/vLLM .*answers, but not as expected .*It answered a web page\./);
		expect(text).toMatch(
			/qwen3-coder:30b on ollama reasoning fits comfortably Needs 21\.4 GB of 24 GB of GPU memory\. 65\.5k tokens of context in use, 262k possible ; 17 GB; uses tools; loaded; checked 20 s ago/,
		);
		expect(text).toContain(
			'fit not known Its size is not told. context not known ; size not known; tools not known; loaded or not is not known',
		);
	});

	it('opens on who runs locally, and says so when nobody and nothing does', () => {
		expect(panel({ routes: [make.route()] }).text).toContain(
			'shop on ollama/qwen3-coder:30b 3 turns in 4 m , until anthropic is back',
		);
		const { text } = panel({});
		for (const words of ['No provider is set up', 'No local server', 'No local model', 'No session runs']) {
			expect(text).toContain(words);
		}
	});
});

describe('the ways to what stands behind the floor', () => {
	it('are there while all is well and nothing waits', () => {
		const { text } = drawn(<Shell />, floorWith({}));
		for (const words of ['Outbox', 'Usage', 'Providers & models', 'Incidents', 'Insights', 'More']) {
			expect(text).toContain(words);
		}
		expect(text).not.toContain('local answer');
		expect(drawn(<Shell />, floorWith({ offers: [make.offer('a')] })).text).toContain('1 local answer');
	});

	it('name the gateway on a floor without agents', () => {
		const { text } = drawn(<Shell />, aSnapshot([]));
		expect(text).toMatch(
			/goes on, on a model of this machine, when its provider is lost: Connections → Gateway/,
		);
	});
});

describe('an agent that only the gateway knows', () => {
	const served = {
		harness: 'cloud',
		at: 'anthropic',
		model: 'opus-5-5',
		asked: 'opus-5-5',
		since: NOW,
	} as const;
	const detail = (change: Parameters<typeof anAgent>[1]) => {
		const agent = anAgent('shop', change);
		return drawn(<AgentDetail agent={agent} titleId="t" />, aSnapshot([agent])).text;
	};

	it('is told with how more of it can be known', () => {
		const hint = 'Seen through the gateway only: connect its hooks for tools and usage.';
		expect(detail({ served, directory: '' })).toContain(hint);
		expect(detail({ served })).not.toContain(hint);
		expect(detail({ directory: '' })).not.toContain(hint);
		const row = drawn(<Shell />, aSnapshot([anAgent('shop', { served, directory: '' })]));
		expect(row.text).toContain('seen through the gateway only');
	});
});

describe('who answered', () => {
	const local = {
		harness: 'local',
		at: 'ollama',
		model: 'qwen3-coder:30b',
		asked: 'opus-5-5',
		since: NOW - 9000,
	} as const;
	const rowOf = (agent: Parameters<typeof anAgent>[1], failover: Partial<FailoverView> = {}) =>
		drawn(<Shell />, aSnapshot([anAgent('shop', agent)], { failover: make.failover(failover) }));

	it('is marked on the row when it was a local model', () => {
		const { html, text } = rowOf({ served: local });
		expect(text).toContain('local · qwen3-coder:30b');
		expect(html).toContain('data-testid="served-badge"');
	});

	it('is the model alone, unmarked, when it was the cloud', () => {
		const { html, text } = rowOf({
			served: {
				...local,
				harness: 'cloud',
				model: 'claude-opus-4-1-20250805',
				asked: 'claude-opus-4-1-latest',
			},
		});
		expect(text).toMatch(/Claude Code, +cloud · +opus-4-1/);
		expect(html).not.toContain('served-badge');
	});

	it('is marked as soon as the session is to run locally', () => {
		const { html } = rowOf({}, { routes: [make.route()] });
		expect(html).toContain('data-testid="served-badge"');
		expect(html).toContain('Its session runs locally until anthropic is back, 3 turns so far');
	});

	it('is told whole in the drawer, with what could be compared', () => {
		const agent = anAgent('shop', { served: local });
		const failover = make.failover({
			routes: [make.route()],
			offers: [make.offer('a'), make.offer('b', { state: 'ready' }), make.offer('c', { agentId: 'other' })],
		});
		const { text } = drawn(<AgentDetail agent={agent} titleId="t" />, aSnapshot([agent], { failover }));
		expect(text).toContain('Answered by local · qwen3-coder:30b at ollama , since 9 s');
		expect(text).toContain('Runs locally until anthropic is back: ollama/qwen3-coder:30b , 3 turns in 4 m');
		expect(text).toContain('2 local answers could be compared');
		expect(text).toContain('it costs tokens there');
		expect(text).toMatch(/Improve this with sonnet-4-5\? Dismiss .*Compare… Dismiss/);
	});

	it('is counted on the row of the agent alone', () => {
		expect(rowOf({}, { offers: [make.offer('a')] }).text).toContain('1 local answer to compare');
		expect(rowOf({}, { offers: [make.offer('a', { agentId: 'other' })] }).text).not.toContain('to compare');
	});
});

describe('two answers side by side', () => {
	const comparing = (change: Parameters<typeof make.comparison>[0] = {}) => {
		const comparison = make.comparison(change);
		return drawn(
			<Comparing comparison={comparison} offer={comparison.offer} onDismissed={() => {}} />,
			floorWith({}),
		);
	};

	it('are both labelled with their model and age', () => {
		const { text } = comparing();
		expect(text).toMatch(
			/local · qwen3-coder:30b 3 m ago Three steps: … cloud · sonnet-4-5 5 s ago Four steps: …/,
		);
	});

	it.each([
		[
			'offered',
			'',
			'It was not asked. Asking sends the turn to the provider with the agent’s own account: it costs tokens there. Ask ',
		],
		['waiting', 'Anthropic is lost', 'It waits in the outbox until there is a way to ask. Anthropic is lost'],
		['asking', '', 'It is being asked…'],
		['failed', 'It answered 500.', 'It gave no answer. It answered 500. Asking sends'],
	] as const)('say of the missing one that it is %s', (state, problem, words) => {
		const { text } = comparing({ offer: make.offer('o', { state, problem }), cloud: null });
		expect(text.replace(/ +/g, ' ')).toContain(words);
		expect(text).toContain('Three steps');
	});
});

describe('the outbox', () => {
	const outbox = (change: Partial<OutboxView> = {}): Partial<FailoverView> => ({
		outbox: { queued: 0, uncertain: 0, entries: [], problem: '', ...change },
	});
	const badge = (change: Partial<OutboxView>) => drawn(<OutboxEntry />, floorWith(outbox(change))).text;
	const list = (change: Partial<OutboxView>) => drawn(<OutboxList />, floorWith(outbox(change))).text;

	it('offers the answer to read where one is kept', () => {
		const done = { state: 'reconciled' as const, detail: 'The head of it' };
		expect(list({ entries: [make.outboxEntry('a', { ...done, hasAnswer: true })] })).toContain(
			'Read the answer',
		);
		expect(list({ entries: [make.outboxEntry('a', done)] })).not.toContain('Read the answer');
	});

	it('can always be opened, and counts only while something waits or went wrong', () => {
		expect(badge({})).toBe(' Outbox ');
		expect(badge({ entries: [make.outboxEntry('k', { state: 'reconciled' })] })).toBe(' Outbox ');
		expect(badge({ queued: 3 })).toContain('Outbox 3 queued');
		expect(badge({ uncertain: 1 })).toContain('1 to check');
		expect(badge({ entries: [make.outboxEntry('k', { state: 'failed' })] })).toContain('1 to check');
		expect(badge({ problem: 'The disk is full.' })).toContain('1 to check');
	});

	it('tells of each entry what, why, how old, how often, and when next', () => {
		expect(list({ entries: [make.outboxEntry('k')] })).toContain(
			'queued Turn: shop: Plan the move of the basket Anthropic cannot be reached queued 5 m ago , tried 2 times, next in 22 s Retry now Discard…',
		);
		expect(list({ entries: [make.outboxEntry('k', { attempts: 0, nextAttemptAt: NOW })] })).toContain(
			'not tried yet, due now',
		);
	});

	it('explains what is uncertain, and that only a person sends it again', () => {
		expect(list({ entries: [make.outboxEntry('k', { state: 'uncertain', kind: 'hook' })] })).toMatch(
			/uncertain Webhook: .*may or may not have been sent before the floor went down\. Nothing is sent again unless you say so\..*Retry now Discard…/,
		);
	});

	it('shows how far a download is, and offers nothing that cannot be', () => {
		const text = list({
			entries: [make.outboxEntry('k', { kind: 'download', state: 'sending', progress: 0.377 })],
		});
		expect(text).toContain('38 %');
		expect(text).not.toContain('Retry now');
		expect(text).not.toContain('Discard');
	});

	it('says that it is empty, and why it cannot be kept', () => {
		expect(list({})).toContain('Nothing is queued.');
		expect(list({ problem: 'The disk is full.' })).toContain(
			'The disk is full. What is queued now may not outlive a restart.',
		);
	});
});

describe('the service levels', () => {
	const day = {
		day: '2026-11-30',
		providerId: 'anthropic',
		turns: 1284,
		fallbackTurns: 106,
		refusedTurns: 2,
		queuedTurns: 3,
		degradedMs: 1_284_000,
		popupMs: { count: 3, p50: 84, p99: 190.4, max: 240 },
		queueDepthMax: 4,
	};

	it('stand by day and provider, the newest first, with their units', () => {
		const rows = [{ ...day, day: '2026-11-29', turns: 0, fallbackTurns: 0, popupMs: null }, day];
		const { text } = drawn(<SloTable rows={rows} />, floorWith({ providers: [make.provider('anthropic')] }));
		expect(text).toMatch(
			/2026-11-30 Anthropic 1 284 8\.3 % 2 3 21 m 84 \/ 190 \/ 240 ms \(3\) 4 2026-11-29 Anthropic 0 – 2 3 21 m no popup 4/,
		);
	});

	it('say that nothing was counted yet', () => {
		expect(drawn(<SloTable rows={[]} />, floorWith({})).text).toContain('No turn has passed the gateway');
		expect(popupWords(null)).toBe('no popup');
	});
});

describe('the settings of failover and gateway', () => {
	it('give every policy its meaning in a sentence', () => {
		const { html, text } = drawn(<SettingsBody settings={defaultSettings} search="" />, null);
		expect(text).toContain('Ask me You are asked each time');
		expect(text).toContain('Go local at once');
		expect(text).toContain('Wait for the provider');
		expect(html).toMatch(/type="radio"[^>]*checked="" value="ask"/);
		expect(text).toContain('empty posts nothing');
		expect(html).toContain('value="47100"');
		expect(text).toContain('In force when the floor starts again');
	});

	it('hide the token of the guides until it is asked for', () => {
		const guides = [
			{ client: 'claude-code', how: 'Set this.', lines: 'export X=http://127.0.0.1:47100/gateway/secret-1' },
		];
		const { html, text } = drawn(<GuideList guides={guides} />, null);
		expect(text).toContain('Claude Code Set this.');
		expect(text).toContain('/gateway/••••••••');
		expect(html).not.toContain('secret-1');
		expect(html).toContain('aria-label="Copy the lines for Claude Code"');
	});

	it('offer every local server, with its state, to fetch a model', () => {
		const { text } = drawn(
			<PullModel
				servers={[
					make.localServer('ollama'),
					make.localServer('lmstudio', { kind: 'lmstudio', state: 'unknown' }),
				]}
			/>,
			null,
		);
		expect(text).toContain('Ollama, running');
		expect(text).toContain('LM Studio, not looked at yet');
	});
});
