/** What the window sees of failover: who waits and why, what is recommended, what is queued, who asks for consent. */
import { z } from 'zod';
import { capabilitySchema, localServerViewSchema, providerViewSchema } from './capability.ts';
import { timestampSchema } from './words.ts';

/** What the agent is about: decides which kind of model is wanted. */
export const activitySchema = z.enum(['planning', 'editing', 'other']);
export type Activity = z.infer<typeof activitySchema>;

/** One of the four parts of a recommendation (seed 003, section 3.2). */
export const scorePartSchema = z.object({
	part: z.enum(['context', 'device', 'task', 'history']),
	/** 0 to 1. */
	score: z.number(),
	/** One short clause for the card: "fits your GPU", "handles planning tasks". */
	why: z.string(),
});
export type ScorePart = z.infer<typeof scorePartSchema>;

export const candidateSchema = z.object({
	/** `ModelFit.id` */
	modelId: z.string(),
	serverId: z.string(),
	model: z.string(),
	/** 0 to 1; 0 when excluded. */
	score: z.number(),
	parts: z.array(scorePartSchema),
	/** It must be loaded first, which takes a while. */
	cold: z.boolean(),
	/** Why it cannot take the turn, and the setting that cures it; `null` when it can. */
	excluded: z.string().nullable(),
});
export type Candidate = z.infer<typeof candidateSchema>;

/** A turn that is held while somebody decides. */
export const heldTurnViewSchema = z.object({
	turnId: z.string(),
	agentId: z.string().nullable(),
	agentName: z.string(),
	model: z.string(),
	activity: activitySchema,
	estimatedTokens: z.number(),
	heldSince: timestampSchema,
	/** Then the provider's own error is passed on. */
	heldUntil: timestampSchema,
	state: z.enum(['asking', 'waiting', 'switching', 'retrying']),
	/** Part of the answer had reached the agent when the connection broke. */
	cutMidAnswer: z.boolean(),
});
export type HeldTurnView = z.infer<typeof heldTurnViewSchema>;

export const failureCauseSchema = z.enum(['network-lost', 'breaker-open', 'provider-error', 'stream-cut']);
export type FailureCause = z.infer<typeof failureCauseSchema>;

/** The popup of one incident. There is at most one for a provider at a time. */
export const failoverPopupSchema = z.object({
	id: z.string(),
	incidentId: z.string(),
	providerId: z.string(),
	providerName: z.string(),
	cause: failureCauseSchema,
	/** "Network lost: Anthropic can't be reached." */
	sentence: z.string(),
	/** What was seen, with its status or code. */
	detail: z.string(),
	openedAt: timestampSchema,
	updatedAt: timestampSchema,
	turns: z.array(heldTurnViewSchema),
	/** Best first. The first is the recommendation; empty: no local model can take every turn that is held. */
	candidates: z.array(candidateSchema),
	excluded: z.array(candidateSchema),
	/** "Continue locally with X: fits your GPU, handles planning tasks. Your conversation carries over." */
	recommendation: z.string(),
	/** Said instead of a recommendation when nothing local fits; empty otherwise. */
	refusal: z.string(),
	/** The operator chose to wait: shown small, still open. */
	waiting: z.boolean(),
});
export type FailoverPopup = z.infer<typeof failoverPopupSchema>;

/** A destructive command that waits for the operator while the tier is not NORMAL. */
export const consentViewSchema = z.object({
	id: z.string(),
	agentId: z.string(),
	agentName: z.string(),
	tool: z.string(),
	/** The command or target, as the agent gave it. Untrusted. */
	target: z.string(),
	/** Where it would run; empty when not known. Untrusted. */
	directory: z.string(),
	/** What it would destroy or send out, in words. */
	why: z.string(),
	askedAt: timestampSchema,
	/** Then nobody has answered, and the client's own prompt decides where it has one. */
	expiresAt: timestampSchema,
});
export type ConsentView = z.infer<typeof consentViewSchema>;

/** A session whose turns are answered locally. */
export const localRouteViewSchema = z.object({
	/** Key of the session; the agent's when it is on the floor. */
	sessionKey: z.string(),
	agentId: z.string().nullable(),
	agentName: z.string(),
	providerId: z.string(),
	modelId: z.string(),
	since: timestampSchema,
	turns: z.number(),
});
export type LocalRouteView = z.infer<typeof localRouteViewSchema>;

/** "Improve this with <cloud>?" for a turn that was answered locally. */
export const improveOfferSchema = z.object({
	id: z.string(),
	agentId: z.string().nullable(),
	agentName: z.string(),
	providerId: z.string(),
	providerName: z.string(),
	cloudModel: z.string(),
	localModel: z.string(),
	/** The head of the prompt that was answered. Untrusted. */
	prompt: z.string(),
	answeredAt: timestampSchema,
	/** `waiting`: queued until there is a way to ask. `ready`: both answers can be read. */
	state: z.enum(['offered', 'waiting', 'asking', 'ready', 'failed']),
	/** Why it waits or failed; empty otherwise. */
	problem: z.string(),
});
export type ImproveOffer = z.infer<typeof improveOfferSchema>;

/** Both answers, side by side. Nothing is ever replaced. */
export const comparisonSchema = z.object({
	offer: improveOfferSchema,
	local: z.object({ model: z.string(), text: z.string(), at: timestampSchema }),
	cloud: z.object({ model: z.string(), text: z.string(), at: timestampSchema }).nullable(),
});
export type Comparison = z.infer<typeof comparisonSchema>;

export const outboxKindSchema = z.enum(['cloud_turn', 'hook', 'download']);
export type OutboxKind = z.infer<typeof outboxKindSchema>;

/** One entry of the outbox (seed 003, section 4). */
export const outboxEntryViewSchema = z.object({
	idempotencyKey: z.string(),
	createdAt: timestampSchema,
	kind: outboxKindSchema,
	/** `uncertain`: it may or may not have been sent before the floor went down; only a person resends it. */
	state: z.enum(['pending', 'sending', 'uncertain', 'reconciled', 'failed']),
	/** What it is, in one line. Untrusted parts included. */
	title: z.string(),
	/** Why it waits, failed or was dropped; the answer's head when there is one. */
	detail: z.string(),
	attempts: z.number(),
	nextAttemptAt: timestampSchema.nullable(),
	/** Its answer can be read (`outbox:answer`). */
	hasAnswer: z.boolean(),
	/** 0 to 1 for a download; `null` otherwise. */
	progress: z.number().nullable(),
});
export type OutboxEntryView = z.infer<typeof outboxEntryViewSchema>;

/** What the provider said to a queued turn. Untrusted. */
export const outboxAnswerSchema = z.object({ model: z.string(), text: z.string(), at: timestampSchema });
export type OutboxAnswer = z.infer<typeof outboxAnswerSchema>;

export const outboxViewSchema = z.object({
	/** Entries that are still to be done: the badge. */
	queued: z.number(),
	uncertain: z.number(),
	/** Newest first, at most 100. */
	entries: z.array(outboxEntryViewSchema),
	/** Why it cannot be written or read; empty otherwise. */
	problem: z.string(),
});
export type OutboxView = z.infer<typeof outboxViewSchema>;

export const failoverViewSchema = z.object({
	capability: capabilitySchema,
	providers: z.array(providerViewSchema),
	localServers: z.array(localServerViewSchema),
	popups: z.array(failoverPopupSchema),
	consents: z.array(consentViewSchema),
	routes: z.array(localRouteViewSchema),
	offers: z.array(improveOfferSchema),
	outbox: outboxViewSchema,
});
export type FailoverView = z.infer<typeof failoverViewSchema>;

/** One day of one provider, from the store. Nothing of it leaves the machine. */
export const sloDaySchema = z.object({
	/** Local date, `YYYY-MM-DD`. */
	day: z.string(),
	providerId: z.string(),
	turns: z.number(),
	/** Turns answered locally, or by another model than asked for. */
	fallbackTurns: z.number(),
	refusedTurns: z.number(),
	queuedTurns: z.number(),
	degradedMs: z.number(),
	/** From the failure to the popup. `null`: no popup that day. */
	popupMs: z.object({ count: z.number(), p50: z.number(), p99: z.number(), max: z.number() }).nullable(),
	/** Most entries in the outbox at one time. */
	queueDepthMax: z.number(),
});
export type SloDay = z.infer<typeof sloDaySchema>;

/** How one client is pointed at the gateway: text to copy. Holds the agent token: for the operator's eyes only. */
export const gatewayGuideSchema = z.object({
	client: z.string(),
	/** What to do, in one sentence. */
	how: z.string(),
	/** Lines for a shell or a file. */
	lines: z.string(),
});
export type GatewayGuide = z.infer<typeof gatewayGuideSchema>;

/** Nothing is known and nothing waits: the view before anything was looked at. */
export const emptyFailoverView: FailoverView = {
	capability: { local: 'unsupported', localModels: [], remote: 'unreachable', activeSession: null },
	providers: [],
	localServers: [],
	popups: [],
	consents: [],
	routes: [],
	offers: [],
	outbox: { queued: 0, uncertain: 0, entries: [], problem: '' },
};
