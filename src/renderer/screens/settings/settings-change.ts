/** All that is changed and not saved: what the engine is asked for, and what would put it back. Pure. */
import type { Settings, SettingsPatch } from '../../../shared/settings.ts';
import { type Draft, draftOf, readDraft } from './setting-draft.ts';
import { valueAt } from './setting-fields.ts';

export interface Edits {
	readonly fields: Draft;
	/** Caps of single agents; `null` takes one away. */
	readonly caps: Readonly<Record<string, number | null>>;
}

export const noEdits: Edits = { fields: {}, caps: {} };

export interface SettingsChange {
	/** What stands in the fields now. */
	readonly draft: Draft;
	/** Only what differs from the settings. */
	readonly patch: SettingsPatch;
	/** Paths of the changed fields, and one entry for each cap that is changed. */
	readonly changed: readonly string[];
	/** What cannot be taken, by path. */
	readonly problems: Readonly<Record<string, string>>;
}

const CAPS = 'breaker.agentTokenCaps';

export function changeOf(edits: Edits, settings: Settings): SettingsChange {
	const draft = { ...draftOf(settings), ...edits.fields };
	const { patch, changed, problems } = readDraft(draft, settings);
	const known = settings.breaker.agentTokenCaps;
	const caps = Object.entries(edits.caps).filter(([key, cap]) => (capIn(known, key) ?? null) !== cap);
	if (caps.length === 0) return { draft, patch, changed, problems };
	const withCaps = merged(patch, { breaker: { agentTokenCaps: Object.fromEntries(caps) } });
	return {
		draft,
		patch: withCaps,
		changed: [...changed, ...caps.map(([key]) => `${CAPS}:${key}`)],
		problems,
	};
}

/** What puts `before` back at every place that was changed. */
export function patchBack(changed: readonly string[], before: Settings): SettingsPatch {
	return changed.reduce<SettingsPatch>((patch, path) => merged(patch, placeIn(path, before)), {});
}

/** True while every place that was changed still is as it was saved: nobody has changed it since. */
export function isStill(changed: readonly string[], saved: Settings, now: Settings): boolean {
	return changed.every((path) => JSON.stringify(placeIn(path, saved)) === JSON.stringify(placeIn(path, now)));
}

/** The value at one place, nested as in the file; `null` where there is none. */
function placeIn(path: string, settings: Settings): SettingsPatch {
	if (path.startsWith(`${CAPS}:`)) {
		const key = path.slice(CAPS.length + 1);
		const value = capIn(settings.breaker.agentTokenCaps, key) ?? null;
		return { breaker: { agentTokenCaps: { [key]: value } } };
	}
	const value = valueAt(settings, path) ?? null;
	return path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as SettingsPatch;
}

function capIn(caps: Readonly<Record<string, number>>, key: string): number | undefined {
	return Object.hasOwn(caps, key) ? caps[key] : undefined;
}

function merged(one: SettingsPatch, other: SettingsPatch): SettingsPatch {
	const whole: SettingsPatch = { ...one };
	for (const [name, value] of Object.entries(other)) {
		const known = Object.hasOwn(whole, name) ? whole[name] : undefined;
		const both = isObject(known) && isObject(value);
		// As an own field, whatever an agent is called.
		Object.defineProperty(whole, name, {
			value: both ? merged(known, value) : value,
			enumerable: true,
			configurable: true,
			writable: true,
		});
	}
	return whole;
}

function isObject(value: unknown): value is SettingsPatch {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
