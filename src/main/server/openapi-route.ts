/** What a route of the document is made of. */
import type { z } from 'zod';

/** Who may ask: see `authorise.ts`. `agent-path`: the agent token is part of the path. */
export type Caller = 'operator' | 'agent' | 'agent-path' | 'anyone';

export interface DescribedResponse {
	readonly description: string;
	/** By media type; none: an empty body. */
	readonly content: Readonly<Record<string, z.ZodType>>;
}

export interface DescribedRoute {
	readonly method: 'GET' | 'HEAD' | 'POST';
	/** As Fastify knows it. */
	readonly route: string;
	/** As it is shown, in Fastify's form; one route may be shown as several, each with its own schemas. */
	readonly shown: string;
	readonly operationId: string;
	readonly tag: Tag;
	readonly summary: string;
	readonly description: string;
	readonly caller: Caller;
	readonly params: z.ZodType | null;
	readonly query: z.ZodType | null;
	readonly body: z.ZodType | null;
	readonly responses: Readonly<Record<number, DescribedResponse>>;
}

export const tags = {
	hooks: 'Events of agent programs. Unknown names and fields are taken, never refused.',
	telemetry: 'What agent programs tell of themselves, as OTLP over HTTP.',
	requests: 'The channel map for programs: the same requests that the window makes.',
	capability: 'What can be done now, and on what evidence.',
	gateway: 'Where agents send their model calls. Each speaks its own protocol; nothing is translated.',
	window: 'The window itself.',
} as const;
export type Tag = keyof typeof tags;

export const json = (description: string, schema: z.ZodType): DescribedResponse => ({
	description,
	content: { 'application/json': schema },
});
export const empty = (description: string): DescribedResponse => ({ description, content: {} });

export const foreign = empty('`Host` or `Origin` is not this listener.');
export const noToken = empty('The token is missing or wrong.');
export const plain = { description: '', params: null, query: null, body: null };
