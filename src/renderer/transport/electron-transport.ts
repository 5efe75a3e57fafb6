/** The window inside Electron: the engine lives in the main process, behind the preload's `window.agentFloor`. */
import {
	ChannelError,
	type PushChannel,
	type PushPayload,
	type RequestChannel,
	type RequestInput,
	type RequestOutput,
} from '../../shared/channels.ts';
import type { ConnectionState, FloorTransport } from '../../shared/transport.ts';
import type { WindowApi } from '../../shared/window-api.ts';
import { noEngine } from './transport-errors.ts';

/** Adapts the preload's surface. Main and window live and die together, so it is connected from the start. */
export class ElectronTransport implements FloorTransport {
	readonly #api: WindowApi;

	constructor(api: WindowApi) {
		this.#api = api;
	}

	async request<C extends RequestChannel>(channel: C, input: RequestInput<C>): Promise<RequestOutput<C>> {
		const reply = await this.#api.request(channel, input).catch((cause: unknown) => {
			throw new ChannelError(noEngine(cause));
		});
		if (!reply.ok) throw new ChannelError(reply.error);
		return reply.output;
	}

	subscribe<C extends PushChannel>(channel: C, listener: (payload: PushPayload<C>) => void): () => void {
		return this.#api.subscribe(channel, listener);
	}

	onConnection(listener: (state: ConnectionState) => void): () => void {
		listener('connected');
		return () => {};
	}
}
