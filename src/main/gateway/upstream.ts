/**
 * Connections to providers and local servers. One undici client is one connection ("lane"), so it is known whether a
 * connection was used before: a reset on a used one before any answer only means that it had gone stale, and the call
 * goes once more on a fresh one, silently.
 */
import { buildConnector, Client, type Dispatcher } from 'undici';
import type { Target } from './target.ts';

export interface UpstreamRequest {
	readonly target: Target;
	readonly method: string;
	/** Flat: name, value, name … */
	readonly headers: readonly string[];
	readonly body: Uint8Array | null;
	/** To the head of the answer, ms; 0: no limit. */
	readonly headersTimeoutMs: number;
	/** Between two chunks of it, ms; 0: no limit. */
	readonly idleTimeoutMs: number;
}

export interface UpstreamHead {
	readonly status: number;
	/** Flat, as they came. */
	readonly headers: readonly string[];
}

/** Head, then data, then exactly one of `onEnd` and `onError`; nothing after an abort. */
export interface UpstreamListener {
	onHead(head: UpstreamHead): void;
	onData(chunk: Uint8Array): void;
	onEnd(): void;
	onError(error: Error): void;
}

export interface UpstreamCall {
	abort(): void;
	pause(): void;
	resume(): void;
}

interface Lane {
	readonly client: Client;
	readonly origin: string;
	/** Its present connection has carried an answer. */
	used: boolean;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Tools run between two calls of an agent: a connection is worth keeping that long. A server's own hint is obeyed. */
const KEEP_ALIVE_MS = 60_000;
const IDLE_LANES = 64;

export class Upstream {
	// HTTP/1.1 only: one call to a connection, so no call suffers for another's reset.
	readonly #connect: buildConnector.connector;
	readonly #lanes = new Set<Lane>();
	/** By origin; the most recently used last. */
	readonly #idle = new Map<string, Lane[]>();

	constructor(connectTimeoutMs: number = CONNECT_TIMEOUT_MS) {
		this.#connect = buildConnector({ timeout: connectTimeoutMs, allowH2: false });
	}

	call(request: UpstreamRequest, listener: UpstreamListener): UpstreamCall {
		const call = new Call(this, request, listener);
		call.start(this.take(request.target.origin));
		return call;
	}

	/** For `Call` only: the lane used last, since its connection is the likeliest to live. */
	take(origin: string): Lane {
		return this.#idle.get(origin)?.pop() ?? this.open(origin);
	}

	/** For `Call` only: a lane with a connection of its own. */
	open(origin: string): Lane {
		const client = new Client(origin, {
			connect: this.#connect,
			keepAliveTimeout: KEEP_ALIVE_MS,
			pipelining: 1,
		});
		const lane: Lane = { client, origin, used: false };
		const unused = (): void => {
			lane.used = false;
		};
		client.on('connect', unused);
		client.on('disconnect', unused);
		this.#lanes.add(lane);
		return lane;
	}

	/** For `Call` only. */
	give(lane: Lane): void {
		lane.used = true;
		const idle = this.#idle.get(lane.origin);
		if (!idle) this.#idle.set(lane.origin, [lane]);
		else if (idle.length < IDLE_LANES) idle.push(lane);
		else this.drop(lane);
	}

	/** For `Call` only. */
	drop(lane: Lane): void {
		this.#lanes.delete(lane);
		// Its call has been told already; there is nobody else to tell.
		lane.client.destroy(() => {});
	}

	/** Breaks off every call. */
	async close(): Promise<void> {
		this.#idle.clear();
		await Promise.all([...this.#lanes].map((lane) => lane.client.destroy()));
		this.#lanes.clear();
	}
}

class Call implements UpstreamCall, Dispatcher.DispatchHandler {
	readonly #upstream: Upstream;
	readonly #request: UpstreamRequest;
	readonly #listener: UpstreamListener;
	#lane: Lane | null = null;
	#controller: Dispatcher.DispatchController | null = null;
	#onUsedLane = false;
	#answerBegan = false;
	#retried = false;
	#over = false;

	constructor(upstream: Upstream, request: UpstreamRequest, listener: UpstreamListener) {
		this.#upstream = upstream;
		this.#request = request;
		this.#listener = listener;
	}

	start(lane: Lane): void {
		this.#lane = lane;
		const { target, method, headers, body, headersTimeoutMs, idleTimeoutMs } = this.#request;
		lane.client.dispatch(
			{
				path: target.path,
				method,
				headers: headers as string[],
				body,
				headersTimeout: headersTimeoutMs,
				bodyTimeout: idleTimeoutMs,
			},
			this,
		);
	}

	abort(): void {
		if (this.#over) return;
		this.#over = true;
		this.#leaveLane(false);
	}

	pause(): void {
		if (!this.#over) this.#controller?.pause();
	}

	resume(): void {
		if (!this.#over) this.#controller?.resume();
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		this.#controller = controller;
		this.#onUsedLane = this.#lane?.used ?? false;
	}

	onResponseStarted(): void {
		this.#answerBegan = true;
	}

	onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
		// 1xx come before the answer and concern one connection only.
		if (this.#over || status < 200) return;
		this.#listener.onHead({ status, headers: flat(controller.rawHeaders) });
	}

	onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
		if (!this.#over) this.#listener.onData(chunk);
	}

	onResponseEnd(): void {
		if (this.#over) return;
		this.#over = true;
		this.#leaveLane(true);
		this.#listener.onEnd();
	}

	onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
		if (this.#over) return;
		const wasStale = this.#onUsedLane && !this.#answerBegan && isReset(error);
		this.#leaveLane(false);
		if (wasStale && !this.#retried) {
			this.#retried = true;
			this.#controller = null;
			this.start(this.#upstream.open(this.#request.target.origin));
			return;
		}
		this.#over = true;
		this.#listener.onError(error);
	}

	#leaveLane(isHealthy: boolean): void {
		const lane = this.#lane;
		this.#lane = null;
		if (lane === null) return;
		if (isHealthy) this.#upstream.give(lane);
		else this.#upstream.drop(lane);
	}
}

function isReset(error: Error): boolean {
	const { code } = error as NodeJS.ErrnoException;
	return code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET';
}

function flat(raw: Dispatcher.DispatchController['rawHeaders']): string[] {
	if (!Array.isArray(raw)) return [];
	return raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')));
}
