/** The settings that this window edits: words, units, and the way from what was typed to a patch. Pure. */
import type { ChannelErrorData } from '../../../shared/channels.ts';
import { type FailoverPolicy, failoverSettingsSchema } from '../../../shared/failover-settings.ts';
import { exactNumber } from '../../../shared/format.ts';
import { modelsSettingsSchema } from '../../../shared/models-settings.ts';
import {
	breakerSettingsSchema,
	defaultSettings,
	type Settings,
	type SettingsPatch,
	settingsSchema,
} from '../../../shared/settings.ts';
import type { TripArm } from '../../../shared/words.ts';
import { armWords } from '../../store/arm-words.ts';

export interface SettingField {
	/** Dotted, as in the file. */
	readonly path: string;
	readonly label: string;
	/** Of a number; empty for a switch. */
	readonly unit: string;
	/**
	 * `limit`: a number that can be switched off. `cap`: a number that may be left empty for "no cap". `port`: a number
	 * without separators. `address`: a URL, or empty for none. `choice`: one of `choices`.
	 */
	readonly kind: 'number' | 'limit' | 'cap' | 'port' | 'switch' | 'address' | 'choice';
	readonly choices?: readonly SettingChoice[];
	/** Instead of the schema's words, which are those of the file. */
	readonly meaning?: string;
	/** When it takes effect, where that is not the next beat. */
	readonly note?: string;
}

/** What one field of the form is drawn from. */
export interface SettingInputProps {
	field: SettingField;
	value: string | boolean;
	/** Why the value is not taken; empty when it is. */
	problem: string;
	onChange: (value: string | boolean) => void;
}

export interface SettingChoice {
	readonly value: string;
	readonly label: string;
	/** In one sentence. */
	readonly meaning: string;
}

const policies: readonly (SettingChoice & { readonly value: FailoverPolicy })[] = [
	{
		value: 'ask',
		label: 'Ask me',
		meaning: 'You are asked each time, and turns are held while you decide.',
	},
	{
		value: 'local',
		label: 'Go local at once',
		meaning: 'The best local model that fits takes over, just as visibly; without one you are asked.',
	},
	{
		value: 'wait',
		label: 'Wait for the provider',
		meaning: 'Turns are held until the provider is back, at most for the time of the hold.',
	},
];

/** Path and label of an arm's limit: it is called the same wherever it is named. */
function limitOf(arm: TripArm): Pick<SettingField, 'path' | 'label'> {
	const { setting, name } = armWords[arm];
	return { path: setting ?? '', label: name };
}

export const settingGroups: readonly { readonly title: string; readonly fields: readonly SettingField[] }[] =
	[
		{
			title: 'Ladder',
			fields: [
				{ path: 'heartbeatSeconds', label: 'Heartbeat', unit: 'seconds', kind: 'number' },
				{ path: 'breaker.enabled', label: 'Judge agents', unit: '', kind: 'switch' },
				{ path: 'breaker.hardStop', label: 'Let the ladder stop agents', unit: '', kind: 'switch' },
			],
		},
		{
			title: 'What trips the ladder',
			fields: [
				{ ...limitOf('repeated-tool'), unit: 'calls', kind: 'number' },
				{
					...limitOf('same-result'),
					unit: 'calls',
					kind: 'limit',
					meaning: 'Equal calls that came back with the same result while nothing changed in between',
				},
				{
					...limitOf('cycle'),
					unit: 'rounds',
					kind: 'limit',
					meaning: 'Rounds of the same two to four calls that came back with the same results',
				},
				{
					...limitOf('no-new-result'),
					unit: 'calls',
					kind: 'limit',
					meaning: 'Calls in a row that told nothing new while nothing changed in between',
				},
				{
					...limitOf('polling'),
					unit: 'calls',
					kind: 'limit',
					meaning: 'Waits for something that runs and looks at it, with the same answer each time',
				},
				{ ...limitOf('error-storm'), unit: 'errors', kind: 'number' },
				{ ...limitOf('token-velocity'), unit: 'tokens/min', kind: 'number' },
			],
		},
		{
			title: 'Caps of the whole floor',
			fields: [
				{
					...limitOf('cost-cap'),
					unit: 'USD',
					kind: 'cap',
					meaning: 'US dollars that all agents on the floor may spend together; only known prices count',
				},
				{
					...limitOf('token-cap'),
					unit: 'work tokens',
					kind: 'cap',
					meaning:
						'Input, output and cache written that all agents on the floor may take together; cache reads do not count',
				},
			],
		},
		{
			title: 'Stopping',
			fields: [
				{ path: 'stop.endProcess', label: 'End the process too', unit: '', kind: 'switch' },
				{ path: 'stop.graceSeconds', label: 'Grace', unit: 'seconds', kind: 'number' },
			],
		},
		{
			title: 'Failover',
			fields: [
				{
					path: 'failover.policy',
					label: 'When a provider is lost',
					unit: '',
					kind: 'choice',
					choices: policies,
				},
				{
					path: 'failover.holdSeconds',
					label: 'Hold',
					unit: 'seconds',
					kind: 'number',
					meaning:
						'How long a turn is held, also while it waits for the network; then the agent gets the provider’s own error, or, if nothing answered, an error that says so',
				},
				{ path: 'failover.labelAnswers', label: 'Label local answers', unit: '', kind: 'switch' },
				{
					path: 'models.gatewayFallback',
					label: 'Go on when a model is rate-limited',
					unit: '',
					kind: 'switch',
				},
				{ path: 'models.allowCostlier', label: 'Let a costlier model stand in', unit: '', kind: 'switch' },
				{
					path: 'webhook.url',
					label: 'Webhook',
					unit: '',
					kind: 'address',
					meaning: 'Where incidents that need you are posted; empty posts nothing',
				},
				{
					path: 'port',
					label: 'Port',
					unit: '',
					kind: 'port',
					note: 'In force when the floor starts again; agents and hooks then need the new address.',
				},
			],
		},
	];

export const allFields: readonly SettingField[] = settingGroups.flatMap(({ fields }) => fields);

const shapes: Readonly<
	Record<string, Readonly<Record<string, { readonly description?: string | undefined }>>>
> = {
	'': settingsSchema.shape,
	breaker: breakerSettingsSchema.shape,
	stop: settingsSchema.shape.stop.unwrap().shape,
	failover: failoverSettingsSchema.shape,
	models: modelsSettingsSchema.shape,
	webhook: settingsSchema.shape.webhook.unwrap().shape,
};

/** What the setting means, as the schema says it. */
export function meaningOf(path: string): string {
	const [name = '', room = ''] = path.split('.').reverse();
	return shapes[room]?.[name]?.description ?? '';
}

/** The value under a dotted path; `undefined` when there is none. */
export function valueAt(settings: Settings, path: string): unknown {
	let value: unknown = settings;
	for (const name of path.split('.')) {
		value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
	}
	return value;
}

/** The default in words: "30 seconds", "no cap", "on", "47100". */
export function defaultWords({ path, unit, kind, choices }: SettingField): string {
	const value = valueAt(defaultSettings, path);
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	if (kind === 'choice') return choices?.find((choice) => choice.value === value)?.label ?? String(value);
	if (kind === 'port') return String(value);
	if (typeof value === 'number') return `${exactNumber(value)} ${unit}`;
	return kind === 'address' ? 'none' : 'no cap';
}

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
	return { patch, changed, problems };
}

/** `null`: empty; `undefined`: cannot be read. What an address or a choice may be is the engine's to judge. */
function readTyped(
	typed: string | boolean,
	{ kind }: SettingField,
): string | number | boolean | null | undefined {
	if (typeof typed === 'boolean') return typed;
	if (kind === 'limit' && typed === OFF) return null;
	if (kind === 'address') return typed.trim() === '' ? null : typed.trim();
	return kind === 'choice' ? typed : numberOf(typed);
}

function mayBeEmpty({ kind }: SettingField, typed: string | boolean): boolean {
	return kind === 'cap' || kind === 'address' || (kind === 'limit' && typed === OFF);
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
