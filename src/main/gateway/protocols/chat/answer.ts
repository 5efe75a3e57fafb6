/** A chat completion that was not streamed. Source: platform.openai.com/docs/api-reference/chat/object. */
import type { JsonObject, RelayOptions, TurnUsage, WholeAnswer } from '../../protocol.ts';
import { openaiCounts, originOf } from '../counts.ts';
import { encodeBody, objectOf, objectsOf, parseBody, textOf, without } from '../json-fields.ts';
import { inBandError } from '../openai-errors.ts';
import { emptyAnswer, unreadableAnswer } from '../whole-answer.ts';
import { reasoningFields } from './for-local.ts';
import { contentText } from './request.ts';

/**
 * Whether an answer without any content is one all the same: it was cut short or filtered, or the server has counted
 * output tokens for it. "stop" with nothing counted is no answer.
 */
export function isMeantEmpty(finishReason: string, usage: TurnUsage): boolean {
	if (finishReason === 'length' || finishReason === 'content_filter') return true;
	return finishReason !== '' && (usage.output ?? 0) > 0;
}

export function usageOf(usage: unknown): TurnUsage {
	const counted = objectOf(usage);
	const details = objectOf(counted?.prompt_tokens_details);
	return openaiCounts(counted?.prompt_tokens, counted?.completion_tokens, details);
}

export function hasCalls(message: JsonObject): boolean {
	return objectsOf(message.tool_calls).length > 0 || objectOf(message.function_call) !== null;
}

export function reasoningOf(message: JsonObject): string {
	return textOf(message.reasoning_content) || textOf(message.reasoning) || textOf(message.reasoning_text);
}

export function readAnswer(body: Uint8Array): WholeAnswer {
	const answer = parseBody(body);
	if (answer === null) return unreadableAnswer(body);
	const usage = usageOf(answer.usage);
	const origin = originOf(answer.id, answer.model);
	if (answer.error !== undefined && answer.error !== null) {
		return { error: inBandError(answer, body, ''), usage, origin, text: '' };
	}
	const choices = objectsOf(answer.choices);
	const failed = choices.find((choice) => choice.finish_reason === 'error');
	if (failed !== undefined)
		return { error: inBandError(failed, body, 'The answer failed.'), usage, origin, text: '' };
	const messages = choices.map((choice) => objectOf(choice.message) ?? {});
	const text = messages[0] === undefined ? '' : contentText(messages[0]) || textOf(messages[0].refusal);
	const saysSomething = messages.some(
		(message) =>
			contentText(message) + textOf(message.refusal) + reasoningOf(message) !== '' || hasCalls(message),
	);
	const isMeant = choices.some((choice) => isMeantEmpty(textOf(choice.finish_reason), usage));
	return { error: saysSomething || isMeant ? null : emptyAnswer(body), usage, origin, text };
}

/** Bytes that are not an answer stay as they are. */
export function labelAnswer(body: Uint8Array, options: RelayOptions): Uint8Array {
	const answer = parseBody(body);
	if (answer === null || !Array.isArray(answer.choices)) return body;
	const choices = objectsOf(answer.choices).map((choice) => {
		const message = objectOf(choice.message);
		return message === null ? choice : { ...choice, message: labelled(message, options) };
	});
	const all = { ...answer, choices };
	return encodeBody(options.localModel === null ? all : { ...all, model: options.localModel });
}

function labelled(message: JsonObject, { label, localModel }: RelayOptions): JsonObject {
	const kept = localModel === null ? message : without(message, reasoningFields);
	if (label === '') return kept;
	if (Array.isArray(kept.content)) {
		return { ...kept, content: [{ type: 'text', text: label }, ...objectsOf(kept.content)] };
	}
	const text = textOf(kept.content);
	return { ...kept, content: text === '' ? label : `${label}\n\n${text}` };
}
