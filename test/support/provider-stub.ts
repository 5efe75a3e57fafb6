/**
 * A model provider over real HTTP that does what its script says: Anthropic Messages, OpenAI Chat and Responses,
 * streamed or not. It remembers every request with its raw bytes, and whether the client stayed to the end.
 */
import { once } from 'node:events';
import {
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ProtocolId } from '../../src/shared/failover-settings.ts';
import { protocolOfPath } from './provider-stub/dialects.ts';
import { answer, type Reply, type Step } from './provider-stub/steps.ts';

/** A name that no resolver knows (RFC 6761). */
export const UNRESOLVABLE_URL = 'http://provider.invalid';

export interface RecordedRequest {
	readonly method: string;
	/** With its query. */
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: Buffer;
	/** Parsed; empty when it is no JSON object. */
	readonly json: Readonly<Record<string, unknown>>;
	/** `null`: it asks no model (models, token count, liveness). */
	readonly protocol: ProtocolId | null;
	/** Connections of this stub, from 1. */
	readonly connection: number;
	/** The client left before the answer was over. */
	aborted: boolean;
	/** Steady ms at which its head was there. */
	readonly receivedAt: number;
	/** Steady ms at which the last bytes of the answer's body began to be written so far; `null` before the first. */
	lastBytesAt: number | null;
	/** Steady ms at which the answer was over; `null` before. */
	overAt: number | null;
	/** What was answered so far; `null` before its head. */
	replied: StubAnswer | null;
	/** The answer is over, one way or the other. */
	readonly over: Promise<'finished' | 'aborted' | 'broken-off'>;
}

/** What went out, as it went out. */
export interface StubAnswer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer;
}

export interface ProviderStubOptions {
	/** Answered by `/v1/models`. */
	readonly models?: readonly string[];
}

/** Outside of what systems give to those who ask for any port: nobody else comes to listen there while a stub is dark. */
const FIRST_PORT = 20_000;
const PORTS = 12_000;

/** On `port`, or on one of the stubs' own when it is 0. */
async function listening(create: () => Server, port: number): Promise<Server> {
	for (let tries = 1; ; tries += 1) {
		const server = create();
		server.listen(port || FIRST_PORT + Math.floor(Math.random() * PORTS), '127.0.0.1');
		try {
			await once(server, 'listening');
			return server;
		} catch (error) {
			const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
			if (!isTaken || port !== 0 || tries === 100) throw error;
		}
	}
}

export class ProviderStub {
	/** Everything that came, in order. */
	readonly requests: RecordedRequest[] = [];
	readonly #models: readonly string[];
	readonly #script: Step[] = [];
	readonly #sockets = new Set<Socket>();
	readonly #numbers = new WeakMap<Socket, { connection: number; requests: number }>();
	readonly #waiting = new Set<() => void>();
	readonly #open = new Set<ServerResponse>();
	#server = this.#createServer();
	#default: Step = answer({ text: 'Hello from the stub.' });
	#port = 0;
	#connections = 0;
	#serial = 0;

	constructor(options: ProviderStubOptions = {}) {
		this.#models = options.models ?? ['claude-sonnet-4-5', 'gpt-5.2-codex'];
	}

	/** Base URL, without `/v1`. The same after `comeBack`. */
	get url(): string {
		return `http://127.0.0.1:${this.#port}`;
	}

	/** Speaks plain HTTP where TLS is expected: the handshake fails. */
	get tlsUrl(): string {
		return `https://127.0.0.1:${this.#port}`;
	}

	/** Those that ask a model. */
	get calls(): RecordedRequest[] {
		return this.requests.filter((request) => request.protocol !== null);
	}

	/** What every call gets that no script is left for. */
	respond(step: Step): void {
		this.#default = step;
	}

	/** One step a call, in order; then what `respond` said. Adds to what is left. */
	script(steps: readonly Step[]): void {
		this.#script.push(...steps);
	}

	/** Resolves with the call of that number, from 1, as soon as it is there. */
	async call(number: number): Promise<RecordedRequest> {
		for (;;) {
			const found = this.calls[number - 1];
			if (found) return found;
			await new Promise<void>((resolve) => this.#waiting.add(resolve));
		}
	}

	/** Nothing answers any more: open connections break, new ones are refused. */
	async goDark(): Promise<void> {
		if (!this.#server.listening) return;
		const closed = once(this.#server, 'close');
		this.#server.close();
		this.cutConnections();
		await closed;
	}

	/** Listens again, on the same port. */
	async comeBack(): Promise<void> {
		if (this.#server.listening) return;
		this.#server = await listening(() => this.#createServer(), this.#port);
		this.#port = (this.#server.address() as AddressInfo).port;
	}

	/** Breaks what is open now; new connections are taken. */
	cutConnections(): void {
		for (const response of this.#open) brokenOff.add(response);
		for (const socket of this.#sockets) socket.destroy();
	}

	async close(): Promise<void> {
		await this.goDark();
	}

	#createServer(): ReturnType<typeof createServer> {
		const server = createServer((request, response) => {
			this.#serve(request, response).catch((error: unknown) => {
				// A script that cannot be played is a fault of the test: it must not look like a provider's.
				response.writeHead(500, { 'content-type': 'text/plain' }).end(`stub: ${String(error)}`);
			});
		});
		server.keepAliveTimeout = 60_000;
		server.on('connection', (socket) => {
			this.#connections += 1;
			this.#numbers.set(socket, { connection: this.#connections, requests: 0 });
			this.#sockets.add(socket);
			socket.once('close', () => this.#sockets.delete(socket));
		});
		return server;
	}

	async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const numbers = this.#numbers.get(request.socket);
		if (numbers) numbers.requests += 1;
		const numberOnConnection = numbers?.requests ?? 1;
		const receivedAt = performance.now();
		const body = await readAll(request);
		if (body === null) return;
		const recorded = this.#record(request, response, body, {
			receivedAt,
			connection: numbers?.connection ?? 0,
		});
		const { protocol, json, headers } = recorded;
		if (protocol === null) {
			answerAside(recorded, response, this.#models);
			return;
		}
		this.#serial += 1;
		const step = this.#script.shift() ?? this.#default;
		const reply = await step({
			protocol,
			isStream: json.stream === true,
			model: typeof json.model === 'string' ? json.model : '',
			body: json,
			acceptsGzip: String(headers['accept-encoding'] ?? '').includes('gzip'),
			serial: this.#serial,
			numberOnConnection,
		});
		await play(reply, response, recorded);
	}

	#record(
		request: IncomingMessage,
		response: ServerResponse,
		body: Buffer,
		arrival: Pick<RecordedRequest, 'receivedAt' | 'connection'>,
	): RecordedRequest {
		const over = Promise.withResolvers<'finished' | 'aborted' | 'broken-off'>();
		const recorded: RecordedRequest = {
			method: request.method ?? '',
			path: request.url ?? '',
			headers: request.headers,
			body,
			json: readJson(body),
			protocol: request.method === 'POST' ? protocolOfPath(request.url ?? '') : null,
			...arrival,
			aborted: false,
			lastBytesAt: null,
			overAt: null,
			replied: null,
			over: over.promise,
		};
		this.#open.add(response);
		response.once('close', () => {
			this.#open.delete(response);
			recorded.overAt = performance.now();
			recorded.aborted = !response.writableFinished && !brokenOff.has(response);
			if (recorded.aborted) over.resolve('aborted');
			else over.resolve(response.writableFinished ? 'finished' : 'broken-off');
		});
		this.requests.push(recorded);
		for (const wake of this.#waiting) wake();
		this.#waiting.clear();
		return recorded;
	}
}

export async function startProviderStub(options: ProviderStubOptions = {}): Promise<ProviderStub> {
	const stub = new ProviderStub(options);
	await stub.comeBack();
	return stub;
}

/** Answers that the script broke off: the client is not to blame. */
const brokenOff = new WeakSet<ServerResponse>();

async function play(reply: Reply, response: ServerResponse, recorded: RecordedRequest): Promise<void> {
	const { status, headers } = reply;
	const sent: Uint8Array[] = [];
	if (status !== null) {
		response.writeHead(status, { ...headers });
		response.flushHeaders();
		recorded.replied = {
			status,
			headers,
			get body() {
				return Buffer.concat(sent);
			},
		};
	}
	for await (const chunk of reply.chunks) {
		if (response.destroyed) return;
		sent.push(chunk);
		recorded.lastBytesAt = performance.now();
		await new Promise<void>((resolve) => response.write(chunk, () => resolve()));
	}
	if (response.destroyed || reply.ending === 'stall') return;
	if (reply.ending === 'end') response.end();
	else {
		brokenOff.add(response);
		if (reply.ending === 'reset') response.socket?.resetAndDestroy();
		else response.socket?.destroySoon();
	}
}

/** What asks no model: the list of models, the token count, the liveness check of a client. */
function answerAside(request: RecordedRequest, response: ServerResponse, models: readonly string[]): void {
	const path = request.path.split('?')[0] ?? '';
	const send = (status: number, body: object): void => {
		response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
	};
	if (request.method === 'HEAD') response.writeHead(200).end();
	else if (path.endsWith('/v1/messages/count_tokens')) {
		send(200, { input_tokens: Math.ceil(request.body.length / 4) });
	} else if (path.endsWith('/v1/models')) {
		send(
			200,
			request.headers['anthropic-version'] === undefined ? openaiModels(models) : claudeModels(models),
		);
	} else {
		send(404, { type: 'error', error: { type: 'not_found_error', message: `no such path: ${path}` } });
	}
}

function openaiModels(models: readonly string[]): object {
	const data = models.map((id) => ({ id, object: 'model', created: 1_790_000_000, owned_by: 'stub' }));
	return { object: 'list', data };
}

function claudeModels(models: readonly string[]): object {
	const data = models.map((id) => ({
		type: 'model',
		id,
		display_name: id,
		created_at: '2026-01-01T00:00:00Z',
	}));
	return { data, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null };
}

/** `null`: the client broke off while it was sending. */
async function readAll(request: IncomingMessage): Promise<Buffer | null> {
	const chunks: Buffer[] = [];
	try {
		for await (const chunk of request) chunks.push(chunk as Buffer);
	} catch {
		// Nobody is left to be answered.
		return null;
	}
	return Buffer.concat(chunks);
}

function readJson(body: Buffer): Readonly<Record<string, unknown>> {
	try {
		const value: unknown = JSON.parse(body.toString('utf8'));
		return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
	} catch {
		// Recorded as bytes all the same.
		return {};
	}
}
