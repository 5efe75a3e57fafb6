/** The window in a browser: one WebSocket to the engine's loopback listener, reconnected for as long as it is open. */
import {
	ChannelError,
	type ChannelErrorData,
	type PushChannel,
	type PushPayload,
	pushChannels,
	type RequestChannel,
	type RequestInput,
	type RequestOutput,
	requestChannels,
} from '../../shared/channels.ts';
import type { ConnectionState, FloorTransport, WireMessage, WireRequest } from '../../shared/transport.ts';
import { type Backoff, backoffDelay, reconnectBackoff } from './backoff.ts';
import {
	channelErrorOf,
	lostMeanwhile,
	noAnswerWithin,
	notConnected,
	notUnderstood,
} from './transport-errors.ts';

export interface WebSocketTransportOptions {
	readonly url: string;
	/** Opens the socket; a browser's `WebSocket` unless told otherwise. */
	readonly open?: (url: string) => WebSocket;
	readonly backoff?: Backoff;
	readonly random?: () => number;
	/** An answer later than this is given up, ms. */
	readonly requestTimeoutMs?: number;
	/** Whether the engine refuses this window; false also when that cannot be known. Never rejects. */
	readonly isRefused?: () => Promise<boolean>;
	/** Told of messages that cannot be read; they are otherwise ignored. */
	readonly onUnreadable?: (problem: string) => void;
}

interface Waiting {
	readonly channel: RequestChannel;
	readonly resolve: (output: unknown) => void;
	readonly reject: (error: ChannelError) => void;
	readonly timer: ReturnType<typeof setTimeout>;
}

/** After this many attempts in a row without a connection it is asked why. */
const ASK_WHY_AFTER = 3;

type Listener = (payload: unknown) => void;

export class WebSocketTransport implements FloorTransport {
	readonly #options: Required<WebSocketTransportOptions>;
	readonly #waiting = new Map<number, Waiting>();
	readonly #listeners = new Map<PushChannel, Set<Listener>>();
	readonly #connectionListeners = new Set<(state: ConnectionState) => void>();
	#socket: WebSocket | null = null;
	#state: ConnectionState = 'connecting';
	#attempt = 0;
	/** Attempts in a row that did not open. */
	#unopened = 0;
	#reached = false;
	#nextId = 1;
	#retry: ReturnType<typeof setTimeout> | undefined;
	#closed = false;

	/** Connects at once. */
	constructor(options: WebSocketTransportOptions) {
		this.#options = {
			open: (url) => new WebSocket(url),
			backoff: reconnectBackoff,
			random: Math.random,
			requestTimeoutMs: 15_000,
			isRefused: pageIsRefused,
			onUnreadable: (problem) => console.error(problem),
			...options,
		};
		this.#connect();
	}

	request<C extends RequestChannel>(channel: C, input: RequestInput<C>): Promise<RequestOutput<C>> {
		const socket = this.#socket;
		if (this.#state !== 'connected' || socket === null) return Promise.reject(new ChannelError(notConnected));
		const id = this.#nextId++;
		const { requestTimeoutMs } = this.#options;
		return new Promise<RequestOutput<C>>((resolve, reject) => {
			const timer = setTimeout(() => {
				this.#waiting.delete(id);
				reject(new ChannelError(noAnswerWithin(requestTimeoutMs / 1000)));
			}, requestTimeoutMs);
			// The output was parsed by this channel's schema before it comes here.
			const settle = (output: unknown) => resolve(output as RequestOutput<C>);
			this.#waiting.set(id, { channel, resolve: settle, reject, timer });
			const message: WireRequest = { id, channel, input };
			socket.send(JSON.stringify(message));
		});
	}

	subscribe<C extends PushChannel>(channel: C, listener: (payload: PushPayload<C>) => void): () => void {
		const listeners = this.#listeners.get(channel) ?? new Set();
		this.#listeners.set(channel, listeners);
		// The payload was parsed by this channel's schema before it comes here.
		const entry: Listener = (payload) => listener(payload as PushPayload<C>);
		listeners.add(entry);
		return () => listeners.delete(entry);
	}

	onConnection(listener: (state: ConnectionState) => void): () => void {
		this.#connectionListeners.add(listener);
		listener(this.#state);
		return () => this.#connectionListeners.delete(listener);
	}

	/** Closes for good. */
	close(): void {
		this.#closed = true;
		clearTimeout(this.#retry);
		this.#socket?.close();
		this.#lose();
	}

	#connect(): void {
		const socket = this.#options.open(this.#options.url);
		this.#socket = socket;
		socket.addEventListener('open', () => {
			if (socket !== this.#socket) return;
			// Losing this connection will not count as a failed attempt.
			this.#unopened = -1;
			this.#reached = true;
			this.#setState('connected');
		});
		socket.addEventListener('message', (event: MessageEvent) => {
			if (socket === this.#socket) this.#read(event.data);
		});
		socket.addEventListener('close', () => {
			if (socket === this.#socket) this.#lose();
		});
	}

	#lose(): void {
		this.#socket = null;
		for (const { timer, reject } of this.#waiting.values()) {
			clearTimeout(timer);
			reject(new ChannelError(lostMeanwhile));
		}
		this.#waiting.clear();
		// An engine that was never reached is "connecting"; one that was is lost.
		if (this.#state === 'connected' || this.#closed) this.#setState('disconnected');
		if (this.#closed) return;
		this.#unopened += 1;
		if (this.#unopened >= ASK_WHY_AFTER) void this.#askWhy();
		const { backoff, random } = this.#options;
		this.#retry = setTimeout(() => this.#connect(), backoffDelay(this.#attempt++, random(), backoff));
	}

	/** A browser shows no more than a close, whether nobody is there or the engine refuses: the page itself tells. */
	async #askWhy(): Promise<void> {
		const refused = await this.#options.isRefused();
		if (this.#closed || this.#state === 'connected') return;
		const unanswered = this.#reached ? 'disconnected' : 'connecting';
		const state = refused ? 'refused' : unanswered;
		if (state !== this.#state) this.#setState(state);
	}

	#setState(state: ConnectionState): void {
		this.#state = state;
		for (const listener of [...this.#connectionListeners]) listener(state);
	}

	#read(data: unknown): void {
		const message = parseMessage(data);
		if (message === null) {
			this.#options.onUnreadable('The engine sent a message that is not of the floor; it was ignored.');
			return;
		}
		// Only a socket that speaks our words ends the growing of the waits.
		this.#attempt = 0;
		if ('push' in message) this.#push(message.push, message.payload);
		else if (message.ok) this.#answer(message.id, message.output);
		else this.#refuse(message.id, channelErrorOf(message.error));
	}

	#push(channel: PushChannel, payload: unknown): void {
		const parsed = pushChannels[channel].safeParse(payload);
		if (!parsed.success) {
			// A lost delta leaves a gap, and a gap asks for a snapshot.
			this.#options.onUnreadable(`The engine sent ${channel} in a form this window does not know.`);
			return;
		}
		for (const listener of [...(this.#listeners.get(channel) ?? [])]) listener(parsed.data);
	}

	#answer(id: number, output: unknown): void {
		const waiting = this.#take(id);
		if (!waiting) return;
		const parsed = requestChannels[waiting.channel].output.safeParse(output);
		if (parsed.success) waiting.resolve(parsed.data);
		else waiting.reject(new ChannelError(notUnderstood));
	}

	#refuse(id: number, error: ChannelErrorData): void {
		this.#take(id)?.reject(new ChannelError(error));
	}

	/** `undefined` for an answer that came after its time limit. */
	#take(id: number): Waiting | undefined {
		const waiting = this.#waiting.get(id);
		this.#waiting.delete(id);
		clearTimeout(waiting?.timer);
		return waiting;
	}
}

/** The engine answers the page's own address with 401 when it does not know this window's cookie (RFC 9110, 15.5.2). */
async function pageIsRefused(): Promise<boolean> {
	try {
		const reply = await fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(5000) });
		return reply.status === 401;
	} catch {
		// Nobody answers: then nothing is known.
		return false;
	}
}

function parseMessage(data: unknown): WireMessage | null {
	if (typeof data !== 'string') return null;
	try {
		const value: unknown = JSON.parse(data);
		return isWireMessage(value) ? value : null;
	} catch {
		return null;
	}
}

function isWireMessage(value: unknown): value is WireMessage {
	if (typeof value !== 'object' || value === null) return false;
	if ('push' in value) return typeof value.push === 'string' && Object.hasOwn(pushChannels, value.push);
	return 'id' in value && typeof value.id === 'number' && 'ok' in value && typeof value.ok === 'boolean';
}
