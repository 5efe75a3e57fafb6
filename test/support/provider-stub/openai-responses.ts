/** OpenAI Responses as its API sends it: every event carries its type and a sequence number. */
import { openaiCode } from './openai-chat.ts';
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
const INPUT_TOKENS = 900;

/** The whole stream, byte for byte. */
export function responsesStream(answer: ScriptedAnswer, options: Partial<AnswerOptions> = {}): Uint8Array {
	return joinParts(responsesParts(answer, options));
}

export function responsesParts(answer: ScriptedAnswer, options: Partial<AnswerOptions> = {}): StreamPart[] {
	const settings = { ...defaultAnswerOptions, ...options };
	const { deltaLength } = settings;
	const items = itemsOf(answer, settings.serial);
	const parts: StreamPart[] = [];
	const add = (kind: StreamPartKind, type: string, data: object): void => {
		parts.push({ kind, bytes: serverSentEvent(type, { type, sequence_number: parts.length, ...data }) });
	};
	const begun = { ...responseOf(settings, 'in_progress'), output: [], usage: null };
	add('lifecycle', 'response.created', { response: begun });
	add('lifecycle', 'response.in_progress', { response: begun });
	for (const [output_index, item] of items.entries()) {
		const { id: item_id } = item;
		const at = { item_id, output_index };
		if (item.type === 'reasoning') {
			const place = { ...at, summary_index: 0 };
			add('open', 'response.output_item.added', { output_index, item: { ...item, summary: [] } });
			add('open', 'response.reasoning_summary_part.added', {
				...place,
				part: { type: 'summary_text', text: '' },
			});
			for (const delta of deltasOf(item.text, deltaLength)) {
				add('thinking', 'response.reasoning_summary_text.delta', { ...place, delta });
			}
			add('close', 'response.reasoning_summary_text.done', { ...place, text: item.text });
			add('close', 'response.reasoning_summary_part.done', { ...place, part: summaryPart(item.text) });
		} else if (item.type === 'message') {
			const place = { ...at, content_index: 0 };
			add('open', 'response.output_item.added', { output_index, item: openMessage(item_id) });
			add('open', 'response.content_part.added', { ...place, part: textPart('') });
			for (const delta of deltasOf(item.text, deltaLength)) {
				add('text', 'response.output_text.delta', { ...place, delta, logprobs: [] });
			}
			add('close', 'response.output_text.done', { ...place, text: item.text, logprobs: [] });
			add('close', 'response.content_part.done', { ...place, part: textPart(item.text) });
		} else {
			const open = { ...finished(item), arguments: '', status: 'in_progress' };
			add('tool-open', 'response.output_item.added', { output_index, item: open });
			for (const delta of deltasOf(item.text, deltaLength)) {
				add('tool-arguments', 'response.function_call_arguments.delta', { ...at, delta });
			}
			add('close', 'response.function_call_arguments.done', { ...at, arguments: item.text });
		}
		add('close', 'response.output_item.done', { output_index, item: finished(item) });
	}
	const isCut = answer.stop === 'length';
	add('end', isCut ? 'response.incomplete' : 'response.completed', {
		response: finishedResponse(answer, settings),
	});
	return parts;
}

/** The same answer, not streamed. */
export function responsesAnswer(answer: ScriptedAnswer, options: Partial<AnswerOptions> = {}): Uint8Array {
	return jsonBytes(finishedResponse(answer, { ...defaultAnswerOptions, ...options }));
}

/** `response.failed`, as the API ends a stream that it cannot finish. */
export function responsesFailedEvent(
	error: ScriptedError,
	options: Partial<AnswerOptions> & { readonly sequence?: number } = {},
): Uint8Array {
	const settings = { ...defaultAnswerOptions, ...options };
	const code = openaiCode(error.status) ?? 'server_error';
	return serverSentEvent('response.failed', {
		type: 'response.failed',
		sequence_number: options.sequence ?? 2,
		response: {
			...responseOf(settings, 'failed'),
			output: [],
			error: { code, message: error.message },
			usage: null,
		},
	});
}

/** The bare `error` event, which comes when there is no response to end. */
export function responsesErrorEvent(error: ScriptedError, sequence = 2): Uint8Array {
	const code = openaiCode(error.status) ?? 'server_error';
	return serverSentEvent('error', {
		type: 'error',
		sequence_number: sequence,
		code,
		message: error.message,
		param: null,
	});
}

/** One output item; `text` is its text, its summary or its arguments. */
interface Item {
	readonly type: 'reasoning' | 'message' | 'function_call';
	readonly id: string;
	readonly text: string;
	readonly name: string;
	readonly callId: string;
}

function itemsOf(answer: ScriptedAnswer, serial: number): Item[] {
	const { thinking, text, toolCalls = [] } = answer;
	const none = { name: '', callId: '' };
	return [
		...(thinking === undefined
			? []
			: [{ type: 'reasoning' as const, id: `rs_stub_${serial}`, text: thinking, ...none }]),
		...(text === undefined ? [] : [{ type: 'message' as const, id: `msg_stub_${serial}`, text, ...none }]),
		...toolCalls.map((call, at) => ({
			type: 'function_call' as const,
			id: `fc_stub_${serial}_${at}`,
			text: JSON.stringify(call.input),
			name: call.name,
			callId: `call_stub_${serial}_${at}`,
		})),
	];
}

function finished(item: Item): object {
	const { id, type, text } = item;
	if (type === 'reasoning') return { id, type, summary: [summaryPart(text)], encrypted_content: null };
	if (type === 'message') {
		return { id, type, status: 'completed', role: 'assistant', content: [textPart(text)] };
	}
	return { id, type, status: 'completed', call_id: item.callId, name: item.name, arguments: text };
}

function openMessage(id: string): object {
	return { id, type: 'message', status: 'in_progress', role: 'assistant', content: [] };
}

function textPart(text: string): object {
	return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function summaryPart(text: string): object {
	return { type: 'summary_text', text };
}

function responseOf({ model, serial }: AnswerOptions, status: string): object {
	return {
		id: `resp_stub_${serial}`,
		object: 'response',
		created_at: CREATED,
		status,
		background: false,
		error: null,
		incomplete_details: null,
		instructions: null,
		max_output_tokens: null,
		model,
		parallel_tool_calls: true,
		previous_response_id: null,
		store: false,
		tool_choice: 'auto',
		tools: [],
	};
}

function finishedResponse(answer: ScriptedAnswer, settings: AnswerOptions): object {
	const isCut = answer.stop === 'length';
	const output = tokensOf(answer);
	return {
		...responseOf(settings, isCut ? 'incomplete' : 'completed'),
		...(isCut && { incomplete_details: { reason: 'max_output_tokens' } }),
		output: itemsOf(answer, settings.serial).map(finished),
		usage: {
			input_tokens: INPUT_TOKENS,
			input_tokens_details: { cached_tokens: 0 },
			output_tokens: output,
			output_tokens_details: { reasoning_tokens: 0 },
			total_tokens: INPUT_TOKENS + output,
		},
	};
}
