/** When two ids name one model: a snapshot's date, "-latest" and a client's own mark ("[1m]") make no other model of it. */

/** The id without them, in lower case. */
export function modelCore(model: string): string {
	return model
		.toLowerCase()
		.replace(/\[[^\]]*\]$/, '')
		.replace(/[-@](latest|\d{8}|\d{4}-\d{2}-\d{2})$/, '');
}

export function isSameModel(one: string, other: string): boolean {
	return modelCore(one) === modelCore(other);
}
