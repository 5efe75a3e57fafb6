/** Looking back: what was spent, what tripped and whether rightly, how well the floor held. Nothing leaves the machine. */
import { z } from 'zod';
import { evidenceSchema } from './breaker-state.ts';
import { usageAmountSchema } from './usage-view.ts';
import { breakerLevelSchema, timestampSchema, tripArmSchema } from './words.ts';

/** Local date, `YYYY-MM-DD`. */
const day = z.string();

/** What the operator thinks of a trip. */
export const tripVerdictSchema = z.enum(['right', 'false-alarm']);
export type TripVerdict = z.infer<typeof tripVerdictSchema>;

/** A step of the ladder upwards. */
export const tripSchema = z.object({
	id: z.number().int(),
	at: timestampSchema,
	agentId: z.string(),
	/** As it was called; its session when nothing else is known any more. */
	agentName: z.string(),
	client: z.string(),
	directory: z.string(),
	/** `null`: of an older floor, which did not keep it. */
	arm: tripArmSchema.nullable(),
	from: breakerLevelSchema,
	to: breakerLevelSchema,
	reason: z.string(),
	evidence: evidenceSchema.nullable(),
	verdict: tripVerdictSchema.nullable(),
});
export type Trip = z.infer<typeof tripSchema>;

/** How an arm did. */
export const armRecordSchema = z.object({
	arm: tripArmSchema.nullable(),
	trips: z.number(),
	right: z.number(),
	falseAlarms: z.number(),
	/** right / (right + false alarms), 0 to 1; `null`: nothing was judged. */
	precision: z.number().nullable(),
});
export type ArmRecord = z.infer<typeof armRecordSchema>;

export const insightsSchema = z.object({
	/** Midnight of the first day, and now. */
	from: timestampSchema,
	to: timestampSchema,
	usage: z.object({
		/** Every day of the time, oldest first, also those without work. */
		days: z.array(z.object({ day, amount: usageAmountSchema })),
		/** The dearest first. Agents and sessions without hooks alike. */
		agents: z.array(
			z.object({
				/** The agent's id, or client and session of a session without hooks. */
				key: z.string(),
				name: z.string(),
				client: z.string(),
				directory: z.string(),
				amount: usageAmountSchema,
			}),
		),
		/** `path` empty: where it worked is not known. */
		repositories: z.array(z.object({ path: z.string(), name: z.string(), amount: usageAmountSchema })),
		models: z.array(z.object({ model: z.string(), local: z.boolean(), amount: usageAmountSchema })),
		/** What these figures do not hold, a sentence each. */
		notes: z.array(z.string()),
	}),
	trips: z.object({
		days: z.array(z.object({ day, counts: z.record(z.string(), z.number()) })),
		/** All arms that tripped, the most trips first. */
		arms: z.array(armRecordSchema),
		/** Over all arms. */
		total: armRecordSchema,
		/** Newest first. */
		list: z.array(tripSchema),
		/** Trips beyond those listed. */
		more: z.number(),
	}),
	reliability: z.object({
		/** Every day, oldest first, over all providers. */
		days: z.array(
			z.object({
				day,
				turns: z.number(),
				fallbackTurns: z.number(),
				refusedTurns: z.number(),
				queuedTurns: z.number(),
				degradedMs: z.number(),
				queueDepthMax: z.number(),
			}),
		),
		/** fallback / turns, 0 to 1; `null`: no turn passed the gateway. */
		fallbackRate: z.number().nullable(),
	}),
});
export type Insights = z.infer<typeof insightsSchema>;

/** A file to save. */
export const exportFileSchema = z.object({ name: z.string(), mediaType: z.string(), text: z.string() });
export type ExportFile = z.infer<typeof exportFileSchema>;
