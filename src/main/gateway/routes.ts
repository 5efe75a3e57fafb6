/**
 * The gateway's routes: `/gateway/<token>[/as/<label>][/to/<providerId>]/v1/…`. A request's life: its token is checked
 * before its body is read; then body, session and provider are read; then it is a turn (`turn.ts`) or passes through.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ProtocolId, ProviderSettings } from '../../shared/failover-settings.ts';
import { ClientAnswer } from './client-answer.ts';
import { type Door, doorOf, type GatewayAddress, readAddress } from './gateway-path.ts';
import { credentialHeaders, headerOf, requestHeaders } from './headers.ts';
import { boundedModelName } from './model-name.ts';
import { type GatewayOptions, gatewayTimes } from './options.ts';
import { passThrough } from './pass-through.ts';
import type { JsonObject, ProtocolError } from './protocol.ts';
import { BODY_LIMIT, type RequestBody, readBody } from './request-body.ts';
import { sessionOf } from './session.ts';
import { isOwnAddress, targetOf } from './target.ts';
import { secretCheck } from './token.ts';
import { runTurn } from './turn.ts';
import type { TurnRequest } from './turn-request.ts';
import { loop, nameOf, ownFault, tooLarge, unknownPath, unknownProvider, wrongToken } from './words.ts';

interface Visit {
	readonly address: GatewayAddress;
	readonly door: Door;
}

/** Read once, for the hook before the body and for the handler behind it. */
const visits = new WeakMap<FastifyRequest, Visit>();

const nowhere: Visit = {
	address: { token: '', label: null, providerId: null, path: '/', query: '' },
	door: { kind: 'unknown', protocol: 'anthropic-messages' },
};

/** A Fastify plugin. Expects Host and Origin to be checked already; authorises by the token in the path. */
export async function gatewayRoutes(app: FastifyInstance, options: GatewayOptions): Promise<void> {
	const isToken = secretCheck(options.agentToken);
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
		done(null, body),
	);
	app.addHook('onRequest', (request, reply, done) => {
		const { address, door } = visitOf(request);
		if (isToken(address.token)) done();
		else refuse(options, reply, door.protocol, wrongToken);
	});
	app.setErrorHandler((error: { statusCode?: number }, request, reply) => {
		if (request.raw.destroyed || request.raw.aborted) return;
		if (error.statusCode === 413) return refuse(options, reply, visitOf(request).door.protocol, tooLarge);
		options.onUnexpected(`gateway: ${request.method} ${visitOf(request).address.path}`, error);
		refuse(options, reply, visitOf(request).door.protocol, ownFault);
	});
	app.all('/gateway/*', { bodyLimit: BODY_LIMIT }, async (request, reply) => {
		reply.hijack();
		await answer(options, request, reply);
	});
}

async function answer(options: GatewayOptions, request: FastifyRequest, reply: FastifyReply): Promise<void> {
	const visit = visitOf(request);
	const { clock, schedule, protocols } = options;
	const protocol = protocols[visit.door.protocol];
	const client = (isStream: boolean): ClientAnswer =>
		new ClientAnswer(reply.raw, {
			protocol,
			isStream,
			clock,
			schedule,
			waiting: options.times ?? gatewayTimes,
		});
	let last: ClientAnswer | null = null;
	try {
		const read = await readVisit(options, request, visit);
		last = client(read.kind === 'turn' && read.turn.facts.isStream);
		if (read.kind === 'turn') await runTurn(options, read.turn, last);
		else if (read.kind === 'pass') await pass(options, request, visit, read.provider, last);
		else if (read.kind === 'refused') last.refuse(read.reason);
		else if (read.kind === 'hello')
			last.whole(200, ['content-type', 'text/plain'], Buffer.from('Agent Floor'));
		else last.error(read.error);
	} catch (error) {
		options.onUnexpected(`gateway: ${request.method} ${visit.address.path}`, error);
		(last ?? client(false)).error(ownFault);
	}
}

type Read =
	| { readonly kind: 'turn'; readonly turn: TurnRequest }
	| { readonly kind: 'pass'; readonly provider: ProviderSettings }
	| { readonly kind: 'refused'; readonly reason: string }
	| { readonly kind: 'hello' }
	| { readonly kind: 'error'; readonly error: ProtocolError };

async function readVisit(
	options: GatewayOptions,
	request: FastifyRequest,
	{ address, door }: Visit,
): Promise<Read> {
	if (door.kind === 'hello') return { kind: 'hello' };
	if (door.kind === 'unknown') return { kind: 'error', error: unknownPath(request.method, address.path) };
	const { providers } = options.settings();
	const provider = providerOf(providers, address.providerId, door.protocol);
	if (!provider) {
		const known = providers.map(({ id }) => id);
		return { kind: 'error', error: unknownProvider(address.providerId, door.protocol, known) };
	}
	if (isOwnAddress(provider.baseUrl, options.ownPort())) return { kind: 'error', error: loop(provider) };
	// Of a request that only passes, nothing but its session is of interest.
	const isRead = door.kind !== 'pass' || !sessionOf(request.headers, {}, null).isAttributed;
	const encoding = headerOf(request.raw.rawHeaders, 'content-encoding');
	const body = isRead ? await readBody(bodyOf(request), encoding) : null;
	// What cannot be read cannot be held either; what is wrong with it is for the provider to say.
	if (door.kind === 'pass' || body === null) {
		return passed(options, request, address, provider, body?.json ?? null);
	}
	return { kind: 'turn', turn: turnOf(options, request, { address, door }, provider, body) };
}

/** A stopped agent asks its provider for nothing at all; `turn.ts` says so of turns. */
function passed(
	{ floor }: GatewayOptions,
	{ headers }: FastifyRequest,
	{ label }: GatewayAddress,
	provider: ProviderSettings,
	json: JsonObject | null,
): Read {
	const { client, sessionKey } = sessionOf(headers, json ?? {}, label);
	const agent = floor.find(client, sessionKey);
	const reason = agent && floor.refusal(agent.agentId);
	return reason ? { kind: 'refused', reason } : { kind: 'pass', provider };
}

function turnOf(
	options: GatewayOptions,
	request: FastifyRequest,
	{ address, door }: Visit,
	provider: ProviderSettings,
	{ bytes, plain, json }: RequestBody,
): TurnRequest {
	const protocol = options.protocols[door.protocol];
	const session = sessionOf(request.headers, json, address.label);
	const agent = options.floor.find(session.client, session.sessionKey);
	const isCount = door.kind === 'count-tokens';
	const asked = protocol.readRequest(json);
	const headers = request.raw.rawHeaders;
	const { sessionKey } = session;
	const place = { sessionKey, providerId: provider.id, baseUrl: provider.baseUrl };
	options.credentials.remember(place, session.isAttributed, credentialHeaders(headers));
	return {
		session,
		provider,
		protocol,
		headers,
		body: bytes,
		plain,
		json,
		path: address.path + address.query,
		readsAnswer: !isCount,
		facts: {
			...asked,
			model: boundedModelName(asked.model),
			...(isCount && { isStream: false, isAuxiliary: true }),
			turnId: options.newTurnId(),
			sessionKey,
			isAttributed: session.isAttributed,
			subagentId: session.subagentId,
			agentId: agent?.agentId ?? null,
			agentName: agent?.agentName ?? session.name,
			workspace: agent?.workspace ?? '',
			providerId: provider.id,
			protocol: protocol.id,
			startedAt: options.clock.wall(),
		},
	};
}

function pass(
	{ upstream, times }: GatewayOptions,
	request: FastifyRequest,
	{ address }: Visit,
	provider: ProviderSettings,
	answer: ClientAnswer,
): Promise<void> {
	const body = bodyOf(request);
	const { headersTimeoutMs, idleTimeoutMs } = times ?? gatewayTimes;
	return passThrough({
		upstream,
		answer,
		name: nameOf(provider),
		request: {
			target: targetOf(provider.baseUrl, address.path + address.query),
			method: request.method,
			headers: requestHeaders(request.raw.rawHeaders),
			body: body.byteLength > 0 ? body : null,
			headersTimeoutMs,
			idleTimeoutMs,
		},
	});
}

/** The one that is named, if it is there; else the first that serves the protocol. */
function providerOf(
	providers: readonly ProviderSettings[],
	id: string | null,
	protocol: ProtocolId,
): ProviderSettings | undefined {
	if (id !== null) return providers.find((provider) => provider.id === id);
	return providers.find(({ protocols }) => protocols.includes(protocol));
}

function visitOf(request: FastifyRequest): Visit {
	const known = visits.get(request);
	if (known) return known;
	const address = readAddress(request.url);
	const visit = address ? { address, door: doorOf(request.method, address.path, request.headers) } : nowhere;
	visits.set(request, visit);
	return visit;
}

function bodyOf({ body }: FastifyRequest): Buffer {
	return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** The connection is closed, so that nobody has to read the rest of the body. */
function refuse(
	{ protocols }: GatewayOptions,
	reply: FastifyReply,
	id: ProtocolId,
	error: ProtocolError,
): void {
	const protocol = protocols[id];
	reply
		.code(error.status)
		.headers(protocol.errorHeaders(error))
		.header('content-type', 'application/json')
		.header('connection', 'close')
		.send(JSON.stringify(protocol.errorBody(error)));
}
