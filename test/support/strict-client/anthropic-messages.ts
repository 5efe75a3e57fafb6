/** A client of Anthropic Messages that takes nothing but what the API promises. */
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

interface OpenBlock {
	readonly index: unknown;
	readonly type: string;
	readonly name: string;
	text: string;
}

export function readAnthropicStream(bytes: Uint8Array): AnswerRead {
	const reading = new AnswerReading();
	let started = false;
	let blocks = 0;
	let open: OpenBlock | null = null;
	let stopReason = '';
	for (const { name, data } of sentEvents(bytes)) {
		const event = objectOf(parse(data));
		const type = textOf(event.type);
		if (type !== name) reading.breach(`event ${name} holds ${type}`);
		if (reading.end !== 'cut') reading.breach(`${type} after the end`);
		if (type === 'ping') continue;
		if (type === 'error') {
			reading.fails(textOf(objectOf(event.error).message));
			continue;
		}
		if (!started && type !== 'message_start') reading.breach(`${type} before message_start`);
		switch (type) {
			case 'message_start':
				if (started) reading.breach('two starts');
				started = true;
				reading.names(objectOf(event.message).model);
				break;
			case 'content_block_start': {
				if (open) reading.breach('a block opened in an open block');
				if (event.index !== blocks) reading.breach(`block ${String(event.index)} where ${blocks} is next`);
				blocks += 1;
				const block = objectOf(event.content_block);
				open = { index: event.index, type: textOf(block.type), name: textOf(block.name), text: '' };
				break;
			}
			case 'content_block_delta':
				if (open?.index !== event.index) reading.breach('a delta of a block that is not open');
				if (open) open.text += deltaText(objectOf(event.delta));
				break;
			case 'content_block_stop':
				if (open?.index !== event.index) reading.breach('a stop of a block that is not open');
				if (open) close(reading, open);
				open = null;
				break;
			case 'message_delta':
				stopReason = textOf(objectOf(event.delta).stop_reason) || stopReason;
				if (open) reading.breach('the message finished in an open block');
				break;
			case 'message_stop':
				if (stopReason === '') reading.breach('stopped without a reason');
				reading.end = 'clean';
				break;
			default:
				reading.breach(`unknown event ${type}`);
		}
	}
	// What a person saw of a block that was never closed.
	if (open && open.type !== 'tool_use') close(reading, open);
	if (reading.end === 'clean' && blocks === 0) reading.breach('an answer without content');
	if ((stopReason === 'tool_use') !== reading.toolCalls.length > 0 && reading.end === 'clean') {
		reading.breach(`stop reason ${stopReason} with ${reading.toolCalls.length} tool calls`);
	}
	return reading.done();
}

export function readAnthropicAnswer(bytes: Uint8Array): AnswerRead {
	const reading = new AnswerReading();
	const body = objectOf(parse(Buffer.from(bytes).toString('utf8')));
	if (body.type === 'error') reading.fails(textOf(objectOf(body.error).message));
	else if (body.type === 'message') {
		reading.names(body.model);
		for (const block of listOf(body.content)) {
			if (block.type === 'tool_use') reading.call(textOf(block.name), JSON.stringify(block.input));
			else if (block.type === 'text') reading.texts.push(textOf(block.text));
			else reading.thinking += textOf(block.thinking);
		}
		if (textOf(body.stop_reason) === '') reading.breach('stopped without a reason');
		if (listOf(body.content).length === 0) reading.breach('an answer without content');
		reading.end = 'clean';
	}
	return reading.done();
}

function deltaText(delta: JsonObject): string {
	return textOf(delta.text) + textOf(delta.partial_json) + textOf(delta.thinking);
}

function close(reading: AnswerReading, block: OpenBlock): void {
	if (block.type === 'tool_use') reading.call(block.name, block.text);
	else if (block.type === 'text') reading.texts.push(block.text);
	else reading.thinking += block.text;
}
