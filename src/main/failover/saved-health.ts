/** What of the providers' evidence outlives the program, with wall-clock stamps. */
import { z } from 'zod';
import { timestampSchema } from '../../shared/words.ts';
import { failedCallSchema, savedBreakerSchema } from './saved-breaker.ts';

export const savedProviderSchema = z.object({
	id: z.string(),
	baseUrl: z.string(),
	breaker: savedBreakerSchema,
	lastSuccessAt: timestampSchema.nullable(),
	lastFailureAt: timestampSchema.nullable(),
	last: z.enum(['success', 'failure', 'unauthorised']).nullable(),
	refusal: failedCallSchema.nullable(),
	retryAfterUntil: timestampSchema.nullable(),
});
export type SavedProvider = z.infer<typeof savedProviderSchema>;

/** The frame; each provider in it is read by itself, so that one bad part costs one provider. */
export const savedHealthSchema = z.object({
	/** The breakers' ages and spans count from here. */
	savedAt: timestampSchema,
	lastCalled: z.string().nullable(),
	providers: z.array(z.unknown()),
});

export interface SavedHealth {
	readonly savedAt: number;
	readonly lastCalled: string | null;
	readonly providers: readonly SavedProvider[];
}
