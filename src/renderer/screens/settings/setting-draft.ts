/** From the settings to what stands in the fields, and from what was typed to a patch. Pure. */
import type { ChannelErrorData } from '../../../shared/channels.ts';
import { defaultSettings, type Settings, type SettingsPatch } from '../../../shared/settings.ts';
import { type SettingField, valueAt } from './setting-fields.ts';
import { allFields, QUIET_FROM, QUIET_UNTIL } from './setting-sections.ts';

/** What stands in a limit's field while it is switched off. */
export const OFF = 'off';

/** What stands in the fields: text for numbers (`OFF` for a limit that is switched off), booleans for switches, by path. */
export type Draft = Readonly<Record<string, string | boolean>>;

export function draftOf(settings: Settings): Draft {
	return Object.fromEntries(
		allFields.map(({ path, kind }) => {
			const value = valueAt(settings, path);
			const nothing = kind === 'limit' ? OFF : '';
			return [path, typeof value === 'boolean' ? value : String(value ?? nothing)];
		}),
	);
}

/** What stands in a field whose setting has its default. */
export function defaultDraft({ path }: SettingField): string | boolean {
	return draftOf(defaultSettings)[path] ?? '';
}

export interface Reading {
	/** Only what differs from the settings. */
	readonly patch: SettingsPatch;
	/** Paths in `patch`. */
	readonly changed: readonly string[];
	/** What cannot be read as a number, by path. The limits themselves are the engine's to judge. */
	readonly problems: Readonly<Record<string, string>>;
}

/** From the draft to what the engine is asked for. */
export function readDraft(draft: Draft, settings: Settings): Reading {
	const patch: Record<string, unknown> = {};
	const changed: string[] = [];
	const problems: Record<string, string> = {};
	const before = draftOf(settings);
	for (const field of allFields) {
		const typed = draft[field.path];
		if (typed === undefined || typed === before[field.path]) continue;
		const value = readTyped(typed, field);
		if (value === undefined || (value === null && !mayBeEmpty(field, typed))) {
			problems[field.path] = needed[field.kind] ?? 'A number is needed.';
			continue;
		}
		if (value === valueAt(settings, field.path)) continue;
		changed.push(field.path);
		putAt(patch, field.path, value);
	}
	const lone = loneTime({ ...before, ...draft });
	if (lone !== null && changed.some((path) => path === QUIET_FROM || path === QUIET_UNTIL)) {
		problems[lone] = 'Quiet hours need both times, or neither.';
	}
	return { patch, changed, problems };
}

/** The path of the quiet time that is missing beside the other; `null`: both are set, or neither. */
function loneTime(draft: Draft): string | null {
	const [from, until] = [draft[QUIET_FROM] ?? '', draft[QUIET_UNTIL] ?? ''];
	if ((from === '') === (until === '')) return null;
	return from === '' ? QUIET_FROM : QUIET_UNTIL;
}

/** `null`: empty; `undefined`: cannot be read. What an address or a choice may be is the engine's to judge. */
function readTyped(
	typed: string | boolean,
	{ kind }: SettingField,
): string | number | boolean | null | undefined {
	if (typeof typed === 'boolean') return typed;
	if (kind === 'limit' && typed === OFF) return null;
	if (kind === 'address' || kind === 'time') return typed.trim() === '' ? null : typed.trim();
	return kind === 'choice' ? typed : numberOf(typed);
}

function mayBeEmpty({ kind }: SettingField, typed: string | boolean): boolean {
	return kind === 'cap' || kind === 'address' || kind === 'time' || (kind === 'limit' && typed === OFF);
}

const needed: Partial<Record<SettingField['kind'], string>> = {
	cap: 'A number, or empty for no cap.',
	limit: 'A number is needed, or switch it off.',
};

/** "60,000" and "60 000" are read too. `null`: empty; `undefined`: no number. */
export function numberOf(typed: string): number | null | undefined {
	const text = typed.replace(/[\s_,]/g, '');
	if (text === '') return null;
	const value = Number(text);
	return Number.isFinite(value) ? value : undefined;
}

/** Writes into a nested patch. */
function putAt(patch: Record<string, unknown>, path: string, value: unknown): void {
	const [name = '', room] = path.split('.').reverse();
	if (room === undefined) {
		patch[name] = value;
		return;
	}
	const inner = patch[room];
	patch[room] = { ...(typeof inner === 'object' ? inner : {}), [name]: value };
}

/** The field that a refusal is about: the one it names, else the only one that was changed; `null` when neither. */
export function fieldOfError(error: ChannelErrorData, changed: readonly string[]): string | null {
	const text = `${error.message} ${error.meaning} ${error.remedy}`;
	const names = (path: string) => new RegExp(`\\b${path.split('.').at(-1)}\\b`).test(text);
	return (
		changed.find((path) => text.includes(path)) ??
		changed.find(names) ??
		(changed.length === 1 ? changed[0] : null) ??
		null
	);
}
