/** What one try is given, and how it can end. */
import type { CallOutcome, Clock, Schedule } from '../failover/call.ts';
import type { ClientAnswer } from './client-answer.ts';
import type { AnswerOrigin, InBandError, Protocol, StreamRelay, TurnUsage, WholeAnswer } from './protocol.ts';
import type { Upstream, UpstreamHead, UpstreamRequest } from './upstream.ts';

export type AttemptEnd =
	/** The answer went to the client as it came, to its end, or (`outcome` is then no `ok`) as far as it came. */
	| { readonly kind: 'delivered'; readonly outcome: CallOutcome; readonly text: string }
	/** Read to its end, nothing of it sent. `answer`: `null` when the status already says that it is none. */
	| {
			readonly kind: 'whole';
			readonly outcome: CallOutcome;
			readonly head: UpstreamHead;
			readonly body: Buffer;
			readonly answer: WholeAnswer | null;
			readonly detail: string;
	  }
	/** No answer, or one that broke off; the client's stream is still open. `error`: set when the provider said why. */
	| {
			readonly kind: 'broken';
			readonly outcome: CallOutcome;
			readonly head: UpstreamHead | null;
			readonly error: InBandError | null;
			readonly detail: string;
	  }
	/** Nobody wants it any more. It was still silent, or the client has left. */
	| { readonly kind: 'unwanted' };

/** What one answer took, as far as it came. */
export interface AnswerCount extends AnswerOrigin {
	/** The provider's name for the request (`request-id`); `null`: it gave none. */
	readonly requestId: string | null;
	readonly usage: TurnUsage;
	/** It came to its good end. */
	readonly isWhole: boolean;
}

/** How long a stream that has begun may be without any byte. */
export interface Silence {
	readonly limitMs: number;
	/** `content`: only behind text it means anything; a model that thinks unseen sends nothing for minutes. */
	readonly from: 'head' | 'content';
}

export interface AttemptOptions {
	readonly upstream: Upstream;
	readonly answer: ClientAnswer;
	readonly protocol: Protocol;
	readonly clock: Clock;
	readonly schedule: Schedule;
	readonly request: UpstreamRequest;
	/** Who is asked, in words. */
	readonly name: string;
	/** Reads the stream; `null`: the client did not ask for one. */
	readonly relay: StreamRelay | null;
	/** Goes before the first bytes of the relay: what leads over from an answer that broke off. */
	readonly prefix: Uint8Array;
	/** False: whatever comes with a 2xx is an answer (token counts). */
	readonly readsAnswer: boolean;
	/** Added to the head of what goes to the client as it comes. Flat. */
	readonly marks: readonly string[];
	readonly silence: Silence;
	/** Calls back, perhaps at once, when a try that is still silent is not wanted any more. Returns how to forget it. */
	readonly onUnwanted: (listener: () => void) => () => void;
	/** A whole answer begins to come. */
	readonly onGoodHead: () => void;
	/** The first of a streamed answer goes to the client. */
	readonly onAnswering: () => void;
	/** What the answer took, once, before the try ends. Not for one that failed before anything was counted. */
	readonly onCounted: (count: AnswerCount) => void;
}
