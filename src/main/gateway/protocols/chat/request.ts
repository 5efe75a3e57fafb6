/** What a Chat Completions request asks. Source: platform.openai.com/docs/api-reference/chat. */
import type { JsonObject, RequestFacts } from '../../protocol.ts';
import { activityOf, isHelperRequest, MOST_PIECES, type Piece, promptOf } from '../conversation.ts';
import { inputHash } from '../input-hash.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../json-fields.ts';
import { estimateTokens } from '../token-estimate.ts';

export function readRequest(body: JsonObject): RequestFacts {
	const messages = objectsOf(body.messages);
	const pieces = newestPieces(messages);
	const tools = body.tools ?? body.functions;
	const model = textOf(body.model);
	const offersTools = Array.isArray(tools) && tools.length > 0;
	const maxOutputTokens = numberOf(body.max_completion_tokens) ?? numberOf(body.max_tokens);
	const instructions = messages.filter(isInstruction).map(contentText).join('\n');
	return {
		model,
		isStream: body.stream === true,
		offersTools,
		estimatedTokens: estimateTokens([tools, body.messages]),
		maxOutputTokens,
		activity: activityOf(pieces, thinks(body)),
		inputHash: inputHash({ tools, messages: body.messages }),
		prompt: promptOf(pieces),
		isAuxiliary: isHelperRequest({
			offersTools,
			maxOutputTokens,
			model,
			instructions,
			answerSchema: objectOf(objectOf(objectOf(body.response_format)?.json_schema)?.schema),
		}),
	};
}

function isInstruction(message: JsonObject): boolean {
	return message.role === 'system' || message.role === 'developer';
}

/** Text of a message's content, which is a string or a list of parts. */
export function contentText(message: JsonObject): string {
	if (typeof message.content === 'string') return message.content;
	return objectsOf(message.content)
		.map((part) => textOf(part.text))
		.join('\n');
}

function thinks(body: JsonObject): boolean {
	const effort = textOf(body.reasoning_effort) || textOf(objectOf(body.reasoning)?.effort);
	return effort === 'high' || effort === 'xhigh' || effort === 'max';
}

function newestPieces(messages: readonly JsonObject[]): Piece[] {
	const pieces: Piece[] = [];
	for (let at = messages.length - 1; at >= 0 && pieces.length < MOST_PIECES; at -= 1) {
		const message = messages[at];
		if (message === undefined) continue;
		if (message.role === 'user') pieces.push({ kind: 'told', by: 'user', text: contentText(message) });
		else if (isInstruction(message)) pieces.push({ kind: 'told', by: 'client', text: contentText(message) });
		for (const call of objectsOf(message.tool_calls).reverse()) {
			const named = objectOf(call.function) ?? objectOf(call.custom);
			pieces.push({ kind: 'tool-call', name: textOf(named?.name) });
		}
	}
	return pieces;
}
