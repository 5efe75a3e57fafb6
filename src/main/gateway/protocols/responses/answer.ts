/** A Responses answer that was not streamed, and what all its forms share. */
import type { JsonObject, RelayOptions, TurnUsage, WholeAnswer } from '../../protocol.ts';
import { openaiCounts, originOf } from '../counts.ts';
import { encodeBody, objectOf, objectsOf, parseBody, textOf } from '../json-fields.ts';
import { inBandError } from '../openai-errors.ts';
import { emptyAnswer, unreadableAnswer } from '../whole-answer.ts';

export function usageOf(usage: unknown): TurnUsage {
	const counted = objectOf(usage);
	const details = objectOf(counted?.input_tokens_details);
	return openaiCounts(counted?.input_tokens, counted?.output_tokens, details);
}

/** Text of a message item; empty for other items. */
export function itemText(item: JsonObject): string {
	if (item.type !== 'message') return '';
	return objectsOf(item.content)
		.map((part) => textOf(part.text) || textOf(part.refusal))
		.join('');
}

/**
 * Whether a response without any output is an answer all the same: it says that it was cut short ("incomplete"), or
 * the server has counted output tokens for it.
 */
export function isMeantEmpty(status: string, usage: TurnUsage): boolean {
	return status === 'incomplete' || (status === 'completed' && (usage.output ?? 0) > 0);
}

/** Whether an output item holds something for the agent; a thought alone does not when thoughts are left out. */
export function saysSomething(item: JsonObject): boolean {
	return item.type === 'message' ? itemText(item) !== '' : item.type !== 'reasoning';
}

export function readAnswer(body: Uint8Array): WholeAnswer {
	const answer = parseBody(body);
	if (answer === null) return unreadableAnswer(body);
	const usage = usageOf(answer.usage);
	const origin = originOf(answer.id, answer.model);
	const status = textOf(answer.status);
	if ((answer.error !== undefined && answer.error !== null) || status === 'failed') {
		return { error: inBandError(answer, body, 'The response failed.'), usage, origin, text: '' };
	}
	const output = objectsOf(answer.output);
	const text = output.map(itemText).join('');
	const isGood = output.some(saysSomething) || isMeantEmpty(status, usage) || isWaiting(status);
	return { error: isGood ? null : emptyAnswer(body), usage, origin, text };
}

/** A response in the background, to be asked for later. */
function isWaiting(status: string): boolean {
	return status === 'queued' || status === 'in_progress';
}

/** Bytes that are not an answer stay as they are. */
export function labelAnswer(body: Uint8Array, { label, localModel }: RelayOptions): Uint8Array {
	const answer = parseBody(body);
	if (answer === null || !Array.isArray(answer.output)) return body;
	const kept = objectsOf(answer.output).filter((item) => localModel === null || item.type !== 'reasoning');
	const all = { ...answer, output: label === '' ? kept : withLabel(kept, label) };
	return encodeBody(localModel === null ? all : { ...all, model: localModel });
}

/** The label at the head of the first message, or as a message before everything when the answer has none. */
function withLabel(output: readonly JsonObject[], label: string): JsonObject[] {
	const at = output.findIndex((item) => item.type === 'message');
	const first = output[at];
	if (first === undefined || output.slice(0, at).some(saysSomething)) {
		return [labelMessage('msg_label', label), ...output];
	}
	return output.map((item, index) => (index === at ? withPrefix(item, `${label}\n\n`) : item));
}

/** A finished message item of our own. */
export function labelMessage(id: string, text: string): JsonObject {
	const content = [{ type: 'output_text', text, annotations: [] }];
	return { id, type: 'message', status: 'completed', role: 'assistant', content };
}

/** The item with a prefix before its first text. */
export function withPrefix(item: JsonObject, prefix: string): JsonObject {
	if (prefix === '') return item;
	const parts = objectsOf(item.content);
	const at = parts.findIndex((part) => part.type === 'output_text');
	const content = parts.map((part, index) =>
		index === at ? { ...part, text: prefix + textOf(part.text) } : part,
	);
	return { ...item, content };
}
