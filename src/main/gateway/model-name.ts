/** Names of models as clients and settings give them: any text, of any length. Pure. */

/** Characters; as in the settings, so no chain has a longer one. */
export const LONGEST_MODEL_NAME = 200;

/** What is remembered and shown of a name. One that was cut is longer than the bound, so that it is taken for no model's. */
export function boundedModelName(model: string): string {
	return model.length <= LONGEST_MODEL_NAME ? model : `${model.slice(0, LONGEST_MODEL_NAME).toWellFormed()}…`;
}

/**
 * The header that names who answers, flat; empty when the name is too long for one. Percent-encoded is what a header
 * cannot hold (line breaks, 千问), white space, and the percent sign itself.
 */
export function modelMark(model: string): readonly string[] {
	const value = boundedModelName(model)
		.toWellFormed()
		.replace(/[^\x21-\x24\x26-\x7e]/gu, (character) => encodeURIComponent(character));
	return value === '' || value.length > LONGEST_MODEL_NAME ? [] : ['x-agent-floor-model', value];
}
