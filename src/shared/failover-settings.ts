/** Settings of the gateway and of failover: providers, local servers, what happens when a provider is lost. */
import { z } from 'zod';

/** The three front doors. A turn keeps its protocol wherever it is answered. */
export const protocolSchema = z.enum(['anthropic-messages', 'openai-chat', 'openai-responses']);
export type ProtocolId = z.infer<typeof protocolSchema>;

const id = z
	.string()
	.regex(/^[a-z0-9][a-z0-9._-]{0,39}$/)
	.describe('lower-case letters, digits, ".", "_" and "-"');
const baseUrl = z.url({ protocol: /^https?$/ });

/** A remote model service. `/v1` is not repeated when the base URL already ends in it. */
export const providerSettingsSchema = z.looseObject({
	id,
	/** What people call it; when absent, as `providerNameOf` says. */
	name: z.string().min(1).max(60).optional(),
	baseUrl,
	protocols: z.array(protocolSchema).min(1),
	/**
	 * Name of an environment variable of the floor whose value queued turns are sent with when the agent that asked is
	 * gone. Without it they wait for that agent's next call: its credentials are never stored.
	 */
	credentialEnv: z.string().max(200).optional(),
});
export type ProviderSettings = z.infer<typeof providerSettingsSchema>;

export const localServerKindSchema = z.enum(['ollama', 'lmstudio', 'llamacpp', 'vllm', 'openai']);
export type LocalServerKind = z.infer<typeof localServerKindSchema>;

export const localServerSettingsSchema = z.looseObject({
	id,
	kind: localServerKindSchema,
	baseUrl,
	/** Name of an environment variable of the floor that holds the server's token, where it wants one. */
	credentialEnv: z.string().max(200).optional(),
});
export type LocalServerSettings = z.infer<typeof localServerSettingsSchema>;

export const failoverPolicySchema = z.enum(['ask', 'local', 'wait']);
export type FailoverPolicy = z.infer<typeof failoverPolicySchema>;

export const failoverSettingsSchema = z.looseObject({
	policy: failoverPolicySchema
		.default('ask')
		.describe('When a provider is lost: ask the operator, go local at once, or wait for the provider'),
	holdSeconds: z
		.number()
		.min(0)
		.max(3600)
		.default(120)
		.describe(
			"Seconds a turn is held; then the provider's own error is passed on, or an error that says that nothing answered",
		),
	labelAnswers: z
		.boolean()
		.default(true)
		.describe('Put one line that names the model at the head of the first local answer of a session'),
});
export type FailoverSettings = z.infer<typeof failoverSettingsSchema>;

export const defaultProviders: ProviderSettings[] = [
	{
		id: 'anthropic',
		name: 'Anthropic',
		baseUrl: 'https://api.anthropic.com',
		protocols: ['anthropic-messages'],
	},
	{
		id: 'openai',
		name: 'OpenAI',
		baseUrl: 'https://api.openai.com',
		protocols: ['openai-chat', 'openai-responses'],
	},
];

/** What people call a provider: its own name, the usual one of a well-known id, or the id. */
export function providerNameOf({ id, name }: Pick<ProviderSettings, 'id' | 'name'>): string {
	return name ?? defaultProviders.find((known) => known.id === id)?.name ?? id;
}

/** The usual ports of this machine; a server that is not running costs one refused connection now and then. */
export const defaultLocalServers: LocalServerSettings[] = [
	{ id: 'ollama', kind: 'ollama', baseUrl: 'http://127.0.0.1:11434' },
	{ id: 'lmstudio', kind: 'lmstudio', baseUrl: 'http://127.0.0.1:1234' },
	{ id: 'llamacpp', kind: 'llamacpp', baseUrl: 'http://127.0.0.1:8080' },
	{ id: 'vllm', kind: 'vllm', baseUrl: 'http://127.0.0.1:8000' },
];
