/**
 * A scriptable local model server on a real port: Ollama's own routes (version, tags, ps, show, generate, pull) and the
 * three model protocols, streaming and not. Every request is recorded.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
	type AnswerPath,
	answerForms,
	listField,
	type ScriptedToolCall,
	textField,
} from './local-server-answers.ts';
import { runningOf, type StubModel, showOf, tagOf } from './local-server-models.ts';

export interface StubRequest {
	readonly method: string;
	/** Without the query. */
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	/** Parsed JSON, the text when it is none, `null` when empty. */
	readonly body: unknown;
}

export type StubHandler = (request: StubRequest, response: ServerResponse) => void | Promise<void>;

/** What goes wrong at a path. `hang`: accepted and never answered. `reset`: the socket is destroyed. */
export type StubFailure = 'hang' | 'reset' | { readonly status: number; readonly body?: unknown };

export interface StubPull {
	/** Bytes of the one layer. Default 1 000 000. */
	readonly totalBytes?: number;
	/** Progress lines. Default 4. */
	readonly steps?: number;
	/** Told as `{"error": …}` in the middle of the stream, after status 200. */
	readonly errorAfterSteps?: { readonly steps: number; readonly message: string };
	readonly stepMs?: number;
}

export interface StubScript {
	readonly models: readonly StubModel[];
	/** Default "Hello from a local model.". */
	readonly answer?: string | ((request: StubRequest) => string);
	/** Called once in a conversation: not when the newest message brings a tool's result. */
	readonly toolCall?: ScriptedToolCall;
	/** Before a generation begins, ms. */
	readonly delayMs?: number;
	/** Between two frames of a stream, ms. */
	readonly frameMs?: number;
	/** Text pieces of a stream. Default 3. */
	readonly pieces?: number;
	/** A stream's socket is destroyed after so many frames. */
	readonly cutAfterFrames?: number;
	readonly version?: string;
	readonly pull?: StubPull;
}

export interface LocalServerStub {
	/** `http://127.0.0.1:<port>`; stays after `close`, for a server that comes back. */
	readonly url: string;
	readonly port: number;
	readonly requests: StubRequest[];
	/** Names of the models that are loaded now. */
	readonly loaded: ReadonlySet<string>;
	/** Changes a part of the script from now on; `models` replaces them all. */
	set(change: Partial<StubScript>): void;
	fail(path: string, failure: StubFailure): void;
	/** Answers a path by hand; a later `fail` or `handle` of the same path replaces it. */
	handle(path: string, handler: StubHandler): void;
	/** Takes `fail` and `handle` of a path back. */
	heal(path: string): void;
	requestsTo(path: string): StubRequest[];
	/** Ends every connection and stops listening. Idempotent. */
	close(): Promise<void>;
}

/** `port` 0: any free one. A port makes a server that comes back. */
export async function startLocalServerStub(script: StubScript, port = 0): Promise<LocalServerStub> {
	const stub = new ScriptedServer(script);
	await stub.listen(port);
	return stub;
}

class ScriptedServer implements LocalServerStub {
	readonly requests: StubRequest[] = [];
	port = 0;
	readonly loaded = new Set<string>();
	#script: StubScript;
	#serial = 0;
	readonly #handlers = new Map<string, StubHandler>();
	readonly #server = createServer((request, response) => {
		this.#receive(request, response).catch((error: unknown) => response.destroy(asError(error)));
	});

	constructor(script: StubScript) {
		this.#script = script;
		this.#adopt(script.models);
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	listen(port: number): Promise<void> {
		return new Promise((resolve, reject) => {
			this.#server.once('error', reject);
			this.#server.listen(port, '127.0.0.1', () => {
				const address = this.#server.address();
				if (isTcp(address)) this.port = address.port;
				resolve();
			});
		});
	}

	set(change: Partial<StubScript>): void {
		this.#script = { ...this.#script, ...change };
		if (change.models) this.#adopt(change.models);
	}

	fail(path: string, failure: StubFailure): void {
		this.handle(path, (_request, response) => {
			if (failure === 'hang') return;
			if (failure === 'reset') response.destroy();
			else sendJson(response, failure.status, failure.body ?? { error: `scripted ${failure.status}` });
		});
	}

	handle(path: string, handler: StubHandler): void {
		this.#handlers.set(path, handler);
	}

	heal(path: string): void {
		this.#handlers.delete(path);
	}

	requestsTo(path: string): StubRequest[] {
		return this.requests.filter((request) => request.path === path);
	}

	close(): Promise<void> {
		if (!this.#server.listening) return Promise.resolve();
		return new Promise((resolve) => {
			this.#server.close(() => resolve());
			this.#server.closeAllConnections();
		});
	}

	#adopt(models: readonly StubModel[]): void {
		this.loaded.clear();
		for (const model of models) if (model.loaded ?? true) this.loaded.add(model.name);
	}

	async #receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const request: StubRequest = {
			method: incoming.method ?? '',
			path: new URL(incoming.url ?? '/', 'http://stub').pathname,
			headers: incoming.headers,
			body: await readBody(incoming),
		};
		this.requests.push(request);
		const handler = this.#handlers.get(request.path);
		if (handler) return handler(request, response);
		if (isAnswerPath(request.path)) return this.#answer(request.path, request, response);
		return this.#answerOwnRoute(request, response);
	}

	#answerOwnRoute(request: StubRequest, response: ServerResponse): void | Promise<void> {
		switch (`${request.method} ${request.path}`) {
			case 'HEAD /':
			case 'GET /':
				response.writeHead(200, { 'content-type': 'text/plain' }).end('Ollama is running');
				return;
			case 'GET /api/version':
				return sendJson(response, 200, { version: this.#script.version ?? '0.14.2' });
			case 'GET /api/tags':
				return sendJson(response, 200, { models: this.#script.models.map(tagOf) });
			case 'GET /api/ps':
				return sendJson(response, 200, {
					models: this.#script.models.filter((model) => this.loaded.has(model.name)).map(runningOf),
				});
			case 'GET /v1/models':
				return sendJson(response, 200, {
					object: 'list',
					data: this.#script.models.map((model) => ({
						id: model.name,
						object: 'model',
						owned_by: 'library',
					})),
				});
			case 'POST /api/show':
				return this.#show(request, response);
			case 'POST /api/generate':
				return this.#generate(request, response);
			case 'POST /api/pull':
				return this.#pull(request, response);
			default:
				return sendJson(response, 404, { error: `${request.path} not found` });
		}
	}

	#find(request: StubRequest): StubModel | undefined {
		const name = textField(request.body, 'model');
		return this.#script.models.find((model) => model.name === name);
	}

	#show(request: StubRequest, response: ServerResponse): void {
		const model = this.#find(request);
		if (model) sendJson(response, 200, showOf(model));
		else sendJson(response, 404, { error: `model '${textField(request.body, 'model')}' not found` });
	}

	async #load(model: StubModel): Promise<void> {
		if (this.loaded.has(model.name)) return;
		await pause(model.loadMs ?? 0);
		this.loaded.add(model.name);
	}

	async #generate(request: StubRequest, response: ServerResponse): Promise<void> {
		const model = this.#find(request);
		const name = textField(request.body, 'model');
		if (!model) return sendJson(response, 404, { error: `model '${name}' not found` });
		await this.#load(model);
		sendJson(response, 200, { model: name, response: '', done: true, done_reason: 'load' });
	}

	async #pull(request: StubRequest, response: ServerResponse): Promise<void> {
		const { totalBytes = 1_000_000, steps = 4, errorAfterSteps, stepMs = 0 } = this.#script.pull ?? {};
		const name = textField(request.body, 'model');
		response.writeHead(200, { 'content-type': 'application/x-ndjson' });
		const line = (value: object) => response.write(`${JSON.stringify(value)}\n`);
		line({ status: 'pulling manifest' });
		for (let step = 1; step <= steps; step += 1) {
			await pause(stepMs);
			const completed = Math.round((totalBytes * step) / steps);
			line({ status: 'pulling 8a1b', digest: 'sha256:8a1b', total: totalBytes, completed });
			if (step === errorAfterSteps?.steps) {
				line({ error: errorAfterSteps.message });
				response.end();
				return;
			}
		}
		line({ status: 'verifying sha256 digest' });
		line({ status: 'writing manifest' });
		if (!this.#script.models.some((model) => model.name === name)) {
			const models = [...this.#script.models, { name, loaded: false }];
			this.#script = { ...this.#script, models };
		}
		line({ status: 'success' });
		response.end();
	}

	async #answer(path: AnswerPath, request: StubRequest, response: ServerResponse): Promise<void> {
		const form = answerForms[path];
		const model = this.#find(request);
		const name = textField(request.body, 'model');
		if (!model) {
			const problem = { type: 'not_found_error', message: `model '${name}' not found` };
			return sendJson(response, 404, { type: 'error', error: problem });
		}
		await this.#load(model);
		const { answer = 'Hello from a local model.', toolCall, delayMs = 0, pieces = 3 } = this.#script;
		await pause(delayMs);
		this.#serial += 1;
		const scripted = {
			model: name,
			text: typeof answer === 'string' ? answer : answer(request),
			toolCall: toolCall === undefined || form.endsWithToolResult(request.body) ? null : toolCall,
			pieces,
			serial: this.#serial,
		};
		if (!asksForStream(request.body)) return sendJson(response, 200, form.whole(scripted));
		await this.#stream(form.frames(scripted), response);
	}

	async #stream(frames: readonly string[], response: ServerResponse): Promise<void> {
		const { frameMs = 0, cutAfterFrames = Number.POSITIVE_INFINITY } = this.#script;
		response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
		for (const [index, frame] of frames.entries()) {
			if (response.destroyed) return;
			if (index >= cutAfterFrames) {
				response.destroy();
				return;
			}
			await new Promise((written) => response.write(frame, written));
			await pause(frameMs);
		}
		response.end();
	}
}

function isAnswerPath(path: string): path is AnswerPath {
	return Object.hasOwn(answerForms, path);
}

function asksForStream(body: unknown): boolean {
	return typeof body === 'object' && body !== null && 'stream' in body && body.stream === true;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<unknown> {
	const parts: Uint8Array[] = [];
	for await (const part of request) parts.push(part);
	const text = Buffer.concat(parts).toString('utf8');
	if (text === '') return null;
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

function pause(ms: number): Promise<void> {
	return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
}

function isTcp(address: string | AddressInfo | null): address is AddressInfo {
	return typeof address === 'object' && address !== null;
}

function asError(error: unknown): Error {
	return error instanceof Error ? error : new Error(String(error));
}

/** Messages of a recorded request, for looking at what was carried over. */
export function messagesOf(request: StubRequest): unknown[] {
	return listField(request.body, request.path === '/v1/responses' ? 'input' : 'messages');
}
