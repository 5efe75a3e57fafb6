/** What is remembered of a repository's state file over a restart. */
import { z } from 'zod';
import { circuitMetricsSchema, circuitStateSchema } from '../../shared/models-view.ts';
import { timestampSchema } from '../../shared/words.ts';
import { readModel } from '../models/state-fields.ts';

const modelSchema = z.string().refine((name) => readModel(name) === name);

const recordSchema = z.object({
	state: circuitStateSchema,
	preferredModel: modelSchema,
	fallbackChain: z.array(modelSchema),
	currentFallbackIndex: z.number(),
	cooldownMinutes: z.number(),
	openedAt: timestampSchema.nullable(),
	halfOpenSuccesses: z.number(),
	consecutiveFailures: z.number(),
	metrics: circuitMetricsSchema,
	resumeAt: timestampSchema.nullable(),
});

export const savedMirrorSchema = z.object({
	directory: z.string().min(1),
	/** What we read or wrote last; `null`: there was no file. */
	seen: recordSchema.nullable(),
	/** Its configuration is not the settings' one: it holds for this repository. */
	isOwn: z.boolean(),
	/** What the file had counted before it became a mirror. */
	earlier: z.object({ fallbacks: z.number(), recoveries: z.number() }),
});
export type SavedMirror = z.infer<typeof savedMirrorSchema>;
