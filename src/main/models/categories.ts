/** What a model costs, as a class (seed 000, "Problem"): the seed's table, then what the name tells. */

import { bareModel } from '../../shared/model-names.ts';
import type { ModelCategory } from '../../shared/models-view.ts';

const seedTable: ReadonlyMap<string, ModelCategory> = new Map([
	['claude-sonnet-5', 'versatile'],
	['claude-opus-4.8', 'powerful'],
	['gpt-5.4', 'powerful'],
	['gpt-5.4-mini', 'lightweight'],
	['gpt-5-mini', 'lightweight'],
]);

/** First match counts: "gpt-5-mini" is small before it is a gpt-5. Whole words, because "gemini" is no "mini". */
const namePatterns: readonly (readonly [RegExp, ModelCategory])[] = [
	[word('mini|nano|haiku|flash|lite|small|tiny|fast|air'), 'lightweight'],
	[word('opus|pro|ultra|max|large|o1|o3'), 'powerful'],
	[word('sonnet|medium|gpt-4o|gpt-4\\.1'), 'versatile'],
	[/^gpt-5(\.\d+)?(-codex)?$/, 'powerful'],
];

const rank: Readonly<Record<Exclude<ModelCategory, 'unknown'>, number>> = {
	lightweight: 0,
	versatile: 1,
	powerful: 2,
};

export function categoryOf(model: string): ModelCategory {
	const bare = bareModel(model).toLowerCase();
	return seedTable.get(bare) ?? namePatterns.find(([pattern]) => pattern.test(bare))?.[1] ?? 'unknown';
}

/** Whether `fallback` is of a costlier category than `preferred`. What nobody has classed is not costlier. */
export function isCostlier(fallback: string, preferred: string): boolean {
	const [of, than] = [categoryOf(fallback), categoryOf(preferred)];
	return of !== 'unknown' && than !== 'unknown' && rank[of] > rank[than];
}

function word(names: string): RegExp {
	return new RegExp(`(^|[-_.:/ ])(${names})($|[-_.:/ ])`);
}
