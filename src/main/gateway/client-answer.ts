/**
 * What goes back to the agent. Nothing is sent until something must be: as long as the head is not out, status and
 * body of the provider can still pass unchanged. A stream that is kept waiting gets its head after a while, then pings.
 */
import type { ServerResponse } from 'node:http';
import type { Clock, Schedule } from '../failover/call.ts';
import type { Protocol, ProtocolError } from './protocol.ts';

export interface WaitingTimes {
	/** A waiting stream gets its head after this, ms. */
	readonly headAfterMs: number;
	/** And a ping whenever it was silent for this long, ms. */
	readonly pingAfterMs: number;
}

export interface ClientAnswerOptions {
	readonly protocol: Protocol;
	/** Only a stream can be kept alive. */
	readonly isStream: boolean;
	readonly clock: Clock;
	readonly schedule: Schedule;
	readonly waiting: WaitingTimes;
}

const eventStream: readonly string[] = [
	'content-type',
	'text/event-stream; charset=utf-8',
	'cache-control',
	'no-cache',
];

export class ClientAnswer {
	readonly #response: ServerResponse;
	readonly #options: ClientAnswerOptions;
	readonly #leaveListeners = new Set<() => void>();
	#head: readonly string[] = eventStream;
	#begun = false;
	#ended = false;
	#left = false;
	#lastSentAt = 0;
	#stopBeat: (() => void) | null = null;

	constructor(response: ServerResponse, options: ClientAnswerOptions) {
		this.#response = response;
		this.#options = options;
		// Both mean the same: nobody reads any more. A write that crosses the end reports as an error.
		response.once('error', () => this.#leave());
		response.once('close', () => {
			if (response.writableFinished) this.#calm();
			else this.#leave();
		});
		if (response.destroyed) this.#leave();
	}

	/** The head is out: status and headers can no longer be chosen. */
	get begun(): boolean {
		return this.#begun;
	}

	/** The client has gone before its answer was over. */
	get left(): boolean {
		return this.#left;
	}

	/** Calls back once, at once if the client has gone already. The returned function forgets it. */
	onLeft(listener: () => void): () => void {
		if (this.#left) listener();
		else this.#leaveListeners.add(listener);
		return () => this.#leaveListeners.delete(listener);
	}

	/** Headers with which the stream will begin. Without effect once it has. */
	streamHead(headers: readonly string[]): void {
		if (!this.#begun) this.#head = headers;
	}

	/** From now on the client waits: head and pings go out as time passes. */
	keepAlive(): void {
		if (!this.#options.isStream || this.#stopBeat !== null || this.#closed) return;
		this.#lastSentAt = this.#options.clock.steady();
		this.#arm(this.#due);
	}

	/** While the head is not out, nothing is to be sent: somebody may still answer with a status of its own. */
	waitSilently(): void {
		if (!this.#begun) this.#calm();
	}

	/** Part of the stream. False: stop until `onDrain`. */
	send(bytes: Uint8Array): boolean {
		if (this.#closed) return true;
		if (!this.#begun) this.#begin(200, this.#head);
		this.#lastSentAt = this.#options.clock.steady();
		return this.#response.write(bytes);
	}

	onDrain(listener: () => void): void {
		this.#response.once('drain', listener);
	}

	/** Ends the stream. */
	finish(bytes?: Uint8Array): void {
		if (this.#closed) return;
		if (!this.#begun) this.#begin(200, this.#head);
		this.#close();
		if (bytes && bytes.byteLength > 0) this.#response.end(bytes);
		else this.#response.end();
	}

	/** Passes an answer through as it comes; only before anything was sent. */
	begin(status: number, headers: readonly string[]): void {
		if (!this.#closed && !this.#begun) this.#begin(status, headers);
	}

	/** A whole answer; only before anything was sent. `headers`: without a length. */
	whole(status: number, headers: readonly string[], body: Uint8Array): void {
		if (this.#closed || this.#begun) return;
		this.#begin(status, [...headers, 'content-length', String(body.byteLength)]);
		this.#close();
		this.#response.end(body);
	}

	/** What is not to be asked again, in the form that ends the client's turn at once. */
	refuse(message: string): void {
		const status = this.#options.protocol.errorStatus('refused');
		this.error({ status, kind: 'refused', message });
	}

	/** An error of our own, in the protocol's form, wherever the answer stands. */
	error(error: ProtocolError): void {
		const { protocol } = this.#options;
		if (this.#begun) {
			this.finish(protocol.errorEvent(error));
			return;
		}
		const headers = Object.entries(protocol.errorHeaders(error)).flat();
		const body = Buffer.from(JSON.stringify(protocol.errorBody(error)));
		this.whole(error.status, ['content-type', 'application/json', ...headers], body);
	}

	/** The connection breaks, as the one behind it did: never a forged end. */
	breakOff(): void {
		this.#close();
		this.#response.destroy();
	}

	get #closed(): boolean {
		return this.#ended || this.#left;
	}

	get #due(): number {
		const { headAfterMs, pingAfterMs } = this.#options.waiting;
		return this.#begun ? pingAfterMs : headAfterMs;
	}

	#begin(status: number, headers: readonly string[]): void {
		this.#begun = true;
		this.#response.writeHead(status, headers as string[]);
	}

	#arm(ms: number): void {
		this.#stopBeat = this.#options.schedule(ms, () => this.#beat());
	}

	#beat(): void {
		this.#stopBeat = null;
		if (this.#closed) return;
		const silent = this.#options.clock.steady() - this.#lastSentAt;
		// A client that does not even read what is there needs no ping.
		if (silent >= this.#due && !this.#response.writableNeedDrain) this.send(this.#options.protocol.ping);
		this.#arm(silent >= this.#due ? this.#due : this.#due - silent);
	}

	#calm(): void {
		this.#stopBeat?.();
		this.#stopBeat = null;
	}

	#close(): void {
		this.#ended = true;
		this.#calm();
	}

	#leave(): void {
		if (this.#closed) return;
		this.#left = true;
		this.#calm();
		const listeners = [...this.#leaveListeners];
		this.#leaveListeners.clear();
		for (const listener of listeners) listener();
	}
}
