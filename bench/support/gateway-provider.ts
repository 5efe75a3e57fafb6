/** A provider that answers at once, in a process of its own. What it does is said by the header `x-bench`. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const CHUNKS_A_SECOND = 200;

function frame(event: string, data: object): string {
	return `event: ${event}\ndata: ${JSON.stringify({ type: event, ...data })}\n\n`;
}

const usage = { input_tokens: 10, output_tokens: 10 };
const message = {
	id: 'msg_1',
	type: 'message',
	role: 'assistant',
	model: 'claude-sonnet-4-5',
	stop_reason: null,
	usage,
};
const begin =
	frame('message_start', { message: { ...message, content: [] } }) +
	frame('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
const end =
	frame('content_block_stop', { index: 0 }) +
	frame('message_delta', { delta: { stop_reason: 'end_turn' }, usage }) +
	frame('message_stop', {});
const whole = JSON.stringify({
	...message,
	stop_reason: 'end_turn',
	content: [{ type: 'text', text: 'Done.' }],
});

function delta(text: string): string {
	return frame('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
}

/** Each chunk carries the time at which it was sent, on the clock that all processes of this machine share. */
function drip(response: ServerResponse, seconds: number): void {
	let left = CHUNKS_A_SECOND * seconds;
	const timer = setInterval(() => {
		response.write(delta(`@${process.hrtime.bigint()}@`));
		left -= 1;
		if (left > 0) return;
		clearInterval(timer);
		response.end(end);
	}, 1_000 / CHUNKS_A_SECOND);
	response.once('close', () => clearInterval(timer));
}

const server = createServer((request, response) => {
	const mode = String(request.headers['x-bench']);
	request.resume();
	request.once('end', () => {
		if (mode === 'whole') {
			response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length });
			response.end(whole);
			return;
		}
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.write(begin);
		if (mode === 'first') {
			response.write(delta('first'));
			response.end(end);
		} else drip(response, Number(mode));
	});
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
