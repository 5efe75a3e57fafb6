/** When two ids name the same model. Pure. */

/** A mark that the client adds (`[1m]`), the moving name (`-latest`) and the date of a build, at the end of an id. */
const marks = /\[[^\]]*\]$/;
const build = /[-@](?:latest|\d{8}|\d{4}-\d{2}-\d{2})$/i;

/** The id without what only names a build or a way of calling: `claude-sonnet-5-20250929[1m]` → `claude-sonnet-5`. */
export function bareModel(model: string): string {
	return model.replace(marks, '').replace(build, '') || model;
}

/** Whether two ids name one model: a provider may answer with the dated id of what it was asked for. */
export function isSameModel(one: string, other: string): boolean {
	return bareModel(one).toLowerCase() === bareModel(other).toLowerCase();
}
