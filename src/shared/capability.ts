/**
 * What can be done now, and on what evidence (seed 003, section 1). `Capability` has exactly the seed's fields and
 * words; what the seed leaves out (each provider by itself, how old its evidence is) stands in `ProviderView`.
 */
import { z } from 'zod';
import { localServerKindSchema } from './failover-settings.ts';
import { timestampSchema } from './words.ts';

/** How a model sits on this machine's GPU or memory. `UNKNOWN`: its size or the machine's memory could not be read. */
export const deviceFitSchema = z.enum(['COMFORTABLE', 'TIGHT', 'OVER', 'UNKNOWN']);
export type DeviceFit = z.infer<typeof deviceFitSchema>;

/** What a model is good for: planning needs reasoning, bulk edits need instruction. */
export const modelTagSchema = z.enum(['reasoning', 'instruction']);
export type ModelTag = z.infer<typeof modelTagSchema>;

/** A model of a local server, as the server itself describes it. */
export const modelFitSchema = z.strictObject({
	/** `<serverId>/<model>` */
	id: z.string(),
	serverId: z.string(),
	serverKind: localServerKindSchema,
	/** The name by which the server is asked for it. */
	model: z.string(),
	name: z.string(),
	/** Tokens. `inUse`: what a prompt really gets; `max`: what the model could. `null`: the server does not tell. */
	context: z.strictObject({ inUse: z.number().nullable(), max: z.number().nullable() }),
	/** `null`: the server does not tell. */
	loaded: z.boolean().nullable(),
	/** Of its weights. */
	sizeBytes: z.number().nullable(),
	/** `null`: the server does not tell. */
	tools: z.boolean().nullable(),
	tags: z.array(modelTagSchema),
	fit: deviceFitSchema,
	/** Why it fits or not, in one sentence with its numbers. */
	fitReason: z.string(),
	checkedAt: timestampSchema,
});
export type ModelFit = z.infer<typeof modelFitSchema>;

/** A model somewhere. `at`: the id of a provider or a local server. `null`: nobody chose one, none was seen. */
export const modelRefSchema = z
	.strictObject({ harness: z.enum(['local', 'cloud']), at: z.string(), model: z.string() })
	.nullable();
export type ModelRef = z.infer<typeof modelRefSchema>;

export const modelRolesSchema = z.strictObject({
	plan: modelRefSchema,
	act: modelRefSchema,
	utility: modelRefSchema,
	embed: modelRefSchema,
});
export type ModelRoles = z.infer<typeof modelRolesSchema>;

export const remoteSchema = z.enum(['reachable', 'unreachable', 'unauthorised']);

export const capabilitySchema = z.strictObject({
	local: z.enum(['ready', 'loading', 'unsupported']),
	localModels: z.array(modelFitSchema),
	/** Reachable only after a recent success; of the provider that was called last. No call yet is no evidence. */
	remote: remoteSchema,
	/** The session that made the last call through the gateway; `null` before the first. */
	activeSession: z
		.strictObject({ harness: z.enum(['local', 'cloud']), model: z.string(), roles: modelRolesSchema })
		.nullable(),
});
export type Capability = z.infer<typeof capabilitySchema>;

/** One provider with its breaker and its evidence. */
export const providerViewSchema = z.object({
	id: z.string(),
	name: z.string(),
	/** `unknown`: no recent call says anything. */
	remote: remoteSchema.or(z.literal('unknown')),
	breaker: z.enum(['closed', 'open', 'half-open']),
	/** Why the breaker is open or the provider not authorised, in one sentence; empty otherwise. */
	reason: z.string(),
	lastSuccessAt: timestampSchema.nullable(),
	lastFailureAt: timestampSchema.nullable(),
	/** When the next trial call may go; `null` while the breaker is closed. */
	nextTrialAt: timestampSchema.nullable(),
	/** Of the last 60 s. Rate limits are counted apart and are no errors. */
	calls: z.number(),
	errors: z.number(),
	rateLimited: z.number(),
	/** To the first byte of the answer, ms; `null`: not enough calls. */
	p95LatencyMs: z.number().nullable(),
	/** The last answered call that said how long not to ask again. */
	retryAfterUntil: timestampSchema.nullable(),
});
export type ProviderView = z.infer<typeof providerViewSchema>;

export const localServerViewSchema = z.object({
	id: z.string(),
	kind: localServerKindSchema,
	baseUrl: z.string(),
	state: z.enum(['running', 'loading', 'absent', 'unreadable', 'unknown']),
	/** What it answered wrongly; empty otherwise. */
	problem: z.string(),
	version: z.string().nullable(),
	models: z.number(),
	checkedAt: timestampSchema.nullable(),
});
export type LocalServerView = z.infer<typeof localServerViewSchema>;
