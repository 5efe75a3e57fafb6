/** Tokens and cost as people see them: of one agent, of the floor, by session, day and week. */
import { z } from 'zod';
import { timestampSchema } from './words.ts';

const tokens = z.number();

/** What a stretch of work took. */
export const usageAmountSchema = z.object({
	/** Neither read from nor written to the cache. */
	input: tokens,
	output: tokens,
	cacheRead: tokens,
	cacheCreation: tokens,
	/** input + output + cache creation: what the token caps count. */
	work: tokens,
	/** The part of `work` that models on this machine served: it is free. */
	localWork: tokens,
	/** US dollars; `null`: no part of it has a known price. */
	costUsd: z.number().nullable(),
	/** Models that served part of the work and have no known price: then the cost is "at least". */
	unpricedModels: z.array(z.string()),
});
export type UsageAmount = z.infer<typeof usageAmountSchema>;

/** Who counted: the program's own files, the gateway's answers, or the program's telemetry. */
export const usageSourceSchema = z.enum(['transcript', 'gateway', 'telemetry']);
export type UsageSource = z.infer<typeof usageSourceSchema>;

/** Usage of one agent over its sessions. Cumulative. */
export const usageViewSchema = usageAmountSchema.extend({
	asOf: timestampSchema,
	/** Whose count this is. Several counts of one session are compared, never added. */
	source: usageSourceSchema,
	/** What the others counted, in work tokens. */
	otherCounts: z.array(z.object({ source: usageSourceSchema, work: tokens })),
	/** Since midnight on this machine; `null`: not known. */
	today: usageAmountSchema.nullable(),
	/** Since Monday, midnight; `null`: not known. */
	week: usageAmountSchema.nullable(),
});
export type UsageView = z.infer<typeof usageViewSchema>;

/** Usage of everybody. */
export const floorUsageSchema = z.object({
	asOf: timestampSchema,
	/** The agents on the floor, over their sessions. */
	session: usageAmountSchema,
	/** All sessions that were found on this machine, agents on the floor or not. `null`: not read yet. */
	today: usageAmountSchema.nullable(),
	week: usageAmountSchema.nullable(),
	dayStartedAt: timestampSchema,
	weekStartedAt: timestampSchema,
	/** What was found, by program. */
	programs: z.array(
		z.object({
			client: z.string(),
			files: z.number(),
			bytes: z.number(),
			today: usageAmountSchema,
			week: usageAmountSchema,
		}),
	),
	/** The files are being read for the first time, or after a long while: figures still grow. */
	reading: z.object({ bytes: z.number(), totalBytes: z.number(), since: timestampSchema }).nullable(),
	/** What could not be read, a sentence each. */
	problems: z.array(z.string()),
});
export type FloorUsage = z.infer<typeof floorUsageSchema>;

export const NO_USAGE: UsageAmount = {
	input: 0,
	output: 0,
	cacheRead: 0,
	cacheCreation: 0,
	work: 0,
	localWork: 0,
	costUsd: null,
	unpricedModels: [],
};
