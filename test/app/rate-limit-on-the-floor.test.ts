/** Rate limits as the composition connects them: real HTTP, a real floor; only the provider is a stub. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModelChoiceView, ModelsView } from '../../src/shared/models-view.ts';
import { answer, byModel, spendLimit, status } from '../support/provider-stub/steps.ts';
import { type ProviderStub, startProviderStub } from '../support/provider-stub.ts';
import { RunningTestFloor } from '../support/running-floor.ts';

const PREFERRED = 'claude-sonnet-5';
const STAND_IN = 'claude-haiku-4-5';

let provider: ProviderStub;
let floor: RunningTestFloor;
beforeEach(async () => {
	provider = await startProviderStub();
	floor = await RunningTestFloor.start({
		providers: [
			{ id: 'anthropic', name: 'Anthropic', baseUrl: provider.url, protocols: ['anthropic-messages'] },
		],
		models: { chains: [{ preferredModel: PREFERRED, fallbackChain: [STAND_IN], cooldownMinutes: 10 }] },
	});
});
afterEach(async () => {
	await floor.dispose();
	await provider.close();
});

const until = (condition: () => boolean): Promise<void> =>
	vi.waitFor(() => expect(condition()).toBe(true), { timeout: 10_000, interval: 20 });
const chain = (): ModelsView['chains'][number] | undefined => floor.snapshot().models.chains[0];
const incidents = (kind: string) => floor.snapshot().incidents.filter((incident) => incident.kind === kind);

function ask(session = 'session-1'): Promise<Response> {
	return fetch(`${floor.server.url}/gateway/${floor.server.agentToken}/v1/messages`, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			'user-agent': 'claude-cli/2.1.332',
			'x-claude-code-session-id': session,
		},
		body: JSON.stringify({ model: PREFERRED, messages: [{ role: 'user', content: 'hi' }] }),
	});
}

async function channel<T>(name: string, input: unknown): Promise<T> {
	const reply = await floor.request(name, input);
	expect(reply.error).toBeUndefined();
	return reply.output as T;
}

describe('a model that reaches its limit', () => {
	beforeEach(() => provider.respond(byModel({ [PREFERRED]: status(429) }, answer({ text: 'Hello.' }))));

	it('is told on the agent, in its history, as an incident, and to every loop of the machine', async () => {
		expect((await ask()).status).toBe(200);
		await until(() => floor.snapshot().agents[0]?.served?.model === STAND_IN);
		const [agent] = floor.snapshot().agents;
		expect(agent?.served).toMatchObject({ harness: 'cloud', at: 'anthropic', asked: PREFERRED });
		expect(chain()).toMatchObject({ state: 'open', modelInUse: STAND_IN });
		expect(incidents('rate-limit')).toMatchObject([
			{ severity: 'info', endedAt: null, title: `${PREFERRED} is rate-limited: ${STAND_IN} stands in` },
		]);
		const loop = await channel<ModelChoiceView>('model:current', { directory: floor.directory });
		expect(loop).toMatchObject({ model: STAND_IN, isFallback: true, isProbe: false });
		// The first turn came before its agent was known on the floor; the second is told in its history.
		expect((await ask()).status).toBe(200);
		await vi.waitFor(async () => {
			const history = await channel<{ text: string }[]>('agent:history', { agentId: agent?.id });
			expect(history.map(({ text }) => text).join('\n')).toMatch(/rate-limited; claude-haiku-4-5/);
		});
	});

	it('is tested when the operator wants it, and everybody is back after two answers', async () => {
		await ask();
		await channel('model:probe', { chainId: chain()?.id });
		provider.respond(answer({ text: 'Well again.' }));
		await ask();
		await ask();
		expect(chain()).toMatchObject({ state: 'closed', metrics: { totalFallbacks: 1, totalRecoveries: 1 } });
		expect(incidents('rate-limit')).toMatchObject([
			{
				endReason: `${PREFERRED} answers again`,
				decisions: [
					{ by: 'operator', words: 'Asked for a test call now' },
					{ by: 'engine', words: `Saw that ${PREFERRED} answers again` },
				],
			},
		]);
		expect(await channel('model:current', { directory: floor.directory })).toMatchObject({
			model: PREFERRED,
			isFallback: false,
		});
	});

	it('stays on its fallback as long as the operator holds it there', async () => {
		await channel('model:hold', { chainId: chain()?.id, held: true });
		expect(chain()).toMatchObject({ held: true, modelInUse: STAND_IN });
		await ask();
		expect(provider.requests.map(({ json }) => json.model)).toEqual([STAND_IN]);
		await channel('model:hold', { chainId: chain()?.id, held: false });
		// Whatever the hold was for: one call tests the model before everybody uses it again.
		expect(chain()).toMatchObject({ held: false, state: 'half-open' });
	});

	it('is told in words that are true when its chain is changed meanwhile', async () => {
		await ask();
		const patch = { models: { chains: [{ preferredModel: PREFERRED, fallbackChain: [] }] } };
		await channel('settings:update', patch);
		await until(() => incidents('rate-limit').some(({ title }) => title.includes('no fallback')));
		expect(incidents('rate-limit').filter(({ endedAt }) => endedAt === null)).toHaveLength(1);
	});

	it('is limited still after a restart of the floor', async () => {
		await ask();
		await floor.restart();
		expect(incidents('rate-limit').filter(({ endedAt }) => endedAt === null)).toHaveLength(1);
		expect(chain()).toMatchObject({ state: 'open', modelInUse: STAND_IN });
		await ask();
		expect(provider.requests.map(({ json }) => json.model)).toEqual([PREFERRED, STAND_IN, STAND_IN]);
	});
});

describe('a repository with a state file', () => {
	const squad = (): string => join(floor.directory, 'app', '.squad');
	const file = (): string => join(squad(), 'ralph-circuit-breaker.json');
	const written = async () => JSON.parse(await readFile(file(), 'utf8')) as Record<string, unknown>;
	beforeEach(() => mkdir(squad(), { recursive: true }));

	it('tells its scripts what an agent that works there met, and takes over what they write', async () => {
		const cwd = join(floor.directory, 'app');
		await floor.hook('SessionStart', { session_id: 'session-1', cwd, source: 'startup', model: PREFERRED });
		provider.respond(byModel({ [PREFERRED]: status(429) }, answer({ text: 'Hello.' })));
		await ask();
		await vi.waitFor(async () => expect(await written()).toMatchObject({ state: 'open' }));
		const record = await written();
		expect(record).toMatchObject({ preferredModel: PREFERRED, fallbackChain: [STAND_IN] });
		await writeFile(file(), JSON.stringify({ ...record, state: 'closed', openedAt: null }));
		expect(await channel('model:current', { directory: cwd })).toMatchObject({ model: PREFERRED });
		expect(chain()).toMatchObject({ state: 'closed', repositories: [cwd] });
	});
});

describe('what hooks tell of sessions that do not use the gateway', () => {
	const hook = (event: string, fields: Record<string, unknown>) =>
		floor.hook(event, { session_id: 'by-hooks', cwd: floor.directory, hook_event_name: event, ...fields });

	it('a rate limit opens the breaker of that session’s model, until the time that was said', async () => {
		await hook('SessionStart', { source: 'startup', model: PREFERRED });
		await hook('StopFailure', {
			error: 'rate_limit',
			last_assistant_message: "You've hit your limit · try again in 4 hours",
		});
		await until(() => chain()?.state === 'open');
		const { resumeAt = null, openedAt = null } = chain() ?? {};
		expect((resumeAt ?? 0) - (openedAt ?? 0)).toBeGreaterThanOrEqual(4 * 3_600_000);
	});

	it('an overload opens nothing', async () => {
		await hook('SessionStart', { source: 'startup', model: PREFERRED });
		await hook('StopFailure', { error: 'overloaded', last_assistant_message: 'rate limit 429' });
		await until(() => floor.snapshot().agents[0]?.providerTrouble !== null);
		expect(chain()?.state).toBe('closed');
	});

	it('missing credit asks the person', async () => {
		await hook('SessionStart', { source: 'startup', model: PREFERRED });
		await hook('StopFailure', {
			error: 'billing_error',
			last_assistant_message: 'Credit balance is too low',
		});
		await until(() => incidents('spend-limit').length === 1);
		expect(incidents('spend-limit')).toMatchObject([{ severity: 'urgent', endedAt: null }]);
		expect(chain()).toMatchObject({ state: 'closed', modelInUse: PREFERRED });
	});
});

describe('a spending limit', () => {
	it('passes unchanged, asks the person, and is over with the next answer', async () => {
		provider.respond(spendLimit());
		expect((await ask()).status).toBe(429);
		expect(incidents('spend-limit')).toMatchObject([{ severity: 'urgent', endedAt: null }]);
		provider.respond(answer({ text: 'Paid.' }));
		expect((await ask()).status).toBe(200);
		expect(incidents('spend-limit')).toMatchObject([{ endReason: `${PREFERRED} answers again` }]);
	});
});
