/** The settings' fields as text: names, allowed values, and which of them a file gets wrong. */
import { z } from 'zod';
import { settingsSchema } from '../../shared/settings.ts';

/** A field's place, from the outside in: `['breaker', 'errorStormLimit']`. */
export type FieldPath = readonly string[];

type JsonSchema = z.core.JSONSchema.JSONSchema;

const schema = z.toJSONSchema(settingsSchema, { io: 'input' });

/** The places where `value` is not what the schema allows; empty when it is valid. */
export function invalidFields(value: unknown): FieldPath[] {
	const issues = settingsSchema.safeParse(value).error?.issues ?? [];
	const paths = new Map(issues.map(({ path }) => [JSON.stringify(path), path.map(String)]));
	return [...paths.values()];
}

/** "breaker.errorStormLimit". */
export function fieldName(path: FieldPath): string {
	return path.length === 0 ? 'the file' : path.join('.');
}

/** False for names that no setting has; they may stand in a file, but cannot be set. */
export function isKnownField(path: FieldPath): boolean {
	const place = placeOf(path);
	return place !== undefined && Object.keys(place).length > 0;
}

/** What a field may hold, in words: "a whole number from 1 to 1000000". */
export function allowedValues(path: FieldPath): string {
	const place = placeOf(path);
	return place ? wordsFor(place) : 'anything';
}

function placeOf(path: FieldPath): JsonSchema | undefined {
	let place: JsonSchema | undefined = schema;
	for (const key of path) place = place && inside(place, key);
	return place;
}

function inside(place: JsonSchema, key: string): JsonSchema | undefined {
	const properties = place.properties ?? {};
	const found = Object.hasOwn(properties, key) ? properties[key] : place.additionalProperties;
	return typeof found === 'object' ? found : undefined;
}

function wordsFor(place: JsonSchema): string {
	if (place.anyOf)
		return place.anyOf.map((option) => (typeof option === 'object' ? wordsFor(option) : '')).join(' or ');
	switch (place.type) {
		case 'boolean':
			return 'true or false';
		case 'null':
			return 'null';
		case 'object':
			return 'an object';
		case 'integer':
		case 'number':
			return `a ${place.type === 'integer' ? 'whole ' : ''}number${range(place)}`;
		default:
			return 'anything';
	}
}

function range({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
	if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
	const above = exclusiveMinimum === undefined ? '' : ` above ${exclusiveMinimum}`;
	return maximum === undefined ? above : `${above} up to ${maximum}`;
}
