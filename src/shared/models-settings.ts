/** Settings of the model breaker: which model gives way to which when it is rate-limited (seed 000). */
import { z } from 'zod';

const model = z.string().trim().min(1).max(200);

/** One preferred model and what may stand in for it. The names and defaults are the seed's ("State File"). */
export const modelChainSettingsSchema = z.looseObject({
	preferredModel: model.describe('Model to use when the circuit is closed'),
	fallbackChain: z
		.array(model)
		.max(20)
		.default([])
		.describe('Ordered fallback models; each must be served where the preferred one is'),
	cooldownMinutes: z
		.number()
		.positive()
		.max(10_080)
		.default(10)
		.describe('Minutes to wait before testing recovery'),
	/**
	 * Id of the provider whose account is meant. Absent: wherever the model is called from this machine, one limit
	 * counts for all of it (gateway, hooks and shell loops).
	 */
	provider: z.string().max(40).optional(),
});
export type ModelChainSettings = z.infer<typeof modelChainSettingsSchema>;

export const defaultModelChains: ModelChainSettings[] = [
	{
		preferredModel: 'claude-sonnet-5',
		fallbackChain: ['gpt-5.4-mini', 'gpt-5-mini'],
		cooldownMinutes: 10,
	},
];

export const modelsSettingsSchema = z.looseObject({
	chains: z
		.array(modelChainSettingsSchema)
		.max(100)
		.default(defaultModelChains)
		.describe('The first one is what a shell loop gets that names no model'),
	cooldownResetBy: z
		.enum(['preferred', 'any'])
		.default('preferred')
		.describe(
			'Whose rate limit starts the cooldown anew: only the preferred model\'s, or any ("any" is the seed\'s literal behaviour; a limited fallback then puts off recovery again and again)',
		),
	allowCostlier: z
		.boolean()
		.default(false)
		.describe('A fallback may be of a costlier category than the model it stands in for'),
	gatewayFallback: z
		.boolean()
		.default(true)
		.describe('A turn through the gateway whose model is limited goes on with the next model of its chain'),
});
export type ModelsSettings = z.infer<typeof modelsSettingsSchema>;
