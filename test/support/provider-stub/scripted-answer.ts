/** What a scripted model says, and the pieces of the stream that says it: each protocol gives them their bytes. */

export interface ScriptedToolCall {
	readonly name: string;
	readonly input: Readonly<Record<string, unknown>>;
}

/** Thinking, then text, then tool calls: the order in which models answer. */
export interface ScriptedAnswer {
	readonly thinking?: string;
	readonly text?: string;
	readonly toolCalls?: readonly ScriptedToolCall[];
	/** `length`: the output limit was reached. A good end all the same. */
	readonly stop?: 'end' | 'length';
}

/** How the bytes of an answer are made; the same options give the same bytes. */
export interface AnswerOptions {
	readonly model: string;
	/** Makes every id of this answer its own. */
	readonly serial: number;
	/** Characters of one delta. */
	readonly deltaLength: number;
}

export const defaultAnswerOptions: AnswerOptions = { model: 'stub-model', serial: 1, deltaLength: 12 };

/**
 * What a piece of a stream is about. `lifecycle`: before any content; `open` and `close`: around a block of content;
 * `finish`: how the message ended and what it used; `end`: the protocol's own last event.
 */
export type StreamPartKind =
	| 'lifecycle'
	| 'ping'
	| 'open'
	| 'thinking'
	| 'text'
	| 'tool-open'
	| 'tool-arguments'
	| 'close'
	| 'finish'
	| 'end';

/** One whole server-sent event. */
export interface StreamPart {
	readonly kind: StreamPartKind;
	readonly bytes: Uint8Array;
}

/** An error as a provider words it. */
export interface ScriptedError {
	readonly status: number;
	readonly type: string;
	readonly message: string;
}

const encoder = new TextEncoder();

/** `event: …` only where the protocol names its events. */
export function serverSentEvent(name: string | null, data: unknown): Uint8Array {
	const text = typeof data === 'string' ? data : JSON.stringify(data);
	return encoder.encode(`${name === null ? '' : `event: ${name}\n`}data: ${text}\n\n`);
}

/** Cut by code points, so that every delta is valid text. Empty text gives no delta. */
export function deltasOf(text: string, deltaLength: number): string[] {
	const points = [...text];
	const deltas: string[] = [];
	for (let at = 0; at < points.length; at += deltaLength) {
		deltas.push(points.slice(at, at + deltaLength).join(''));
	}
	return deltas;
}

export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
	return new Uint8Array(Buffer.concat(pieces));
}

export function joinParts(parts: readonly StreamPart[]): Uint8Array {
	return joinBytes(parts.map((part) => part.bytes));
}

export function jsonBytes(value: unknown): Uint8Array {
	return encoder.encode(JSON.stringify(value));
}

/** About four characters a token: what a scripted answer says it used. */
export function tokensOf(answer: ScriptedAnswer): number {
	const calls = (answer.toolCalls ?? []).map((call) => JSON.stringify(call.input).length);
	const letters = (answer.thinking ?? '').length + (answer.text ?? '').length;
	return Math.ceil((letters + calls.reduce((sum, length) => sum + length, 0)) / 4) + 1;
}
