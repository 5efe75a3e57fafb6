/** When two ids name the same model. */

/** A mark that the client adds (`[1m]`), the moving name (`-latest`) and the date of a build, at the end of an id. */
const marks = /\[[^\]]*\]$/;
const build = /-latest$|[-@]\d{8}$|-\d{4}-\d{2}-\d{2}$/;

/** The id without what only names a build or a way of calling: `claude-sonnet-5-20250929[1m]` → `claude-sonnet-5`. */
export function bareModel(model: string): string {
	return model.replace(marks, '').replace(build, '') || model;
}

/** The way in which `names` write `model`: the same text, else the same bare id; `null`: none of them means it. */
export function spelledIn(names: readonly string[], model: string): string | null {
	if (names.includes(model)) return model;
	const bare = bareModel(model);
	return names.find((name) => bareModel(name) === bare) ?? null;
}
