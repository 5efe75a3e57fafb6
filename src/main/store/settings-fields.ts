/** The settings' fields as text: names, allowed values, and which of them a file gets wrong. */
import { z } from 'zod';
import { settingsSchema } from '../../shared/settings.ts';
import type { FieldPath } from './settings-object.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;

const schema = z.toJSONSchema(settingsSchema, { io: 'input' });

export interface InvalidField {
	/** What is to be taken back: a list as a whole. */
	readonly field: FieldPath;
	/** What is wrong in there, the first of several. */
	readonly place: FieldPath;
}

/** The places where `value` is not what the schema allows; empty when it is valid. */
export function invalidFields(value: unknown): InvalidField[] {
	const issues = settingsSchema.safeParse(value).error?.issues ?? [];
	const found = new Map<string, InvalidField>();
	for (const { path } of issues) {
		const place = path.map(String);
		const field = upToList(value, place);
		const key = JSON.stringify(field);
		if (!found.has(key)) found.set(key, { field, place });
	}
	return [...found.values()];
}

/** A list is taken or left as a whole: half of somebody's list is not what they meant. */
function upToList(value: unknown, path: FieldPath): FieldPath {
	let place = value;
	for (const [depth, key] of path.entries()) {
		if (Array.isArray(place)) return path.slice(0, depth);
		place =
			typeof place === 'object' && place !== null
				? Object.entries(place).find(([name]) => name === key)?.[1]
				: undefined;
	}
	return path;
}

/** "breaker.errorStormLimit", "models.chains[0].provider". */
export function fieldName(path: FieldPath): string {
	return path.length === 0 ? 'the file' : path.join('.').replace(/\.(\d+)(?=\.|$)/g, '[$1]');
}

/** A switch: on or off. */
export function isSwitch(path: FieldPath): boolean {
	return placeOf(path)?.type === 'boolean';
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
	const entries = place.items;
	if (typeof entries === 'object' && !Array.isArray(entries)) return /^\d+$/.test(key) ? entries : undefined;
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
			return objectWords(place);
		case 'array':
			return `a list, each ${typeof place.items === 'object' && !Array.isArray(place.items) ? wordsFor(place.items) : 'of anything'}`;
		case 'string':
			return stringWords(place);
		case 'integer':
		case 'number':
			return `a ${place.type === 'integer' ? 'whole ' : ''}number${range(place)}`;
		default:
			return 'anything';
	}
}

function objectWords({ properties, required }: JsonSchema): string {
	const names = (required ?? []).map((name) => {
		const field = properties?.[name];
		return typeof field === 'object' ? `"${name}" (${wordsFor(field)})` : `"${name}"`;
	});
	return names.length === 0 ? 'an object' : `an object with ${names.join(', ')}`;
}

function stringWords({ enum: choices, format, description }: JsonSchema): string {
	if (choices) return `one of ${choices.map((choice) => `"${choice}"`).join(', ')}`;
	if (format === 'uri') return 'an address (http:// or https://)';
	return description === undefined ? 'text' : `text: ${description}`;
}

function range({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
	if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
	const above = exclusiveMinimum === undefined ? '' : ` above ${exclusiveMinimum}`;
	return maximum === undefined ? above : `${above} up to ${maximum}`;
}
