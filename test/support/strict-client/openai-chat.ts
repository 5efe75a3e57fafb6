/** A client of OpenAI Chat Completions that takes nothing but what the API promises. */
import {
	type AnswerRead,
	AnswerReading,
	listOf,
	objectOf,
	parse,
	sentEvents,
	textOf,
} from './answer-read.ts';

export function readChatStream(bytes: Uint8Array): AnswerRead {
	const reading = new AnswerReading();
	const calls: { id: string; name: string; json: string }[] = [];
	let text = '';
	let id = '';
	let finish = '';
	for (const { name, data } of sentEvents(bytes)) {
		if (reading.end !== 'cut') reading.breach(`${data.slice(0, 40)} after the end`);
		if (data === '[DONE]') {
			if (finish === '') reading.breach('done without a finish reason');
			reading.end = 'clean';
			continue;
		}
		const event = objectOf(parse(data));
		if (event.error !== undefined) {
			reading.fails(textOf(objectOf(event.error).message));
			continue;
		}
		if (name !== '') reading.breach(`a named event: ${name}`);
		if (event.object !== 'chat.completion.chunk') reading.breach(`a chunk that is ${String(event.object)}`);
		if (id !== '' && event.id !== id) reading.breach('two ids in one answer');
		id = textOf(event.id);
		reading.names(event.model);
		for (const choice of listOf(event.choices)) {
			const delta = objectOf(choice.delta);
			if (finish !== '' && (textOf(delta.content) !== '' || delta.tool_calls !== undefined)) {
				reading.breach('content after the finish reason');
			}
			text += textOf(delta.content);
			reading.thinking += textOf(delta.reasoning_content);
			for (const part of listOf(delta.tool_calls)) {
				const index = Number(part.index);
				const call = objectOf(part.function);
				if (index === calls.length) {
					calls.push({ id: textOf(part.id), name: textOf(call.name), json: '' });
					if (!part.id || !call.name) reading.breach('a tool call without id or name');
				}
				const known = calls[index];
				if (!known) reading.breach(`tool call ${index} where ${calls.length} is next`);
				else if (part.id !== undefined && part.id !== known.id) reading.breach('a tool call of two ids');
				else known.json += textOf(call.arguments);
			}
			finish = textOf(choice.finish_reason) || finish;
		}
	}
	if (text !== '') reading.texts.push(text);
	// Unfinished arguments are no call: a client acts on the finish reason.
	if (finish !== '') for (const { name, json } of calls) reading.call(name, json);
	// Some servers leave [DONE] out: with a finish reason nothing of the message is missing.
	if (reading.end === 'cut' && finish !== '') reading.end = 'clean';
	if (reading.end === 'clean') {
		if (text === '' && calls.length === 0) reading.breach('an answer without content');
		if ((finish === 'tool_calls') !== calls.length > 0)
			reading.breach(`finish ${finish}, ${calls.length} calls`);
		if (new Set(calls.map((call) => call.id)).size < calls.length) reading.breach('two tool calls of one id');
	}
	return reading.done();
}

export function readChatAnswer(bytes: Uint8Array): AnswerRead {
	const reading = new AnswerReading();
	const body = objectOf(parse(Buffer.from(bytes).toString('utf8')));
	if (body.error !== undefined) reading.fails(textOf(objectOf(body.error).message));
	else if (body.object === 'chat.completion') {
		reading.names(body.model);
		const [choice] = listOf(body.choices);
		const message = objectOf(choice?.message);
		if (textOf(message.content) !== '') reading.texts.push(textOf(message.content));
		reading.thinking += textOf(message.reasoning_content);
		for (const call of listOf(message.tool_calls)) {
			const { name, arguments: json } = objectOf(call.function);
			reading.call(textOf(name), textOf(json));
		}
		if (reading.texts.length + reading.toolCalls.length === 0) reading.breach('an answer without content');
		reading.end = 'clean';
	}
	return reading.done();
}
