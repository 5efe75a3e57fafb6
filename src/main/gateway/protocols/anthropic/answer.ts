/** A Messages answer that was not streamed. Source: docs.claude.com/en/api/messages. */
import type { JsonObject, RelayOptions, TurnUsage, WholeAnswer } from '../../protocol.ts';
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
export function isMeantEmpty(stopReason: string, usage: TurnUsage): boolean {
	return speakingStops.has(stopReason) || (stopReason !== '' && (usage.output ?? 0) > 0);
}

export function usageOf(usage: unknown): TurnUsage {
	const counted = objectOf(usage);
	const input = numberOf(counted?.input_tokens);
	const cached =
		(numberOf(counted?.cache_read_input_tokens) ?? 0) + (numberOf(counted?.cache_creation_input_tokens) ?? 0);
	return { input: input === null ? null : input + cached, output: numberOf(counted?.output_tokens) };
}

export function readAnswer(body: Uint8Array): WholeAnswer {
	const answer = parseBody(body);
	if (answer === null) return unreadableAnswer(body);
	const usage = usageOf(answer.usage);
	if (answer.type === 'error' || (answer.error !== undefined && answer.error !== null)) {
		return { error: inBandError(answer, body, ''), usage, text: '' };
	}
	// The answer of count_tokens.
	if (answer.content === undefined && numberOf(answer.input_tokens) !== null) {
		return { error: null, usage: usageOf(answer), text: '' };
	}
	const blocks = objectsOf(answer.content);
	const text = blocks.map((block) => (block.type === 'text' ? textOf(block.text) : '')).join('');
	const saysSomething = text !== '' || blocks.some((block) => block.type !== 'text');
	if (saysSomething || isMeantEmpty(textOf(answer.stop_reason), usage)) return { error: null, usage, text };
	return { error: emptyAnswer(body), usage, text };
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
