/** One agent as the window sees it. Built by the engine, never changed by the renderer. */
import { z } from 'zod';
import { armGaugeSchema, evidenceSchema } from './breaker-state.ts';
import { usageViewSchema } from './usage-view.ts';
import { agentStateSchema, breakerLevelSchema, orderKindSchema, timestampSchema } from './words.ts';

/** A note for the model: queued until a reply can carry it. */
export const noteViewSchema = z.object({
	id: z.string(),
	text: z.string(),
	source: z.enum(['ladder', 'operator']),
	queuedAt: timestampSchema,
	/** `null` while no reply has carried it yet. */
	deliveredAt: timestampSchema.nullable(),
});
export type NoteView = z.infer<typeof noteViewSchema>;

/** One tool call of an agent. */
export const toolCallViewSchema = z.object({
	at: timestampSchema,
	tool: z.string(),
	/** The file, command or pattern it is about; empty when the input is not known. */
	target: z.string(),
	/** `unknown`: the turn ended and nobody said how this call did. */
	outcome: z.enum(['running', 'ok', 'failed', 'denied', 'unknown']),
	durationMs: z.number().nullable(),
	subagentId: z.string().nullable(),
});
export type ToolCallView = z.infer<typeof toolCallViewSchema>;

/** How far a stop has got. The words are only true at the moment `checkedAt`. */
export const stopProgressSchema = z.object({
	phase: z.enum([
		/** Tool calls and prompts are refused; the process was not asked to end. */
		'refusing',
		/** Signals were sent, the tree is being watched. */
		'stopping',
		/** Every process of the tree was seen gone. */
		'stopped',
		/** The deadline passed and these are still there. */
		'still-running',
		/** The operator asked for the end of the process, but it is not positively known. */
		'process-unknown',
	]),
	pids: z.array(z.number()),
	checkedAt: timestampSchema,
});
export type StopProgress = z.infer<typeof stopProgressSchema>;

/** Work of the last while, for a spark line. */
export const sparkSchema = z.object({
	/** Length of one bucket, ms. */
	stepMs: z.number(),
	/** End of the newest bucket, ms. */
	endsAt: timestampSchema,
	/** Work tokens in each bucket, oldest first; `null`: not known (not watched then). */
	work: z.array(z.number().nullable()),
});
export type Spark = z.infer<typeof sparkSchema>;

export const agentViewSchema = z.object({
	id: z.string(),
	client: z.string(),
	sessionId: z.string(),
	name: z.string(),
	directory: z.string(),
	/** The repository that the directory is in, work trees of one repository alike; `null`: none, or not looked yet. */
	repository: z.object({ path: z.string(), name: z.string() }).nullable(),
	model: z.string().nullable(),
	/** Who answered its last call through the gateway; `null`: none passed it. */
	served: z
		.object({
			harness: z.enum(['local', 'cloud']),
			at: z.string(),
			/** That answered. */
			model: z.string(),
			/** That the agent asked for: another one when a rate limit or a lost provider stood in the way. */
			asked: z.string(),
			since: timestampSchema,
		})
		.nullable(),
	state: z.object({
		kind: agentStateSchema,
		/** Why it waits, how it ended, what is not known; empty while simply live. */
		reason: z.string(),
		/** True when only a person can move it on (a permission, a question, a stop). */
		needsYou: z.boolean(),
		since: timestampSchema,
		lastHeardAt: timestampSchema,
	}),
	/** What the ladder says. */
	level: breakerLevelSchema,
	levelSince: timestampSchema,
	levelReason: z.string(),
	evidence: evidenceSchema.nullable(),
	/** Why the ladder does not climb although it tripped, e.g. "the note has not been read yet"; empty otherwise. */
	climbHeld: z.string(),
	/** Every arm of the ladder with what it counts now: why it tripped, and why it did not. Empty before the first beat. */
	arms: z.array(armGaugeSchema),
	/** What is enforced: the stricter of ladder and order. */
	standing: breakerLevelSchema,
	order: z.object({ kind: orderKindSchema, words: z.string(), at: timestampSchema }).nullable(),
	stopProgress: stopProgressSchema.nullable(),
	usage: usageViewSchema.nullable(),
	/** Output tokens a minute between the last two samples; `null` when not known. */
	outputTokensPerMinute: z.number().nullable(),
	/** `null`: nothing is known of its usage. */
	spark: sparkSchema.nullable(),
	/** Caps coming near, one sentence each (80 % of a limit and above). */
	warnings: z.array(z.string()),
	/** The call in flight. */
	doing: toolCallViewSchema.nullable(),
	lastTools: z.array(toolCallViewSchema),
	notes: z.array(noteViewSchema),
	denials: z.object({
		count: z.number(),
		last: z.object({ at: timestampSchema, tool: z.string(), reason: z.string() }).nullable(),
	}),
	/** The last turn that failed for the provider's sake: shown, never counted by the ladder. */
	providerTrouble: z.object({ error: z.string(), message: z.string(), at: timestampSchema }).nullable(),
	compacting: z.boolean(),
	subagents: z.array(z.object({ id: z.string(), type: z.string(), since: timestampSchema })),
	process: z.object({ pid: z.number(), alive: z.boolean().nullable() }).nullable(),
	firstSeenAt: timestampSchema,
	/** A demo agent is never mistaken for a real one. */
	demo: z.boolean(),
});
export type AgentView = z.infer<typeof agentViewSchema>;
