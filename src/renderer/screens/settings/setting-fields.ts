/** What is said of a setting that this window edits. Pure. */
import { failoverSettingsSchema } from '../../../shared/failover-settings.ts';
import { exactNumber } from '../../../shared/format.ts';
import { modelsSettingsSchema } from '../../../shared/models-settings.ts';
import {
	breakerSettingsSchema,
	defaultSettings,
	type Settings,
	settingsSchema,
} from '../../../shared/settings.ts';
import { hasAllWords } from '../../store/agent-filter.ts';

export interface SettingField {
	/** Dotted, as in the file. */
	readonly path: string;
	readonly label: string;
	/** Of a number; empty for a switch. */
	readonly unit: string;
	/**
	 * `limit`: a number that can be switched off. `cap`: a number that may be left empty for "no cap". `port`: a number
	 * without separators. `address`: a URL, or empty for none. `choice`: one of `choices`. `time`: HH:MM on this
	 * machine's clock, or empty for none.
	 */
	readonly kind: 'number' | 'limit' | 'cap' | 'port' | 'switch' | 'address' | 'choice' | 'time';
	/** When a change holds. `beat`: judged with the next beat. `start`: when the floor starts again. */
	readonly holds: 'now' | 'beat' | 'cleaning' | 'start';
	/** Recorded events can be played with another value of it. */
	readonly replays: boolean;
	readonly choices?: readonly SettingChoice[];
	/** Instead of the schema's words, which are those of the file. */
	readonly meaning?: string;
	/** Said besides. */
	readonly note?: string;
}

export interface SettingChoice {
	readonly value: string;
	readonly label: string;
	/** In one sentence. */
	readonly meaning: string;
}

/** What one field of the form is drawn from. */
export interface SettingInputProps {
	field: SettingField;
	value: string | boolean;
	/** Why the value is not taken; empty when it is. */
	problem: string;
	onChange: (value: string | boolean) => void;
}

const shapes: Readonly<
	Record<string, Readonly<Record<string, { readonly description?: string | undefined }>>>
> = {
	'': settingsSchema.shape,
	breaker: breakerSettingsSchema.shape,
	stop: settingsSchema.shape.stop.unwrap().shape,
	retention: settingsSchema.shape.retention.unwrap().shape,
	notifications: settingsSchema.shape.notifications.unwrap().shape,
	failover: failoverSettingsSchema.shape,
	models: modelsSettingsSchema.shape,
	webhook: settingsSchema.shape.webhook.unwrap().shape,
};

/** What the setting means, as the schema says it. */
export function meaningOf(path: string): string {
	const [name = '', room = ''] = path.split('.').reverse();
	return shapes[room]?.[name]?.description ?? '';
}

export const holdsWords: Readonly<Record<SettingField['holds'], string>> = {
	now: 'hold at once.',
	beat: 'hold with the next beat.',
	cleaning: 'hold with the next clean-up of the store.',
	start: 'In force when the floor starts again.',
};

/** The value under a dotted path; `undefined` when there is none. */
export function valueAt(settings: Settings, path: string): unknown {
	let value: unknown = settings;
	for (const name of path.split('.')) {
		value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
	}
	return value;
}

/** The default in words: "30 seconds", "no cap", "on", "47100". */
export function defaultWords(field: SettingField): string {
	return valueWords(field, valueAt(defaultSettings, field.path));
}

/** A value of the setting in words. */
export function valueWords({ unit, kind, choices }: SettingField, value: unknown): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	if (kind === 'choice') return choices?.find((choice) => choice.value === value)?.label ?? String(value);
	if (kind === 'port') return String(value);
	if (typeof value === 'number') return `${exactNumber(value)} ${unit}`;
	if (typeof value === 'string') return value;
	return nothingWords[kind] ?? 'no cap';
}

/** What it means that nothing is set. */
const nothingWords: Partial<Record<SettingField['kind'], string>> = {
	address: 'none',
	time: 'none',
	limit: 'off',
};

/** True when every word of `typed` is found in what is said of the setting. */
export function isFound(field: SettingField, sectionTitle: string, typed: string): boolean {
	const { path, label, unit, meaning = meaningOf(path), note = '', choices = [] } = field;
	const texts = [path, label, unit, meaning, note, sectionTitle];
	return hasAllWords([...texts, ...choices.flatMap((choice) => [choice.label, choice.meaning])], typed);
}
