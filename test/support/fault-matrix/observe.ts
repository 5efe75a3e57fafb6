/** One request through the gateway as its client sees it, to the last byte. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { ProtocolId } from '../../../src/shared/failover-settings.ts';
import { dialects } from '../provider-stub/dialects.ts';
import { CLOUD_MODEL } from './world.ts';

export interface Observation {
	/** `null`: no head came. */
	readonly status: number | null;
	readonly headers: IncomingMessage['headers'];
	readonly bytes: Buffer;
	/** `hung`: neither end nor break within the patience of the matrix. */
	readonly ended: 'well' | 'broken' | 'hung';
	/** Steady ms of the first and the last byte. */
	readonly firstByteAt: number | null;
	readonly endedAt: number;
}

/** A client waits longer; the matrix calls it a hang, ms. */
const PATIENCE_MS = 15_000;

/** The conversation of every run: system, history with a tool's result, tools. */
export function requestBody(protocol: ProtocolId, stream: boolean): Record<string, unknown> {
	const schema = { type: 'object', properties: { file_path: { type: 'string' } } };
	const parameters = { name: 'Read', description: 'Reads a file', parameters: schema };
	const said = 'Grüße: why does a.ts fail?';
	if (protocol === 'anthropic-messages') {
		return {
			model: CLOUD_MODEL,
			max_tokens: 1024,
			stream,
			system: [{ type: 'text', text: 'You fix tests.' }],
			messages: [{ role: 'user', content: said }],
			tools: [{ name: 'Read', description: 'Reads a file', input_schema: schema }],
		};
	}
	if (protocol === 'openai-chat') {
		return {
			model: CLOUD_MODEL,
			stream,
			...(stream && { stream_options: { include_usage: true } }),
			messages: [
				{ role: 'system', content: 'You fix tests.' },
				{ role: 'user', content: said },
			],
			tools: [{ type: 'function', function: parameters }],
		};
	}
	return {
		model: CLOUD_MODEL,
		stream,
		store: false,
		instructions: 'You fix tests.',
		input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: said }] }],
		tools: [{ type: 'function', ...parameters, strict: false }],
	};
}

export interface OpenCall {
	readonly observed: Promise<Observation>;
	/** Resolves when the answer so far holds `text`. */
	holds(text: string): Promise<void>;
	leave(): void;
}

export interface AskOptions {
	readonly session?: string;
	/** In place of the matrix's own conversation. */
	readonly body?: Readonly<Record<string, unknown>>;
	readonly patienceMs?: number;
}

/** Asks as an agent of that protocol does. */
export function ask(
	baseUrl: string,
	protocol: ProtocolId,
	stream: boolean,
	options: AskOptions = {},
): OpenCall {
	const { session = 'session-1', patienceMs = PATIENCE_MS } = options;
	const chunks: Buffer[] = [];
	const watchers = new Set<() => void>();
	const observed = Promise.withResolvers<Observation>();
	let response: IncomingMessage | null = null;
	let firstByteAt: number | null = null;
	const body = JSON.stringify(options.body ?? requestBody(protocol, stream));
	const outgoing = httpRequest(`${baseUrl}${dialects[protocol].path}`, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			'content-length': Buffer.byteLength(body),
			'accept-encoding': 'gzip, deflate, br',
			...(protocol === 'anthropic-messages'
				? {
						'anthropic-version': '2023-06-01',
						'x-claude-code-session-id': session,
						'user-agent': 'claude-cli/2.1.197 (external, cli)',
					}
				: { 'session-id': session }),
		},
	});
	const settle = (ended: Observation['ended']): void => {
		clearTimeout(patience);
		observed.resolve({
			status: response?.statusCode ?? null,
			headers: response?.headers ?? {},
			bytes: Buffer.concat(chunks),
			ended,
			firstByteAt,
			endedAt: performance.now(),
		});
	};
	const patience = setTimeout(() => {
		settle('hung');
		outgoing.destroy();
	}, patienceMs);
	outgoing.once('error', () => settle('broken'));
	outgoing.once('response', (incoming) => {
		response = incoming;
		incoming.on('data', (chunk: Buffer) => {
			firstByteAt ??= performance.now();
			chunks.push(chunk);
			for (const watcher of watchers) watcher();
		});
		incoming.once('error', () => settle('broken'));
		incoming.once('end', () => settle('well'));
	});
	outgoing.end(body);
	return {
		observed: observed.promise,
		holds: (text) =>
			new Promise((resolve) => {
				const look = (): void => {
					if (!Buffer.concat(chunks).includes(text)) return;
					watchers.delete(look);
					resolve();
				};
				watchers.add(look);
				look();
			}),
		leave: () => outgoing.destroy(),
	};
}
