/** Anthropic Messages as its API sends it (platform docs "Streaming Messages", "Errors"). */
import {
	type AnswerOptions,
	defaultAnswerOptions,
	deltasOf,
	joinParts,
	jsonBytes,
	type ScriptedAnswer,
	type ScriptedError,
	type StreamPart,
	type StreamPartKind,
	serverSentEvent,
	tokensOf,
} from './scripted-answer.ts';

/** Without one, an answer with thinking is refused when it is sent back. */
const SIGNATURE = 'EqQBCgIYAhIkc3R1Yi1zaWduYXR1cmU=';
const INPUT_USAGE = { input_tokens: 900, cache_creation_input_tokens: 0, cache_read_input_tokens: 8_000 };

/** The whole stream, byte for byte. */
export function anthropicStream(answer: ScriptedAnswer, options: Partial<AnswerOptions> = {}): Uint8Array {
	return joinParts(anthropicParts(answer, options));
}

export function anthropicParts(answer: ScriptedAnswer, options: Partial<AnswerOptions> = {}): StreamPart[] {
	const { model, serial, deltaLength } = { ...defaultAnswerOptions, ...options };
	const parts: StreamPart[] = [];
	const add = (kind: StreamPartKind, type: string, data: object): void => {
		parts.push({ kind, bytes: serverSentEvent(type, { type, ...data }) });
	};
	add('lifecycle', 'message_start', {
		message: {
			...emptyMessage(model, serial),
			content: [],
			stop_reason: null,
			stop_sequence: null,
			usage: { ...INPUT_USAGE, output_tokens: 1 },
		},
	});
	let index = 0;
	const block = (kind: StreamPartKind, content: object, delta: (text: string) => object, texts: string[]) => {
		add(kind === 'tool-arguments' ? 'tool-open' : 'open', 'content_block_start', {
			index,
			content_block: content,
		});
		if (index === 0) add('ping', 'ping', {});
		for (const text of texts) add(kind, 'content_block_delta', { index, delta: delta(text) });
	};
	const close = (): void => {
		add('close', 'content_block_stop', { index });
		index += 1;
	};
	if (answer.thinking !== undefined) {
		const content = { type: 'thinking', thinking: '', signature: '' };
		block(
			'thinking',
			content,
			(thinking) => ({ type: 'thinking_delta', thinking }),
			deltasOf(answer.thinking, deltaLength),
		);
		add('thinking', 'content_block_delta', {
			index,
			delta: { type: 'signature_delta', signature: SIGNATURE },
		});
		close();
	}
	if (answer.text !== undefined) {
		const delta = (text: string): object => ({ type: 'text_delta', text });
		block('text', { type: 'text', text: '' }, delta, deltasOf(answer.text, deltaLength));
		close();
	}
	for (const [at, call] of (answer.toolCalls ?? []).entries()) {
		const content = { type: 'tool_use', id: toolId(serial, at), name: call.name, input: {} };
		const delta = (text: string): object => ({ type: 'input_json_delta', partial_json: text });
		block('tool-arguments', content, delta, ['', ...deltasOf(JSON.stringify(call.input), deltaLength)]);
		close();
	}
	add('finish', 'message_delta', {
		delta: { stop_reason: stopReason(answer), stop_sequence: null },
		usage: { output_tokens: tokensOf(answer) },
	});
	add('end', 'message_stop', {});
	return parts;
}

/** The same answer, not streamed. */
export function anthropicAnswer(answer: ScriptedAnswer, options: Partial<AnswerOptions> = {}): Uint8Array {
	const { model, serial } = { ...defaultAnswerOptions, ...options };
	const { thinking, text, toolCalls = [] } = answer;
	return jsonBytes({
		...emptyMessage(model, serial),
		content: [
			...(thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: SIGNATURE }]),
			...(text === undefined ? [] : [{ type: 'text', text }]),
			...toolCalls.map((call, at) => ({
				type: 'tool_use',
				id: toolId(serial, at),
				name: call.name,
				input: call.input,
			})),
		],
		stop_reason: stopReason(answer),
		stop_sequence: null,
		usage: { ...INPUT_USAGE, output_tokens: tokensOf(answer) },
	});
}

/** Body of an error answer. */
export function anthropicError(error: ScriptedError): Uint8Array {
	return jsonBytes({
		type: 'error',
		error: { type: error.type, message: error.message },
		request_id: 'req_stub',
	});
}

/** The same inside a stream that answered 200. */
export function anthropicErrorEvent(error: ScriptedError): Uint8Array {
	return serverSentEvent('error', { type: 'error', error: { type: error.type, message: error.message } });
}

/** The error type of a status. */
export function anthropicErrorType(status: number): string {
	return ERROR_TYPES.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

const ERROR_TYPES: ReadonlyMap<number, string> = new Map([
	[401, 'authentication_error'],
	[402, 'billing_error'],
	[403, 'permission_error'],
	[404, 'not_found_error'],
	[413, 'request_too_large'],
	[429, 'rate_limit_error'],
	[504, 'timeout_error'],
	[529, 'overloaded_error'],
]);

function emptyMessage(model: string, serial: number): object {
	return { id: `msg_stub_${serial}`, type: 'message', role: 'assistant', model };
}

function toolId(serial: number, at: number): string {
	return `toolu_stub_${serial}_${at}`;
}

function stopReason(answer: ScriptedAnswer): string {
	if (answer.stop === 'length') return 'max_tokens';
	return (answer.toolCalls ?? []).length > 0 ? 'tool_use' : 'end_turn';
}
