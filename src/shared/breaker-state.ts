/** The ladder's public state and the evidence behind it. */
import { z } from 'zod';
import { breakerLevelSchema, timestampSchema, tripArmSchema } from './words.ts';

/** Emitted on `control:breakerState` for every agent on every beat (seed 002, "Escalation, Recovery, and Output Flags"). */
export const breakerStateSchema = z.object({
	agentId: z.string(),
	level: breakerLevelSchema,
	/** One sentence; empty while healthy. */
	reason: z.string(),
	/** When the ladder said so, on the floor's clock. */
	ts: timestampSchema,
});
export type BreakerState = z.infer<typeof breakerStateSchema>;

/** What a trip counted, since when, with its last occurrences: enough for a person to check the verdict. */
export const evidenceSchema = z.object({
	arm: tripArmSchema,
	/** What was counted, as a short noun phrase: "identical calls of Bash `npm test`". */
	counted: z.string(),
	count: z.number(),
	limit: z.number(),
	/** Unit of `count` and `limit`: "calls", "errors", "tokens", "USD", "output tokens/min", "beats". */
	unit: z.string(),
	/** First occurrence that counts. */
	since: timestampSchema,
	/** Latest occurrence that counts. */
	lastAt: timestampSchema,
	/** Up to three, oldest first. */
	lastOccurrences: z.array(z.object({ at: timestampSchema, text: z.string() })).max(3),
	/** What brings the agent back down, as a sentence. */
	clears: z.string(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** What one arm counts now against its limit. It trips when `count` exceeds `limit` (no-progress: reaches it). */
export const armGaugeSchema = z.object({
	arm: tripArmSchema,
	/** What is counted, as a short noun phrase: "equal calls with the same result: Bash `npm test`". */
	counted: z.string(),
	/** `null`: not known (no sample, no result was told). */
	count: z.number().nullable(),
	/** `null`: the arm is switched off. */
	limit: z.number().nullable(),
	unit: z.string(),
	/** Why nothing is counted or why it does not count against the agent, as a sentence; empty otherwise. */
	note: z.string(),
});
export type ArmGauge = z.infer<typeof armGaugeSchema>;
