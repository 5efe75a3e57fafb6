/**
 * What the stub does with one call: an answer, an error, or a fault at any place of an answer. A step is a function of
 * the call, so one script serves every protocol, streamed or not.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { ProtocolId } from '../../../src/shared/failover-settings.ts';
import { type Dialect, dialects } from './dialects.ts';
import { offsetInBody, offsetInStream, type Place } from './place.ts';
import { jsonBytes, type ScriptedAnswer, type ScriptedError } from './scripted-answer.ts';

/** A model request as the stub got it. */
export interface StubCall {
	readonly protocol: ProtocolId;
	readonly isStream: boolean;
	readonly model: string;
	readonly body: Readonly<Record<string, unknown>>;
	readonly acceptsGzip: boolean;
	/** Of all calls of this stub, from 1. */
	readonly serial: number;
	/** Of the requests on its connection, from 1. */
	readonly numberOnConnection: number;
}

export interface Reply {
	/** `null`: no answer at all, not even a head. */
	readonly status: number | null;
	readonly headers: Readonly<Record<string, string>>;
	/** Each is written by itself, as soon as it comes. */
	readonly chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
	/**
	 * After the last chunk. `end`: HTTP ends well, whatever the protocol says. `cut`: the connection is closed, what was
	 * written arrives. `reset`: the connection is reset. `stall`: silence until the client leaves.
	 */
	readonly ending: 'end' | 'cut' | 'reset' | 'stall';
}

export type Step = (call: StubCall) => Reply | Promise<Reply>;

export interface Delivery {
	/** Line ends of the event stream; `lf` is what providers send. */
	readonly framing?: 'lf' | 'crlf' | 'cr';
	/** Bytes of one write; 0: one write for each event. */
	readonly chunkBytes?: number;
	/** Between two writes, ms. */
	readonly everyMs?: number;
	readonly headers?: Readonly<Record<string, string>>;
}

export function answer(scripted: ScriptedAnswer, delivery: Delivery = {}): Step {
	return (call) => whole(call, scripted, delivery);
}

/** Compressed where the client allows it, as every provider may. */
export function compressed(scripted: ScriptedAnswer): Step {
	return (call) => {
		const reply = whole(call, scripted, {});
		if (!call.acceptsGzip) return reply;
		const bytes = gzipSync(Buffer.concat(piecesOf(call, scripted)));
		return {
			...reply,
			headers: { ...reply.headers, 'content-encoding': 'gzip' },
			chunks: [new Uint8Array(bytes)],
		};
	};
}

/** The answer up to a place; then the connection goes, or HTTP ends as if all were said. */
export function cut(
	place: Place,
	scripted: ScriptedAnswer,
	ending: 'cut' | 'reset' | 'end' = 'cut',
	delivery: Delivery = {},
): Step {
	return (call) => upTo(place, call, scripted, ending, delivery);
}

/** The answer up to a place, then silence until the client leaves. */
export function stall(place: Place | 'before-head', scripted: ScriptedAnswer): Step {
	return (call) =>
		place === 'before-head'
			? { status: null, headers: {}, chunks: [], ending: 'stall' }
			: upTo(place, call, scripted, 'stall', {});
}

/** The whole answer with a wait in it, for as long as a test wants. */
export function paused(place: Place, gate: Promise<unknown>, scripted: ScriptedAnswer): Step {
	return (call) => {
		const reply = whole(call, scripted, {});
		const bytes = Buffer.concat(piecesOf(call, scripted));
		const at = offsetOf(call, scripted, place);
		return { ...reply, chunks: withGate(new Uint8Array(bytes), at, gate) };
	};
}

/** The connection is reset as soon as the request is there. */
export function reset(): Step {
	return () => ({ status: null, headers: {}, chunks: [], ending: 'reset' });
}

/** A kept connection is reset at its second request: the client used one that the server had given up. */
export function keepAliveReset(otherwise: Step): Step {
	return (call) => (call.numberOnConnection > 1 ? reset()(call) : otherwise(call));
}

/** Each model of a provider does what its own step says; the others answer as `otherwise` says. */
export function byModel(steps: Readonly<Record<string, Step>>, otherwise: Step): Step {
	return (call) => (steps[call.model] ?? otherwise)(call);
}

export interface ErrorOptions {
	readonly type?: string;
	readonly message?: string;
	/** Functions are asked when the answer is sent: a date is one from then. */
	readonly headers?: Readonly<Record<string, string | (() => string)>>;
}

/** An error in the protocol's own form. */
export function status(code: number, options: ErrorOptions = {}): Step {
	return (call) => {
		const dialect = dialects[call.protocol];
		return jsonReply(code, dialect.error(scriptedError(dialect, code, options)), sent(options.headers ?? {}));
	};
}

/** What a proxy in between says: no JSON. */
export function htmlError(code: number): Step {
	const page = `<html><head><title>${code}</title></head><body><center><h1>${code}</h1></center></body></html>`;
	return () => ({
		status: code,
		headers: { 'content-type': 'text/html' },
		chunks: [new TextEncoder().encode(page)],
		ending: 'end',
	});
}

/** 429 because money is spent: without Retry-After, and not to be retried. */
export function spendLimit(): Step {
	return ({ protocol }) => {
		const message = 'You have reached your spend limit.';
		const body =
			protocol === 'anthropic-messages'
				? {
						type: 'error',
						error: {
							type: 'rate_limit_error',
							message,
							details: { error_code: 'enforced_spend_limit_reached' },
						},
					}
				: { error: { message, type: 'insufficient_quota', param: null, code: 'credit_balance_exhausted' } };
		return jsonReply(429, jsonBytes(body), {});
	};
}

/** The conversation is longer than the model's context: the request's fault. */
export function contextOverflow(): Step {
	return ({ protocol }) => {
		const message = 'prompt is too long: 250000 tokens > 200000 maximum';
		const body =
			protocol === 'anthropic-messages'
				? { type: 'error', error: { type: 'invalid_request_error', message } }
				: {
						error: {
							message,
							type: 'invalid_request_error',
							param: 'messages',
							code: 'context_length_exceeded',
						},
					};
		return jsonReply(400, jsonBytes(body), {});
	};
}

/** 200 and not one byte. */
export function emptyAnswer(): Step {
	return (call) => ({ status: 200, headers: contentType(call), chunks: [], ending: 'end' });
}

/** 200 and the body of an error. */
export function errorEnvelope(code = 529, options: ErrorOptions = {}): Step {
	return ({ protocol }) => {
		const dialect = dialects[protocol];
		return jsonReply(200, dialect.error(scriptedError(dialect, code, options)), {});
	};
}

/** An error inside a stream that answered 200; where nothing is streamed, an error envelope. */
export function inBandError(
	place: Place,
	scripted: ScriptedAnswer,
	code = 529,
	options: ErrorOptions = {},
): Step {
	return (call) => {
		if (!call.isStream) return errorEnvelope(code, options)(call);
		const dialect = dialects[call.protocol];
		const before = piecesUpTo(place, call, scripted);
		const event = dialect.errorEvent(scriptedError(dialect, code, options), {
			...call,
			sequence: before.length,
		});
		return { ...whole(call, scripted, {}), chunks: [...before, event] };
	};
}

/** Bytes as they are, for what no provider should send. */
export function bytes(code: number, headers: Readonly<Record<string, string>>, body: Uint8Array): Step {
	return () => ({ status: code, headers, chunks: [body], ending: 'end' });
}

function whole(call: StubCall, scripted: ScriptedAnswer, delivery: Delivery): Reply {
	return {
		status: 200,
		headers: { ...contentType(call), 'request-id': `req_stub_${call.serial}`, ...delivery.headers },
		chunks: delivered(piecesOf(call, scripted), call.isStream, delivery),
		ending: 'end',
	};
}

function upTo(
	place: Place,
	call: StubCall,
	scripted: ScriptedAnswer,
	ending: Reply['ending'],
	delivery: Delivery,
): Reply {
	const pieces = piecesUpTo(place, call, scripted);
	return {
		...whole(call, scripted, delivery),
		chunks: delivered(pieces, call.isStream, delivery),
		ending,
	};
}

function piecesOf(call: StubCall, scripted: ScriptedAnswer): Uint8Array[] {
	const dialect = dialects[call.protocol];
	if (!call.isStream) return [dialect.answer(scripted, call)];
	return dialect.parts(scripted, call).map((part) => part.bytes);
}

function piecesUpTo(place: Place, call: StubCall, scripted: ScriptedAnswer): Uint8Array[] {
	let left = offsetOf(call, scripted, place);
	const pieces: Uint8Array[] = [];
	for (const piece of piecesOf(call, scripted)) {
		if (left <= 0) break;
		pieces.push(piece.subarray(0, left));
		left -= piece.length;
	}
	return pieces;
}

function offsetOf(call: StubCall, scripted: ScriptedAnswer, place: Place): number {
	const dialect = dialects[call.protocol];
	return call.isStream
		? offsetInStream(dialect.parts(scripted, call), place)
		: offsetInBody(dialect.answer(scripted, call), place);
}

function delivered(
	pieces: readonly Uint8Array[],
	isStream: boolean,
	{ framing = 'lf', chunkBytes = 0, everyMs = 0 }: Delivery,
): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
	const framed = isStream ? pieces.map((piece) => withLineEnds(piece, framing)) : pieces;
	const sized = chunkBytes === 0 ? framed : slices(Buffer.concat(framed), chunkBytes);
	return everyMs === 0 ? sized : spaced(sized, everyMs);
}

function withLineEnds(piece: Uint8Array, framing: 'lf' | 'crlf' | 'cr'): Uint8Array {
	if (framing === 'lf') return piece;
	const ends = framing === 'crlf' ? [0x0d, 0x0a] : [0x0d];
	return Uint8Array.from([...piece].flatMap((byte) => (byte === 0x0a ? ends : [byte])));
}

function slices(all: Uint8Array, size: number): Uint8Array[] {
	const pieces: Uint8Array[] = [];
	for (let at = 0; at < all.length; at += size) pieces.push(all.subarray(at, at + size));
	return pieces;
}

async function* spaced(pieces: readonly Uint8Array[], everyMs: number): AsyncIterable<Uint8Array> {
	for (const [at, piece] of pieces.entries()) {
		if (at > 0) await sleep(everyMs);
		yield piece;
	}
}

async function* withGate(all: Uint8Array, at: number, gate: Promise<unknown>): AsyncIterable<Uint8Array> {
	yield all.subarray(0, at);
	await gate;
	yield all.subarray(at);
}

function scriptedError(dialect: Dialect, code: number, options: ErrorOptions): ScriptedError {
	return {
		status: code,
		type: options.type ?? dialect.errorType(code),
		message: options.message ?? (code === 529 ? 'Overloaded' : `The stub answers ${code}.`),
	};
}

function jsonReply(code: number, body: Uint8Array, headers: Readonly<Record<string, string>>): Reply {
	return {
		status: code,
		headers: { 'content-type': 'application/json', 'request-id': 'req_stub', ...headers },
		chunks: [body],
		ending: 'end',
	};
}

function contentType(call: StubCall): Record<string, string> {
	return call.isStream
		? { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }
		: { 'content-type': 'application/json' };
}

function sent(headers: Readonly<Record<string, string | (() => string)>>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value()]),
	);
}
