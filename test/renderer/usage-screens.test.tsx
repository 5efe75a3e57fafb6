import { describe, expect, it } from 'vitest';
import { AgentDetail } from '../../src/renderer/screens/agent/agent-drawer.tsx';
import { SettingsBody } from '../../src/renderer/screens/settings/settings-page.tsx';
import { Shell } from '../../src/renderer/screens/shell/shell.tsx';
import { UsageAge, UsagePage } from '../../src/renderer/screens/usage/usage-dialog.tsx';
import { defaultPreferences } from '../../src/renderer/store/preferences.ts';
import { HooksPanel, ReadablePlan } from '../../src/renderer/widgets/hooks-panel.tsx';
import type { AgentView } from '../../src/shared/agent-view.ts';
import type { ArmGauge } from '../../src/shared/breaker-state.ts';
import type { HookPlan } from '../../src/shared/channels.ts';
import { defaultSettings } from '../../src/shared/settings.ts';
import type { Sighting } from '../../src/shared/sighting.ts';
import type { FloorSnapshot, FloorStatus } from '../../src/shared/snapshot.ts';
import { type FloorUsage, NO_USAGE, type UsageAmount } from '../../src/shared/usage-view.ts';
import { hookClientSchema } from '../../src/shared/words.ts';
import { floorUsage, usageView } from '../support/usage-views.ts';
import { anAgent, aPassedCap, aSnapshot, aState, aStatus, hooksOf, NOW } from './agents.ts';
import { drawn } from './drawn.tsx';

const amount = (work: number, change: Partial<UsageAmount> = {}): UsageAmount => ({
	...NO_USAGE,
	input: work / 2,
	output: work / 4,
	cacheCreation: work / 4,
	work,
	cacheRead: work * 10,
	costUsd: work / 1000,
	...change,
});

const page = (usage: Partial<FloorUsage>, agents: AgentView[] = []) => {
	const whole = floorUsage(usage);
	return drawn(<UsagePage usage={whole} />, aSnapshot(agents, { usage: whole }));
};

describe('the usage of everybody', () => {
	it('is not known before it was read, and nothing of it is 0', () => {
		const { text } = page({});
		expect(text.match(/not known yet/g)).toHaveLength(3);
		expect(text).not.toMatch(/\b0\b/);
		expect(text).not.toContain('$');
	});

	it('stands by session, day and week, with local tokens free and sums that are lower bounds', () => {
		const { text } = page({
			asOf: NOW,
			session: amount(4000, { localWork: 400 }),
			today: amount(8000, { unpricedModels: ['house/model'] }),
			week: amount(80_000),
		});
		expect(text).toContain('Work: the sum, what caps count 4 000 8 000 80 000');
		expect(text).toContain('of them served on this machine, free 400 0 0');
		expect(text).toContain('Cache reads, not counted as work 40 000 80 000 800 000');
		expect(text).toContain('Cost, US dollars $4.00 at least $8.00 $80.00');
		expect(text).toContain('No price is known for house/model');
	});

	it('says that it still grows while files are read, and what could not be', () => {
		const { text } = page({
			reading: { bytes: 340 * 1024 ** 2, totalBytes: 1024 ** 3, since: NOW - 12_000 },
			problems: ['x.jsonl cannot be read: permission denied.'],
		});
		expect(text).toContain('Reading 340 of 1 024 MB of session files, for 12 s : figures still grow.');
		expect(text).toMatch(/figures may be too low x\.jsonl cannot be read/);
	});

	it('stands by program, with what was found', () => {
		const programs = [
			{ client: 'codex', files: 31, bytes: 190 * 1024 ** 2, today: amount(4000), week: amount(12_000) },
			{
				client: 'opencode',
				files: 1,
				bytes: 20,
				today: NO_USAGE,
				week: amount(400, { costUsd: null, localWork: 400 }),
			},
		];
		const { text } = page({ programs });
		expect(text).toContain('Codex 31 files, 190 MB 4k $4.00 12k $12.00');
		expect(text).toContain('opencode 1 file, under 1 MB 0 – 400 free');
	});

	it('stands by agent, most work first, each column with its order said', () => {
		const agents = [
			anAgent('little', { usage: usageView({ ...amount(1000), today: amount(500) }) }),
			anAgent('fresh'),
			anAgent('much', { usage: usageView(amount(9000)), client: 'codex' }),
		];
		const { html, text } = page({}, agents);
		expect(text).toMatch(
			/much Codex 9k \$9\.00 not known yet not known yet little Claude Code 1k \$1\.00 500 \$0\.50 not known yet fresh/,
		);
		expect(html.match(/aria-sort="descending"/g)).toHaveLength(1);
		expect(html.match(/aria-sort="none"/g)).toHaveLength(7);
		expect(text).toContain('Week work tokens');
	});
});

describe('a demo’s agents', () => {
	const real = anAgent('mine', { usage: usageView(amount(1000)) });
	const demo = anAgent('play', { demo: true, usage: usageView(amount(9000)) });
	const regions = (html: string) => html.match(/aria-label="Usage by (demo )?agent"/g) ?? [];

	it('stand apart from the agents of a real floor, whose sums leave them out', () => {
		const { html, text } = page({ asOf: NOW, session: amount(1000) }, [real, demo]);
		expect(regions(html)).toHaveLength(2);
		expect(text).toMatch(/mine .*Demo agents: nothing was really spent.* play /);
		const alone = page({}, [demo]);
		expect(regions(alone.html)).toEqual(['aria-label="Usage by demo agent"']);
		expect(alone.text).toContain('No agent is on the floor but those of the demo.');
	});

	it('are the table where the sums are theirs, and no word is said where there are none', () => {
		const play = page({ asOf: NOW, session: amount(9000) }, [demo]);
		expect(regions(play.html)).toEqual(['aria-label="Usage by agent"']);
		expect(play.text).not.toContain('none of the sums');
		expect(page({}, [real]).text).not.toContain('Demo agents');
	});
});

describe('how old the usage of everybody is', () => {
	const age = (usage: FloorUsage | null) => drawn(<UsageAge usage={usage} />, null).text;

	it('is told of the agents, and never denies what the files say', () => {
		expect(age(null)).toBe('Nothing was counted yet.');
		expect(age(floorUsage())).toBe('Nothing was counted yet.');
		expect(age(floorUsage({ asOf: NOW - 5000 }))).toContain('5 s ago');
		for (const known of [{ today: amount(10) }, { week: amount(10) }]) {
			expect(age(floorUsage(known))).not.toContain('Nothing');
		}
	});
});

const arm = (change: Partial<ArmGauge>): ArmGauge => ({
	arm: 'repeated-tool',
	counted: 'identical calls of Bash “npm test”',
	count: 3,
	limit: 8,
	unit: 'calls',
	note: '',
	...change,
});
const capped = anAgent('api', {
	level: 'constrained',
	standing: 'constrained',
	levelReason: 'Spent too much',
	evidence: aPassedCap(),
});
/** What stands in those parts of the drawer, one after the other. */
const drawer = (agent: AgentView, status: Partial<FloorStatus> = {}) => {
	const snapshot = aSnapshot([agent], { status: aStatus(status) });
	const parts = (['now', 'arms', 'usage'] as const).map((drawerTab) =>
		drawn(<AgentDetail agent={agent} titleId="t" />, snapshot, { drawerTab }),
	);
	return { text: parts.map(({ text }) => text).join(' '), html: parts.map(({ html }) => html).join('') };
};
const floorOf = (agents: AgentView[], change: Partial<FloorSnapshot> = {}) =>
	drawn(<Shell />, aSnapshot(agents, change));

describe('one agent’s usage in its drawer', () => {
	it('says whose count it is, how old, and what others counted when they differ', () => {
		const usage = usageView({
			...amount(100_000),
			asOf: NOW - 5000,
			otherCounts: [
				{ source: 'gateway', work: 90_000 },
				{ source: 'telemetry', work: 100_500 },
			],
		});
		const { text } = drawer(anAgent('api', { usage }));
		expect(text).toContain('Counted from its own log, read 5 s ago');
		expect(text).toContain('The gateway counted 90 000 work tokens. Counts of one session are compared');
		expect(text).not.toContain('100 500');
		const byGateway = drawer(anAgent('api', { usage: usageView({ source: 'gateway' }) })).text;
		expect(byGateway).toContain('Counted by the gateway, read');
		expect(byGateway).not.toContain('compared');
	});
});

describe('why it tripped, and why it did not', () => {
	const arms = [
		arm({}),
		arm({ arm: 'same-result', count: 6, limit: 4, counted: 'equal calls', note: 'A file changed.' }),
		arm({ arm: 'cycle', count: 9, limit: 4, counted: 'rounds of a cycle', unit: 'rounds' }),
		arm({ arm: 'polling', count: null, limit: null }),
		arm({ arm: 'token-velocity', count: null, limit: 60_000, unit: 'output tokens/min' }),
		arm({ arm: 'agent-token-cap', count: 512_300, limit: 500_000, unit: 'tokens' }),
		arm({ arm: 'cost-cap', count: 8, limit: null, unit: 'USD' }),
	];

	it('shows the arm that gives the reason first, each with count, limit, unit and note in words', () => {
		const { text, html } = drawer({ ...capped, arms });
		expect(html.match(/data-arm="([a-z-]+)"/g)?.map((found) => found.slice(10, -1))).toEqual([
			'agent-token-cap',
			'repeated-tool',
			'same-result',
			'cycle',
			'token-velocity',
			'polling',
			'cost-cap',
		]);
		expect(text).toContain(
			'“Cap of this agent” tripped first and gives the reason; one more is over as well.',
		);
		expect(text).toContain('512k work tokens, limit 500k tripped: this gives the reason');
		expect(text).toContain('Repeated calls 3 calls, limit 8 identical calls of Bash');
		expect(text).toContain(
			'6 calls, limit 4 over its limit, not held against it equal calls A file changed.',
		);
		expect(text).toContain('9 rounds, limit 4 over its limit too');
		expect(text).toContain('not known, limit 60k output tokens/min');
		expect(text).toContain('Polling switched off Settings');
		expect(text).toContain('Cost cap of the floor $8.00, no cap is set Settings');
	});

	it('says of which beat the figures are, and promises an agent that has ended no other', () => {
		const over = [arm({ arm: 'cycle', count: 9, limit: 4 })];
		const now = drawer(anAgent('api', { arms: over })).text;
		expect(now).toContain('the next beat judges it. As of the last beat, 12 s ago .');
		const ended = drawer(anAgent('api', { arms: over, state: aState('exited') })).text;
		expect(ended).toContain('As of its last beat.');
		expect(ended).not.toMatch(/the last beat, |next beat/);
		expect(drawer(anAgent('api', { state: aState('exited') })).text).not.toContain('next beat');
	});

	it('says once that there is no limit', () => {
		const off = [
			arm({ arm: 'cost-cap', count: 8, limit: null, unit: 'USD', note: 'No cap is set.' }),
			arm({ arm: 'polling', count: null, limit: null, note: 'Switched off in the settings.' }),
		];
		const { text } = drawer(anAgent('api', { arms: off }));
		expect(text.match(/no cap is set/gi)).toHaveLength(1);
		expect(text.match(/switched off/gi)).toHaveLength(1);
	});

	it('says so when nothing is over, nothing is counted yet, or the ladder is off', () => {
		const healthy = anAgent('api', { arms: arms.slice(0, 2) });
		expect(drawer(healthy).text).toContain('No arm is over a limit that counts against it.');
		expect(drawer(anAgent('api')).text).toContain('Nothing is counted yet');
		const off = drawer(healthy, { breakerEnabled: false });
		expect(off.text).toContain('The ladder is off: nothing is counted.');
		expect(off.html).not.toContain('data-testid="arm"');
	});

	it('shows what agents wrote as text', () => {
		const { html } = drawer(anAgent('api', { arms: [arm({ counted: '<img src=x>', note: '<b>x</b>' })] }));
		expect(html).not.toContain('<img');
		expect(html).not.toContain('<b>x');
	});
});

describe('an agent that has ended', () => {
	const running = anAgent('api', {
		level: 'constrained',
		standing: 'constrained',
		outputTokensPerMinute: 11_100,
		usage: usageView(amount(1000)),
	});
	const ended = { ...running, state: aState('exited') };
	const view = { preferences: { ...defaultPreferences, folds: { 'need exited': false } } };

	it('puts out nothing more, and stands on no rung any longer', () => {
		expect(floorOf([running]).text).toMatch(/constrained for 10 m .*11\.1k \/min output/);
		const { text } = drawn(<Shell />, aSnapshot([ended]), view);
		expect(text).toContain('constrained when it ended');
		expect(text).not.toMatch(/constrained for|\/min/);
		expect(drawer(running).text).toContain('Output now: 11 100 tokens/min');
		expect(drawer(ended).text).toContain('constrained when it ended');
		expect(drawer(ended).text).not.toContain('Output now');
	});
});

describe('a cap that tripped', () => {
	it('names its metric on the card, and can be raised or reset there', () => {
		const { text, html } = floorOf([capped]);
		expect(text).toContain('512k work tokens, limit 500k');
		expect(text).toContain('Raise cap to 750 000 work tokens');
		expect(text).toContain(
			'Resetting forgets all that was counted of this agent (512 300 work tokens), for good.',
		);
		expect(html.match(/Reset/g)?.length).toBe(2);
		expect(text).not.toContain('Reset evidence');
	});

	it('can be raised too while the agent spends nothing and nothing trips', () => {
		const gauge = arm({ arm: 'agent-token-cap', count: 512_300, limit: 500_000, unit: 'tokens' });
		const { html, text } = floorOf([anAgent('api', { arms: [gauge] })]);
		expect(html).toContain('data-group="working"');
		expect(text).toContain('Raise cap to 750 000 work tokens');
		expect(floorOf([{ ...capped, arms: [gauge] }]).html.match(/data-testid="raise-cap"/g)).toHaveLength(1);
		const ofFloor = arm({ arm: 'cost-cap', count: 12, limit: 10, unit: 'USD' });
		expect(floorOf([anAgent('api', { arms: [ofFloor] })]).html).not.toContain('raise-cap');
	});

	it('of the floor is named in US dollars', () => {
		const cost = aPassedCap({ arm: 'cost-cap', count: 12.4, limit: 10, unit: 'USD' });
		const { text } = floorOf([{ ...capped, evidence: cost }]);
		expect(text).toContain('$12.40, limit $10.00 (US dollars)');
		expect(text).toContain('Raise the floor’s cap to $15.00');
	});

	it('that was raised says what it was, and can be put back', () => {
		const raised = new Map([
			['api', { arm: 'agent-token-cap', was: 500_000, to: 750_000, before: null } as const],
		]);
		const { text } = drawn(<Shell />, aSnapshot([anAgent('api')]), { raised });
		expect(text).toContain('Its cap is 750 000 work tokens now; it was 500 000 work tokens. Put it back');
	});

	it('is not offered for a trip that is no cap', () => {
		const { html, text } = floorOf([{ ...capped, evidence: aPassedCap({ arm: 'cycle' }) }]);
		expect(html).not.toContain('data-testid="cap-remedy"');
		expect(text).toContain('Reset evidence');
	});
});

describe('sessions that are seen, not connected', () => {
	const seen = (sessionId: string, change: Partial<Sighting> = {}): Sighting => ({
		client: 'codex',
		sessionId,
		directory: '/home/ada/code/shop',
		model: 'gpt-5.4',
		lastActivityAt: NOW - 60_000,
		file: '/home/ada/.codex/x.jsonl',
		work: 12_400,
		...change,
	});

	it('stand below the agents, with one button for their program, and in no count', () => {
		const { text, html } = floorOf([anAgent('api')], {
			sightings: [seen('1'), seen('2', { directory: null, model: null, work: null })],
		});
		expect(text).toMatch(/Nothing needs you 1 working/);
		expect(text).toMatch(/Working 1 .*api.*Seen, not connected 2 sessions/);
		expect(text).toContain('shop gpt-5.4 active 1 m ago 12.4k work tokens');
		expect(text).toContain('directory not known model not known active 1 m ago tokens not known yet');
		expect(html.match(/data-testid="seen-connect-codex"/g)).toHaveLength(1);
		expect(html.match(/data-testid="agent-card"/g)).toHaveLength(1);
	});

	it('only want a restart once their program’s hooks are there', () => {
		const { text, html } = floorOf([anAgent('api')], { sightings: [seen('1', { client: 'claude-code' })] });
		expect(text).toContain(
			'Its hooks did not tell the floor of it: it began before they were installed, or while the floor was not running. Start it again to have it here.',
		);
		expect(html).not.toContain('seen-connect');
	});

	it('lead to the reason where the hooks are there and do not run', () => {
		const { text, html } = floorOf([anAgent('api')], {
			sightings: [seen('1')],
			status: aStatus({ hooks: hooksOf({ codex: 'partly' }) }),
		});
		expect(text).toContain('Its hooks are installed, but not running, or not all of them. See why…');
		expect(html).toContain('data-testid="seen-connect-codex"');
		expect(text).not.toMatch(/Connect Codex|Start it again/);
	});

	it('are the newest where the list is full', () => {
		const full = Array.from({ length: 60 }, (_, at) => seen(String(at)));
		expect(floorOf([], { sightings: full }).text).toContain('Seen, not connected the newest 60 sessions');
		expect(floorOf([], { sightings: full.slice(1) }).text).toContain('Seen, not connected 59 sessions');
	});

	it('are shown on an empty floor too, and a few at a time', () => {
		const sightings = Array.from({ length: 9 }, (_, at) => seen(String(at)));
		const { text, html } = floorOf([], { sightings });
		expect(html).toContain('data-testid="empty-floor"');
		expect(html.match(/data-testid="seen-session"/g)).toHaveLength(4);
		expect(text).toContain('9 sessions');
		expect(text).toContain('Show 5 more');
	});

	it('are nothing where there are none', () => {
		expect(floorOf([anAgent('api')]).html).not.toContain('seen-sessions');
	});

	it('show what programs wrote as text', () => {
		const hostile = '<img src=x onerror=alert(1)>';
		const { html } = floorOf([], { sightings: [seen('1', { directory: `/x/${hostile}`, model: hostile })] });
		expect(html).not.toContain('<img');
	});
});

describe('the plan of a program’s hooks', () => {
	const plan = (change: Partial<HookPlan>, remove = false) =>
		drawn(
			<ReadablePlan
				plan={{ file: '/home/ada/hooks.json', status: 'absent', problem: '', diff: '', ...change }}
				remove={remove}
				onApply={() => {}}
				onCancel={() => {}}
			/>,
			null,
		).text;
	const added = '+++ /home/ada/hooks.json\n@@ -0,0 +1 @@\n+{}\n';

	it('says why hooks that are there would not run', () => {
		const stuck = plan({ status: 'partly', problem: 'Codex wants them trusted: type /hooks.' });
		expect(stuck).toContain('The hooks are installed in /home/ada/hooks.json , but they are not running.');
		expect(stuck).toContain('Codex wants them trusted: type /hooks.');
		expect(stuck).not.toContain('Nothing to');
		expect(plan({ status: 'installed' })).toContain('Nothing to change in');
		expect(plan({ status: 'partly', problem: 'It is outdated.', diff: `--- /x\n${added}` })).toContain(
			'It is outdated.',
		);
	});

	it('backs up only a file that is there', () => {
		expect(plan({ diff: `--- /home/ada/hooks.json\n${added}` })).toContain('backed up first');
		const fresh = plan({ diff: `--- /dev/null\n${added}` });
		expect(fresh).toContain('The file is new');
		expect(fresh).not.toContain('backed up');
	});

	it('of a program that was not tried says so, and of no other', () => {
		const untried = hookClientSchema.options.filter((client) =>
			drawn(<HooksPanel client={client} />, aSnapshot([])).text.includes('not tried with the program'),
		);
		expect(untried).toEqual(['cursor']);
	});
});

describe('a limit in the settings', () => {
	it('has a switch beside its number; switched off it says so', () => {
		const settings = { ...defaultSettings, breaker: { ...defaultSettings.breaker, cycleLimit: null } };
		const { html } = drawn(<SettingsBody settings={settings} search="" />, null);
		const part = (path: string) => html.split('data-setting="').find((one) => one.startsWith(path)) ?? '';
		expect(part('breaker.sameResultLimit')).toMatch(/value="4".*type="checkbox"[^>]*checked=""/);
		expect(part('breaker.cycleLimit')).toMatch(/disabled=""[^>]*value=""/);
		expect(part('breaker.cycleLimit')).not.toContain('checked=""');
	});
});
