/** What window, tray and command line see of the model breakers. Field names are the seed's where it has them. */
import { z } from 'zod';
import { timestampSchema } from './words.ts';

/** Seed 000, "Circuit Breaker States". */
export const circuitStateSchema = z.enum(['closed', 'open', 'half-open']);
export type CircuitState = z.infer<typeof circuitStateSchema>;

/** Seed 000, "Problem": what a model costs, as a class. `unknown`: nobody has said. */
export const modelCategorySchema = z.enum(['lightweight', 'versatile', 'powerful', 'unknown']);
export type ModelCategory = z.infer<typeof modelCategorySchema>;

/** Seed 000, "Metrics"; times as numbers. */
export const circuitMetricsSchema = z.object({
	totalFallbacks: z.number(),
	totalRecoveries: z.number(),
	lastFallbackAt: timestampSchema.nullable(),
	lastRecoveryAt: timestampSchema.nullable(),
});
export type CircuitMetrics = z.infer<typeof circuitMetricsSchema>;

/** One model of a chain, the preferred one first. */
export const chainModelViewSchema = z.object({
	model: z.string(),
	category: modelCategorySchema,
	/** `skipped`: it may not stand in (costlier category, or its provider does not serve it). */
	state: z.enum(['in-use', 'ready', 'limited', 'skipped']),
	/** Until when it is not asked; `null` when not limited. */
	until: timestampSchema.nullable(),
	/** Why it is limited or skipped; empty otherwise. */
	why: z.string(),
});
export type ChainModelView = z.infer<typeof chainModelViewSchema>;

export const modelChainViewSchema = z.object({
	id: z.string(),
	/** `null`: one truth for the whole machine. */
	provider: z.string().nullable(),
	preferredModel: z.string(),
	fallbackChain: z.array(z.string()),
	cooldownMinutes: z.number(),
	state: circuitStateSchema,
	currentFallbackIndex: z.number(),
	openedAt: timestampSchema.nullable(),
	halfOpenSuccesses: z.number(),
	consecutiveFailures: z.number(),
	metrics: circuitMetricsSchema,
	/** `null`: the whole chain is limited. */
	modelInUse: z.string().nullable(),
	/** What happened, in one sentence; empty while closed. Parts of it come from a provider: untrusted. */
	why: z.string(),
	/** When the preferred model may be tried again; `null` while closed, held, or when it may be tried now. */
	resumeAt: timestampSchema.nullable(),
	/** Set while the whole chain is limited: when the first model is free. */
	waitUntil: timestampSchema.nullable(),
	/** The one call that tests the preferred model now. `holder`: who makes it, in words. */
	probe: z.object({ holder: z.string(), since: timestampSchema, until: timestampSchema }).nullable(),
	/** The operator keeps it on the fallback. */
	held: z.boolean(),
	/** Not a rate limit: money. Only a person can help. */
	spendLimit: z.object({ model: z.string(), said: z.string(), at: timestampSchema }).nullable(),
	models: z.array(chainModelViewSchema),
	/** `seen`: it was limited and no chain names it. */
	source: z.enum(['settings', 'repository', 'seen']),
	/** Directories whose state file mirrors it. */
	repositories: z.array(z.string()),
});
export type ModelChainView = z.infer<typeof modelChainViewSchema>;

export const modelsViewSchema = z.object({
	chains: z.array(modelChainViewSchema),
	/** State files that could not be read or written, with what was done about it. */
	problems: z.array(z.object({ file: z.string(), problem: z.string(), at: timestampSchema })),
});
export type ModelsView = z.infer<typeof modelsViewSchema>;

export const emptyModelsView: ModelsView = { chains: [], problems: [] };

/** What a shell loop is told to use. */
export const modelChoiceSchema = z.object({
	/** `null`: the whole chain is limited, wait until `resumeAt`. */
	model: z.string().nullable(),
	preferredModel: z.string(),
	state: circuitStateSchema,
	isFallback: z.boolean(),
	/** This call tests whether the preferred model has recovered. */
	isProbe: z.boolean(),
	/** With a model: when the preferred one may be tried again. Without: when the first one is free. */
	resumeAt: timestampSchema.nullable(),
	why: z.string(),
});
export type ModelChoiceView = z.infer<typeof modelChoiceSchema>;

/** Who asks, and about what. */
export const modelCallerSchema = z.object({
	/** The repository's directory, absolute: its state file is the mirror, and names the chain where it exists. */
	directory: z.string().min(1).max(4000),
	/** Overrides the file and the settings. */
	preferredModel: z.string().min(1).max(200).optional(),
	provider: z.string().min(1).max(40).optional(),
	/** Tells several loops of one directory apart. */
	caller: z.string().min(1).max(200).optional(),
});
export type ModelCaller = z.infer<typeof modelCallerSchema>;

/** How the call went for which a model was handed out. `model` absent: the one that this caller was given last. */
export const modelReportSchema = modelCallerSchema.extend({
	model: z.string().min(1).max(200).optional(),
	outcome: z.enum(['success', 'rate-limit', 'spend-limit', 'other']),
	/** The provider's wish, ms from now. */
	retryAfterMs: z.number().positive().finite().optional(),
	/** What the program said, for the screen. Untrusted. */
	said: z.string().max(2000).optional(),
});
export type ModelReport = z.infer<typeof modelReportSchema>;
