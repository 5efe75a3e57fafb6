/** Pure parts of the settings file: merging a change, and reading what may be wrong in places. */
import { type Settings, settingsSchema } from '../../shared/settings.ts';
import { chainDoubts } from './settings-chains.ts';
import {
	allowedValues,
	fieldName,
	type InvalidField,
	invalidFields,
	isKnownField,
} from './settings-fields.ts';
import { type FieldPath, isObject, valueAt } from './settings-object.ts';

/** What stands in the file: only what somebody set, known or not. */
export type RawSettings = Readonly<Record<string, unknown>>;

export interface ReadSettings {
	readonly settings: Settings;
	/** One sentence for each field that was not taken, and for each chain of models that can hardly be meant. */
	readonly problems: readonly string[];
}

/** Merges objects, replaces anything else; `null` takes a field out, so that its default holds again. */
export function mergeSettings(base: RawSettings, patch: RawSettings): RawSettings {
	const merged = new Map(Object.entries(base));
	for (const [key, value] of Object.entries(patch)) {
		const present = merged.get(key);
		if (value === null) merged.delete(key);
		else if (isObject(value)) merged.set(key, mergeSettings(isObject(present) ? present : {}, value));
		else merged.set(key, value);
	}
	return Object.fromEntries(merged);
}

/**
 * The settings that `raw` asks for. A field that is not allowed keeps its value of `lastGood`, or its default when
 * there is none, and is told of.
 */
export function readSettings(raw: RawSettings, lastGood: Settings | null): ReadSettings {
	const problems: string[] = [];
	let usable = raw;
	// Taking one field back can bring out another (an object in place of a number, say), but each goes only once.
	for (let wrong = invalidFields(usable); wrong.length > 0; wrong = invalidFields(usable)) {
		for (const { field, place } of wrong) {
			const kept = lastGood === null ? undefined : valueAt(lastGood, field);
			const about = field.length === place.length ? '' : ` for ${fieldName(field)}`;
			problems.push(
				`${fieldName(place)} is ${JSON.stringify(valueAt(usable, place)) ?? 'not set'}; allowed: ${allowedValues(place)}. ` +
					`The floor uses ${inUse(field, kept)}${about}.`,
			);
		}
		// Last good values have been valid already; a field that has none is left out.
		for (const { field } of wrong)
			usable = withValue(usable, field, lastGood === null ? undefined : valueAt(lastGood, field));
	}
	const settings = settingsSchema.parse(usable);
	return { settings, problems: [...problems, ...chainDoubts(valueAt(usable, CHAINS), settings)] };
}

const CHAINS: FieldPath = ['models', 'chains'];

function inUse(path: FieldPath, kept: unknown): string {
	const value = kept ?? valueAt(settingsSchema.parse({}), path);
	return value === undefined || value === null ? 'none' : JSON.stringify(value);
}

/** A copy with another value at a place; undefined takes the field out. */
function withValue(value: RawSettings, path: FieldPath, replacement: unknown): RawSettings {
	const [key, ...rest] = path;
	if (key === undefined) return isObject(replacement) ? replacement : {};
	const inner = Object.hasOwn(value, key) ? value[key] : undefined;
	const next = rest.length === 0 ? replacement : withValue(isObject(inner) ? inner : {}, rest, replacement);
	const others = Object.entries(value).filter(([name]) => name !== key);
	return Object.fromEntries(next === undefined ? others : [...others, [key, next]]);
}

/**
 * Why `patch` cannot be merged into `raw`, as a sentence; `null` when it can. Fields that it does not touch are not
 * its fault, even when they are wrong.
 */
export function refusalOf(raw: RawSettings, patch: RawSettings): string | null {
	const changed = changedFields(patch);
	const unknown = changed.find((path) => !isKnownField(path));
	if (unknown) return `There is no setting ${fieldName(unknown)}.`;
	const merged = mergeSettings(raw, patch);
	const isTouched = (path: FieldPath): boolean =>
		changed.some((field) => isPrefix(field, path) || isPrefix(path, field));
	const wrong = invalidFields(merged).find(({ field }) => isTouched(field));
	if (wrong) return `${refusalWords(wrong, merged)}; allowed: ${allowedValues(wrong.place)}.`;
	if (!isTouched(CHAINS)) return null;
	return chainDoubts(valueAt(merged, CHAINS), readSettings(merged, null).settings)[0] ?? null;
}

function refusalWords({ place }: InvalidField, merged: RawSettings): string {
	const value = JSON.stringify(valueAt(merged, place));
	return `${fieldName(place)} ${value === undefined ? 'is missing' : `cannot be ${value}`}`;
}

/** The places that a change sets, from the outside in. */
function changedFields(patch: RawSettings, at: FieldPath = []): FieldPath[] {
	return Object.entries(patch).flatMap(([key, value]) => {
		const path = [...at, key];
		return isObject(value) && Object.keys(value).length > 0 ? changedFields(value, path) : [path];
	});
}

function isPrefix(short: FieldPath, long: FieldPath): boolean {
	return short.every((key, index) => key === long[index]);
}
