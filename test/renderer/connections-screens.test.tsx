import { describe, expect, it } from 'vitest';
import { Programs } from '../../src/renderer/screens/connections/connections-page.tsx';
import {
	type Answer,
	ConnectFound,
	FoundPlans,
	FoundResults,
} from '../../src/renderer/screens/empty/connect-found.tsx';
import { FileProblems, SettingsBody } from '../../src/renderer/screens/settings/settings-page.tsx';
import type { HookPlan } from '../../src/shared/channels.ts';
import type { Connection } from '../../src/shared/connection-view.ts';
import { defaultSettings } from '../../src/shared/settings.ts';
import { type HookClient, hookClientSchema } from '../../src/shared/words.ts';
import { anAgent, anIncident, aSnapshot, NOW } from './agents.ts';
import { drawn } from './drawn.tsx';

const nothing = () => {};

function aConnection(client: HookClient, change: Partial<Connection> = {}): Connection {
	return {
		client,
		found: true,
		foundAt: `/usr/bin/${client}`,
		status: 'absent',
		file: `/home/ada/.${client}/settings.json`,
		problem: '',
		lastHeardAt: null,
		agents: 0,
		...change,
	};
}

describe('the programs of this machine', () => {
	const programs = (clients: Connection[]) =>
		drawn(
			<Programs connections={{ clients, gatewayAddress: '' }} onChanged={nothing} />,
			aSnapshot([anAgent('a')]),
		);

	it('say whether each is heard, since when, where, and what is wrong', () => {
		const { text, html } = programs([
			aConnection('claude-code', { status: 'installed', lastHeardAt: NOW - 12_000, agents: 2 }),
			aConnection('codex', { status: 'partly', problem: 'Codex wants them trusted: type /hooks.' }),
			aConnection('gemini-cli', { status: 'unreadable' }),
		]);
		expect(text).toMatch(/Claude Code connected Last heard 12 s ago ?, 2 agents now/);
		expect(text).toMatch(/Codex installed, not running Last heard never, no agent now/);
		expect(text).toContain('Codex wants them trusted: type /hooks.');
		expect(text).toContain('Gemini CLI its settings file cannot be read');
		expect(html).toContain('data-testid="disconnect-claude-code"');
		expect(html).not.toContain('data-testid="disconnect-gemini-cli"');
	});

	it('fold what is not here, but never what is still connected', () => {
		const { text, html } = programs([
			aConnection('claude-code'),
			aConnection('codex', { found: false, status: 'installed' }),
			aConnection('cursor', { found: false }),
			aConnection('opencode', { found: false }),
		]);
		expect(text).toContain('2 programs not found on this machine');
		expect(html).toContain('data-testid="program-codex"');
		expect(html).not.toContain('data-testid="program-cursor"');
		expect(html).toContain('aria-expanded="false"');
	});

	it('show what a machine wrote as text', () => {
		const { html } = programs([aConnection('codex', { file: '/w/<img src=x>\u202e', problem: '<b>no</b>' })]);
		expect(html).not.toMatch(/<img|<b>no/);
		expect(html).toContain('⟨U+202E⟩');
	});

	it('are said to be none where none is', () => {
		const all = hookClientSchema.options.map((client) => aConnection(client, { found: false }));
		expect(programs(all).text).toContain('No agent program was found on this machine.');
		expect(drawn(<Programs connections={null} onChanged={nothing} />, null).text).toContain(
			'Looking at this machine…',
		);
	});
});

describe('connecting everything that was found', () => {
	const plan = (change: Partial<HookPlan>): Answer => ({
		kind: 'plan',
		plan: {
			file: '/home/ada/.codex/hooks.json',
			status: 'absent',
			problem: '',
			diff: '+++ b\n@@ -0,0 +1 @@\n+{"hooks": 1}\n',
			...change,
		},
	});
	const failed: Answer = {
		kind: 'failed',
		error: {
			code: 'refused-file',
			message: 'The file is read-only.',
			meaning: 'Nothing was written.',
			remedy: 'Make it writable, then try again.',
		},
	};

	it('ticks all that can be connected, and tells of the rest', () => {
		const found = [
			aConnection('claude-code'),
			aConnection('codex'),
			aConnection('gemini-cli', { status: 'installed' }),
			aConnection('cursor', { status: 'unreadable', problem: 'Line 3 is no JSON.' }),
		];
		const { text, html } = drawn(<ConnectFound found={found} onChanged={nothing} />, aSnapshot([]));
		expect(html.match(/type="checkbox"/g)).toHaveLength(2);
		expect(html.match(/checked=""/g)).toHaveLength(2);
		expect(text).toContain('Connect 2 programs…');
		expect(text).toContain('Gemini CLI is connected');
		expect(text).toContain('Line 3 is no JSON.');
		expect(text).toContain('You see every change first');
	});

	it('offers nothing where all is connected', () => {
		const found = [aConnection('claude-code', { status: 'installed' })];
		const { html } = drawn(<ConnectFound found={found} onChanged={nothing} />, aSnapshot([]));
		expect(html).not.toContain('data-testid="connect-found"');
	});

	it('shows every change before the one button, and counts only what would be written', () => {
		const plans = new Map([
			['claude-code', plan({ diff: '+first\n' })],
			['codex', plan({ diff: '+second\n' })],
			['gemini-cli', plan({ diff: '', problem: 'It is there already.' })],
			['cursor', plan({ status: 'unreadable', problem: 'Line 3 is no JSON.' })],
			['opencode', failed],
		] satisfies [HookClient, Answer][]);
		const { text, html } = drawn(
			<FoundPlans
				plans={plans}
				left={new Set<HookClient>(['codex'])}
				onToggle={nothing}
				onWrite={nothing}
				onBack={nothing}
			/>,
			null,
		);
		const button = html.indexOf('data-testid="connect-write"');
		for (const part of ['+first', '+second']) {
			expect(html.indexOf(part)).toBeGreaterThan(0);
			expect(html.indexOf(part)).toBeLessThan(button);
		}
		expect(text).toContain('Connect Claude Code');
		expect(text).toContain('Gemini CLI is left as it is.');
		expect(text).toContain('Cursor is left as it is.');
		expect(text).toMatch(/opencode The file is read-only\. Nothing was written\. Make it writable/);
	});

	it('tells of each how it went, and of a failure what to do', () => {
		const results = new Map([
			['claude-code', plan({ status: 'installed', diff: '' })],
			['codex', plan({ status: 'partly', problem: 'Codex wants them trusted: type /hooks.' })],
			['opencode', failed],
		] satisfies [HookClient, Answer][]);
		const { text } = drawn(<FoundResults results={results} />, null);
		expect(text).toContain('1 of 3 programs connected.');
		expect(text).toContain('Claude Code is connected: start claude in any directory.');
		expect(text).toMatch(/Codex is not heard yet\. Codex wants them trusted/);
		expect(text).toMatch(/opencode was not connected\. The file is read-only\..*Make it writable/);
	});
});

describe('the settings page', () => {
	const body = (search = '', settings = defaultSettings) =>
		drawn(<SettingsBody settings={settings} search={search} />, aSnapshot([anAgent('a')]));

	it('shows value, unit, meaning, default, and when a change holds', () => {
		const { text, html } = body();
		expect(text).toContain('Identical tool calls in one loop. Default: 8 calls.');
		expect(text).toContain('Changes here hold with the next beat.');
		expect(text).toContain('In force when the floor starts again.');
		expect(html).toContain('value="60000"');
	});

	it('offers the way back to a default only where it is left', () => {
		expect(body().text).not.toContain('Back to');
		const { text } = body('', { ...defaultSettings, heartbeatSeconds: 5 });
		expect(text.match(/Back to/g)).toHaveLength(1);
		expect(text).toContain('Back to 30 seconds');
	});

	it('shows only what the search finds, and bars the other sections', () => {
		const { text, html } = body('quiet hours');
		expect(text).toContain('Quiet hours from');
		expect(text).not.toContain('Heartbeat');
		expect(html).toMatch(/disabled=""[^>]*data-testid="section-ladder"/);
		expect(body('zzz').text).toContain('No setting matches “zzz”.');
	});

	it('marks caps of agents that are gone, and clears them together', () => {
		const gone = 'codex:0198aaaa';
		const settings = {
			...defaultSettings,
			breaker: { ...defaultSettings.breaker, agentTokenCaps: { a: 10, later: 20, [gone]: 30 } },
		};
		const { text, html } = body('', settings);
		expect(text).toContain('codex:0198aaaa its agent is gone');
		expect(text).toContain('later meets no agent on the floor now');
		expect(text).toContain('Clear 1 cap of agents that are gone');
		expect(html).toContain('data-cap-standing="agent"');
	});

	it('shows what is wrong with the file, as long as it is', () => {
		const problem = anIncident('settings', {
			kind: 'settings',
			title: 'The settings file has a problem',
			detail: 'breaker.cycleLimit must be a number.',
		});
		const page = (incidents: (typeof problem)[]) =>
			drawn(<FileProblems />, aSnapshot([], { incidents })).text;
		expect(page([problem])).toContain('breaker.cycleLimit must be a number.');
		expect(page([{ ...problem, endedAt: NOW, endReason: 'mended' }]).trim()).toBe('');
	});
});
