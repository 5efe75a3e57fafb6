/** What the relay must know of a protocol: what each frame means, and how an answer goes on in an open stream. */
import type { AnswerOrigin, InBandError, RelayOptions, RelayState, TurnUsage } from '../protocol.ts';
import type { SseFrame } from '../sse/frame.ts';

/**
 * - `keep-alive`: a ping, a comment, an empty line: says nothing of the answer.
 * - `lifecycle`: belongs to the answer but shows nothing of it; waits for the first content, passes after it.
 * - `opening`: begins a block or an item. It waits for the first content in it: an empty text that a restart would have
 *   to close is refused by some vendors when it comes back as history.
 * - `thinking`, `text`: content; passes at once and takes along what waited.
 * - `aside`: thinking after text. It waits for its own last frame, `aside-end`: half a thought that a restart would
 *   have to close is refused by the vendor that signs thoughts.
 * - `hold`: a tool call, or what closes the message: from here everything waits for the good end.
 * - `end`: the protocol's own last event of an answer that ended well.
 * - `error`: an in-band error.
 */
export type Meaning =
	| 'keep-alive'
	| 'lifecycle'
	| 'opening'
	| 'thinking'
	| 'text'
	| 'aside'
	| 'aside-end'
	| 'hold'
	| 'end'
	| 'error';

/** Every meaning but an error's. */
export type Shown = Exclude<Meaning, 'error'>;

export interface Reading {
	readonly meaning: Meaning;
	/** What the client gets for this frame: its own bytes, rewritten ones, or none. */
	readonly bytes: Uint8Array;
	/** Set with `error`. */
	readonly error: InBandError | null;
}

/** Where the relay stands when a frame is read. */
export interface GateView {
	readonly state: RelayState;
	/** What is read now waits for more than the first content, so it may never reach the client. */
	readonly isHolding: boolean;
}

/** One answer of one upstream. Reads every frame exactly once, in order. Never throws, whatever the frames hold. */
export interface Dialect {
	read(frame: SseFrame, gate: GateView): Reading;
	/** Whether this frame, whole as it is, would end the answer. Changes nothing. */
	isLast(frame: SseFrame): boolean;
	/** Text of this answer so far, at most `LONGEST_TEXT` characters. */
	readonly text: string;
	readonly usage: TurnUsage;
	readonly origin: AnswerOrigin;
	/** The answer is complete though the protocol's last event has not come: then the end of the stream is a good end. */
	readonly isComplete: boolean;
	/** After the good end: the answer holds nothing, and nothing in it says that this is meant. */
	readonly isEmpty: boolean;
	/** An error of the relay's own in the protocol's form. */
	failure(type: string, message: string): InBandError;
	/** Closes what this answer left open at the client, adds the label, and reads the next answer into the same stream. */
	restart(label: string, options: RelayOptions): { readonly bytes: Uint8Array; readonly dialect: Dialect };
}

/** Characters of an answer that a relay remembers. */
export const LONGEST_TEXT = 200_000;

/** The frame means this, and these bytes pass for it. */
export function reading(meaning: Shown, bytes: Uint8Array): Reading {
	return { meaning, bytes, error: null };
}

/** The frame passes as it came. */
export function asItCame(meaning: Shown, frame: SseFrame): Reading {
	return reading(meaning, frame.bytes);
}
