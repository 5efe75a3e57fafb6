/** How chains write the name of a model, and how facts about one are filed. */
import { bareModel } from '../../shared/model-names.ts';

/** As in the settings and channels, characters. */
const LONGEST_NAME = 200;

/** Clients may send any text as a model: one that no chain can be about is neither looked for nor kept. */
export function isTooLong(model: string): boolean {
	return model.length > LONGEST_NAME;
}

/** The way in which `names` write `model`: the same text, else its bare id, else the same bare id; `null`: none means it. */
export function spelledIn(names: readonly string[], model: string): string | null {
	if (names.includes(model)) return model;
	const bare = bareModel(model);
	if (names.includes(bare)) return bare;
	return names.find((name) => bareModel(name) === bare) ?? null;
}

/** One key for a model at an account; `null`: at any. Different pairs have different keys, whatever the names hold. */
export function modelKey(account: string | null, model: string): string {
	return account === null ? `:${model}` : `${account.length}:${account}${model}`;
}
