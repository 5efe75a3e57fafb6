/** A scripted answer in each of the three model protocols, whole and as a stream, in the forms of a local server. */

export interface ScriptedToolCall {
	readonly name: string;
	readonly input: Readonly<Record<string, unknown>>;
}

export interface ScriptedAnswer {
	readonly model: string;
	readonly text: string;
	readonly toolCall: ScriptedToolCall | null;
	/** Number of text pieces in a stream. */
	readonly pieces: number;
	/** Makes the ids of this answer its own. */
	readonly serial: number;
}

export type AnswerPath = '/v1/messages' | '/v1/chat/completions' | '/v1/responses';

export interface AnswerForm {
	readonly whole: (answer: ScriptedAnswer) => unknown;
	/** Frames of server-sent events, each complete. */
	readonly frames: (answer: ScriptedAnswer) => string[];
	/** True when the newest turn of the conversation brings the result of a tool: then no tool is called again. */
	readonly endsWithToolResult: (body: unknown) => boolean;
}

export const answerForms: Readonly<Record<AnswerPath, AnswerForm>> = {
	'/v1/messages': { whole: message, frames: messageFrames, endsWithToolResult: messagesEndWithResult },
	'/v1/chat/completions': {
		whole: completion,
		frames: completionFrames,
		endsWithToolResult: (body) => textField(listField(body, 'messages').at(-1), 'role') === 'tool',
	},
	'/v1/responses': {
		whole: (answer) => response(answer, 'completed'),
		frames: responseFrames,
		endsWithToolResult: (body) =>
			textField(listField(body, 'input').at(-1), 'type') === 'function_call_output',
	},
};

function messagesEndWithResult(body: unknown): boolean {
	const newest = listField(body, 'messages').at(-1);
	return listField(newest, 'content').some((block) => textField(block, 'type') === 'tool_result');
}

const INPUT_TOKENS = 12;

function outputTokens(answer: ScriptedAnswer): number {
	return Math.max(1, Math.ceil(answer.text.length / 4));
}

function piecesOf(answer: ScriptedAnswer): string[] {
	if (answer.text === '') return [];
	const size = Math.max(1, Math.ceil(answer.text.length / answer.pieces));
	const pieces: string[] = [];
	for (let at = 0; at < answer.text.length; at += size) pieces.push(answer.text.slice(at, at + size));
	return pieces;
}

function callId(answer: ScriptedAnswer): string {
	return `call_${answer.serial}`;
}

// Anthropic Messages

function message(answer: ScriptedAnswer): unknown {
	const { toolCall } = answer;
	return {
		...messageHead(answer),
		content: [
			...(answer.text === '' ? [] : [{ type: 'text', text: answer.text }]),
			...(toolCall === null ? [] : [{ type: 'tool_use', id: callId(answer), ...toolCall }]),
		],
		stop_reason: toolCall === null ? 'end_turn' : 'tool_use',
		usage: { input_tokens: INPUT_TOKENS, output_tokens: outputTokens(answer) },
	};
}

function messageHead(answer: ScriptedAnswer) {
	return {
		id: `msg_${answer.serial}`,
		type: 'message',
		role: 'assistant',
		model: answer.model,
		content: [],
		stop_reason: null,
		stop_sequence: null,
		usage: { input_tokens: INPUT_TOKENS, output_tokens: 0 },
	};
}

function messageFrames(answer: ScriptedAnswer): string[] {
	const frames = [named('message_start', { message: messageHead(answer) })];
	let index = 0;
	if (answer.text !== '') {
		frames.push(named('content_block_start', { index, content_block: { type: 'text', text: '' } }));
		for (const text of piecesOf(answer)) {
			frames.push(named('content_block_delta', { index, delta: { type: 'text_delta', text } }));
		}
		frames.push(named('content_block_stop', { index }));
		index += 1;
	}
	if (answer.toolCall !== null) {
		const { name, input } = answer.toolCall;
		const block = { type: 'tool_use', id: callId(answer), name, input: {} };
		frames.push(named('content_block_start', { index, content_block: block }));
		for (const partial_json of halves(JSON.stringify(input))) {
			frames.push(named('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } }));
		}
		frames.push(named('content_block_stop', { index }));
	}
	frames.push(
		named('message_delta', {
			delta: { stop_reason: answer.toolCall === null ? 'end_turn' : 'tool_use', stop_sequence: null },
			usage: { input_tokens: INPUT_TOKENS, output_tokens: outputTokens(answer) },
		}),
		named('message_stop', {}),
	);
	return frames;
}

// OpenAI Chat Completions

function completion(answer: ScriptedAnswer): unknown {
	return {
		...completionHead(answer, 'chat.completion'),
		choices: [
			{
				index: 0,
				message: {
					role: 'assistant',
					content: answer.text === '' ? null : answer.text,
					...(answer.toolCall === null ? {} : { tool_calls: [chatCall(answer, answer.toolCall)] }),
				},
				finish_reason: answer.toolCall === null ? 'stop' : 'tool_calls',
			},
		],
		usage: chatUsage(answer),
	};
}

function completionFrames(answer: ScriptedAnswer): string[] {
	const head = completionHead(answer, 'chat.completion.chunk');
	const chunk = (delta: object, finish_reason: string | null = null) =>
		data({ ...head, choices: [{ index: 0, delta, finish_reason }] });
	const calls = answer.toolCall === null ? [] : [{ index: 0, ...chatCall(answer, answer.toolCall) }];
	return [
		chunk({ role: 'assistant', content: '' }),
		...piecesOf(answer).map((content) => chunk({ content })),
		...calls.map((call) => chunk({ tool_calls: [call] })),
		chunk({}, answer.toolCall === null ? 'stop' : 'tool_calls'),
		data({ ...head, choices: [], usage: chatUsage(answer) }),
		'data: [DONE]\n\n',
	];
}

function completionHead(answer: ScriptedAnswer, object: string) {
	return { id: `chatcmpl-${answer.serial}`, object, created: 1_796_000_000, model: answer.model };
}

function chatCall(answer: ScriptedAnswer, call: ScriptedToolCall) {
	return {
		id: callId(answer),
		type: 'function',
		function: { name: call.name, arguments: JSON.stringify(call.input) },
	};
}

function chatUsage(answer: ScriptedAnswer) {
	const output = outputTokens(answer);
	return { prompt_tokens: INPUT_TOKENS, completion_tokens: output, total_tokens: INPUT_TOKENS + output };
}

// OpenAI Responses

function response(answer: ScriptedAnswer, status: 'in_progress' | 'completed') {
	const isDone = status === 'completed';
	const output = outputTokens(answer);
	return {
		id: `resp_${answer.serial}`,
		object: 'response',
		created_at: 1_796_000_000,
		status,
		model: answer.model,
		output: isDone ? outputItems(answer) : [],
		usage: isDone
			? { input_tokens: INPUT_TOKENS, output_tokens: output, total_tokens: INPUT_TOKENS + output }
			: null,
	};
}

function outputItems(answer: ScriptedAnswer): object[] {
	return [
		...(answer.text === '' ? [] : [textItem(answer, answer.text, 'completed')]),
		...(answer.toolCall === null
			? []
			: [callItem(answer, answer.toolCall, JSON.stringify(answer.toolCall.input), 'completed')]),
	];
}

function textItem(answer: ScriptedAnswer, text: string, status: string) {
	const content = text === '' ? [] : [{ type: 'output_text', text, annotations: [] }];
	return { id: `msg_${answer.serial}`, type: 'message', role: 'assistant', status, content };
}

function callItem(answer: ScriptedAnswer, call: ScriptedToolCall, argumentText: string, status: string) {
	return {
		id: `fc_${answer.serial}`,
		type: 'function_call',
		call_id: callId(answer),
		name: call.name,
		arguments: argumentText,
		status,
	};
}

function responseFrames(answer: ScriptedAnswer): string[] {
	let sequence = 0;
	const frame = (type: string, rest: object) => {
		const made = named(type, { sequence_number: sequence, ...rest });
		sequence += 1;
		return made;
	};
	const frames = [
		frame('response.created', { response: response(answer, 'in_progress') }),
		frame('response.in_progress', { response: response(answer, 'in_progress') }),
	];
	let output_index = 0;
	if (answer.text !== '') {
		const at = { item_id: `msg_${answer.serial}`, output_index, content_index: 0 };
		const part = (text: string) => ({ type: 'output_text', text, annotations: [] });
		frames.push(
			frame('response.output_item.added', { output_index, item: textItem(answer, '', 'in_progress') }),
			frame('response.content_part.added', { ...at, part: part('') }),
			...piecesOf(answer).map((delta) => frame('response.output_text.delta', { ...at, delta })),
			frame('response.output_text.done', { ...at, text: answer.text }),
			frame('response.content_part.done', { ...at, part: part(answer.text) }),
			frame('response.output_item.done', {
				output_index,
				item: textItem(answer, answer.text, 'completed'),
			}),
		);
		output_index += 1;
	}
	if (answer.toolCall !== null) {
		const argumentText = JSON.stringify(answer.toolCall.input);
		const at = { item_id: `fc_${answer.serial}`, output_index };
		frames.push(
			frame('response.output_item.added', {
				output_index,
				item: callItem(answer, answer.toolCall, '', 'in_progress'),
			}),
			...halves(argumentText).map((delta) =>
				frame('response.function_call_arguments.delta', { ...at, delta }),
			),
			frame('response.function_call_arguments.done', { ...at, arguments: argumentText }),
			frame('response.output_item.done', {
				output_index,
				item: callItem(answer, answer.toolCall, argumentText, 'completed'),
			}),
		);
	}
	frames.push(frame('response.completed', { response: response(answer, 'completed') }));
	return frames;
}

function halves(text: string): string[] {
	const middle = Math.ceil(text.length / 2);
	return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
}

function named(type: string, rest: object): string {
	return `event: ${type}\n${data({ type, ...rest })}`;
}

function data(value: object): string {
	return `data: ${JSON.stringify(value)}\n\n`;
}

/** A field of untyped JSON, when it is a list; empty otherwise. */
export function listField(value: unknown, name: string): unknown[] {
	const found = fieldOf(value, name);
	return Array.isArray(found) ? found : [];
}

/** A field of untyped JSON, when it is text; empty otherwise. */
export function textField(value: unknown, name: string): string {
	const found = fieldOf(value, name);
	return typeof found === 'string' ? found : '';
}

function fieldOf(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}
