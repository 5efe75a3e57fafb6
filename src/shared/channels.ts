/**
 * The one channel map. Everything that crosses between engine and window is named here, with the schema of both
 * directions; types are derived, never written twice. The window asks (`requests`), the engine tells (`pushes`).
 */
import { z } from 'zod';
import { agentViewSchema } from './agent-view.ts';
import { breakerStateSchema, evidenceSchema } from './breaker-state.ts';
import { capabilitySchema } from './capability.ts';
import { connectionsSchema } from './connection-view.ts';
import {
	comparisonSchema,
	failoverViewSchema,
	gatewayGuideSchema,
	outboxAnswerSchema,
	sloDaySchema,
} from './failover-view.ts';
import { exportFileSchema, insightsSchema, tripSchema, tripVerdictSchema } from './insights-view.ts';
import { modelCallerSchema, modelChoiceSchema, modelReportSchema, modelsViewSchema } from './models-view.ts';
import { noticesSchema } from './notice.ts';
import { settingsPatchSchema, settingsSchema } from './settings.ts';
import { settingsPreviewSchema } from './settings-preview.ts';
import { floorDeltaSchema, floorSnapshotSchema, incidentSchema } from './snapshot.ts';
import { timelinePageSchema, treeChangesSchema } from './timeline.ts';
import { usageAmountSchema } from './usage-view.ts';
import { breakerLevelSchema, hookClientSchema, timestampSchema } from './words.ts';

const nothing = z.undefined().or(z.null()).or(z.object({}).strict());
const agentId = z.string().min(1).max(400);
/** An id that the engine gave. */
const key = z.string().min(1).max(600);
/** The operator's own words to an agent. */
const words = z.string().trim().min(1).max(4000);

/** One row of an agent's history, as stored. */
export const historyRowSchema = z.object({
	at: timestampSchema,
	kind: z.enum(['level', 'order', 'note', 'denial', 'trouble']),
	from: breakerLevelSchema.nullable(),
	to: breakerLevelSchema.nullable(),
	text: z.string(),
	evidence: evidenceSchema.nullable(),
});
export type HistoryRow = z.infer<typeof historyRowSchema>;

/** What the installer found or would do in one settings file. */
export const hookPlanSchema = z.object({
	file: z.string(),
	status: z.enum(['installed', 'partly', 'absent', 'unreadable']),
	/** Why it cannot be read (line and column), or why hooks that are there would not run; empty otherwise. */
	problem: z.string(),
	/** Unified diff of what would be written; empty when nothing would change. */
	diff: z.string(),
});
export type HookPlan = z.infer<typeof hookPlanSchema>;

/** Window → engine. Each resolves with `output` or rejects with a `ChannelError`. */
export const requestChannels = {
	'floor:snapshot': { input: nothing, output: floorSnapshotSchema },
	'agent:history': { input: z.object({ agentId }), output: z.array(historyRowSchema) },
	/** What it did, in order; the newest page unless `before` (ms) is given. */
	'agent:timeline': {
		input: z.object({
			agentId,
			before: timestampSchema.nullable().default(null),
			limit: z.number().int().min(1).max(5000).default(500),
		}),
		output: timelinePageSchema,
	},
	/** What changed in its work tree. */
	'agent:changes': { input: z.object({ agentId }), output: treeChangesSchema },
	/** Its usage over its sessions, by model, the most work first. */
	'agent:usage': {
		input: z.object({ agentId }),
		output: z.array(z.object({ model: z.string(), local: z.boolean(), amount: usageAmountSchema })),
	},
	/** Puts the operator's words on the next reply that can carry them. */
	'control:steer': { input: z.object({ agentId, words }), output: agentViewSchema },
	/** Every tool call is refused until resumed; the session stays. */
	'control:hold': { input: z.object({ agentId, words: words.optional() }), output: agentViewSchema },
	'control:constrain': { input: z.object({ agentId, words: words.optional() }), output: agentViewSchema },
	'control:stop': {
		input: z.object({ agentId, endProcess: z.boolean().default(false), words: words.optional() }),
		output: agentViewSchema,
	},
	/** Lifts the operator's order and a ladder stop; the agent starts again from healthy with no old evidence. */
	'control:resume': { input: z.object({ agentId }), output: agentViewSchema },
	/** Forgets what the ladder has counted for this agent, spend against caps included. */
	'control:resetEvidence': { input: z.object({ agentId }), output: agentViewSchema },
	'incident:dismiss': { input: z.object({ incidentId: key }), output: incidentSchema },
	/** Undoes a dismissal, as long as what it is about still holds. */
	'incident:restore': { input: z.object({ incidentId: key }), output: incidentSchema },
	/** Ended ones from the store, newest first; `before` (ms): only those opened before. */
	'incident:history': {
		input: z
			.object({
				before: timestampSchema.nullable().default(null),
				limit: z.number().int().min(1).max(500).default(100),
			})
			.prefault({}),
		output: z.object({ incidents: z.array(incidentSchema), more: z.boolean() }),
	},
	/** `days`: 1 is today. */
	'insights:read': {
		input: z.object({ days: z.number().int().min(1).max(30).default(1) }).prefault({}),
		output: insightsSchema,
	},
	'insights:export': {
		input: z.object({
			days: z.number().int().min(1).max(30).default(30),
			what: z.enum(['usage', 'trips', 'reliability']),
			format: z.enum(['csv', 'json']),
		}),
		output: exportFileSchema,
	},
	/** `null` takes the verdict back. */
	'trip:judge': {
		input: z.object({ tripId: z.number().int(), verdict: tripVerdictSchema.nullable() }),
		output: tripSchema,
	},
	/** [Switch & continue]: every turn the popup holds, or only `agentId`'s, goes to that model. */
	'failover:switch': {
		input: z.object({ popupId: key, modelId: key, agentId: agentId.optional() }),
		output: failoverViewSchema,
	},
	/** [Wait for network]: held until the provider is back or the hold is over. */
	'failover:wait': { input: z.object({ popupId: key }), output: failoverViewSchema },
	/** [Queue for retry]: the held turns end with a clear message and go to the outbox. */
	'failover:queue': {
		input: z.object({ popupId: key, agentId: agentId.optional() }),
		output: failoverViewSchema,
	},
	/** Looks for local servers and models now. */
	'failover:refresh': { input: nothing, output: failoverViewSchema },
	'capability:get': { input: nothing, output: capabilitySchema },
	/** `allow`: this one call, this once. */
	'consent:answer': { input: z.object({ consentId: key, allow: z.boolean() }), output: failoverViewSchema },
	/** Asks the cloud for its own answer; it is shown beside the local one. */
	'improve:ask': { input: z.object({ offerId: key }), output: failoverViewSchema },
	'improve:read': { input: z.object({ offerId: key }), output: comparisonSchema },
	'improve:dismiss': { input: z.object({ offerId: key }), output: failoverViewSchema },
	'outbox:retry': { input: z.object({ idempotencyKey: key }), output: failoverViewSchema },
	'outbox:discard': { input: z.object({ idempotencyKey: key }), output: failoverViewSchema },
	/** The whole answer to a queued turn; `null`: none is kept. */
	'outbox:answer': { input: z.object({ idempotencyKey: key }), output: outboxAnswerSchema.nullable() },
	/** Asks a local server to fetch a model (its own pull API), through the outbox. */
	'models:pull': { input: z.object({ serverId: key, model: key }), output: failoverViewSchema },
	/** Which model a shell loop is to use now (`Get-CurrentModel`). */
	'model:current': { input: modelCallerSchema, output: modelChoiceSchema },
	/** How its call went. Answers what to use from now on. */
	'model:report': { input: modelReportSchema, output: modelChoiceSchema },
	/** "Probe now": the cooldown is over. */
	'model:probe': { input: z.object({ chainId: key }), output: modelsViewSchema },
	/** "Hold on fallback", or its end. */
	'model:hold': { input: z.object({ chainId: key, held: z.boolean() }), output: modelsViewSchema },
	'slo:read': {
		input: z.object({ days: z.number().int().min(1).max(366).default(14) }).prefault({}),
		output: z.array(sloDaySchema),
	},
	/** How each client is pointed at the gateway. */
	'gateway:guide': { input: nothing, output: z.array(gatewayGuideSchema) },
	'settings:get': { input: nothing, output: settingsSchema },
	/** What `patch` would have done since `from` (ms; default: the last 12 hours). */
	'settings:preview': {
		input: z.object({ patch: settingsPatchSchema, from: timestampSchema.nullable().default(null) }),
		output: settingsPreviewSchema,
	},
	'connections:read': { input: nothing, output: connectionsSchema },
	'settings:update': { input: settingsPatchSchema, output: settingsSchema },
	'hooks:plan': {
		input: z
			.object({ client: hookClientSchema.default('claude-code'), remove: z.boolean().default(false) })
			.prefault({}),
		output: hookPlanSchema,
	},
	'hooks:apply': {
		input: z
			.object({ client: hookClientSchema.default('claude-code'), remove: z.boolean().default(false) })
			.prefault({}),
		output: hookPlanSchema,
	},
	'demo:start': { input: nothing, output: z.object({ agents: z.number() }) },
	'demo:stop': { input: nothing, output: z.object({ agents: z.number() }) },
} as const;

/** Engine → window. */
export const pushChannels = {
	'floor:delta': floorDeltaSchema,
	'control:breakerState': breakerStateSchema,
	/** On every recompute that changed it (seed 003, section 1). */
	'failover:capability': capabilitySchema,
	'settings:changed': settingsSchema,
	/** What an operator who looks elsewhere is told. */
	'floor:notices': noticesSchema,
} as const;

export type RequestChannel = keyof typeof requestChannels;
export type PushChannel = keyof typeof pushChannels;
/** What a caller may pass (defaults not yet applied). */
export type RequestInput<C extends RequestChannel> = z.input<(typeof requestChannels)[C]['input']>;
/** What a handler receives (validated, defaults applied). */
export type RequestArguments<C extends RequestChannel> = z.output<(typeof requestChannels)[C]['input']>;
export type RequestOutput<C extends RequestChannel> = z.output<(typeof requestChannels)[C]['output']>;
export type PushPayload<C extends PushChannel> = z.output<(typeof pushChannels)[C]>;

/** An error a person can act on: what happened, what it means for their agents, what to do. */
export const channelErrorSchema = z.object({
	code: z.enum([
		'invalid-argument',
		'unknown-agent',
		'not-possible',
		'refused-file',
		'disconnected',
		'internal',
	]),
	message: z.string(),
	meaning: z.string(),
	remedy: z.string(),
});
export type ChannelErrorData = z.infer<typeof channelErrorSchema>;

/** Thrown by handlers and rejected to callers; crosses the wire as `ChannelErrorData`. */
export class ChannelError extends Error {
	readonly data: ChannelErrorData;
	constructor(data: ChannelErrorData) {
		super(data.message);
		this.name = 'ChannelError';
		this.data = data;
	}
}

/** Implemented by main, once; both transports call it. */
export type RequestHandlers = {
	[C in RequestChannel]: (args: RequestArguments<C>) => Promise<RequestOutput<C>> | RequestOutput<C>;
};
