/** How the floor is connected with the programs of this machine. */
import { z } from 'zod';
import { hookStatusSchema } from './snapshot.ts';
import { hookClientSchema, timestampSchema } from './words.ts';

export const connectionSchema = z.object({
	client: hookClientSchema,
	/** `false`: neither its command nor its directory was found. */
	found: z.boolean(),
	/** By what it was found: the command's path or its directory; empty when it was not. */
	foundAt: z.string(),
	status: hookStatusSchema,
	/** The file that its hooks stand in. */
	file: z.string(),
	/** Why it is not as it should be, as a sentence; empty otherwise. */
	problem: z.string(),
	/** Last event of an agent of this program; `null`: none yet since the floor keeps events. */
	lastHeardAt: timestampSchema.nullable(),
	agents: z.number(),
});
export type Connection = z.infer<typeof connectionSchema>;

export const connectionsSchema = z.object({
	/** Found ones first. */
	clients: z.array(connectionSchema),
	/** `http://127.0.0.1:<port>`: what clients are pointed at. */
	gatewayAddress: z.string(),
});
export type Connections = z.infer<typeof connectionsSchema>;
