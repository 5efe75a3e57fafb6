import {
	ChannelError,
	type PushChannel,
	type PushPayload,
	type RequestChannel,
	type RequestInput,
	type RequestOutput,
} from '../../src/shared/channels.ts';
import type { ConnectionState, FloorTransport } from '../../src/shared/transport.ts';

type Answerer = (input: unknown) => unknown;

/** A transport that a test drives by hand. */
export class FakeTransport implements FloorTransport {
	readonly requests: { channel: RequestChannel; input: unknown }[] = [];
	readonly #answers = new Map<RequestChannel, Answerer>();
	readonly #listeners = new Map<PushChannel, Set<(payload: unknown) => void>>();
	readonly #connection = new Set<(state: ConnectionState) => void>();
	#state: ConnectionState;

	constructor(state: ConnectionState = 'connected') {
		this.#state = state;
	}

	/** From now on `channel` is answered so; a function that throws refuses. */
	answer<C extends RequestChannel>(
		channel: C,
		answer: (input: RequestInput<C>) => RequestOutput<C> | Promise<RequestOutput<C>>,
	): void {
		this.#answers.set(channel, (input) => answer(input as RequestInput<C>));
	}

	push<C extends PushChannel>(channel: C, payload: PushPayload<C>): void {
		for (const listener of [...(this.#listeners.get(channel) ?? [])]) listener(payload);
	}

	setConnection(state: ConnectionState): void {
		this.#state = state;
		for (const listener of [...this.#connection]) listener(state);
	}

	/** How often `channel` was asked. */
	count(channel: RequestChannel): number {
		return this.requests.filter((request) => request.channel === channel).length;
	}

	get subscriptions(): number {
		return [...this.#listeners.values()].reduce((sum, { size }) => sum + size, this.#connection.size);
	}

	async request<C extends RequestChannel>(channel: C, input: RequestInput<C>): Promise<RequestOutput<C>> {
		this.requests.push({ channel, input });
		const answer = this.#answers.get(channel);
		if (!answer) {
			throw new ChannelError({
				code: 'not-possible',
				message: `${channel} has no answer in this test.`,
				meaning: '',
				remedy: '',
			});
		}
		return (await answer(input)) as RequestOutput<C>;
	}

	subscribe<C extends PushChannel>(channel: C, listener: (payload: PushPayload<C>) => void): () => void {
		const listeners = this.#listeners.get(channel) ?? new Set();
		this.#listeners.set(channel, listeners);
		const entry = (payload: unknown) => listener(payload as PushPayload<C>);
		listeners.add(entry);
		return () => listeners.delete(entry);
	}

	onConnection(listener: (state: ConnectionState) => void): () => void {
		this.#connection.add(listener);
		listener(this.#state);
		return () => this.#connection.delete(listener);
	}
}
