/** A client of OpenAI Responses that takes nothing but what the API promises. */
import {
	type AnswerRead,
	AnswerReading,
	type JsonObject,
	listOf,
	objectOf,
	parse,
	sentEvents,
	textOf,
} from './answer-read.ts';

/** Events that carry a part of an item; what a client adds up. */
const DELTAS: ReadonlySet<string> = new Set([
	'response.output_text.delta',
	'response.function_call_arguments.delta',
	'response.reasoning_summary_text.delta',
	'response.reasoning_text.delta',
]);

interface OpenItem {
	readonly id: string;
	readonly type: string;
	readonly index: unknown;
	text: string;
}

export function readResponsesStream(bytes: Uint8Array): AnswerRead {
	const reading = new AnswerReading();
	const finished: JsonObject[] = [];
	const ids = new Set<string>();
	let last = -1;
	let responseId = '';
	let items = 0;
	let open: OpenItem | null = null;
	for (const { name, data } of sentEvents(bytes)) {
		const event = objectOf(parse(data));
		const type = textOf(event.type);
		if (type !== name) reading.breach(`event ${name} holds ${type}`);
		if (reading.end !== 'cut') reading.breach(`${type} after the end`);
		if (type === 'keepalive') continue;
		if (Number(event.sequence_number) <= last) {
			reading.breach(`sequence number ${String(event.sequence_number)} after ${last}`);
		}
		last = Number(event.sequence_number);
		const response = objectOf(event.response);
		if (event.response !== undefined) {
			// A failure is taken whatever its id: a gateway that reports one has no response of its own.
			if (responseId !== '' && response.id !== responseId && type !== 'response.failed') {
				reading.breach('two response ids in one answer');
			}
			responseId = textOf(response.id);
			reading.names(response.model);
		}
		if (last > 0 && responseId === '' && type !== 'error') reading.breach(`${type} before response.created`);
		if (type === 'error') reading.fails(textOf(event.message) || textOf(objectOf(event.error).message));
		else if (type === 'response.failed') reading.fails(textOf(objectOf(response.error).message));
		else if (type === 'response.output_item.added') {
			const item = objectOf(event.item);
			if (open) reading.breach('an item added while one is open');
			if (event.output_index !== items) {
				reading.breach(`item ${String(event.output_index)} where ${items} is next`);
			}
			if (ids.has(textOf(item.id))) reading.breach('two items of one id');
			ids.add(textOf(item.id));
			items += 1;
			open = { id: textOf(item.id), type: textOf(item.type), index: event.output_index, text: '' };
		} else if (type === 'response.output_item.done') {
			const item = objectOf(event.item);
			if (open?.id !== item.id) reading.breach('an item done that is not open');
			if (open && open.text !== textOfItem(item)) reading.breach('an item that is not the sum of its deltas');
			take(reading, item);
			finished.push(item);
			open = null;
		} else if (DELTAS.has(type)) {
			if (open?.id !== event.item_id || open?.index !== event.output_index) {
				reading.breach('a delta of an item that is not open');
			}
			if (open) open.text += textOf(event.delta);
		} else if (type === 'response.completed' || type === 'response.incomplete') {
			if (open) reading.breach('completed with an open item');
			if (JSON.stringify(response.output) !== JSON.stringify(finished)) {
				reading.breach('an output that is not what was streamed');
			}
			if (finished.length === 0) reading.breach('an answer without content');
			reading.end = 'clean';
		}
	}
	if (open && open.type === 'message') reading.texts.push(open.text);
	return reading.done();
}

export function readResponsesAnswer(bytes: Uint8Array): AnswerRead {
	const reading = new AnswerReading();
	const body = objectOf(parse(Buffer.from(bytes).toString('utf8')));
	const error = body.error ?? null;
	if (error !== null) reading.fails(textOf(objectOf(error).message));
	else if (body.object === 'response') {
		reading.names(body.model);
		const items = listOf(body.output);
		for (const item of items) take(reading, item);
		if (items.length === 0) reading.breach('an answer without content');
		reading.end = 'clean';
	}
	return reading.done();
}

function take(reading: AnswerReading, item: JsonObject): void {
	if (item.type === 'function_call') reading.call(textOf(item.name), textOf(item.arguments));
	else if (item.type === 'message') reading.texts.push(textOfItem(item));
	else reading.thinking += textOfItem(item);
}

function textOfItem(item: JsonObject): string {
	if (item.type === 'function_call') return textOf(item.arguments);
	return listOf(item.type === 'message' ? item.content : item.summary)
		.map((part) => textOf(part.text))
		.join('');
}
