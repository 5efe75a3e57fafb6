/** What is told to an operator who looks elsewhere. Decided once, by the engine; shown by whichever window or desktop there is. */
import { z } from 'zod';
import { timestampSchema } from './words.ts';

export const noticeSchema = z.object({
	/** Two notices of one key are never shown side by side; the newer one takes its place. */
	key: z.string(),
	/** `needs-you`: nothing goes on without the operator. `done`: work ended. */
	kind: z.enum(['needs-you', 'done']),
	title: z.string(),
	body: z.string(),
	/** Whom a click shows; `null`: the floor. */
	agentId: z.string().nullable(),
	at: timestampSchema,
	/** What it is about that may be in view: agent, popup, consent and incident ids. In view and focused, it is not shown. */
	about: z.array(z.string()),
	sound: z.boolean(),
});
export type Notice = z.infer<typeof noticeSchema>;

export const noticesSchema = z.object({
	show: z.array(noticeSchema),
	/** Keys of shown notices whose cause is over. */
	withdraw: z.array(z.string()),
});
export type Notices = z.infer<typeof noticesSchema>;
