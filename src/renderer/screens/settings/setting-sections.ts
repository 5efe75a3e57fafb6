/** The settings that this window edits, in the order of the page. Pure. */
import type { FailoverPolicy } from '../../../shared/failover-settings.ts';
import type { TripArm } from '../../../shared/words.ts';
import { armWords } from '../../store/arm-words.ts';
import type { SettingChoice, SettingField } from './setting-fields.ts';

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

const cooldownResets: readonly SettingChoice[] = [
	{
		value: 'preferred',
		label: 'The preferred model’s own limit',
		meaning: 'A limited fallback puts off nothing.',
	},
	{
		value: 'any',
		label: 'Any limit of the chain',
		meaning: 'A busy fallback then puts off recovery again and again.',
	},
];

/** Quiet hours are set by both, or not at all. */
export const QUIET_FROM = 'notifications.quietFrom';
export const QUIET_UNTIL = 'notifications.quietUntil';

/** Path and label of an arm's limit: it is called the same wherever it is named. */
function limitOf(arm: TripArm): Pick<SettingField, 'path' | 'label'> {
	const { setting, name } = armWords[arm];
	return { path: setting ?? '', label: name };
}

/** A field of the ladder: judged with the next beat, and what was recorded can be played with another value. */
function ladder(field: Omit<SettingField, 'holds' | 'replays'>): SettingField {
	return { ...field, holds: 'beat', replays: true };
}

/** A field that holds at once and that no replay knows of. */
function plain(field: Omit<SettingField, 'holds' | 'replays'>): SettingField {
	return { ...field, holds: 'now', replays: false };
}

export type SectionId =
	| 'ladder'
	| 'caps'
	| 'stop'
	| 'notifications'
	| 'failover'
	| 'rate-limits'
	| 'storage'
	| 'window'
	| 'floor';

export interface SettingSection {
	readonly id: SectionId;
	readonly title: string;
	/** Fields of the file; those of the last two sections are no part of it. */
	readonly fields: readonly SettingField[];
}

export const settingSections: readonly SettingSection[] = [
	{
		id: 'ladder',
		title: 'Ladder',
		fields: [
			ladder({ path: 'heartbeatSeconds', label: 'Heartbeat', unit: 'seconds', kind: 'number' }),
			ladder({ path: 'breaker.enabled', label: 'Judge agents', unit: '', kind: 'switch' }),
			ladder({ path: 'breaker.hardStop', label: 'Let the ladder stop agents', unit: '', kind: 'switch' }),
			ladder({ ...limitOf('repeated-tool'), unit: 'calls', kind: 'number' }),
			ladder({
				...limitOf('same-result'),
				unit: 'calls',
				kind: 'limit',
				meaning: 'Equal calls that came back with the same result while nothing changed in between',
			}),
			ladder({
				...limitOf('cycle'),
				unit: 'rounds',
				kind: 'limit',
				meaning: 'Rounds of the same two to four calls that came back with the same results',
			}),
			ladder({
				...limitOf('no-new-result'),
				unit: 'calls',
				kind: 'limit',
				meaning: 'Calls in a row that told nothing new while nothing changed in between',
			}),
			ladder({
				...limitOf('polling'),
				unit: 'calls',
				kind: 'limit',
				meaning: 'Waits for something that runs and looks at it, with the same answer each time',
			}),
			ladder({ ...limitOf('error-storm'), unit: 'errors', kind: 'number' }),
			ladder({ ...limitOf('token-velocity'), unit: 'tokens/min', kind: 'number' }),
		],
	},
	{
		id: 'caps',
		title: 'Caps',
		fields: [
			ladder({
				...limitOf('cost-cap'),
				unit: 'USD',
				kind: 'cap',
				meaning: 'US dollars that all agents on the floor may spend together; only known prices count',
			}),
			ladder({
				...limitOf('token-cap'),
				unit: 'work tokens',
				kind: 'cap',
				meaning:
					'Input, output and cache written that all agents on the floor may take together; cache reads do not count',
			}),
		],
	},
	{
		id: 'stop',
		title: 'Stop',
		fields: [
			plain({ path: 'stop.endProcess', label: 'End the process too', unit: '', kind: 'switch' }),
			plain({ path: 'stop.graceSeconds', label: 'Grace', unit: 'seconds', kind: 'number' }),
		],
	},
	{
		id: 'notifications',
		title: 'Notifications',
		fields: [
			plain({ path: 'notifications.needsYou', label: 'What needs you', unit: '', kind: 'switch' }),
			plain({ path: 'notifications.done', label: 'What is done', unit: '', kind: 'switch' }),
			plain({ path: 'notifications.doneAfterMinutes', label: 'Done after', unit: 'minutes', kind: 'number' }),
			plain({
				path: QUIET_FROM,
				label: 'Quiet hours from',
				unit: '',
				kind: 'time',
				meaning:
					'On this machine’s clock. Nothing is told meanwhile; what still needs you then is told when they end',
			}),
			plain({
				path: QUIET_UNTIL,
				label: 'Quiet hours until',
				unit: '',
				kind: 'time',
				meaning: 'On this machine’s clock; earlier than the start means the next morning',
			}),
			plain({
				path: 'notifications.soundNeedsYou',
				label: 'Sound for what needs you',
				unit: '',
				kind: 'switch',
			}),
			plain({ path: 'notifications.soundDone', label: 'Sound for what is done', unit: '', kind: 'switch' }),
			plain({
				path: 'webhook.url',
				label: 'Webhook',
				unit: '',
				kind: 'address',
				meaning: 'Where incidents that need you are posted; empty posts nothing',
			}),
		],
	},
	{
		id: 'failover',
		title: 'Providers & failover',
		fields: [
			plain({
				path: 'failover.policy',
				label: 'When a provider is lost',
				unit: '',
				kind: 'choice',
				choices: policies,
			}),
			plain({
				path: 'failover.holdSeconds',
				label: 'Hold',
				unit: 'seconds',
				kind: 'number',
				meaning:
					'How long a turn is held, also while it waits for the network; then the agent gets the provider’s own error, or, if nothing answered, an error that says so',
			}),
			plain({ path: 'failover.labelAnswers', label: 'Label local answers', unit: '', kind: 'switch' }),
		],
	},
	{
		id: 'rate-limits',
		title: 'Rate limits',
		fields: [
			plain({
				path: 'models.gatewayFallback',
				label: 'Go on when a model is rate-limited',
				unit: '',
				kind: 'switch',
			}),
			plain({
				path: 'models.allowCostlier',
				label: 'Let a costlier model stand in',
				unit: '',
				kind: 'switch',
			}),
			plain({
				path: 'models.cooldownResetBy',
				label: 'What starts a cooldown anew',
				unit: '',
				kind: 'choice',
				meaning: 'A cooldown is the time until a limited model is tried again',
				choices: cooldownResets,
			}),
		],
	},
	{
		id: 'storage',
		title: 'Storage & port',
		fields: [
			{
				path: 'retention.eventDays',
				label: 'Keep events for',
				unit: 'days',
				kind: 'number',
				meaning: 'Days that raw events are kept. Replays and previews look no further back; figures stay',
				holds: 'cleaning',
				replays: false,
			},
			{
				path: 'retention.eventMegabytes',
				label: 'Room for events',
				unit: 'MB',
				kind: 'number',
				meaning: 'Megabytes of raw events; the oldest make room',
				holds: 'cleaning',
				replays: false,
			},
			{
				path: 'port',
				label: 'Port',
				unit: '',
				kind: 'port',
				note: 'Agents and hooks then need the new address.',
				holds: 'start',
				replays: false,
			},
		],
	},
	{ id: 'window', title: 'This window', fields: [] },
	{ id: 'floor', title: 'This floor', fields: [] },
];

export const allFields: readonly SettingField[] = settingSections.flatMap(({ fields }) => fields);
