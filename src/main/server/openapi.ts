/**
 * The HTTP surface in words and schemas: what `docs/openapi.json` is made from. The running floor never loads this.
 * A test fails when a route is registered that is not described here, or described that is not registered.
 */
import { z } from 'zod';
import { capabilitySchema } from '../../shared/capability.ts';
import { channelErrorSchema, type RequestChannel, requestChannels } from '../../shared/channels.ts';
import {
	type DescribedResponse,
	type DescribedRoute,
	empty,
	foreign,
	json,
	noToken,
	plain,
} from './openapi-route.ts';
import { telemetry } from './openapi-telemetry.ts';

/** Everything the listener answers, in the order of the document. */
export function describedRoutes(): DescribedRoute[] {
	return [capability, ...hooks, ...telemetry, ...requests(), ...gateway(), ...windowFiles];
}

const capability: DescribedRoute = {
	...plain,
	method: 'GET',
	route: '/capability',
	shown: '/capability',
	operationId: 'getCapability',
	tag: 'capability',
	summary: 'Local models, the remote’s reachability and the active session',
	description:
		'`remote` is evidence: `reachable` only after a recent successful call. The operating system’s idea of being online is never read.',
	caller: 'operator',
	responses: {
		200: json('As it is now.', capabilitySchema),
		401: noToken,
		403: foreign,
		500: json('It cannot be told, and why.', channelErrorSchema),
	},
};

const hooks: DescribedRoute[] = [
	{
		...plain,
		method: 'POST',
		route: '/hooks/:client/:event',
		shown: '/hooks/:client/:event',
		operationId: 'reportHook',
		tag: 'hooks',
		summary: 'One event of an agent program',
		description:
			'The reply has the form that the program expects (for Claude Code: `hookSpecificOutput`, `continue`, `decision`); `{}` says nothing. A body that cannot be read is reported to the operator and answered with `{}`, so that no agent’s terminal shows an error.',
		caller: 'agent',
		params: z.object({
			client: z.string().describe('"claude-code"'),
			event: z.string().describe('The program’s own name of the event: "PreToolUse"'),
		}),
		query: z.object({
			within: z.number().optional().describe('Seconds that the program waits for the reply'),
		}),
		body: z.looseObject({}).describe('The payload as the program sends it; at most 16 MiB are read'),
		responses: {
			200: json('What the program is to do.', z.looseObject({})),
			401: noToken,
			403: foreign,
		},
	},
];

/** One line for each channel; a channel without one does not compile. */
const channelSummaries: Readonly<Record<RequestChannel, string>> = {
	'floor:snapshot': 'The whole picture of the floor',
	'agent:history': 'What happened to one agent, newest first',
	'agent:timeline': 'What one agent did and what was done to it, in order',
	'agent:changes': 'What changed in the work tree of one agent',
	'agent:usage': 'The usage of one agent by model',
	'control:steer': 'Put the operator’s words on the agent’s next reply that can carry them',
	'control:hold': 'Refuse every tool call until resumed; the session stays',
	'control:constrain': 'Let the agent only read',
	'control:stop': 'Refuse everything; end the process tree if asked',
	'control:resume': 'Lift the operator’s order and a stop of the ladder',
	'control:resetEvidence': 'Forget what the ladder has counted for this agent',
	'incident:dismiss': 'Put an incident away',
	'incident:restore': 'Take back a dismissal',
	'incident:history': 'Incidents that have ended, newest first',
	'insights:read': 'Usage, trips and reliability of today or of the last days',
	'insights:export': 'The same as a CSV or JSON file',
	'trip:judge': 'Say whether a trip was right or a false alarm',
	'settings:preview': 'What other settings would have done with what happened',
	'connections:read': 'Which programs were found on this machine and how they are connected',
	'failover:switch': 'Switch & continue: the held turns go to that local model',
	'failover:wait': 'Wait for network: hold until the provider is back or the hold is over',
	'failover:queue': 'Queue for retry: the held turns end with a clear message and go to the outbox',
	'failover:refresh': 'Look for local servers and models now',
	'capability:get': 'The same as GET /capability',
	'consent:answer': 'Allow or deny one destructive command, this once',
	'improve:ask': 'Ask the cloud for its own answer to a turn that was answered locally',
	'improve:read': 'Both answers side by side',
	'improve:dismiss': 'Put the offer away',
	'outbox:retry': 'Send an entry of the outbox now',
	'outbox:discard': 'Drop an entry of the outbox',
	'outbox:answer': 'The whole answer to a queued turn',
	'models:pull': 'Have a local server fetch a model',
	'model:current': 'Which model a shell loop is to use now',
	'model:report': 'How the call of a shell loop went; answers which model to use from now on',
	'model:probe': 'Test a rate-limited model now',
	'model:hold': 'Keep a chain on its fallback, or let it go',
	'slo:read': 'Fallback rate, degraded time, time to popup and queue depth, by provider and day',
	'gateway:guide': 'How each agent program is pointed at the gateway; holds the agent token',
	'settings:get': 'The settings as they are in force',
	'settings:update': 'Change settings; objects are merged, null removes a cap',
	'hooks:plan': 'What installing or removing the hooks would change',
	'hooks:apply': 'Install or remove the hooks',
	'demo:start': 'Play the demo',
	'demo:stop': 'End the demo',
};

function requests(): DescribedRoute[] {
	const channels = Object.keys(requestChannels) as RequestChannel[];
	return [
		...channels.map((channel): DescribedRoute => {
			const { input, output } = requestChannels[channel];
			return {
				...plain,
				method: 'POST',
				route: '/request/:channel',
				// A doubled colon is Fastify's form of a plain one.
				shown: `/request/${channel.replace(':', '::')}`,
				operationId: channel.replace(':', '.'),
				tag: 'requests',
				summary: channelSummaries[channel],
				caller: 'operator',
				body: input,
				responses: {
					200: json('Done.', z.object({ ok: z.literal(true), output })),
					400: json('Not done, and why.', z.object({ ok: z.literal(false), error: channelErrorSchema })),
					401: noToken,
					403: foreign,
				},
			};
		}),
		{
			...plain,
			method: 'POST',
			route: '/window-address',
			shown: '/window-address',
			operationId: 'openWindowAddress',
			tag: 'window',
			summary: 'An address that opens one window, once, within a minute',
			caller: 'operator',
			responses: { 200: json('The address.', z.object({ address: z.url() })), 401: noToken, 403: foreign },
		},
	];
}

/** Bodies pass as they came: only what the floor itself reads is named. */
const modelRequest = z.looseObject({
	model: z.string(),
	stream: z.boolean().optional(),
});
const streamed = z.string().describe('Server-sent events of the protocol');
const ownError = (form: string): DescribedResponse =>
	json(form, z.looseObject({ error: z.looseObject({ message: z.string() }) }));

interface Door {
	readonly method: DescribedRoute['method'];
	readonly path: string;
	readonly operationId: string;
	readonly summary: string;
	readonly asksModel: boolean;
}

const doors: readonly Door[] = [
	{
		method: 'POST',
		path: '/v1/messages',
		operationId: 'gatewayMessages',
		summary: 'Anthropic Messages',
		asksModel: true,
	},
	{
		method: 'POST',
		path: '/v1/messages/count_tokens',
		operationId: 'gatewayCountTokens',
		summary: 'Anthropic token count',
		asksModel: false,
	},
	{
		method: 'POST',
		path: '/v1/chat/completions',
		operationId: 'gatewayChatCompletions',
		summary: 'OpenAI Chat Completions',
		asksModel: true,
	},
	{
		method: 'POST',
		path: '/v1/responses',
		operationId: 'gatewayResponses',
		summary: 'OpenAI Responses',
		asksModel: true,
	},
	{
		method: 'GET',
		path: '/v1/models',
		operationId: 'gatewayModels',
		summary: 'The provider’s models',
		asksModel: false,
	},
	{
		method: 'HEAD',
		path: '/api/hello',
		operationId: 'gatewayHello',
		summary: 'Is anybody there?',
		asksModel: false,
	},
];

const gatewayDescription =
	'The base URL of an agent is `/gateway/{agentToken}`, with `/as/{label}` behind it for one that sends no session header and `/to/{providerId}` for another than the protocol’s first provider. Headers and body pass as they came; credentials are never stored. Every other path under `/v1/` passes through as well.';
const turnDescription = `${gatewayDescription} When the provider is lost the turn is held until the operator or the policy decides; an answer of a local model names that model in its body. \`x-agent-floor-served-by\` says "cloud" or "local".`;

/** Shown under the plain base URL; the route takes every method and path. */
function gateway(): DescribedRoute[] {
	return doors.map(({ method, path, operationId, summary, asksModel }) => ({
		...plain,
		method,
		route: '/gateway/*',
		shown: `/gateway/:agentToken${path}`,
		operationId,
		tag: 'gateway',
		summary,
		description: asksModel ? turnDescription : gatewayDescription,
		caller: 'agent-path',
		params: z.object({ agentToken: z.string() }),
		body: method === 'POST' ? modelRequest : null,
		responses: {
			200:
				method === 'HEAD'
					? empty('Yes.')
					: {
							description: 'As the provider, or a local model, answered it.',
							content: {
								'application/json': z.looseObject({}),
								...(asksModel && { 'text/event-stream': streamed }),
							},
						},
			...(asksModel && {
				400: ownError('The agent is stopped (`x-should-retry: false`), or the request’s own fault.'),
				413: ownError('Larger than the floor passes on.'),
				502: ownError('The provider cannot be reached and nobody chose another way in time.'),
				529: ownError('Ask again now: the next request of this session is answered locally.'),
			}),
			401: ownError('The agent token is wrong, or the provider’s own refusal.'),
			403: foreign,
			404: ownError('No such provider in the settings, or the provider’s own answer.'),
		},
	}));
}

const windowFiles: DescribedRoute[] = [
	{
		...plain,
		method: 'GET',
		route: '/*',
		shown: '/',
		operationId: 'openWindow',
		tag: 'window',
		summary: 'The window',
		description:
			'`?ticket=` (works once) or `?token=` is traded for a cookie, so that it does not stay in the address bar. Files of the window stand beside it; they hold no data. Live changes come over a WebSocket at `/floor`, with the same cookie or bearer token: first ask `floor:snapshot`, then take the pushes.',
		caller: 'anyone',
		query: z.object({ ticket: z.string().optional(), token: z.string().optional() }),
		responses: {
			200: { description: 'The page.', content: { 'text/html': z.string() } },
			303: empty('Ticket or token taken; the cookie is set.'),
			401: { description: 'The floor is locked.', content: { 'text/html': z.string() } },
			403: foreign,
			503: { description: 'The window is not built.', content: { 'text/html': z.string() } },
		},
	},
];
