/** Which of the names that a chain writes means a model. */
import { isSameModel } from '../../shared/model-names.ts';

/** The way in which `names` write `model`: the same text, else the same model; `null`: none of them means it. */
export function spelledIn(names: readonly string[], model: string): string | null {
	if (names.includes(model)) return model;
	return names.find((name) => isSameModel(name, model)) ?? null;
}
