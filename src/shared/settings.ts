/** `<data>/settings.json`: schema, defaults and limits. Unknown fields are kept, so an older floor never loses a newer one's. */
import { z } from 'zod';
import {
	defaultLocalServers,
	defaultProviders,
	failoverSettingsSchema,
	localServerSettingsSchema,
	providerSettingsSchema,
} from './failover-settings.ts';
import { modelsSettingsSchema } from './models-settings.ts';

/** No loop is remembered for longer than this. */
const count = z.number().int().min(1).max(1_000);
/** On this machine's clock. */
const localTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time like 22:00');
const cap = z.number().positive().finite();

/** Limits of the ladder. A count must *exceed* its limit to trip (seed 002). A cap that is absent or null is no cap. */
export const breakerSettingsSchema = z.looseObject({
	enabled: z.boolean().default(true).describe('Off: every agent is healthy and nothing is counted'),
	hardStop: z
		.boolean()
		.default(false)
		.describe('On: the ladder may reach stopped; off: it ends at constrained'),
	repeatedToolLimit: count.default(8).describe('Identical tool calls in one loop'),
	errorStormLimit: count.default(5).describe("Consecutive API errors of the agent's own making"),
	tokenVelocityPerMin: cap.default(60_000).describe('Output tokens a minute'),
	sameResultLimit: count
		.nullable()
		.default(4)
		.describe('Equal calls that came back with the same result, nothing changed in between; null: off'),
	cycleLimit: count
		.nullable()
		.default(2)
		.describe('Rounds of a cycle of two to four calls that came back with the same results; null: off'),
	pollingLimit: count
		.nullable()
		.default(40)
		.describe('Waits and looks at something that runs, with the same answer; null: off'),
	noNewResultLimit: count
		.nullable()
		.default(8)
		.describe(
			'Calls that told nothing new, nothing changed in between; one that told little new counts in part; null: off',
		),
	costCapUsd: cap.nullable().default(null).describe('US dollars, whole floor'),
	costCapTokens: cap.nullable().default(null).describe('Work tokens, whole floor'),
	agentTokenCaps: z
		.record(z.string(), cap)
		.default({})
		.describe('Work tokens for one agent, by its id, session id, name or directory'),
});
export type BreakerSettings = z.infer<typeof breakerSettingsSchema>;

export const settingsSchema = z.looseObject({
	heartbeatSeconds: z.number().min(0.2).max(3600).default(30).describe('Seconds between two beats'),
	port: z.number().int().min(0).max(65535).default(47100).describe('Loopback port; 0 takes any free one'),
	breaker: breakerSettingsSchema.prefault({}),
	stop: z
		.looseObject({
			endProcess: z
				.boolean()
				.default(false)
				.describe('When the ladder stops an agent, also end its process tree (work trees are never touched)'),
			graceSeconds: z
				.number()
				.min(0)
				.max(300)
				.default(5)
				.describe('Seconds between the polite and the final signal'),
		})
		.prefault({}),
	retention: z
		.looseObject({
			eventDays: z.number().positive().max(3650).default(14).describe('Days that raw events are kept'),
			eventMegabytes: z.number().positive().max(100_000).default(256).describe('Megabytes of raw events'),
		})
		.prefault({}),
	providers: z.array(providerSettingsSchema).max(50).default(defaultProviders),
	localServers: z.array(localServerSettingsSchema).max(50).default(defaultLocalServers),
	failover: failoverSettingsSchema.prefault({}),
	models: modelsSettingsSchema.prefault({}),
	notifications: z
		.looseObject({
			needsYou: z.boolean().default(true).describe('Tell of what needs you while you look elsewhere'),
			done: z.boolean().default(true).describe('Tell of turns that ended while you look elsewhere'),
			doneAfterMinutes: z
				.number()
				.min(0)
				.max(1440)
				.default(5)
				.describe('Minutes that a turn takes at least before its end is told'),
			quietFrom: localTime
				.nullable()
				.default(null)
				.describe('Quiet hours begin, HH:MM; null: no quiet hours'),
			quietUntil: localTime.nullable().default(null).describe('Quiet hours end, HH:MM'),
			soundNeedsYou: z.boolean().default(false).describe('A sound with what needs you'),
			soundDone: z.boolean().default(false).describe('A sound with what is done'),
		})
		.prefault({}),
	webhook: z
		.looseObject({
			url: z
				.url({ protocol: /^https?$/ })
				.nullable()
				.default(null)
				.describe('Where incidents that need you are posted; null posts nothing'),
		})
		.prefault({}),
});
export type Settings = z.infer<typeof settingsSchema>;

/** What `settings:update` takes: any part of the settings; objects are merged, `null` removes a cap. */
export const settingsPatchSchema = z.record(z.string(), z.unknown());
export type SettingsPatch = z.infer<typeof settingsPatchSchema>;

/** The settings of a fresh installation. */
export const defaultSettings: Settings = settingsSchema.parse({});
