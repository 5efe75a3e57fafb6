/** A session that was found in a program's own files, and of which no hook ever told: "seen, not connected". */
import { z } from 'zod';
import { hookClientSchema, timestampSchema } from './words.ts';

export const sightingSchema = z.object({
	client: hookClientSchema,
	sessionId: z.string(),
	/** Where it works; `null`: its file does not say. */
	directory: z.string().nullable(),
	model: z.string().nullable(),
	/** Its file was last written then. */
	lastActivityAt: timestampSchema,
	file: z.string(),
	/** Work tokens so far; `null`: not read. */
	work: z.number().nullable(),
});
/** Of more sessions than this the newest are told: nobody reads more. */
export const MOST_SIGHTINGS = 60;

export type Sighting = z.infer<typeof sightingSchema>;
