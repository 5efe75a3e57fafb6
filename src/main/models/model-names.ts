/** How chains write the name of a model. */
import { bareModel } from '../../shared/model-names.ts';

/** The way in which `names` write `model`: the same text, else the same bare id; `null`: none of them means it. */
export function spelledIn(names: readonly string[], model: string): string | null {
	if (names.includes(model)) return model;
	const bare = bareModel(model);
	return names.find((name) => bareModel(name) === bare) ?? null;
}
