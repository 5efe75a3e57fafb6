/** What of a breaker outlives the program. Ages and spans instead of times: a steady clock begins anew each start. */
import { z } from 'zod';
import type { BreakerRules } from './breaker-rules.ts';

/** Calls kept over a restart, newest first to stay: they are at most a minute old and seldom more. */
export const SAVED_CALLS = 500;

const span = z.number().finite().nonnegative();

export const failedCallSchema = z.object({
	kind: z.enum(['ok', 'error', 'lost', 'cut', 'timeout', 'rate-limited', 'unauthorised', 'neutral']),
	status: z.number().nullable(),
	/** As it came; untrusted. */
	code: z.string(),
});
export type FailedCall = z.infer<typeof failedCallSchema>;

/** Why a breaker opened, with what was counted. */
export const openCauseSchema = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('lost'), last: failedCallSchema }),
	z.object({ kind: z.literal('error-rate'), calls: span, errors: span, last: failedCallSchema }),
	z.object({ kind: z.literal('latency'), calls: span, p95Ms: span }),
]);
export type OpenCause = z.infer<typeof openCauseSchema>;

export const savedBreakerSchema = z.object({
	/** How long an erring provider wants not to be called; 0 for no wish. */
	notBeforeInMs: span,
	lastLoss: failedCallSchema,
	/** Oldest first. */
	calls: z
		.array(
			z.object({
				agoMs: span,
				as: z.enum(['ok', 'error', 'rate-limited']),
				latencyMs: span.nullable(),
			}),
		)
		.max(SAVED_CALLS),
	/** `null` while closed. */
	open: z
		.object({
			openedAgoMs: span,
			trialInMs: span,
			cause: openCauseSchema,
			failedTrials: span,
			lastTrial: failedCallSchema.nullable(),
		})
		.nullable(),
});
export type SavedBreaker = z.infer<typeof savedBreakerSchema>;
type SavedOpen = NonNullable<SavedBreaker['open']>;

/**
 * The same opening `elapsedMs` later. A trial further away than any rule could have put it, or a clock that was set
 * back (`null`), makes it due now: one trial is cheap, a breaker that never tries again is not.
 */
export function openForRestore(saved: SavedOpen, elapsedMs: number | null, rules: BreakerRules): SavedOpen {
	const farthest = rules.longestWishMs + 2 * rules.trialAfterMs;
	const isBelievable = elapsedMs !== null && saved.trialInMs <= farthest;
	return {
		...saved,
		openedAgoMs: saved.openedAgoMs + (elapsedMs ?? 0),
		trialInMs: isBelievable ? Math.max(0, saved.trialInMs - elapsedMs) : 0,
	};
}
