/** `GET /capability`: what can be done now, in exactly the seed's form (seed 003, section 1). */
import type { FastifyInstance } from 'fastify';
import { answerRequest } from '../../shared/answer-request.ts';
import type { RequestHandlers } from '../../shared/channels.ts';

export interface CapabilityRouteOptions {
	readonly handlers: RequestHandlers;
	readonly onUnexpected: (where: string, error: unknown) => void;
}

/**
 * A Fastify plugin. Expects the request to be authorised already. Answers what `capability:get` answers; a capability
 * that the strict schema does not allow is never sent, but 500 with the reason.
 */
export async function capabilityRoute(
	app: FastifyInstance,
	{ handlers, onUnexpected }: CapabilityRouteOptions,
): Promise<void> {
	app.get('/capability', async (_request, reply) => {
		const answer = await answerRequest(handlers, 'capability:get', null, { onUnexpected, checkOutput: true });
		reply.header('cache-control', 'no-store');
		return answer.ok ? reply.send(answer.output) : reply.code(500).send(answer.error);
	});
}
