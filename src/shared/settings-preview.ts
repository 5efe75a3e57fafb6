/** What other settings would have done with what really happened: the recorded events, played through the same ladder. */
import { z } from 'zod';
import { breakerLevelSchema, timestampSchema, tripArmSchema } from './words.ts';

const outcomeSchema = z.object({
	/** Steps upwards. */
	trips: z.number(),
	/** By arm. */
	arms: z.record(z.string(), z.number()),
	/** The highest level that was reached, by agents: level → agents. */
	highest: z.record(breakerLevelSchema, z.number()),
});

export const settingsPreviewSchema = z.object({
	from: timestampSchema,
	to: timestampSchema,
	/** What was played. */
	events: z.number(),
	sessions: z.number(),
	/** Played with the settings as they are. */
	before: outcomeSchema,
	/** Played with the change. */
	after: outcomeSchema,
	/** Sessions that would have fared differently, the most telling first; at most 20. */
	changed: z.array(
		z.object({
			sessionId: z.string(),
			name: z.string(),
			directory: z.string(),
			before: z.object({ trips: z.number(), highest: breakerLevelSchema, at: timestampSchema.nullable() }),
			after: z.object({ trips: z.number(), highest: breakerLevelSchema, at: timestampSchema.nullable() }),
			/** The arm that makes the difference. */
			arm: tripArmSchema.nullable(),
		}),
	),
	/** Sessions that would have fared differently, in all. */
	changedSessions: z.number(),
	/** What a replay cannot know, a sentence each. */
	notes: z.array(z.string()),
});
export type SettingsPreview = z.infer<typeof settingsPreviewSchema>;
