/**
 * Which part of a rollout is its own. A fork, and a subagent that was given its parent's history, begin with a copy of
 * what the parent wrote, with the time of the copying on it; it was billed before. Measured: 0.104 copies all lines of a
 * fork; 0.171 copies none (`history_base` names the parent's file), but turns of a subagent's parent.
 */
import { z } from 'zod';
import { isObject, type JsonObject, momentOf, textOf } from './json-values.ts';

/** Lines of a copy are written at once; a model's answer takes longer than that, ms. */
const COPYING_MS = 1_000;
/** The same for lines that tell the parent's counts in the parent's order, ms. */
const COPYING_LIKE_PARENT_MS = 5_000;

export const historySchema = z.object({
	/** Of the file's first line, ms since the epoch. */
	beganAt: z.number().nullable(),
	/** When the session was made, by its own id, ms since the epoch; `null`: the id does not tell. */
	madeAt: z.number().nullable(),
	/** Something of another session may stand before its own. */
	hasCopy: z.boolean(),
	/** The first ordinal of its own; `null`: the file does not tell. */
	ownFrom: z.number().nullable(),
	/** When the turn began to which the lines belong, by the turn's id. */
	turnAt: z.number().nullable(),
	/** Counts that were like the parent's, one after the other; `null`: one was not, so all are its own now. */
	likeParent: z.number().nullable(),
});
export type History = z.infer<typeof historySchema>;

/** By the first `session_meta` of a file. */
export function historyOf(meta: JsonObject, lineAt: number | null): History {
	const ownFrom = meta.subagent_history_start_ordinal;
	const isReference = isObject(meta.history_base);
	return {
		beganAt: lineAt ?? momentOf(meta.timestamp),
		madeAt: timeOfId(textOf(meta.id)),
		hasCopy: !isReference && (textOf(meta.forked_from_id) !== null || typeof ownFrom === 'number'),
		ownFrom: typeof ownFrom === 'number' ? ownFrom : null,
		turnAt: null,
		likeParent: 0,
	};
}

export interface Position {
	readonly ordinal: unknown;
	/** Ms since the epoch. */
	readonly at: number | null;
}

/** True for a line that was copied from another session. The surest sign decides; `parentTells`: the counts are the parent's. */
export function isCopied(history: History, position: Position, parentTells: boolean | null): boolean {
	if (!history.hasCopy) return false;
	if (history.ownFrom !== null && typeof position.ordinal === 'number')
		return position.ordinal < history.ownFrom;
	if (history.turnAt !== null && history.madeAt !== null) return history.turnAt < history.madeAt;
	if (history.beganAt === null || position.at === null) return parentTells === true;
	const sinceCopying = position.at - history.beganAt;
	if (parentTells === null) return sinceCopying < COPYING_MS;
	return parentTells && sinceCopying < COPYING_LIKE_PARENT_MS;
}

/** Ms since the epoch in an id that is a UUID of version 7; `null` for others. */
export function timeOfId(id: string | null): number | null {
	const match = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/i.exec(id ?? '');
	return match === null ? null : Number.parseInt(`${match[1]}${match[2]}`, 16);
}

/** Who set a subagent to work, which can be a subagent as well; older versions name nobody else. */
export function spawnerOf(meta: JsonObject): string | null {
	const subagent = isObject(meta.source) ? meta.source.subagent : null;
	const spawn = isObject(subagent) ? subagent.thread_spawn : null;
	return textOf(meta.parent_thread_id) ?? (isObject(spawn) ? textOf(spawn.parent_thread_id) : null);
}
