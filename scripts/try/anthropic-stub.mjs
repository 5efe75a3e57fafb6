/** A loopback stand-in for the Anthropic Messages API: a script decides each answer, every request is remembered. */
import { createServer } from 'node:http';

/**
 * @typedef {{ text?: string, calls?: { tool: string, input: Record<string, unknown> }[] }} Answer
 * @param {(messages: unknown[], number: number) => Answer | Promise<Answer>} decide
 *   what the model says to the agent's request; asked once a request, counted from 1
 * @returns {Promise<{ url: string, requests: { messages: unknown[] }[], close: () => void }>}
 */
export async function startAnthropicStub(decide) {
	const requests = [];
	let calls = 0;
	const server = createServer(async (request, response) => {
		let body = '';
		for await (const chunk of request) body += chunk;
		if (request.method === 'HEAD') return response.writeHead(200).end();
		if (!request.url?.startsWith('/v1/messages') || request.url.includes('count_tokens')) {
			response.writeHead(404, { 'content-type': 'application/json' });
			return response.end('{"type":"error","error":{"type":"not_found_error","message":"stub"}}');
		}
		const parsed = JSON.parse(body);
		// Requests without tools are the client's side work (titles, summaries).
		const isAgent = Array.isArray(parsed.tools) && parsed.tools.length > 0;
		if (isAgent) requests.push(parsed);
		const answer = isAgent ? await decide(parsed.messages, requests.length) : { text: 'ok' };
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		const send = (type, data) =>
			response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
		send('message_start', {
			message: {
				id: `msg_${Date.now()}_${requests.length}`,
				type: 'message',
				role: 'assistant',
				model: parsed.model,
				content: [],
				stop_reason: null,
				stop_sequence: null,
				usage: { input_tokens: 900, output_tokens: 1, cache_read_input_tokens: 8000 },
			},
		});
		let index = 0;
		if (answer.text !== undefined) {
			send('content_block_start', { index, content_block: { type: 'text', text: '' } });
			send('content_block_delta', { index, delta: { type: 'text_delta', text: answer.text } });
			send('content_block_stop', { index });
			index += 1;
		}
		for (const { tool, input } of answer.calls ?? []) {
			calls += 1;
			const block = { type: 'tool_use', id: `toolu_stub_${calls}`, name: tool, input: {} };
			send('content_block_start', { index, content_block: block });
			send('content_block_delta', {
				index,
				delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
			});
			send('content_block_stop', { index });
			index += 1;
		}
		const stopReason = answer.calls?.length ? 'tool_use' : 'end_turn';
		send('message_delta', {
			delta: { stop_reason: stopReason, stop_sequence: null },
			usage: { output_tokens: 40 },
		});
		send('message_stop', {});
		response.end();
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${server.address().port}`,
		requests,
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}

/** Everything the last message holds, as text: where notes, results and denials reach the model. */
export function lastMessageText(messages) {
	return JSON.stringify(messages.at(-1));
}
