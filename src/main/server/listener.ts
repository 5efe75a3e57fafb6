/** The one loopback listener (127.0.0.1 and ::1): hooks, the window and its WebSocket all come in here. */
import { createServer, type Server } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { answerRequest } from '../../shared/answer-request.ts';
import { type RequestChannel, type RequestHandlers, requestChannels } from '../../shared/channels.ts';
import { type HookRouteOptions, hookRoutes } from '../hooks/routes.ts';
import { bearerOf, isOperator, isOwnHost, isOwnOrigin, isSameSecret } from './authorise.ts';
import { capabilityRoute } from './capability-route.ts';
import { StartError } from './start-error.ts';
import { type TelemetryRouteOptions, telemetryRoutes } from './telemetry-routes.ts';
import { Tickets } from './tickets.ts';
import { WebTransport } from './web-transport.ts';
import type { WindowFile } from './window-files.ts';
import { windowRoutes } from './window-routes.ts';

export interface ListenerOptions {
	/** 0: any free one. */
	readonly port: number;
	readonly agentToken: string;
	readonly operatorToken: string;
	readonly handlers: RequestHandlers;
	readonly hooks: HookRouteOptions;
	readonly windowFiles: ReadonlyMap<string, WindowFile>;
	readonly onUnexpected: (where: string, error: unknown) => void;
	/** Where agents send their model calls. It authorises them itself, by the token in their path. */
	readonly gateway?: (app: FastifyInstance) => Promise<void>;
	/** Takes what agent programs tell of themselves. */
	readonly telemetry?: TelemetryRouteOptions;
	/** Told of every route: each is to be described in docs/openapi.json. */
	readonly onRoute?: (method: string, url: string) => void;
}

export interface Listener {
	readonly port: number;
	readonly url: string;
	readonly transport: WebTransport;
	/** An address that opens one window, once, within a minute. */
	windowAddress(): string;
	close(): Promise<void>;
}

/** Rejects with a `StartError` when the port is taken. */
export async function listen(options: ListenerOptions): Promise<Listener> {
	let port = options.port;
	const app = Fastify({
		// Hook bodies have their own bound and are never answered with 413.
		bodyLimit: Number.MAX_SAFE_INTEGER,
		forceCloseConnections: true,
		requestTimeout: 60_000,
		// Unknown event names are taken, whatever their length.
		routerOptions: { maxParamLength: 16_384 },
		keepAliveTimeout: 72_000,
		return503OnClosing: false,
	});
	const tickets = new Tickets(() => performance.now());
	const windowAddress = (): string => `http://127.0.0.1:${port}/?ticket=${tickets.issue()}`;
	const transport = new WebTransport({
		handlers: options.handlers,
		port: () => port,
		operatorToken: options.operatorToken,
		onUnexpected: (channel, error) => options.onUnexpected(channel, error),
	});
	app.addHook('onRoute', ({ method, url }) => {
		for (const each of [method].flat()) options.onRoute?.(each, url);
	});
	app.addHook('onRequest', (request, reply, done) => {
		if (!isOwnHost(request.headers.host, port) || !isOwnOrigin(request.headers.origin, port)) {
			refuse(reply, 403);
		} else done();
	});
	app.setErrorHandler((error, request, reply) => {
		// A sender that breaks off (Esc, Ctrl-C) is nobody's fault, and nobody is there to be answered.
		if (request.raw.destroyed || request.raw.aborted) return;
		options.onUnexpected(`${request.method} ${request.url.split('?')[0]}`, error);
		reply.code(200).header('content-type', 'application/json').send('{}');
	});
	const { telemetry } = options;
	await app.register(async (agents) => {
		agents.addHook('onRequest', (request, reply, done) => {
			if (isSameSecret(bearerOf(request.headers), options.agentToken)) done();
			else refuse(reply, 401);
		});
		await agents.register((hooks) => hookRoutes(hooks, options.hooks));
		if (telemetry) await agents.register((otlp) => telemetryRoutes(otlp, telemetry));
	});
	await app.register(async (requests) => {
		requests.addHook('onRequest', (request, reply, done) => {
			if (isOperator(request.headers, port, options.operatorToken)) done();
			else refuse(reply, 401);
		});
		requests.post<{ Params: { channel: string } }>('/request/:channel', (request, reply) =>
			answerOverHttp(options, request, reply),
		);
		requests.post('/window-address', (_request, reply) => reply.send({ address: windowAddress() }));
		await capabilityRoute(requests, options);
	});
	const { gateway } = options;
	if (gateway) await app.register(async (calls) => gateway(calls));
	await app.register((routes) =>
		windowRoutes(routes, {
			files: options.windowFiles,
			port: () => port,
			operatorToken: options.operatorToken,
			tickets,
		}),
	);
	port = await bind(app, options.port);
	app.server.on('upgrade', transport.upgrade);
	const second = await bindIpv6(app, port, transport);
	return {
		port,
		url: `http://127.0.0.1:${port}`,
		transport,
		windowAddress,
		close: async () => {
			transport.dispose();
			second?.close();
			second?.closeAllConnections();
			await app.close();
		},
	};
}

/** The same channel map for programs (the command line): `POST /request/<channel>`, bearer operator token. */
async function answerOverHttp(
	options: ListenerOptions,
	request: FastifyRequest<{ Params: { channel: string } }>,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const { channel } = request.params;
	if (!Object.hasOwn(requestChannels, channel)) return reply.code(404).send();
	const answer = await answerRequest(options.handlers, channel as RequestChannel, request.body, {
		onUnexpected: options.onUnexpected,
	});
	return reply.code(answer.ok ? 200 : 400).send(answer);
}

async function bind(app: FastifyInstance, port: number): Promise<number> {
	try {
		await app.listen({ host: '127.0.0.1', port });
	} catch (error) {
		throw asStartError(error, port);
	}
	const address = app.server.address();
	return typeof address === 'object' && address ? address.port : port;
}

/** `localhost` may mean ::1. A machine without IPv6 has none, and that is no fault. */
async function bindIpv6(app: FastifyInstance, port: number, transport: WebTransport): Promise<Server | null> {
	const server = createServer((request, response) => app.routing(request, response));
	server.on('upgrade', transport.upgrade);
	return new Promise((resolve) => {
		server.once('error', () => resolve(null));
		server.listen({ host: '::1', port, ipv6Only: true }, () => resolve(server));
	});
}

function asStartError(error: unknown, port: number): unknown {
	const code = (error as NodeJS.ErrnoException).code;
	if (code === 'EADDRINUSE') {
		return new StartError({
			code: 'port-taken',
			what: `Port ${port} on 127.0.0.1 is taken by another program.`,
			means: 'The floor did not start; agents work on without it.',
			remedy: `End that program, or start with another port: --port=N (0 takes any free one). Hooks that were installed for ${port} must then be installed again.`,
		});
	}
	if (code === 'EACCES') {
		return new StartError({
			code: 'port-refused',
			what: `Port ${port} may not be opened by this user.`,
			means: 'The floor did not start; agents work on without it.',
			remedy: 'Choose a port of 1024 or above: --port=N.',
		});
	}
	return error;
}

/** An empty answer; the connection is closed so that nobody has to read the rest of the body. */
function refuse(reply: FastifyReply, status: number): void {
	reply.code(status).header('connection', 'close').send();
}
