/** The commands over a floor that runs, with a provider and a local server that are stubs on real HTTP. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FailoverView } from '../../src/shared/failover-view.ts';
import { type LocalServerStub, startLocalServerStub } from '../support/local-server-stub.ts';
import { type ProviderStub, startProviderStub } from '../support/provider-stub.ts';
import { RunningTestFloor } from '../support/running-floor.ts';
import { type Printed, run } from './command-line.ts';

class Place {
	readonly floor: RunningTestFloor;
	readonly provider: ProviderStub;
	readonly local: LocalServerStub;

	constructor(floor: RunningTestFloor, provider: ProviderStub, local: LocalServerStub) {
		this.floor = floor;
		this.provider = provider;
		this.local = local;
	}

	readonly command = (...args: readonly string[]): Promise<Printed> => run(this.floor.directory, ...args);

	get failover(): FailoverView {
		return this.floor.snapshot().failover;
	}

	/** A turn that waits for a person because its provider has just gone. */
	async hold(): Promise<{ readonly answer: Promise<Response> }> {
		await this.provider.goDark();
		const answer = fetch(`${this.floor.server.url}/gateway/${this.floor.server.agentToken}/v1/messages`, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				'user-agent': 'claude-cli/2.1.332',
				'x-api-key': 'sk-test',
				'x-claude-code-session-id': 'session-1',
				'anthropic-version': '2023-06-01',
			},
			body: JSON.stringify({
				model: 'claude-sonnet-4-5',
				max_tokens: 4000,
				messages: [{ role: 'user', content: 'hello' }],
			}),
		});
		answer.catch(() => null);
		await until(() => this.failover.popups.length === 1);
		return { answer };
	}
}

const running: Place[] = [];

async function place(): Promise<Place> {
	const provider = await startProviderStub();
	const local = await startLocalServerStub({
		models: [{ name: 'qwen3-coder:30b', contextInUse: 65_536, sizeBytes: 1e9, loaded: true, tools: true }],
		answer: 'A local answer.',
	});
	const floor = await RunningTestFloor.start({
		providers: [
			{ id: 'anthropic', name: 'Anthropic', baseUrl: provider.url, protocols: ['anthropic-messages'] },
		],
		localServers: [{ id: 'ollama', kind: 'ollama', baseUrl: local.url }],
	});
	const here = new Place(floor, provider, local);
	running.push(here);
	await floor.hook('SessionStart', { session_id: 'session-1', cwd: '/home/me/app', source: 'startup' });
	await until(() => here.failover.capability.localModels.length > 0);
	return here;
}

afterEach(async () => {
	for (const { floor, provider, local } of running.splice(0)) {
		await floor.dispose();
		await Promise.all([provider.close(), local.close()]);
	}
});

const until = (condition: () => boolean): Promise<void> =>
	vi.waitFor(() => expect(condition()).toBe(true), { timeout: 15_000, interval: 20 });

describe('where no floor runs', () => {
	it.each(['status', 'usage', 'failover', 'gateway', 'telemetry', 'open'])('%s says so', async (command) => {
		const directory = await mkdtemp(join(tmpdir(), 'agent-floor-none-'));
		const { code, out, err } = await run(directory, command);
		expect(code).toBe(1);
		expect(out + err).toContain(`No floor runs on ${directory}.`);
		await rm(directory, { recursive: true });
	});
});

describe('agent-floor status', () => {
	it('lists the agents, and says nothing of the tier while all is well', async () => {
		const { command, floor } = await place();
		const { code, out } = await command('status');
		expect(code).toBe(0);
		expect(out.split('\n')[0]).toBe(
			`Agent Floor 0.0.0-test at ${floor.server.url} (pid ${floor.server.pid})`,
		);
		expect(out).toMatch(/\n {2}app +claude-code +healthy/);
		expect(out).not.toContain('NORMAL');
	});

	it('names the tier and its reason when it is another', async () => {
		const here = await place();
		await here.hold();
		await until(() => here.floor.snapshot().status.tier === 'LOCAL-ONLY');
		expect((await here.command('status')).out).toMatch(/\nLOCAL-ONLY: Anthropic is down: /);
	});

	it('names what is rate-limited, and what stands in', async () => {
		const { command, floor } = await place();
		await floor.request('model:report', { directory: floor.directory, outcome: 'rate-limit' });
		expect((await command('status')).out).toMatch(
			/\nclaude-sonnet-5 is rate-limited: gpt-5\.4-mini stands in until (\d+ \w+ )?\d\d:\d\d/,
		);
	});

	it('gives agents no way to speak to the terminal', async () => {
		const { command, floor } = await place();
		await floor.hook('SessionStart', { session_id: 's2', cwd: '/w/a\u001b[2Jb', source: 'startup' });
		await floor.hook('Notification', {
			session_id: 's2',
			notification_type: 'permission_prompt',
			message: 'may I\u001b]0;x\u0007?',
		});
		await until(() => floor.snapshot().agents.some(({ state }) => state.needsYou));
		const { out } = await command('status');
		expect(out).toContain('may I␛]0;x␇?');
		expect(out).not.toContain('\u001b');
	});
});

describe('agent-floor failover', () => {
	it('knows its words before anything else', async () => {
		const { command } = await place();
		for (const args of [['foo'], ['wait', 'x'], ['allow', 'a', 'b']]) {
			const { code, err } = await command('failover', ...args);
			expect([code, err.split('\n')[0]]).toEqual([2, expect.stringMatching(/is not switch|too many words/)]);
		}
		for (const verb of ['switch', 'wait', 'queue', 'allow', 'deny']) {
			expect((await command('failover', verb)).code).toBe(1);
		}
	});

	it('shows what is known and what waits', async () => {
		const here = await place();
		expect((await here.command('failover')).out).toMatch(/\n {2}Anthropic +no call yet\n/);
		await here.hold();
		const { out } = await here.command('failover');
		expect(out).toMatch(
			/Network lost: Anthropic can't be reached\.\n {2}1 turn is held\. Continue locally with/,
		);
	});

	it.each([
		['switch', 'Done: 1 turn of Anthropic goes on with qwen3-coder:30b.', 200],
		['queue', 'Done: 1 turn of Anthropic was queued for retry', 409],
	])('%s', async (verb, words, status) => {
		const here = await place();
		const { answer } = await here.hold();
		const { code, out } = await here.command('failover', verb);
		expect([code, out]).toEqual([0, expect.stringContaining(words)]);
		expect((await answer).status).toBe(status);
	});

	it('wait', async () => {
		const here = await place();
		await here.hold();
		const { code, out } = await here.command('failover', 'wait');
		expect([code, out]).toEqual([0, expect.stringMatching(/^Done: 1 turn of Anthropic waits for the net/)]);
		expect(here.failover.popups[0]?.waiting).toBe(true);
	});

	it('allow and deny answer a command that waits; with several, its ID says which', async () => {
		const here = await place();
		await here.hold();
		await until(() => here.floor.snapshot().status.tier !== 'NORMAL');
		const call = (command: string) =>
			here.floor.hook('PreToolUse?within=30', {
				session_id: 'session-1',
				cwd: '/home/me/app',
				tool_name: 'Bash',
				tool_use_id: command,
				tool_input: { command },
			});
		const pushing = call('git push origin main');
		await until(() => here.failover.consents.length === 1);
		const shown = (await here.command('failover')).out;
		expect(shown).toContain('  app in /home/me/app, Bash\n    git push origin main\n');
		const removing = call('rm -rf build');
		await until(() => here.failover.consents.length === 2);

		const unnamed = await here.command('failover', 'allow');
		expect([unnamed.code, unnamed.out]).toEqual([2, '']);
		expect(unnamed.err).toMatch(/^2 commands wait; name the one that you mean:\n.*app in \/home\/me\/app/);
		expect((await here.command('failover', 'deny', 'consent-0')).code).toBe(1);
		expect(here.failover.consents).toHaveLength(2);

		const idOf = (target: string) => here.failover.consents.find((one) => one.target === target)?.id ?? '';
		const denied = await here.command('failover', 'deny', idOf('rm -rf build'));
		expect([denied.code, denied.out]).toEqual([0, expect.stringMatching(/^Denied:\n.*\n {4}rm -rf build\n/)]);
		expect((await removing).text).toMatch(/"permissionDecision":"deny"/);

		const allowed = await here.command('failover', 'allow');
		expect(allowed.out).toMatch(/^Allowed, this once:\n.*\n {4}git push origin main\n/);
		expect((await pushing).text).toBe('{}');
	});
});

describe('agent-floor usage', () => {
	it('says what is not known, and what was counted with its unit', async () => {
		const { command, floor } = await place();
		const before = await command('usage');
		expect(before.code).toBe(0);
		expect(before.out).toMatch(/^(Nothing was counted yet|Counted just now)\.$/m);
		const answered = {
			'event.name': 'claude_code.api_request',
			'session.id': 'session-1',
			model: 'a-model-of-our-own',
			input_tokens: '1200',
			output_tokens: '34',
		};
		const attributes = Object.entries(answered).map(([key, stringValue]) => ({
			key,
			value: { stringValue },
		}));
		const record = { timeUnixNano: `${Date.now()}000000`, attributes };
		await fetch(`${floor.server.url}/otlp/v1/logs`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', authorization: `Bearer ${floor.server.agentToken}` },
			body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] }),
		});
		await until(() => floor.snapshot().usage.asOf > 0);
		const after = await command('usage');
		expect(after.out).toMatch(
			/^Sessions on the floor +1\u00a0234 work tokens, unpriced, no price known for a-model-of-our-own$/m,
		);
		expect(JSON.parse((await command('usage', '--json')).out)).toMatchObject({ session: { work: 1234 } });
	});
});

describe('agent-floor telemetry', () => {
	it('prints lines that work as they are', async () => {
		const { command, floor } = await place();
		const { code, out } = await command('telemetry');
		expect(code).toBe(0);
		expect(out).toContain(`OTEL_EXPORTER_OTLP_ENDPOINT=${floor.server.url}/otlp\n`);
		expect(out).toContain(`"Authorization=Bearer ${floor.server.agentToken}"`);
	});
});

describe('agent-floor gateway', () => {
	it('prints the lines of one client, with the address and the token of this floor', async () => {
		const { command, floor } = await place();
		const { code, out } = await command('gateway', 'claude-code');
		expect(code).toBe(0);
		expect(out).toContain(
			`export ANTHROPIC_BASE_URL="${floor.server.url}/gateway/${floor.server.agentToken}"`,
		);
		expect(out).not.toContain('Codex');
		const unserved = await command('gateway', 'codex');
		expect(unserved.out).toMatch(/^Codex\n {2}Not yet: no provider in the settings serves openai-responses/);
		expect(unserved.out).not.toContain(floor.server.agentToken);
		await command('settings', 'set', 'providers', '[]');
		expect((await command('gateway', 'claude-code')).out).toContain('serves anthropic-messages');
		expect((await command('gateway', 'nobody')).err).toMatch(
			/no client "nobody" is known; there are claude-code/,
		);
	});
});
