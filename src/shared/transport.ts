/** How the window reaches the engine. Electron IPC and WebSocket implement it; the renderer knows no more than this. */
import type { PushChannel, PushPayload, RequestChannel, RequestInput, RequestOutput } from './channels.ts';

/** `refused`: an engine is there and does not take this window's key. */
export type ConnectionState = 'connecting' | 'connected' | 'disconnected' | 'refused';

export interface FloorTransport {
	/** Rejects with a `ChannelError`. */
	request<C extends RequestChannel>(channel: C, input: RequestInput<C>): Promise<RequestOutput<C>>;
	/** Returns the function that ends the subscription. */
	subscribe<C extends PushChannel>(channel: C, listener: (payload: PushPayload<C>) => void): () => void;
	/** Calls at once with the present state, then at every change. Returns the function that ends it. */
	onConnection(listener: (state: ConnectionState) => void): () => void;
}

/** One message on the WebSocket, client → engine. */
export interface WireRequest {
	readonly id: number;
	readonly channel: RequestChannel;
	readonly input: unknown;
}

/** One message on the WebSocket, engine → client. */
export type WireMessage =
	| { readonly id: number; readonly ok: true; readonly output: unknown }
	| { readonly id: number; readonly ok: false; readonly error: unknown }
	| { readonly push: PushChannel; readonly payload: unknown };
