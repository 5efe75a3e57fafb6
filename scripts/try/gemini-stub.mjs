/** A loopback stand-in for the Gemini API: a script decides each answer. */
import { createServer } from 'node:http';

/**
 * @typedef {{ text?: string, toolCalls?: { name: string, input: Record<string, unknown> }[] }} Answer
 * @param {(body: { contents: unknown[] }) => Answer | Promise<Answer>} decide
 *   what the model says to the agent's request; the program's own questions get an answer that pleases it
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function startGeminiStub(decide) {
	const server = createServer(async (request, response) => {
		let text = '';
		for await (const chunk of request) text += chunk;
		const body = text === '' ? {} : JSON.parse(text);
		const isStream = request.url?.includes(':streamGenerateContent') === true;
		const isAgent = isStream && Array.isArray(body.tools) && body.tools.length > 0;
		const { text: words, toolCalls = [] } = isAgent ? await decide(body) : { text: OWN_QUESTION };
		const parts = [
			...(words === undefined ? [] : [{ text: words }]),
			...toolCalls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
		];
		const answer = {
			candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
			usageMetadata: { promptTokenCount: 900, candidatesTokenCount: 40, totalTokenCount: 940 },
			modelVersion: 'gemini-2.5-pro',
			// Of countTokens.
			totalTokens: 900,
		};
		response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
		response.end(isStream ? `data: ${JSON.stringify(answer)}\n\n` : JSON.stringify(answer));
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${server.address().port}`,
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}

/** Who speaks next, how hard the task is: all of it in one object, of which each question reads its own part. */
const OWN_QUESTION = JSON.stringify({
	next_speaker: 'user',
	reasoning: 'The turn is over.',
	complexity_reasoning: 'Nothing to it.',
	complexity_score: 1,
});
