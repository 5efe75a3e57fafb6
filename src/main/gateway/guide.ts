/** How each client is pointed at the gateway. The texts hold the agent token: for the operator's eyes only. */
import type { ProtocolId, ProviderSettings } from '../../shared/failover-settings.ts';
import type { GatewayGuide } from '../../shared/failover-view.ts';

interface Client extends GatewayGuide {
	/** What it speaks; `null`: nothing that the gateway can. */
	readonly protocol: ProtocolId | null;
}

const power = 'In PowerShell write $env:NAME = "…" instead of export NAME="…".';

/**
 * Lines only for clients whose protocol one of `providers` serves: the others are told which entry is missing.
 * `baseUrl`: of the listener, without a slash at its end: "http://127.0.0.1:47100".
 */
export function gatewayGuides(
	baseUrl: string,
	agentToken: string,
	providers: readonly Pick<ProviderSettings, 'protocols'>[],
): GatewayGuide[] {
	const served = new Set(providers.flatMap(({ protocols }) => protocols));
	return clientsOf(baseUrl, agentToken).map(({ protocol, ...guide }) =>
		protocol === null || served.has(protocol) ? guide : { ...guide, how: missing(protocol), lines: '' },
	);
}

function missing(protocol: ProtocolId): string {
	return `Not yet: no provider in the settings serves ${protocol}, which this client speaks. Add one under "providers": an entry with its id, its baseUrl and "protocols": ["${protocol}"].`;
}

function clientsOf(baseUrl: string, agentToken: string): Client[] {
	const gateway = `${baseUrl}/gateway/${agentToken}`;
	return [
		{
			client: 'Claude Code',
			protocol: 'anthropic-messages',
			how: `Set its base URL (without /v1) before it starts; its own login or key goes through untouched. ${power}`,
			lines: [`export ANTHROPIC_BASE_URL="${gateway}"`, 'claude'].join('\n'),
		},
		{
			client: 'Codex',
			protocol: 'openai-responses',
			how: 'Add this to ~/.codex/config.toml, the first line above every [table]; OPENAI_API_KEY stays where it is.',
			lines: [
				'model_provider = "agent-floor"',
				'',
				'[model_providers.agent-floor]',
				'name = "Agent Floor"',
				`base_url = "${gateway}/v1"`,
				'wire_api = "responses"',
				'env_key = "OPENAI_API_KEY"',
			].join('\n'),
		},
		{
			client: 'Copilot CLI',
			protocol: 'openai-chat',
			how: `It sends no session, so the address names it; give every instance a name of its own. MODEL is one of your provider's. ${power}`,
			lines: [
				`export COPILOT_PROVIDER_BASE_URL="${gateway}/as/copilot/v1"`,
				'export COPILOT_PROVIDER_API_KEY="$OPENAI_API_KEY"',
				'export COPILOT_MODEL="MODEL"',
				'copilot',
			].join('\n'),
		},
		{
			client: 'opencode',
			protocol: 'openai-chat',
			how: "Add this to opencode.json, then choose the model agent-floor/MODEL; MODEL is one of your provider's.",
			lines: JSON.stringify(
				{
					$schema: 'https://opencode.ai/config.json',
					provider: {
						'agent-floor': {
							npm: '@ai-sdk/openai-compatible',
							name: 'Agent Floor',
							options: { baseURL: `${gateway}/as/opencode/v1`, apiKey: '{env:OPENAI_API_KEY}' },
							models: { MODEL: {} },
						},
					},
				},
				null,
				2,
			),
		},
		{
			client: 'Qwen Code',
			protocol: 'openai-chat',
			how: `Set its OpenAI address before it starts; MODEL is one of your provider's. ${power}`,
			lines: [`export OPENAI_BASE_URL="${gateway}/as/qwen/v1"`, 'export OPENAI_MODEL="MODEL"', 'qwen'].join(
				'\n',
			),
		},
		{
			client: 'Gemini CLI',
			protocol: null,
			how: 'Cannot use the gateway: it speaks the Gemini protocol only, which no local server answers. Its hooks work, so it is watched and steered; it just does not fail over.',
			lines: '',
		},
	];
}
