/** OpenAI Chat Completions as its API sends it, with `stream_options.include_usage`. */
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

const CREATED = 1_790_000_000;
const PROMPT_TOKENS = 900;

/** The whole stream, byte for byte. */
export function chatStream(answer: ScriptedAnswer, options: Partial<AnswerOptions> = {}): Uint8Array {
	return joinParts(chatParts(answer, options));
}

export function chatParts(answer: ScriptedAnswer, options: Partial<AnswerOptions> = {}): StreamPart[] {
	const { model, serial, deltaLength } = { ...defaultAnswerOptions, ...options };
	const parts: StreamPart[] = [];
	const chunk = (kind: StreamPartKind, delta: object, finishReason: string | null = null): void => {
		const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }];
		parts.push({
			kind,
			bytes: serverSentEvent(null, { ...head(model, serial, '.chunk'), choices, usage: null }),
		});
	};
	chunk('lifecycle', { role: 'assistant', content: '', refusal: null });
	// What DeepSeek, vLLM and llama.cpp send for thinking; OpenAI itself sends none.
	for (const text of deltasOf(answer.thinking ?? '', deltaLength)) {
		chunk('thinking', { reasoning_content: text });
	}
	for (const text of deltasOf(answer.text ?? '', deltaLength)) chunk('text', { content: text });
	for (const [index, call] of (answer.toolCalls ?? []).entries()) {
		chunk('tool-open', {
			tool_calls: [
				{
					index,
					id: callId(serial, index),
					type: 'function',
					function: { name: call.name, arguments: '' },
				},
			],
		});
		for (const text of deltasOf(JSON.stringify(call.input), deltaLength)) {
			chunk('tool-arguments', { tool_calls: [{ index, function: { arguments: text } }] });
		}
	}
	chunk('finish', {}, finishReason(answer));
	parts.push({
		kind: 'finish',
		bytes: serverSentEvent(null, { ...head(model, serial, '.chunk'), choices: [], usage: usageOf(answer) }),
	});
	parts.push({ kind: 'end', bytes: serverSentEvent(null, '[DONE]') });
	return parts;
}

/** The same answer, not streamed. */
export function chatAnswer(answer: ScriptedAnswer, options: Partial<AnswerOptions> = {}): Uint8Array {
	const { model, serial } = { ...defaultAnswerOptions, ...options };
	const { thinking, text, toolCalls = [] } = answer;
	const message = {
		role: 'assistant',
		content: text ?? null,
		refusal: null,
		...(thinking !== undefined && { reasoning_content: thinking }),
		...(toolCalls.length > 0 && {
			tool_calls: toolCalls.map((call, at) => ({
				id: callId(serial, at),
				type: 'function',
				function: { name: call.name, arguments: JSON.stringify(call.input) },
			})),
		}),
	};
	return jsonBytes({
		...head(model, serial, ''),
		choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(answer) }],
		usage: usageOf(answer),
	});
}

/** Body of an error answer, of Chat and of Responses alike. */
export function openaiError(error: ScriptedError): Uint8Array {
	return jsonBytes({
		error: { message: error.message, type: error.type, param: null, code: openaiCode(error.status) },
	});
}

/** The same inside a stream that answered 200. */
export function chatErrorEvent(error: ScriptedError): Uint8Array {
	const { message, type, status } = error;
	return serverSentEvent(null, { error: { message, type, param: null, code: openaiCode(status) } });
}

/** The error type of a status. */
export function openaiErrorType(status: number): string {
	if (status === 429) return 'rate_limit_error';
	if (status === 401 || status === 403) return 'authentication_error';
	return status >= 500 ? 'server_error' : 'invalid_request_error';
}

export function openaiCode(status: number): string | null {
	if (status === 401) return 'invalid_api_key';
	if (status === 404) return 'model_not_found';
	if (status === 429) return 'rate_limit_exceeded';
	return status === 503 || status === 529 ? 'server_is_overloaded' : null;
}

function head(model: string, serial: number, suffix: string): object {
	const object = `chat.completion${suffix}`;
	return { id: `chatcmpl-stub-${serial}`, object, created: CREATED, model, system_fingerprint: 'fp_stub' };
}

function callId(serial: number, at: number): string {
	return `call_stub_${serial}_${at}`;
}

function finishReason(answer: ScriptedAnswer): string {
	if (answer.stop === 'length') return 'length';
	return (answer.toolCalls ?? []).length > 0 ? 'tool_calls' : 'stop';
}

function usageOf(answer: ScriptedAnswer): object {
	const output = tokensOf(answer);
	return { prompt_tokens: PROMPT_TOKENS, completion_tokens: output, total_tokens: PROMPT_TOKENS + output };
}
