/** What a Responses request asks. Source: platform.openai.com/docs/api-reference/responses; Codex 0.171 as client. */
import type { JsonObject, RequestFacts } from '../../protocol.ts';
import { activityOf, isHelperRequest, MOST_PIECES, type Piece, promptOf } from '../conversation.ts';
import { inputHash } from '../input-hash.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../json-fields.ts';
import { estimateTokens } from '../token-estimate.ts';

const callTypes: ReadonlySet<string> = new Set(['function_call', 'custom_tool_call', 'apply_patch_call']);

export function readRequest(body: JsonObject): RequestFacts {
	const pieces = newestPieces(body.input);
	const model = textOf(body.model);
	const offersTools = Array.isArray(body.tools) && body.tools.length > 0;
	const maxOutputTokens = numberOf(body.max_output_tokens);
	const { instructions, tools, input } = body;
	return {
		model,
		isStream: body.stream === true,
		offersTools,
		estimatedTokens: estimateTokens([instructions, tools, input]),
		maxOutputTokens,
		activity: activityOf(pieces, thinks(body)),
		inputHash: inputHash({ instructions, tools, input, previous: body.previous_response_id }),
		prompt: promptOf(pieces),
		isAuxiliary: isHelperRequest({
			offersTools,
			maxOutputTokens,
			model,
			instructions: [textOf(instructions), ...pieces.map(clientText)].join('\n'),
			answerSchema: objectOf(objectOf(objectOf(body.text)?.format)?.schema),
		}),
	};
}

function clientText(piece: Piece): string {
	return piece.kind === 'told' && piece.by === 'client' ? piece.text : '';
}

/** Codex thinks with medium effort by default: only more than that says something. */
function thinks(body: JsonObject): boolean {
	const effort = textOf(objectOf(body.reasoning)?.effort);
	return effort === 'high' || effort === 'xhigh' || effort === 'max';
}

function newestPieces(input: unknown): Piece[] {
	if (typeof input === 'string') return [{ kind: 'told', by: 'user', text: input }];
	const pieces: Piece[] = [];
	const items = objectsOf(input);
	for (let at = items.length - 1; at >= 0 && pieces.length < MOST_PIECES; at -= 1) {
		const item = items[at];
		if (item === undefined) continue;
		const type = textOf(item.type);
		if (callTypes.has(type))
			pieces.push({ kind: 'tool-call', name: textOf(item.name) || type.replace('_call', '') });
		else if ((type === 'message' || type === '') && item.role !== 'assistant') {
			pieces.push({ kind: 'told', by: item.role === 'user' ? 'user' : 'client', text: contentText(item) });
		}
	}
	return pieces;
}

function contentText(item: JsonObject): string {
	if (typeof item.content === 'string') return item.content;
	return objectsOf(item.content)
		.map((part) => textOf(part.text))
		.join('\n');
}
