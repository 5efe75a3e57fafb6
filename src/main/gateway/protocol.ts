/**
 * One file per front door implements this: what a request asks, what an error looks like, what of a stream may pass.
 * Bytes in, bytes out; no sockets, no clocks. A turn never changes its protocol, so nothing is translated.
 */
import type { ProtocolId } from '../../shared/failover-settings.ts';
import type { Activity } from '../../shared/failover-view.ts';

/** A parsed JSON object of unknown shape; every field may be missing or of any type. */
export type JsonObject = Readonly<Record<string, unknown>>;

export interface RequestFacts {
	readonly model: string;
	readonly isStream: boolean;
	readonly offersTools: boolean;
	readonly estimatedTokens: number;
	readonly maxOutputTokens: number | null;
	readonly activity: Activity;
	readonly inputHash: string;
	readonly prompt: string;
	readonly isAuxiliary: boolean;
}

/** An error in words; each protocol gives it its own form. */
export interface ProtocolError {
	readonly status: number;
	/** `refused`: not to be retried. */
	readonly kind:
		| 'overloaded'
		| 'unavailable'
		| 'rate-limited'
		| 'refused'
		| 'not-found'
		| 'invalid'
		| 'internal';
	readonly message: string;
	/** When to ask again, whole seconds from now. */
	readonly retryAfterSeconds?: number;
}

/** What stands in an answer, or in an in-band error event, that is not an answer. */
export interface InBandError {
	/** As the provider says it: "overloaded_error", "rate_limit_exceeded"; "empty_answer" when it says nothing. */
	readonly type: string;
	/** The status it stands for, where the protocol has one. */
	readonly status: number | null;
	readonly message: string;
	/** The event's own bytes, to be passed on unchanged. */
	readonly bytes: Uint8Array;
}

/** What a stream gave up so far. */
export type RelayState =
	/** Only lifecycle events came; the client has nothing yet and failing over is invisible. */
	| 'held'
	/** Thinking was passed on, no text: the client can only ask again. */
	| 'thinking'
	/** Text was passed on: go on with a labelled restart, or with an error event. */
	| 'content'
	/** The message ended well and everything was released. */
	| 'done';

export interface RelayEnd {
	/** `clean`: the protocol's own last event came. Everything else is a cut, an in-band error, or no answer at all. */
	readonly kind: 'clean' | 'cut' | 'in-band-error' | 'empty';
	readonly error: InBandError | null;
}

/** Tokens of one answer in the counting of its bill, as whoever answered told them; `null` where it did not say. */
export interface TurnUsage {
	/** Neither read from nor written to the cache. */
	readonly input: number | null;
	/** With the thinking. */
	readonly output: number | null;
	readonly cacheRead: number | null;
	/** All tokens written to the cache. */
	readonly cacheCreation: number | null;
	/** The part of them that is kept for an hour and costs more. */
	readonly cacheCreation1h: number | null;
	/** Searches that the provider ran and bills apart. */
	readonly webSearches: number | null;
}

/** What an answer says of itself; `null` where it does not. At most 200 characters each. */
export interface AnswerOrigin {
	/** "msg_…", "chatcmpl-…", "resp_…". Local servers may use one again. */
	readonly id: string | null;
	/** The model that served. */
	readonly model: string | null;
}

/**
 * A stream on its way to the client. Text passes at once; lifecycle events wait for the first content; tool calls
 * (and what follows them) wait for the good end of the message. Property: any split of the bytes gives the same output.
 */
export interface StreamRelay {
	readonly state: RelayState;
	/** Set as soon as an in-band error came; nothing after it is passed on. */
	readonly error: InBandError | null;
	/** As far as it was told: after a cut what was counted before it. */
	readonly usage: TurnUsage;
	readonly origin: AnswerOrigin;
	/** All text of the answer so far, at most 200 000 characters. */
	readonly text: string;
	/** What may go to the client now; empty when nothing. */
	push(chunk: Uint8Array): Uint8Array;
	/** The upstream ended. `rest`: what may still go out (all of the held tool calls after a clean end, else nothing). */
	end(): { readonly end: RelayEnd; readonly rest: Uint8Array };
	/**
	 * Goes on in the same client stream with another upstream: closes what is open, then the label as text (where the
	 * protocol allows at the head of the new text), then the new answer with its indexes and ids moved on. Only in state `content`.
	 */
	restart(label: string, options: RelayOptions): { readonly bytes: Uint8Array; readonly relay: StreamRelay };
}

export interface RelayOptions {
	/** Set for a local answer: put into every `model` field, and its thinking is left out (no vendor signed it). */
	readonly localModel: string | null;
	/** One line before the first text of the answer; empty for none. */
	readonly label: string;
}

/** A whole answer that was not streamed. */
export interface WholeAnswer {
	/** `null`: it is a good answer. */
	readonly error: InBandError | null;
	readonly usage: TurnUsage;
	readonly origin: AnswerOrigin;
	readonly text: string;
}

export interface Protocol {
	readonly id: ProtocolId;
	/** Never throws. `headers` in lower case, for what a client says there. */
	readRequest(body: JsonObject): RequestFacts;
	/** The same request for a local model: model replaced, foreign thinking and what only its vendor knows left out. */
	forLocal(body: JsonObject, model: string): JsonObject;
	/** The status that says it in this protocol: overloaded is 529 for Anthropic, 503 for OpenAI; refused is 400. */
	errorStatus(kind: ProtocolError['kind']): number;
	/** The body of an error answer. */
	errorBody(error: ProtocolError): JsonObject;
	/** Headers that make the client obey it (`x-should-retry`). */
	errorHeaders(error: ProtocolError): Readonly<Record<string, string>>;
	/** The same inside a stream that has begun: its last event. */
	errorEvent(error: ProtocolError): Uint8Array;
	/** Keeps a silent stream alive. */
	readonly ping: Uint8Array;
	createRelay(options: RelayOptions): StreamRelay;
	/** Reads a 200 answer that was not streamed: an empty one and an error envelope are errors. */
	readAnswer(body: Uint8Array): WholeAnswer;
	/** The same answer with the local model's name and the label; thinking left out. */
	labelAnswer(body: Uint8Array, options: RelayOptions): Uint8Array;
	/** Type, message and status of an error answer's body, whatever its shape. */
	readError(status: number, body: Uint8Array): { readonly type: string; readonly message: string };
}
