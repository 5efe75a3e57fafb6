/** What of an agent outlives a restart: who it is, its level, orders and notes. Evidence is counted anew. */
import { z } from 'zod';
import { stopProgressSchema } from '../../shared/agent-view.ts';
import { usageViewSchema } from '../../shared/usage-view.ts';
import { breakerLevelSchema, orderKindSchema, timestampSchema } from '../../shared/words.ts';
import { type Agent, createAgent } from './agent.ts';

const agentMemorySchema = z.object({
	id: z.string(),
	client: z.string(),
	sessionId: z.string(),
	sessionIds: z.array(z.string()),
	directory: z.string(),
	transcriptPaths: z.array(z.string()),
	model: z.string().nullable(),
	process: z.object({ pid: z.number(), startTime: z.string().nullable() }).nullable(),
	firstSeenAt: timestampSchema,
	lastHeardAt: timestampSchema,
	waiting: z
		.object({
			on: z.enum(['permission', 'question', 'turn-done', 'trouble', 'interrupted']),
			message: z.string(),
			since: timestampSchema,
			owner: z.string().nullable(),
		})
		.nullable(),
	/** Absent in memories of older versions. */
	turn: z.object({ startedAt: timestampSchema, endedAt: timestampSchema.nullable() }).nullable().catch(null),
	exited: z.object({ reason: z.string(), at: timestampSchema }).nullable(),
	level: breakerLevelSchema,
	levelSince: timestampSchema,
	levelReason: z.string(),
	order: z.object({ kind: orderKindSchema, words: z.string(), at: timestampSchema }).nullable(),
	ladderStop: z.object({ at: timestampSchema, reason: z.string() }).nullable(),
	stopProgress: stopProgressSchema.nullable(),
	notes: z.array(
		z.object({
			id: z.string(),
			text: z.string(),
			source: z.enum(['ladder', 'operator']),
			level: breakerLevelSchema.nullable(),
			queuedAt: timestampSchema,
			deliveredAt: timestampSchema.nullable(),
		}),
	),
	denials: z.number(),
	lastDenial: z.object({ at: timestampSchema, tool: z.string(), reason: z.string() }).nullable(),
	// Figures of another version are read anew.
	usage: usageViewSchema.nullable().catch(null),
	/** Work tokens and US dollars that were reset; absent in memories of older versions. */
	forgotten: z
		.object({ work: z.number().nonnegative(), usd: z.number().nonnegative() })
		.nullable()
		.catch(null),
});
export type AgentMemory = z.infer<typeof agentMemorySchema>;

/** As plain data for the store, without what is not kept. */
export function memoryOf(agent: Agent): AgentMemory {
	return agentMemorySchema.parse({
		...agent,
		sessionIds: [...agent.sessionIds],
		transcriptPaths: [...agent.transcriptPaths],
	});
}

/**
 * The agent as remembered. `null` when `value` is not a memory (the caller reports it). A ladder level below stopped
 * is not restored: its evidence is gone, and nobody is steered on what cannot be shown.
 */
export function agentFromMemory(value: unknown): Agent | null {
	const parsed = agentMemorySchema.safeParse(value);
	if (!parsed.success) return null;
	const { sessionIds, transcriptPaths, notes, ...memory } = parsed.data;
	const stopped = memory.ladderStop !== null;
	return {
		...createAgent({ ...memory, demo: false }, memory.firstSeenAt),
		...memory,
		level: stopped ? 'stopped' : 'healthy',
		levelReason: stopped ? memory.levelReason : '',
		stateSince: memory.waiting?.since ?? memory.lastHeardAt,
		sessionIds: new Set(sessionIds),
		transcriptPaths: new Set(transcriptPaths),
		notes: notes.map((note) => ({ ...note, inFlight: false })),
	};
}
