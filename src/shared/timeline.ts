/** What an agent did and what was done to it, in order: the drawer's timeline and the replay of a session. */
import { z } from 'zod';
import { evidenceSchema } from './breaker-state.ts';
import { breakerLevelSchema, orderKindSchema, timestampSchema } from './words.ts';

/** What every entry has. Texts are untrusted and as long as they were stored. */
const entry = {
	/** Stable over reads; the same thing has the same id. */
	id: z.string(),
	at: timestampSchema,
	/** `null`: it goes on, or its end was not told. */
	endedAt: timestampSchema.nullable(),
};

/** Who answered a turn; several when it was switched in the middle. */
export const turnModelSchema = z.object({
	at: timestampSchema,
	harness: z.enum(['local', 'cloud']),
	place: z.string(),
	/** That answered. */
	model: z.string(),
	/** That was asked for: another one when a rate limit or a lost provider stood in the way. */
	asked: z.string(),
});
export type TurnModel = z.infer<typeof turnModelSchema>;

export const timelineEntrySchema = z.discriminatedUnion('kind', [
	/** From a prompt to the end of its turn. */
	z.object({
		...entry,
		kind: z.literal('turn'),
		/** What was asked; empty when it was not told. */
		prompt: z.string(),
		outcome: z.enum(['running', 'done', 'failed', 'interrupted', 'unknown']),
		/** Why it failed; empty otherwise. */
		reason: z.string(),
		/** Known only for calls that passed the gateway. */
		models: z.array(turnModelSchema),
	}),
	z.object({
		...entry,
		kind: z.literal('tool'),
		tool: z.string(),
		/** The file, command or pattern it is about; empty when the input is not known. */
		target: z.string(),
		outcome: z.enum(['running', 'ok', 'failed', 'denied', 'unknown']),
		/** Why it was denied, in full; empty otherwise. */
		reason: z.string(),
		subagentId: z.string().nullable(),
	}),
	/** The ladder moved. */
	z.object({
		...entry,
		kind: z.literal('level'),
		from: breakerLevelSchema,
		to: breakerLevelSchema,
		reason: z.string(),
		evidence: evidenceSchema.nullable(),
	}),
	/** The operator acted. `action`: an order, or the lifting of one. */
	z.object({
		...entry,
		kind: z.literal('order'),
		action: z.enum([
			...orderKindSchema.options,
			'steer',
			'resume',
			'reset-evidence',
			'allow-once',
			'deny-once',
		]),
		words: z.string(),
	}),
	z.object({
		...entry,
		kind: z.literal('note'),
		source: z.enum(['ladder', 'operator', 'unknown']),
		text: z.string(),
		/** `null`: no reply has carried it, as far as is known. */
		deliveredAt: timestampSchema.nullable(),
	}),
	/** It waits for a person. */
	z.object({ ...entry, kind: z.literal('wait'), reason: z.string() }),
	/** A lost provider, a rate limit, a model that stands in: what failover did to this agent. */
	z.object({
		...entry,
		kind: z.literal('mark'),
		mark: z.enum(['failover', 'rate-limit', 'trouble']),
		text: z.string(),
	}),
	/** Start, end, compaction, a new session id. */
	z.object({ ...entry, kind: z.literal('session'), text: z.string() }),
]);
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

export const timelinePageSchema = z.object({
	/** Oldest first. */
	entries: z.array(timelineEntrySchema),
	/** Ask with this as `before` for what is older; `null`: this is the beginning. */
	olderBefore: timestampSchema.nullable(),
	/** Why the beginning may be missing, as a sentence (retention, a demo agent); empty when nothing is. */
	missing: z.string(),
});
export type TimelinePage = z.infer<typeof timelinePageSchema>;

/** What has changed in the agent's work tree. */
export const treeChangesSchema = z.object({
	asOf: timestampSchema,
	/** `git`: against HEAD; `scan`: times of files only; `none`: nothing could be read (`note` says why). */
	source: z.enum(['git', 'scan', 'none']),
	/** Newest change first. */
	files: z.array(
		z.object({
			/** Relative to the work tree. */
			path: z.string(),
			change: z.enum(['added', 'modified', 'deleted', 'renamed', 'untracked', 'changed']),
			/** Lines; `null`: not counted (binary, untracked, no git). */
			added: z.number().nullable(),
			removed: z.number().nullable(),
			/** When the file was written; `null`: not known (deleted). */
			at: timestampSchema.nullable(),
		}),
	),
	/** Files that changed beyond those listed. */
	more: z.number(),
	note: z.string(),
});
export type TreeChanges = z.infer<typeof treeChangesSchema>;
