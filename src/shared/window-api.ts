/** What the preload puts on `window.agentFloor`: the only thing the desktop window knows of the engine. */
import type { PushChannel, RequestChannel } from './channels.ts';

/** A request answered. The error is `ChannelErrorData` by contract, `unknown` until the caller has parsed it. */
export type Envelope =
	| { readonly ok: true; readonly output: unknown }
	| { readonly ok: false; readonly error: unknown };

export interface WindowApi {
	/** Never rejects: a failure is an envelope. */
	request(channel: RequestChannel, input: unknown): Promise<Envelope>;
	/** Returns the function that ends the subscription. */
	subscribe(channel: PushChannel, listener: (payload: unknown) => void): () => void;
}
