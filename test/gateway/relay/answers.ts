/** Streams as the vendors and local servers send them, built from a plan of what the answer holds. */
import type { ProtocolId } from '../../../src/shared/failover-settings.ts';

export type Part =
	| { readonly kind: 'thinking'; readonly pieces: readonly string[] }
	| { readonly kind: 'text'; readonly pieces: readonly string[] }
	/** `pieces` of the arguments' JSON. */
	| { readonly kind: 'tool'; readonly pieces: readonly string[] };

export interface Answer {
	readonly id: string;
	readonly model: string;
	readonly parts: readonly Part[];
}

/** Event name (empty for none) and data; `null` data is a comment. */
export interface Frame {
	readonly event: string;
	readonly data: unknown;
}

export const builders: Readonly<Record<ProtocolId, (answer: Answer) => Frame[]>> = {
	'anthropic-messages': anthropicFrames,
	'openai-chat': chatFrames,
	'openai-responses': responsesFrames,
};

export function encode(frames: readonly Frame[], newline = '\n'): Buffer {
	return Buffer.concat(frames.map((frame) => encodeOne(frame, newline)));
}

export function encodeOne({ event, data }: Frame, newline = '\n'): Buffer {
	if (data === null) return Buffer.from(`: keep-alive${newline}${newline}`);
	const text = typeof data === 'string' ? data : JSON.stringify(data);
	const name = event === '' ? '' : `event: ${event}${newline}`;
	return Buffer.from(`${name}data: ${text}${newline}${newline}`);
}

function anthropicFrames({ id, model, parts }: Answer): Frame[] {
	const frames: Frame[] = [];
	const send = (type: string, rest: object): void =>
		void frames.push({ event: type, data: { type, ...rest } });
	const usage = { input_tokens: 25, cache_read_input_tokens: 100, output_tokens: 1 };
	const message = { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage };
	send('message_start', { message });
	for (const [index, part] of parts.entries()) {
		const [block, deltas] = anthropicBlock(part, `${id}_${index}`);
		send('content_block_start', { index, content_block: block });
		for (const delta of deltas) send('content_block_delta', { index, delta });
		send('content_block_stop', { index });
	}
	const stop_reason = parts.some((part) => part.kind === 'tool') ? 'tool_use' : 'end_turn';
	send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 20 } });
	send('message_stop', {});
	return frames;
}

function anthropicBlock(part: Part, id: string): [object, object[]] {
	if (part.kind === 'text') {
		return [{ type: 'text', text: '' }, part.pieces.map((text) => ({ type: 'text_delta', text }))];
	}
	if (part.kind === 'thinking') {
		const thoughts = part.pieces.map((thinking) => ({ type: 'thinking_delta', thinking }));
		const block = { type: 'thinking', thinking: '', signature: '' };
		return [block, [...thoughts, { type: 'signature_delta', signature: 'c2ln' }]];
	}
	const block = { type: 'tool_use', id: `toolu_${id}`, name: 'Bash', input: {} };
	return [block, part.pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }))];
}

function chatFrames({ id, model, parts }: Answer): Frame[] {
	const frames: Frame[] = [];
	const head = { id, object: 'chat.completion.chunk', created: 1_790_000_000 + id.length, model };
	const send = (delta: object, finish_reason: string | null = null): void =>
		void frames.push({ event: '', data: { ...head, choices: [{ index: 0, delta, finish_reason }] } });
	send({ role: 'assistant', content: '' });
	let calls = 0;
	for (const part of parts) {
		if (part.kind === 'text') for (const content of part.pieces) send({ content });
		if (part.kind === 'thinking') for (const reasoning_content of part.pieces) send({ reasoning_content });
		if (part.kind !== 'tool') continue;
		const index = calls;
		calls += 1;
		send({
			tool_calls: [
				{ index, id: `call_${id}_${index}`, type: 'function', function: { name: 'bash', arguments: '' } },
			],
		});
		for (const piece of part.pieces) send({ tool_calls: [{ index, function: { arguments: piece } }] });
	}
	send({}, calls > 0 ? 'tool_calls' : 'stop');
	const usage = {
		prompt_tokens: 125,
		prompt_tokens_details: { cached_tokens: 100 },
		completion_tokens: 20,
		total_tokens: 145,
	};
	frames.push({ event: '', data: { ...head, choices: [], usage } }, { event: '', data: '[DONE]' });
	return frames;
}

function responsesFrames({ id, model, parts }: Answer): Frame[] {
	const frames: Frame[] = [];
	const send = (type: string, rest: object): void =>
		void frames.push({ event: type, data: { type, sequence_number: frames.length, ...rest } });
	const response = {
		id,
		object: 'response',
		created_at: 1_790_000_000,
		model,
		status: 'in_progress',
		output: [],
		usage: null,
	};
	send('response.created', { response });
	send('response.in_progress', { response });
	const output: object[] = [];
	for (const [output_index, part] of parts.entries()) {
		// Local servers number their items from one in every response: ids of two upstreams can be the same.
		const item_id = `${part.kind}_${output_index}`;
		const text = part.pieces.join('');
		const item = responsesItem(part, item_id, text);
		const at = { item_id, output_index };
		send('response.output_item.added', { output_index, item: responsesItem(part, item_id, null) });
		if (part.kind === 'text') {
			const in_part = { ...at, content_index: 0 };
			const whole = { type: 'output_text', text, annotations: [] };
			send('response.content_part.added', { ...in_part, part: { ...whole, text: '' } });
			for (const delta of part.pieces) send('response.output_text.delta', { ...in_part, delta });
			send('response.output_text.done', { ...in_part, text });
			send('response.content_part.done', { ...in_part, part: whole });
		} else if (part.kind === 'thinking') {
			const in_part = { ...at, summary_index: 0 };
			send('response.reasoning_summary_part.added', { ...in_part, part: { type: 'summary_text', text: '' } });
			for (const delta of part.pieces) send('response.reasoning_summary_text.delta', { ...in_part, delta });
			send('response.reasoning_summary_text.done', { ...in_part, text });
			send('response.reasoning_summary_part.done', { ...in_part, part: { type: 'summary_text', text } });
		} else {
			for (const delta of part.pieces) send('response.function_call_arguments.delta', { ...at, delta });
			send('response.function_call_arguments.done', { ...at, arguments: text });
		}
		send('response.output_item.done', { output_index, item });
		output.push(item);
	}
	const usage = {
		input_tokens: 125,
		input_tokens_details: { cached_tokens: 100 },
		output_tokens: 20,
		total_tokens: 145,
	};
	send('response.completed', { response: { ...response, status: 'completed', output, usage } });
	return frames;
}

/** `text`: `null` while it is open. */
function responsesItem(part: Part, id: string, text: string | null): object {
	const status = text === null ? 'in_progress' : 'completed';
	if (part.kind === 'text') {
		const content = text === null ? [] : [{ type: 'output_text', text, annotations: [] }];
		return { id, type: 'message', status, role: 'assistant', content };
	}
	if (part.kind === 'thinking') {
		const summary = text === null ? [] : [{ type: 'summary_text', text }];
		return { id, type: 'reasoning', summary, encrypted_content: text === null ? '' : 'ZW5j' };
	}
	return { id, type: 'function_call', status, call_id: `call_${id}`, name: 'shell', arguments: text ?? '' };
}
