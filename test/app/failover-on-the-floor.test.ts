/** Failover as the composition connects it: real HTTP, real files, a real floor; only provider and local server are stubs. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { capabilitySchema } from '../../src/shared/capability.ts';
import type { FailoverView } from '../../src/shared/failover-view.ts';
import { type LocalServerStub, startLocalServerStub } from '../support/local-server-stub.ts';
import { answer as scripted, status } from '../support/provider-stub/steps.ts';
import { type ProviderStub, startProviderStub } from '../support/provider-stub.ts';
import { RunningTestFloor } from '../support/running-floor.ts';

interface Place {
	readonly floor: RunningTestFloor;
	readonly provider: ProviderStub;
	readonly local: LocalServerStub;
}

const SECRET = 'sk-ant-secret-7731';
const running: Place[] = [];

async function place(settings: Record<string, unknown> = {}): Promise<Place> {
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
		...settings,
	});
	const here = { floor, provider, local };
	running.push(here);
	await until(() => view(here).capability.localModels.length > 0);
	return here;
}

afterEach(async () => {
	for (const { floor, provider, local } of running.splice(0)) {
		await floor.dispose();
		await Promise.all([provider.close(), local.close()]);
	}
});

const view = ({ floor }: Place): FailoverView => floor.app.snapshot().failover;
const until = (condition: () => boolean | Promise<boolean>): Promise<void> =>
	vi.waitFor(async () => expect(await condition()).toBe(true), { timeout: 15_000, interval: 20 });

function ask({ floor }: Place, prompt: string, session = 'session-1'): Promise<Response> {
	return fetch(`${floor.server.url}/gateway/${floor.server.agentToken}/v1/messages?beta=true`, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			'user-agent': 'claude-cli/2.1.332',
			'x-api-key': SECRET,
			'x-claude-code-session-id': session,
			'anthropic-version': '2023-06-01',
		},
		body: JSON.stringify({
			model: 'claude-sonnet-4-5',
			max_tokens: 4000,
			messages: [{ role: 'user', content: prompt }],
		}),
	});
}

/** A turn that is held because its provider has just gone; `answer` comes when somebody decides. */
async function holdTurn(here: Place, prompt: string): Promise<{ readonly answer: Promise<Response> }> {
	await here.provider.goDark();
	const answer = ask(here, prompt);
	// Tests that end before it was decided end its connection.
	answer.catch(() => null);
	await until(() => view(here).popups.length === 1);
	return { answer };
}

describe('a turn through the gateway', () => {
	it('and a hook of the same session are one agent', async () => {
		const here = await place();
		expect((await ask(here, 'hello')).status).toBe(200);
		await here.floor.hook('SessionStart', {
			session_id: 'session-1',
			cwd: '/home/me/app',
			source: 'startup',
		});
		await until(() => here.floor.app.snapshot().agents[0]?.name === 'app');
		const { agents } = here.floor.app.snapshot();
		expect(agents).toHaveLength(1);
		expect(agents[0]?.served).toMatchObject({
			harness: 'cloud',
			at: 'anthropic',
			model: 'claude-sonnet-4-5',
		});
	});

	it('of a stopped agent is refused with one clear message, and the provider is not asked', async () => {
		const here = await place();
		await ask(here, 'hello');
		const agentId = here.floor.app.snapshot().agents[0]?.id ?? '';
		await here.floor.request('control:stop', { agentId });
		const asked = here.provider.calls.length;
		const refused = await ask(here, 'go on');
		expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([409, 'false']);
		expect(JSON.stringify(await refused.json())).toContain('The operator stopped this agent');
		expect(here.provider.calls).toHaveLength(asked);
		await here.floor.request('control:resume', { agentId });
		expect((await ask(here, 'go on')).status).toBe(200);
	});

	it('leaves nothing of its credentials on the disk, in a view or in an incident', async () => {
		const here = await place();
		await ask(here, 'hello');
		const { answer } = await holdTurn(here, 'queue me');
		await here.floor.request('failover:queue', { popupId: view(here).popups[0]?.id });
		await answer;
		await here.floor.app.stop();
		const names = [
			'floor.db',
			'floor.db-wal',
			'.aide/outbox.log',
			'settings.json',
			'server.json',
			'AGENT_NOTES.md',
		];
		for (const name of names) {
			const bytes = await readFile(join(here.floor.directory, name)).catch(() => Buffer.alloc(0));
			expect(bytes.includes(SECRET), name).toBe(false);
		}
		expect(JSON.stringify(here.floor.app.snapshot())).not.toContain(SECRET);
		await here.floor.restart();
	});
});

describe('GET /capability', () => {
	it('answers exactly the schema, to the operator alone', async () => {
		const here = await place();
		const get = (token: string): Promise<Response> =>
			fetch(`${here.floor.server.url}/capability`, { headers: { authorization: `Bearer ${token}` } });
		expect((await get(here.floor.server.agentToken)).status).toBe(401);
		const before = capabilitySchema.parse(await (await get(here.floor.server.operatorToken)).json());
		expect(before).toMatchObject({ local: 'ready', remote: 'unreachable', activeSession: null });
		await ask(here, 'hello');
		const after = capabilitySchema.parse(await (await get(here.floor.server.operatorToken)).json());
		expect(after).toMatchObject({
			remote: 'reachable',
			activeSession: { harness: 'cloud', model: 'claude-sonnet-4-5' },
		});
	});

	it('is pushed when it changes', async () => {
		const here = await place();
		const told: string[] = [];
		here.floor.app.subscribe('failover:capability', ({ remote }) => told.push(remote));
		await ask(here, 'hello');
		await until(() => told.includes('reachable'));
	});
});

describe('a lost provider', () => {
	it('gives the tier its name, and a destructive command waits for the operator', async () => {
		const here = await place();
		await here.floor.hook('SessionStart', {
			session_id: 'session-1',
			cwd: '/home/me/app',
			source: 'startup',
		});
		const call = (command: string): Promise<{ status: number; text: string }> =>
			here.floor.hook('PreToolUse?within=30', {
				session_id: 'session-1',
				tool_name: 'Bash',
				tool_use_id: command,
				tool_input: { command },
			});
		expect((await call('git push')).text).toBe('{}');
		const { answer } = await holdTurn(here, 'hello');
		await until(() => here.floor.app.snapshot().status.tier === 'LOCAL-ONLY');
		expect((await call('ls')).text).toBe('{}');
		for (const allow of [true, false]) {
			const waiting = call(`git push origin ${allow}`);
			await until(() => view(here).consents.length === 1);
			const [consent] = view(here).consents;
			expect(consent).toMatchObject({ agentName: 'app', tool: 'Bash', target: `git push origin ${allow}` });
			await here.floor.request('consent:answer', { consentId: consent?.id, allow });
			const { text } = await waiting;
			if (allow) expect(text).toBe('{}');
			else expect(text).toMatch(/"permissionDecision":"deny".*The operator denied this call/);
		}
		const late = await here.floor.request('consent:answer', { consentId: 'gone', allow: true });
		expect(late).toMatchObject({ ok: false, error: { code: 'not-possible' } });
		await here.floor.request('failover:switch', {
			popupId: view(here).popups[0]?.id,
			modelId: 'ollama/qwen3-coder:30b',
		});
		expect(await (await answer).json()).toMatchObject({ model: 'qwen3-coder:30b' });
		const words = (kind: string) =>
			here.floor.app
				.snapshot()
				.incidents.filter((incident) => incident.kind === kind)
				.map(({ decisions }) => decisions.map((decision) => `${decision.by}: ${decision.words}`));
		expect(words('failover')).toEqual([['operator: Switched 1 turn to qwen3-coder:30b']]);
		expect(words('consent')).toEqual([['operator: Allowed once'], ['operator: Denied']]);
	});

	it('leaves a command without an answer to the client: never allowed by silence', async () => {
		const here = await place();
		await here.floor.hook('SessionStart', {
			session_id: 'session-1',
			cwd: '/home/me/app',
			source: 'startup',
		});
		await holdTurn(here, 'hello');
		await until(() => here.floor.app.snapshot().status.tier !== 'NORMAL');
		const { text } = await here.floor.hook('PreToolUse?within=2', {
			session_id: 'session-1',
			tool_name: 'Bash',
			tool_use_id: 'one',
			tool_input: { command: 'rm -rf build' },
		});
		expect(text).toMatch(/"permissionDecision":"ask"/);
		expect(view(here).consents).toEqual([]);
		const asked = here.floor.app.snapshot().incidents.find(({ kind }) => kind === 'consent');
		expect(asked).toMatchObject({ severity: 'info', decisions: [{ by: 'time' }] });
		// While it waited it was shown by itself: here it was ended from the start.
		expect(asked?.endedAt).toBeGreaterThan(asked?.openedAt ?? Number.POSITIVE_INFINITY);
	});

	it('that fails with errors has its queued turn sent once, with its key and the same words', async () => {
		const here = await place();
		// An error is no plain evidence that nothing answers: the breaker stays closed, so the person need not wait.
		here.provider.respond(status(500));
		const answer = ask(here, 'please finish this');
		await until(() => view(here).popups.length === 1);
		await here.floor.request('failover:queue', { popupId: view(here).popups[0]?.id });
		const told = await answer;
		expect(told.status).toBeGreaterThanOrEqual(400);
		expect(JSON.stringify(await told.json())).toContain('queued');
		await until(() => view(here).outbox.queued === 1);
		const asked = here.provider.calls.length;
		here.provider.respond(scripted({ text: 'The cloud at last.' }));
		const key = view(here).outbox.entries[0]?.idempotencyKey ?? '';
		await here.floor.request('outbox:retry', { idempotencyKey: key });
		await until(() => view(here).outbox.entries[0]?.state === 'reconciled');
		const sent = here.provider.calls.slice(asked);
		expect(sent).toHaveLength(1);
		expect(sent[0]?.headers['idempotency-key']).toBe(key);
		expect(sent[0]?.headers['x-api-key']).toBe(SECRET);
		expect(sent[0]?.json.messages).toEqual([{ role: 'user', content: 'please finish this' }]);
		expect(view(here).outbox.entries[0]?.detail).toContain('The cloud at last.');
	});

	it('that is known to be down keeps its queued turn, and the tier says so', async () => {
		const here = await place();
		const { answer } = await holdTurn(here, 'please finish this');
		await here.floor.request('failover:queue', { popupId: view(here).popups[0]?.id });
		await answer;
		await until(() => here.floor.app.snapshot().status.tier === 'READ-ONLY-REMOTE');
		const [lost] = here.floor.app.snapshot().incidents.filter(({ kind }) => kind === 'failover');
		expect(lost?.decisions).toMatchObject([{ by: 'operator', words: 'Queued 1 turn for retry' }]);
		const asked = here.provider.calls.length;
		const [entry] = view(here).outbox.entries;
		await here.floor.request('outbox:retry', { idempotencyKey: entry?.idempotencyKey });
		await until(() => view(here).outbox.entries[0]?.detail.includes('refused the connection') === true);
		expect([view(here).outbox.queued, here.provider.calls.length]).toEqual([1, asked]);
	});

	it('posts its incident to the webhook of the operator, without a word of the conversation', async () => {
		const posts: string[] = [];
		const receiver = createServer((request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				posts.push(Buffer.concat(chunks).toString());
				response.end();
			});
		});
		await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
		const { port } = receiver.address() as AddressInfo;
		const here = await place({ webhook: { url: `http://127.0.0.1:${port}/hook` } });
		await holdTurn(here, 'a private word');
		await until(() => posts.length === 1);
		expect(JSON.parse(posts[0] ?? '')).toMatchObject({
			source: 'agent-floor',
			kind: 'failover',
			state: 'opened',
		});
		expect(posts.join()).not.toContain('private');
		receiver.close();
	});

	it('is remembered over a restart: the next turn is held at once', async () => {
		const here = await place();
		const { answer } = await holdTurn(here, 'hello');
		await here.floor.restart();
		await answer.catch(() => null);
		const asked = here.provider.calls.length;
		await here.provider.comeBack();
		await until(() => view(here).capability.localModels.length > 0);
		expect(view(here).providers[0]?.breaker).not.toBe('closed');
		void ask(here, 'again').catch(() => null);
		await until(() => view(here).popups.length === 1 || here.provider.calls.length > asked);
	});

	it('counts as degraded from the start of the next run on', async () => {
		const here = await place();
		const { answer } = await holdTurn(here, 'hello');
		await here.floor.restart();
		await answer.catch(() => null);
		const database = new DatabaseSync(join(here.floor.directory, 'floor.db'), { readOnly: true });
		const spans = database.prepare('SELECT provider_id FROM degraded_spans');
		await until(() => spans.all().length === 2);
		database.close();
	});

	it('gives its turn back with that reason when it is taken out of the settings', async () => {
		const here = await place();
		const { answer } = await holdTurn(here, 'hello');
		await here.floor.request('settings:update', { providers: [] });
		const told = await answer;
		expect(told.status).toBe(502);
		expect(JSON.stringify(await told.json())).toContain("taken out of Agent Floor's settings");
		expect(view(here).popups).toEqual([]);
		expect(here.floor.app.snapshot().status.tier).toBe('NORMAL');
	});

	it('that is at another address now gets its held turn there', async () => {
		const here = await place();
		const { answer } = await holdTurn(here, 'hello');
		const other = await startProviderStub();
		const [provider] = here.floor.app.snapshot().failover.providers;
		await here.floor.request('settings:update', {
			providers: [{ id: provider?.id, baseUrl: other.url, protocols: ['anthropic-messages'] }],
		});
		expect((await answer).status).toBe(200);
		expect(other.calls).toHaveLength(1);
		await other.close();
	});
});

describe('the other handlers', () => {
	it('download a model through the outbox, tell the days, and guide each client', async () => {
		const here = await place();
		const refused = await here.floor.request('models:pull', { serverId: 'nowhere', model: 'x' });
		expect(refused).toMatchObject({ ok: false, error: { code: 'invalid-argument' } });
		await here.floor.request('models:pull', { serverId: 'ollama', model: 'llama3.1:8b' });
		await until(() => view(here).outbox.entries[0]?.state === 'reconciled');
		await ask(here, 'hello');
		const slo = await here.floor.request('slo:read', { days: 1 });
		expect(slo).toMatchObject({ output: [{ providerId: 'anthropic', turns: 1, fallbackTurns: 0 }] });
		const guide = await here.floor.request('gateway:guide', null);
		expect(JSON.stringify(guide.output)).toContain(`/gateway/${here.floor.server.agentToken}`);
	});
});
