import { describe, expect, it } from 'vitest';
import { gatewayGuides } from '../../src/main/gateway/guide.ts';
import { wrongToken } from '../../src/main/gateway/words.ts';
import { defaultProviders, type ProtocolId, protocolSchema } from '../../src/shared/failover-settings.ts';
import type { GatewayGuide } from '../../src/shared/failover-view.ts';

function guides(...protocols: ProtocolId[]): Map<string, GatewayGuide> {
	const providers = protocols.map((protocol) => ({ protocols: [protocol] }));
	const all = gatewayGuides('http://127.0.0.1:47100', 'T', providers);
	return new Map(all.map((guide) => [guide.client, guide]));
}

describe('the guide', () => {
	it('gives every client the form of address that it wants', () => {
		const known = guides(...protocolSchema.options);
		expect(known.get('Claude Code')?.lines).toMatch(
			/ANTHROPIC_BASE_URL="http:\/\/127\.0\.0\.1:47100\/gateway\/T"/,
		);
		expect(known.get('Codex')?.lines).toMatch(/base_url = "[^"]+\/gateway\/T\/v1"\nwire_api = "responses"/);
		for (const client of ['Copilot CLI', 'opencode', 'Qwen Code']) {
			expect(known.get(client)?.lines).toMatch(/\/gateway\/T\/as\/\w+\/v1"/);
		}
		expect(known.get('Gemini CLI')).toMatchObject({ how: expect.stringMatching(/Cannot/), lines: '' });
	});

	it.each([
		[[], []],
		[['anthropic-messages'], ['Claude Code']],
		[['openai-responses'], ['Codex']],
		[['openai-chat'], ['Copilot CLI', 'opencode', 'Qwen Code']],
	] as [ProtocolId[], string[]][])('gives lines only where a provider serves them: %s', (served, clients) => {
		const known = guides(...served);
		expect([...known.values()].filter(({ lines }) => lines !== '').map(({ client }) => client)).toEqual(
			clients,
		);
		expect(known.size, 'nobody is left out').toBe(6);
	});

	it('says which entry is missing to those that no provider serves', () => {
		const { how, lines } = guides('openai-chat').get('Codex') ?? {};
		expect(how).toMatch(/no provider in the settings serves openai-responses.*"protocols": \["openai-resp/);
		expect(lines).toBe('');
		expect(JSON.stringify([...guides().values()])).not.toContain('/gateway/T');
	});

	it('has lines for every client of the default settings but the one that cannot', () => {
		const without = gatewayGuides('http://127.0.0.1:47100', 'T', defaultProviders).filter(
			({ lines }) => lines === '',
		);
		expect(without.map(({ client }) => client)).toEqual(['Gemini CLI']);
	});
});

it('a wrong token is sent to where the address is', () => {
	expect(wrongToken.message).toContain('Settings, Gateway');
	expect(wrongToken.message).toContain('agent-floor gateway');
});
