/** The web host's transport: the channel map over a WebSocket at `/floor`, for the operator's window alone. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { answerRequest } from '../../shared/answer-request.ts';
import {
	type PushChannel,
	type PushPayload,
	type RequestChannel,
	type RequestHandlers,
	requestChannels,
} from '../../shared/channels.ts';
import type { Disposable } from '../../shared/disposable.ts';
import type { WireMessage } from '../../shared/transport.ts';
import { isOperator, isOwnHost, isOwnOrigin } from './authorise.ts';

/** A window that cannot keep up is dropped; it comes back and asks for a snapshot. Bytes. */
const BACKLOG_LIMIT = 16 * 1024 * 1024;
const PING_EVERY_MS = 20_000;

export interface WebTransportOptions {
	readonly handlers: RequestHandlers;
	readonly port: () => number;
	readonly operatorToken: string;
	readonly onUnexpected: (channel: RequestChannel, error: unknown) => void;
}

export class WebTransport implements Disposable {
	readonly #server = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024 });
	readonly #alive = new WeakSet<WebSocket>();
	readonly #options: WebTransportOptions;
	readonly #pinging: NodeJS.Timeout;

	constructor(options: WebTransportOptions) {
		this.#options = options;
		this.#pinging = setInterval(() => this.#ping(), PING_EVERY_MS);
		this.#pinging.unref();
	}

	/** For the `upgrade` event of every server of the listener. */
	readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
		const { operatorToken } = this.#options;
		const port = this.#options.port();
		const path = (request.url ?? '').split('?')[0];
		// A browser always sends an Origin; another site's page must not ride on the cookie.
		if (!isOwnHost(request.headers.host, port) || !isOwnOrigin(request.headers.origin, port)) {
			refuse(socket, '403 Forbidden');
		} else if (!isOperator(request.headers, port, operatorToken)) {
			refuse(socket, '401 Unauthorized');
		} else if (path !== '/floor') {
			refuse(socket, '404 Not Found');
		} else {
			this.#server.handleUpgrade(request, socket, head, (client) => this.#serve(client));
		}
	};

	/** Tells every window. */
	push<C extends PushChannel>(channel: C, payload: PushPayload<C>): void {
		if (this.#server.clients.size === 0) return;
		const message: WireMessage = { push: channel, payload };
		const text = JSON.stringify(message);
		for (const client of this.#server.clients) {
			if (client.bufferedAmount > BACKLOG_LIMIT) client.terminate();
			else if (client.readyState === client.OPEN) client.send(text);
		}
	}

	dispose(): void {
		clearInterval(this.#pinging);
		for (const client of this.#server.clients) client.close(1001, 'the floor is closing');
		this.#server.close();
	}

	#serve(client: WebSocket): void {
		this.#alive.add(client);
		client.on('pong', () => this.#alive.add(client));
		// A broken connection ends in 'close'; there is nobody to tell.
		client.on('error', () => client.terminate());
		client.on('message', (data) => {
			void this.#answer(client, String(data));
		});
	}

	async #answer(client: WebSocket, text: string): Promise<void> {
		const request = readRequest(text);
		if (!request) {
			client.close(1003, 'not a request of this channel map');
			return;
		}
		const answer = await answerRequest(this.#options.handlers, request.channel, request.input, {
			onUnexpected: this.#options.onUnexpected,
		});
		const message = { id: request.id, ...answer };
		if (client.readyState === client.OPEN) client.send(JSON.stringify(message));
	}

	#ping(): void {
		for (const client of this.#server.clients) {
			if (!this.#alive.delete(client)) client.terminate();
			else client.ping();
		}
	}
}

function readRequest(text: string): { id: number; channel: RequestChannel; input: unknown } | null {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		// Not JSON: not ours; the caller closes the connection.
		return null;
	}
	if (typeof value !== 'object' || value === null) return null;
	const { id, channel, input } = value as Record<string, unknown>;
	if (typeof id !== 'number' || typeof channel !== 'string' || !Object.hasOwn(requestChannels, channel))
		return null;
	return { id, channel: channel as RequestChannel, input };
}

function refuse(socket: Duplex, status: string): void {
	socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}
