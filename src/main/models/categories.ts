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

/**
 * First match counts, whoever sells it and whatever stands behind: effort, speed and thinking (`-high`, `-fast`,
 * `-medium`, `:thinking`) make no other model. "gpt-5-mini" is small before it is a gpt-5.
 */
const families: readonly (readonly [RegExp, ModelCategory])[] = [
	[word('opus|opusplan'), 'powerful'],
	[word('sonnet'), 'versatile'],
	[word('haiku|claude-instant'), 'lightweight'],
	[word('(?:(?:chat)?gpt[-_ ]?\\d|o\\d(?![a-z\\d])).*[^a-z\\d](?:mini|nano)'), 'lightweight'],
	[word('gpt[-_ ]?3\\.5'), 'lightweight'],
	[word('(?:chat)?gpt[-_ ]?4(?:o|\\.1)'), 'versatile'],
	[word('(?:chat)?gpt[-_ ]?\\d.*'), 'powerful'],
	[word('o\\d'), 'powerful'],
	// Of this family alone it is the small model that is called so.
	[word('grok[-_ ].*fast'), 'lightweight'],
];

/** Of every other family what says size. Whole words, because "gemini" is no "mini". */
const sizes: readonly (readonly [RegExp, ModelCategory])[] = [
	[word('mini|nano|flash|lite|small|tiny|air'), 'lightweight'],
	[word('pro|ultra|max|large'), 'powerful'],
	[word('medium'), 'versatile'],
];

const rank: Readonly<Record<Exclude<ModelCategory, 'unknown'>, number>> = {
	lightweight: 0,
	versatile: 1,
	powerful: 2,
};

export function categoryOf(model: string): ModelCategory {
	const bare = bareModel(model).toLowerCase();
	// A size before the slash is the vendor's own: "pro/…" is a tariff.
	const own = bare.slice(bare.lastIndexOf('/') + 1);
	return seedTable.get(own) ?? firstOf(families, bare) ?? firstOf(sizes, own) ?? 'unknown';
}

/** Whether `fallback` is of a costlier category than `preferred`. What nobody has classed is not costlier. */
export function isCostlier(fallback: string, preferred: string): boolean {
	const [of, than] = [categoryOf(fallback), categoryOf(preferred)];
	return of !== 'unknown' && than !== 'unknown' && rank[of] > rank[than];
}

function firstOf(
	patterns: readonly (readonly [RegExp, ModelCategory])[],
	name: string,
): ModelCategory | undefined {
	return patterns.find(([pattern]) => pattern.test(name))?.[1];
}

function word(names: string): RegExp {
	return new RegExp(`(?:^|[^a-z\\d])(?:${names})(?:$|[^a-z\\d])`);
}
