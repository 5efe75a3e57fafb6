/** What a Messages request asks. Source: docs.claude.com/en/api/messages; what Claude Code sends was seen on 2.1.332. */
import type { JsonObject, RequestFacts } from '../../protocol.ts';
import { activityOf, isHelperRequest, MOST_PIECES, type Piece, promptOf } from '../conversation.ts';
import { inputHash } from '../input-hash.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../json-fields.ts';
import { estimateTokens } from '../token-estimate.ts';

/** Claude Code puts a line with a changing checksum at the head of the system text. */
const BILLING_LINE = 'x-anthropic-billing-header:';

export function readRequest(body: JsonObject): RequestFacts {
	const system = systemBlocks(body.system);
	const pieces = newestPieces(body.messages);
	const model = textOf(body.model);
	const offersTools = Array.isArray(body.tools) && body.tools.length > 0;
	const maxOutputTokens = numberOf(body.max_tokens);
	const instructions = system.map((block) => textOf(block.text)).join('\n');
	return {
		model,
		isStream: body.stream === true,
		offersTools,
		estimatedTokens: estimateTokens([system, body.tools, body.messages]),
		maxOutputTokens,
		// Claude Code asks for thinking on every turn (2.1.197, 2.1.332): that tells nothing of what it is about.
		activity: activityOf(pieces, false),
		inputHash: inputHash({ system, tools: body.tools, messages: body.messages }),
		prompt: promptOf(pieces),
		isAuxiliary: isHelperRequest({
			offersTools,
			maxOutputTokens,
			model,
			instructions,
			answerSchema: objectOf(
				(objectOf(objectOf(body.output_config)?.format) ?? objectOf(body.output_format))?.schema,
			),
		}),
	};
}

/** The system text as blocks, without the billing line. */
export function systemBlocks(system: unknown): JsonObject[] {
	const blocks = typeof system === 'string' ? [{ type: 'text', text: system }] : objectsOf(system);
	return blocks.filter((block) => !textOf(block.text).startsWith(BILLING_LINE));
}

function newestPieces(messages: unknown): Piece[] {
	const pieces: Piece[] = [];
	const all = objectsOf(messages);
	for (let at = all.length - 1; at >= 0 && pieces.length < MOST_PIECES; at -= 1) {
		const message = all[at];
		if (message === undefined) continue;
		if (message.role === 'assistant') {
			for (const block of objectsOf(message.content).reverse()) {
				if (block.type === 'tool_use') pieces.push({ kind: 'tool-call', name: textOf(block.name) });
			}
			continue;
		}
		// A conversation may have system messages in its middle (reminders, hook context).
		const by = message.role === 'user' ? 'user' : 'client';
		if (typeof message.content === 'string') pieces.push({ kind: 'told', by, text: message.content });
		for (const block of objectsOf(message.content).reverse()) {
			if (block.type === 'text') pieces.push({ kind: 'told', by, text: textOf(block.text) });
		}
	}
	return pieces;
}
