/** Objects of a settings document, and places in them. */

/** A field's place, from the outside in: `['breaker', 'errorStormLimit']`; an entry of a list by its index. */
export type FieldPath = readonly string[];

export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a place; undefined when there is no such place. */
export function valueAt(value: unknown, path: FieldPath): unknown {
	return path.reduce<unknown>(
		(place, key) =>
			(isObject(place) || Array.isArray(place)) && Object.hasOwn(place, key)
				? Reflect.get(place, key)
				: undefined,
		value,
	);
}
