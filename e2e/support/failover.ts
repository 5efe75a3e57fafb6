/** A floor between a provider that can be lost and a local Ollama, with an agent that works through the gateway. */
import type { Locator, Page } from '@playwright/test';
import type { FloorSnapshot } from '../../src/shared/snapshot.ts';
import type { Tier } from '../../src/shared/words.ts';
import {
	type LocalServerStub,
	type StubRequest,
	startLocalServerStub,
} from '../../test/support/local-server-stub.ts';
import {
	type ProviderStub,
	type RecordedRequest,
	startProviderStub,
} from '../../test/support/provider-stub.ts';
import { FloorProcess } from './floor-process.ts';
import { GatewayAgent } from './gateway-agent.ts';
import { test as base, expect } from './test.ts';

/** Small enough for every machine that runs the tests. */
const MODEL = { name: 'coder:30b', sizeBytes: 200_000_000, contextInUse: 131_072 };
export const LOCAL_TEXT = 'Finished on this machine.';

interface Fixtures {
	provider: ProviderStub;
	local: LocalServerStub;
	agent: GatewayAgent;
}

export const test = base.extend<Fixtures>({
	// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
	provider: async ({}, use) => {
		const provider = await startProviderStub();
		await use(provider);
		await provider.close();
	},
	// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
	local: async ({}, use) => {
		const local = await startLocalServerStub({ models: [MODEL], answer: LOCAL_TEXT });
		await use(local);
		await local.close();
	},
	floor: async ({ settings, provider, local }, use) => {
		const floor = await FloorProcess.start({
			providers: [
				{
					id: 'anthropic',
					name: 'Anthropic',
					baseUrl: provider.url,
					protocols: ['anthropic-messages'],
				},
			],
			localServers: [{ id: 'ollama', kind: 'ollama', baseUrl: local.url }],
			...settings,
		});
		await lookForModels(floor);
		await use(floor);
		await floor.dispose();
	},
	agent: async ({ floor }, use) => {
		await use(new GatewayAgent(floor));
	},
});

export { expect, MODEL };

/** A request of the contract, as any program makes it. */
export async function request<T>(floor: FloorProcess, channel: string, input: unknown = null): Promise<T> {
	const response = await fetch(`${floor.server.url}/request/${channel}`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${floor.server.operatorToken}`,
			'content-type': 'application/json',
		},
		body: JSON.stringify(input),
	});
	const answer = (await response.json()) as { ok: boolean; output: T };
	expect(answer, channel).toMatchObject({ ok: true });
	return answer.output;
}

export function snapshot(floor: FloorProcess): Promise<FloorSnapshot> {
	return request(floor, 'floor:snapshot');
}

export async function lookForModels(floor: FloorProcess): Promise<void> {
	await expect
		.poll(async () => {
			await request(floor, 'failover:refresh');
			return (await snapshot(floor)).failover.capability.localModels.length;
		})
		.toBeGreaterThan(0);
}

export function popupOf(window: Page): Locator {
	return window.getByTestId('failover-popup');
}

/** [Switch & continue] */
export async function switchAndContinue(window: Page): Promise<void> {
	await popupOf(window).getByTestId('failover-switch').click();
}

export async function expectTier(window: Page, tier: Tier, why: RegExp | null = null): Promise<void> {
	const badge = window.getByTestId('tier-badge');
	await expect(badge).toHaveAttribute('data-tier', tier);
	if (why) await expect(badge).toContainText(why);
}

/** What of a request is the conversation, byte for byte: everything but the model and thinking that was left out. */
export function conversationOf(body: Readonly<Record<string, unknown>>): string {
	const { system, messages, tools, max_tokens, stream } = body;
	return JSON.stringify({ system, messages, tools, max_tokens, stream });
}

/** The local server was asked exactly what the provider was asked. */
export function expectSameConversation(
	cloud: RecordedRequest | undefined,
	local: StubRequest | undefined,
): void {
	expect(cloud, 'the provider was asked').toBeDefined();
	expect(local, 'the local server was asked').toBeDefined();
	expect(conversationOf((local?.body ?? {}) as Record<string, unknown>)).toBe(
		conversationOf(cloud?.json ?? {}),
	);
}

export function localCalls(local: LocalServerStub): StubRequest[] {
	return local.requestsTo('/v1/messages');
}
