/** What the preload puts on `window.agentFloor`: the whole surface between a sandboxed window and the engine. */
import type {
	ChannelErrorData,
	PushChannel,
	PushPayload,
	RequestChannel,
	RequestInput,
	RequestOutput,
} from './channels.ts';

/** The answer to one request. Errors cross as data: an `Error` thrown over Electron's bridge loses its fields. */
export type WindowReply<C extends RequestChannel> =
	| { readonly ok: true; readonly output: RequestOutput<C> }
	| { readonly ok: false; readonly error: ChannelErrorData };

export interface WindowApi {
	request<C extends RequestChannel>(channel: C, input: RequestInput<C>): Promise<WindowReply<C>>;
	/** Returns the function that ends the subscription. */
	subscribe<C extends PushChannel>(channel: C, listener: (payload: PushPayload<C>) => void): () => void;
}

/** The name on `window`. */
export const WINDOW_API_NAME = 'agentFloor';
