/** What can be said of a chain by its configuration alone. */
import type { ModelChainSettings } from '../../shared/models-settings.ts';
import type { ModelChain } from './model-desk.ts';

/** As in the settings. */
export const LONGEST_COOLDOWN_MINUTES = 10_080;

export function chainOfSettings({
	provider,
	preferredModel,
	fallbackChain,
	cooldownMinutes,
}: ModelChainSettings): ModelChain {
	return { provider: provider ?? null, preferredModel, fallbackChain, cooldownMinutes };
}

/** The preferred model first. */
export function modelsOf({
	preferredModel,
	fallbackChain,
}: Pick<ModelChain, 'preferredModel' | 'fallbackChain'>): string[] {
	return [preferredModel, ...fallbackChain];
}

export function cooldownMsOf({ cooldownMinutes }: Pick<ModelChain, 'cooldownMinutes'>): number {
	return cooldownMinutes * 60_000;
}

/** The same models in the same order, and the same cooldown; whose account is meant does not count. */
export function isSameChain(one: ModelChain, other: ModelChain): boolean {
	return (
		one.preferredModel === other.preferredModel &&
		one.cooldownMinutes === other.cooldownMinutes &&
		one.fallbackChain.length === other.fallbackChain.length &&
		one.fallbackChain.every((model, index) => model === other.fallbackChain[index])
	);
}
