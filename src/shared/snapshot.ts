/**
 * The picture of the floor and its changes. A snapshot comes first, then deltas with a sequence number.
 * Every entity carries the number of its last change, so any arrival order gives the same picture.
 */
import { z } from 'zod';
import { agentViewSchema } from './agent-view.ts';
import { failoverViewSchema } from './failover-view.ts';
import { modelsViewSchema } from './models-view.ts';
import { sightingSchema } from './sighting.ts';
import { floorUsageSchema } from './usage-view.ts';
import { hookClientSchema, tierSchema, timestampSchema } from './words.ts';

/** Something that needs or needed the operator: opened once, updated, recovered. */
export const incidentSchema = z.object({
	id: z.string(),
	kind: z.string(),
	severity: z.enum(['info', 'attention', 'urgent']),
	/** What happened, in one sentence. */
	title: z.string(),
	/** What it means for the agents, and what to do. */
	detail: z.string(),
	agentId: z.string().nullable(),
	openedAt: timestampSchema,
	updatedAt: timestampSchema,
	/** How often it happened since it was opened. */
	count: z.number(),
	endedAt: timestampSchema.nullable(),
	endReason: z.string().nullable(),
	/** Who decided what about it, oldest first. */
	decisions: z.array(
		z.object({
			at: timestampSchema,
			/** `time`: nobody answered. */
			by: z.enum(['operator', 'engine', 'time']),
			/** As a sentence: "Switched 2 turns to qwen3-coder:30b". */
			words: z.string(),
		}),
	),
});
export type Incident = z.infer<typeof incidentSchema>;
export type IncidentDecision = Incident['decisions'][number];

/** How the floor's hooks stand in a program's own file. */
export const hookStatusSchema = z.enum(['installed', 'partly', 'absent', 'unreadable', 'unknown']);
export type HookStatus = z.infer<typeof hookStatusSchema>;

/** What is true of the whole floor. */
export const floorStatusSchema = z.object({
	tier: tierSchema,
	tierReason: z.string(),
	heartbeatSeconds: z.number(),
	/** `null` before the first beat. */
	lastBeatAt: timestampSchema.nullable(),
	nextBeatAt: timestampSchema.nullable(),
	/** How late the last beat was, in ms; 0 when on time. */
	lastBeatLateMs: z.number(),
	breakerEnabled: z.boolean(),
	hardStop: z.boolean(),
	/** Which programs are connected? `unknown` until their files were looked at. */
	hooks: z.record(hookClientSchema, hookStatusSchema),
	demo: z.boolean(),
	dataDirectory: z.string(),
	address: z.string(),
	version: z.string(),
	startedAt: timestampSchema,
});
export type FloorStatus = z.infer<typeof floorStatusSchema>;

export const floorSnapshotSchema = z.object({
	/** Changes with every start of the engine: a client that sees another one asks for a snapshot. */
	epoch: z.string(),
	sequence: z.number().int().nonnegative(),
	at: timestampSchema,
	status: floorStatusSchema,
	agents: z.array(agentViewSchema),
	incidents: z.array(incidentSchema),
	failover: failoverViewSchema,
	models: modelsViewSchema,
	usage: floorUsageSchema,
	/** Newest activity first. */
	sightings: z.array(sightingSchema),
});
export type FloorSnapshot = z.infer<typeof floorSnapshotSchema>;

export const floorDeltaSchema = z.object({
	epoch: z.string(),
	sequence: z.number().int().positive(),
	at: timestampSchema,
	status: floorStatusSchema.optional(),
	/** Whole agents, as they are now. */
	agents: z.array(agentViewSchema).optional(),
	removedAgentIds: z.array(z.string()).optional(),
	incidents: z.array(incidentSchema).optional(),
	/** Whole, as it is now. */
	failover: failoverViewSchema.optional(),
	/** Whole, as it is now. */
	models: modelsViewSchema.optional(),
	/** Whole, as it is now. */
	usage: floorUsageSchema.optional(),
	/** Whole, as they are now. */
	sightings: z.array(sightingSchema).optional(),
});
export type FloorDelta = z.infer<typeof floorDeltaSchema>;
