/** Chains of models that have the right shape and still cannot be meant as they stand. Pure. */
import { modelChainSettingsSchema } from '../../shared/models-settings.ts';
import type { Settings } from '../../shared/settings.ts';
import { isObject } from './settings-object.ts';

const fields = Object.keys(modelChainSettingsSchema.shape);
/** So many letters at the beginning or the end make a name that was meant: `cooldown`, `coolDownMinute`, `fallbacks`. */
const ALIKE_LETTERS = 4;

/** One sentence for each; `chains` as somebody wrote them, `settings` as they are in force with them. */
export function chainDoubts(chains: unknown, settings: Pick<Settings, 'models' | 'providers'>): string[] {
	if (!Array.isArray(chains)) return [];
	const unknown = chains.flatMap((chain: unknown, index) => unknownFields(chain, `models.chains[${index}]`));
	return [...unknown, ...settings.models.chains.flatMap((_, index) => doubtsAt(index, settings))];
}

function unknownFields(chain: unknown, place: string): string[] {
	if (!isObject(chain)) return [];
	return Object.keys(chain).flatMap((key) => {
		const meant = fields.includes(key) ? undefined : fields.find((field) => isAlike(field, key));
		return meant === undefined
			? []
			: [`${place} has no field ${JSON.stringify(key)}; it is called ${meant}.`];
	});
}

function isAlike(field: string, key: string): boolean {
	const [one, other] = [field, key].map((each) => each.toLowerCase().replace(/[^a-z]/g, ''));
	if (!one || !other || other.length < ALIKE_LETTERS) return false;
	return (
		one.includes(other) ||
		one.slice(0, ALIKE_LETTERS) === other.slice(0, ALIKE_LETTERS) ||
		one.slice(-ALIKE_LETTERS) === other.slice(-ALIKE_LETTERS)
	);
}

function doubtsAt(index: number, { models, providers }: Pick<Settings, 'models' | 'providers'>): string[] {
	const chain = models.chains[index];
	if (chain === undefined) return [];
	const place = `models.chains[${index}]`;
	const { preferredModel, fallbackChain, provider } = chain;
	const model = JSON.stringify(preferredModel);
	const doubts: string[] = [];
	if (provider !== undefined && !providers.some(({ id }) => id === provider)) {
		const known = providers.map(({ id }) => id).join(', ') || 'none';
		doubts.push(
			`${place}.provider is ${JSON.stringify(provider)}, which is none of the providers in the settings (${known}).`,
		);
	}
	if (fallbackChain.includes(preferredModel)) {
		doubts.push(`${place} falls back to itself: ${model} stands in its own fallbackChain.`);
	}
	const first = models.chains.findIndex(
		(other) => other.preferredModel === preferredModel && other.provider === provider,
	);
	if (first !== index) {
		const where = provider === undefined ? '' : ` at ${provider}`;
		doubts.push(`${place} is a second chain of ${model}${where}, beside models.chains[${first}].`);
	}
	return doubts;
}
