/**
 * Clients that read a stream as strictly as its protocol allows and throw at the first thing that is out of place.
 * They share no code with the relays.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ProtocolId } from '../../../src/shared/failover-settings.ts';
import { referenceEvents } from '../sse/reference-parser.ts';

export interface Received {
	/** Texts of the answer, one a block, item or choice. */
	readonly texts: readonly string[];
	/** Arguments of whole tool calls. */
	readonly tools: readonly string[];
	readonly thoughts: number;
	/** The protocol's own end came. */
	readonly ended: boolean;
	readonly models: ReadonlySet<string>;
}

type Json = Record<string, unknown>;

export const strictClients: Readonly<Record<ProtocolId, (bytes: Uint8Array) => Received>> = {
	'anthropic-messages': readAnthropic,
	'openai-chat': readChat,
	'openai-responses': readResponses,
};

function must(holds: boolean, what: string): asserts holds {
	if (!holds) throw new Error(`not a valid stream: ${what}`);
}

function json(value: unknown): Json {
	must(typeof value === 'object' && value !== null, 'an object is expected');
	return value as Json;
}

function list(value: unknown): Json[] {
	must(Array.isArray(value), 'a list is expected');
	return value.map(json);
}

function readAnthropic(bytes: Uint8Array): Received {
	const texts: string[] = [];
	const tools: string[] = [];
	const models = new Set<string>();
	let next = 0;
	let thoughts = 0;
	let open: { index: number; type: string; text: string; signature: string } | null = null;
	let stage: 'before' | 'open' | 'closing' | 'ended' = 'before';
	for (const event of referenceEvents(bytes)) {
		const data = json(JSON.parse(event.data));
		must(event.type === data.type, `event ${event.type} has type ${String(data.type)}`);
		if (data.type === 'ping') continue;
		must(stage !== 'ended', `${event.type} after message_stop`);
		if (data.type === 'message_start') {
			must(stage === 'before', 'a second message_start');
			stage = 'open';
			models.add(String(json(data.message).model));
		} else if (data.type === 'content_block_start') {
			must(stage === 'open' && open === null, 'a block starts while another is open');
			must(data.index === next, `block ${String(data.index)} instead of ${next}`);
			const block = json(data.content_block);
			open = { index: next, type: String(block.type), text: String(block.text ?? ''), signature: '' };
			next += 1;
		} else if (data.type === 'content_block_delta') {
			must(open !== null && open.index === data.index, 'a delta of a block that is not open');
			const delta = json(data.delta);
			const field = {
				text_delta: 'text',
				thinking_delta: 'thinking',
				input_json_delta: 'partial_json',
				signature_delta: 'signature',
			};
			const kind = {
				text_delta: 'text',
				thinking_delta: 'thinking',
				input_json_delta: 'tool_use',
				signature_delta: 'thinking',
			};
			const type = String(delta.type) as keyof typeof kind;
			must(kind[type] === open.type, `${type} in a ${open.type} block`);
			if (type === 'signature_delta') open.signature += String(delta.signature);
			else open.text += String(delta[field[type]]);
		} else if (data.type === 'content_block_stop') {
			must(open !== null && open.index === data.index, 'the stop of a block that is not open');
			if (open.type === 'text') texts.push(open.text);
			if (open.type === 'tool_use') tools.push(open.text);
			if (open.type === 'thinking') {
				must(open.signature !== '', 'a thought without its signature');
				thoughts += 1;
			}
			open = null;
		} else if (data.type === 'message_delta') {
			must(stage === 'open' && open === null, 'message_delta while a block is open');
			stage = 'closing';
		} else if (data.type === 'message_stop') {
			must(stage === 'closing', 'message_stop without message_delta');
			stage = 'ended';
		} else throw new Error(`not a valid stream: unknown event ${String(data.type)}`);
	}
	const ended = stage === 'ended';
	if (!ended)
		must(tools.length === 0 && open?.type !== 'tool_use', 'a tool call in a message that did not end');
	if (open?.type === 'text') texts.push(open.text);
	return { texts, tools, thoughts, ended, models };
}

function readChat(bytes: Uint8Array): Received {
	const models = new Set<string>();
	const calls = new Map<number, string>();
	let text = '';
	let thoughts = 0;
	let isThinking = false;
	let head: unknown = null;
	let finished = false;
	let ended = false;
	let roles = 0;
	for (const event of referenceEvents(bytes)) {
		must(!ended, 'a chunk after [DONE]');
		if (event.data === '[DONE]') {
			must(finished, '[DONE] without a finish_reason');
			ended = true;
			continue;
		}
		const chunk = json(JSON.parse(event.data));
		const told = [chunk.id, chunk.object, chunk.created];
		head ??= told;
		must(isDeepStrictEqual(head, told), 'id or created changed');
		models.add(String(chunk.model));
		for (const choice of list(chunk.choices)) {
			must(!finished, 'a choice after its finish_reason');
			const delta = json(choice.delta);
			if (delta.role !== undefined) roles += 1;
			text += String(delta.content ?? '');
			if (delta.reasoning_content !== undefined && !isThinking) thoughts += 1;
			isThinking = delta.reasoning_content !== undefined;
			for (const call of delta.tool_calls === undefined ? [] : list(delta.tool_calls)) {
				const index = Number(call.index);
				must(calls.has(index) === (call.id === undefined), 'a call whose id comes late or twice');
				must(index <= calls.size, 'a call out of order');
				calls.set(index, (calls.get(index) ?? '') + String(json(call.function).arguments));
			}
			finished = choice.finish_reason !== null;
		}
	}
	must(roles <= 1, 'the role is told twice');
	if (!finished) must(calls.size === 0, 'a tool call in an answer that did not end');
	return { texts: text === '' ? [] : [text], tools: [...calls.values()], thoughts, ended, models };
}

function readResponses(bytes: Uint8Array): Received {
	const models = new Set<string>();
	const done: Json[] = [];
	const ids = new Set<string>();
	let id: unknown = null;
	let number = -1;
	let open: Json | null = null;
	let part: { text: string; isDone: boolean } | null = null;
	let partText = '';
	let ended = false;
	for (const event of referenceEvents(bytes)) {
		const data = json(JSON.parse(event.data));
		const type = String(data.type);
		must(event.type === type, `event ${event.type} has type ${type}`);
		must(!ended, `${type} after response.completed`);
		must(
			Number(data.sequence_number) > number,
			`sequence_number ${String(data.sequence_number)} after ${number}`,
		);
		number = Number(data.sequence_number);
		if (data.item_id !== undefined)
			must(open !== null && data.item_id === open.id, `${type} of an item that is not open`);
		if (data.output_index !== undefined)
			must(data.output_index === done.length, `${type} at index ${String(data.output_index)}`);
		if (type === 'response.created') must(id === null, 'a second response.created');
		if (data.response !== undefined) {
			const response = json(data.response);
			id ??= response.id;
			must(response.id === id, 'the id of the response changed');
			models.add(String(response.model));
		}
		must(id !== null, `${type} before response.created`);
		if (type === 'response.output_item.added') {
			must(open === null, 'an item begins while another is open');
			open = json(data.item);
			must(!ids.has(String(open.id)), `two items with id ${String(open.id)}`);
			ids.add(String(open.id));
			partText = '';
		} else if (type === 'response.content_part.added') {
			must(part === null, 'a part begins while another is open');
			part = { text: '', isDone: false };
		} else if (type === 'response.output_text.delta') {
			must(part !== null && !part.isDone, 'text outside of a part');
			part.text += String(data.delta);
		} else if (type === 'response.output_text.done') {
			must(part !== null && !part.isDone && part.text === data.text, 'the whole text is not its deltas');
			part.isDone = true;
		} else if (type === 'response.content_part.done') {
			must(part?.isDone === true && json(data.part).text === part.text, 'the whole part is not its text');
			partText = part.text;
			part = null;
		} else if (type === 'response.output_item.done') {
			const item = json(data.item);
			must(open !== null && item.id === open.id && part === null, 'the end of an item that is not open');
			if (item.type === 'message') must(list(item.content)[0]?.text === partText, 'the item is not its text');
			done.push(item);
			open = null;
		} else if (type === 'response.completed') {
			must(open === null, 'the end while an item is open');
			must(isDeepStrictEqual(json(data.response).output, done), 'the output is not its items');
			ended = true;
		}
	}
	const calls = done.filter((item) => item.type === 'function_call');
	if (!ended)
		must(calls.length === 0 && open?.type !== 'function_call', 'a call in a response that did not end');
	const texts = done
		.filter((item) => item.type === 'message')
		.map((item) => String(list(item.content)[0]?.text));
	if (part !== null) texts.push(part.text);
	const thoughts = done.filter((item) => item.type === 'reasoning').length;
	return { texts, tools: calls.map((call) => String(call.arguments)), thoughts, ended, models };
}
