/** A Messages answer that was not streamed. Source: docs.claude.com/en/api/messages. */
import type { JsonObject, RelayOptions, TurnUsage, WholeAnswer } from '../../protocol.ts';
import { countOf, largerCounts, originOf, uncounted } from '../counts.ts';
import { encodeBody, isObject, numberOf, objectOf, objectsOf, parseBody, textOf } from '../json-fields.ts';
import { emptyAnswer, unreadableAnswer } from '../whole-answer.ts';
import { inBandError } from './errors.ts';

/**
 * Ends of an answer without content that are meant: the model was cut short or would not answer. "end_turn" with
 * nothing happens too (after a tool result that needs no word); then the vendor has counted output tokens for it.
 */
const speakingStops: ReadonlySet<string> = new Set([
	'refusal',
	'max_tokens',
	'model_context_window_exceeded',
	'stop_sequence',
	'pause_turn',
]);

/** Whether an answer without any content is one all the same. */
export function isMeantEmpty(stopReason: string, usage: Pick<TurnUsage, 'output'>): boolean {
	return speakingStops.has(stopReason) || (stopReason !== '' && (usage.output ?? 0) > 0);
}

export function usageOf(usage: unknown): TurnUsage {
	const counted = objectOf(usage);
	if (counted === null) return uncounted;
	const written = objectOf(counted.cache_creation);
	const cacheCreation1h = countOf(written?.ephemeral_1h_input_tokens);
	const byLifetime = written
		? (cacheCreation1h ?? 0) + (countOf(written.ephemeral_5m_input_tokens) ?? 0)
		: null;
	return largerCounts(
		{
			input: countOf(counted.input_tokens),
			output: countOf(counted.output_tokens),
			cacheRead: countOf(counted.cache_read_input_tokens),
			cacheCreation: countOf(counted.cache_creation_input_tokens),
			cacheCreation1h,
			webSearches: countOf(objectOf(counted.server_tool_use)?.web_search_requests),
		},
		{ ...uncounted, cacheCreation: byLifetime },
	);
}

export function readAnswer(body: Uint8Array): WholeAnswer {
	const answer = parseBody(body);
	if (answer === null) return unreadableAnswer(body);
	const usage = usageOf(answer.usage);
	const origin = originOf(answer.id, answer.model);
	if (answer.type === 'error' || (answer.error !== undefined && answer.error !== null)) {
		return { error: inBandError(answer, body, ''), usage, origin, text: '' };
	}
	// The answer of count_tokens.
	if (answer.content === undefined && numberOf(answer.input_tokens) !== null) {
		return { error: null, usage: usageOf(answer), origin, text: '' };
	}
	const blocks = objectsOf(answer.content);
	const text = blocks.map((block) => (block.type === 'text' ? textOf(block.text) : '')).join('');
	const saysSomething = text !== '' || blocks.some((block) => block.type !== 'text');
	if (saysSomething || isMeantEmpty(textOf(answer.stop_reason), usage)) {
		return { error: null, usage, origin, text };
	}
	return { error: emptyAnswer(body), usage, origin, text };
}

/** Bytes that are not an answer stay as they are. */
export function labelAnswer(body: Uint8Array, options: RelayOptions): Uint8Array {
	const answer = parseBody(body);
	if (answer === null || !Array.isArray(answer.content)) return body;
	const kept = objectsOf(answer.content).filter(
		(block) =>
			options.localModel === null || (block.type !== 'thinking' && block.type !== 'redacted_thinking'),
	);
	const labelled: JsonObject = { ...answer, content: withLabel(kept, options.label) };
	return encodeBody(options.localModel === null ? labelled : { ...labelled, model: options.localModel });
}

function withLabel(blocks: readonly JsonObject[], label: string): JsonObject[] {
	if (label === '') return [...blocks];
	const [first, ...others] = blocks;
	return isObject(first) && first.type === 'text'
		? [{ ...first, text: `${label}\n\n${textOf(first.text)}` }, ...others]
		: [{ type: 'text', text: label }, ...blocks];
}
