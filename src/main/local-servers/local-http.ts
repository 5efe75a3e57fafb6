/**
 * HTTP to a local model server: bounded in time and size, no redirects, no proxy, never a thrown error for what a
 * server does. A connection for each request: nothing is held open to a server that may go at any moment.
 */
import { Agent, type Dispatcher, request } from 'undici';
import { endpointOf } from './address.ts';
import { fieldOf } from './loose-fields.ts';

/** What came of one request. */
export type Reply =
	/** An answer in JSON, whatever its status and shape. */
	| { readonly kind: 'json'; readonly status: number; readonly json: unknown }
	/** An answer in anything else; an empty one included. */
	| { readonly kind: 'other'; readonly status: number; readonly text: string }
	/** Nothing listens there, or there is no way to it. */
	| { readonly kind: 'refused'; readonly code: string }
	/** Something listens there but gave no usable answer: too slow, too large, broken off. */
	| { readonly kind: 'failed'; readonly problem: string };

/** Where a server is, and the token that it wants. The token is only ever put into a header. */
export interface LocalTarget {
	readonly baseUrl: string;
	/** `null`: none is sent. */
	readonly token: string | null;
}

export interface LocalRequest extends LocalTarget {
	readonly path: string;
	/** Set: a POST with this JSON. */
	readonly body?: object;
	/** Ends the request; its reply is then `failed`. */
	readonly signal: AbortSignal;
}

/** An open stream of lines. Iterating throws when the connection breaks or the signal ends it. */
export interface LineStream {
	readonly kind: 'lines';
	readonly lines: AsyncIterable<string>;
}

const MEGABYTE = 1024 * 1024;
/** Largest answer that is read, bytes. */
const BODY_LIMIT = 8 * MEGABYTE;
/** Longest line of a stream, characters. */
const LINE_LIMIT = MEGABYTE;
const CONNECT_TIMEOUT_MS = 1_000;
/** Head of an answer that is no JSON, characters: for telling what it is. */
const TEXT_HEAD = 2_000;

const noWay = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'EHOSTDOWN',
	'ENETUNREACH',
	'UND_ERR_CONNECT_TIMEOUT',
]);

export class LocalHttp {
	// Time is the caller's signal: loading a model takes minutes before the first byte.
	readonly #agent = new Agent({
		pipelining: 0,
		headersTimeout: 0,
		bodyTimeout: 0,
		connect: { timeout: CONNECT_TIMEOUT_MS },
	});

	/** One request and its whole answer. Never rejects. */
	async ask(what: LocalRequest): Promise<Reply> {
		try {
			const answer = await this.#send(what);
			return readAnswer(answer.statusCode, await readText(answer.body));
		} catch (error) {
			return replyOfError(error, what.signal);
		}
	}

	/** A POST whose answer is read line by line; anything but a 2xx comes back as its reply. Never rejects. */
	async stream(what: LocalRequest): Promise<LineStream | Reply> {
		try {
			const answer = await this.#send(what);
			if (isSuccess(answer.statusCode)) return { kind: 'lines', lines: linesOf(answer.body) };
			return readAnswer(answer.statusCode, await readText(answer.body));
		} catch (error) {
			return replyOfError(error, what.signal);
		}
	}

	/** Ends every request. */
	async close(): Promise<void> {
		await this.#agent.destroy();
	}

	#send({ baseUrl, token, path, body, signal }: LocalRequest): Promise<Dispatcher.ResponseData> {
		return request(endpointOf(baseUrl, path), {
			dispatcher: this.#agent,
			signal,
			headers: {
				accept: 'application/json',
				...(token !== null && { authorization: `Bearer ${token}` }),
				...(body && { 'content-type': 'application/json' }),
			},
			...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
		});
	}
}

export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/** What a server says went wrong, in its own words and whatever its form; empty when it does not say. Untrusted. */
export function errorTextOf(reply: Reply): string {
	switch (reply.kind) {
		case 'json':
			return errorTextIn(reply.json);
		case 'other':
			return reply.text.trimStart().startsWith('<') ? '' : reply.text.trim().slice(0, ERROR_LIMIT);
		case 'refused':
			return reply.code;
		case 'failed':
			return reply.problem;
	}
}

const ERROR_LIMIT = 300;

/** The same for JSON that has been read already: `{"error": "text"}`, `{"error": {"message"}}`, `{"message"}`. */
export function errorTextIn(json: unknown): string {
	const error = fieldOf(json, 'error');
	for (const found of [error, fieldOf(error, 'message'), fieldOf(json, 'message')]) {
		if (typeof found === 'string' && found !== '') return found.slice(0, ERROR_LIMIT);
	}
	return '';
}

function readAnswer(status: number, text: string): Reply {
	try {
		return { kind: 'json', status, json: JSON.parse(text) };
	} catch (error) {
		if (error instanceof SyntaxError) return { kind: 'other', status, text: text.slice(0, TEXT_HEAD) };
		throw error;
	}
}

class BodyTooLarge extends Error {}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
	const parts: Uint8Array[] = [];
	let size = 0;
	for await (const part of body) {
		size += part.byteLength;
		if (size > BODY_LIMIT) throw new BodyTooLarge();
		parts.push(part);
	}
	return Buffer.concat(parts).toString('utf8');
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	let rest = '';
	for await (const part of body) {
		const pieces = (rest + decoder.decode(part, { stream: true })).split('\n');
		rest = pieces.pop() ?? '';
		if (rest.length > LINE_LIMIT) throw new BodyTooLarge();
		yield* pieces;
	}
	if (rest !== '') yield rest;
}

function replyOfError(error: unknown, signal: AbortSignal): Reply {
	if (signal.aborted) return { kind: 'failed', problem: 'it gave no answer in time' };
	if (error instanceof BodyTooLarge) {
		return { kind: 'failed', problem: `its answer is larger than ${BODY_LIMIT / MEGABYTE} MB` };
	}
	const code = codeOf(error);
	return noWay.has(code) ? { kind: 'refused', code } : { kind: 'failed', problem: brokenOff(code, error) };
}

function brokenOff(code: string, error: unknown): string {
	if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') return 'it broke the connection off';
	if (code.startsWith('HPE_')) return `what it speaks is not HTTP (${code})`;
	return code === '' ? String(error).slice(0, ERROR_LIMIT) : `the request failed (${code})`;
}

function codeOf(error: unknown): string {
	const code = error instanceof Error ? Reflect.get(error, 'code') : undefined;
	return typeof code === 'string' ? code : '';
}
