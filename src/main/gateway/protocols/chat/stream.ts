/**
 * A stream of chat completion chunks. Source: platform.openai.com/docs/api-reference/chat/streaming.
 * From the chunk with a `finish_reason` on everything waits for `[DONE]`; some local servers never send it, then the end
 * of the stream is a good end. `[DONE]` without a `finish_reason` is what broken proxies write behind a cut: it is none.
 */
import type { AnswerOrigin, InBandError, JsonObject, RelayOptions, TurnUsage } from '../../protocol.ts';
import { BoundedText } from '../../relay/bounded-text.ts';
import { NO_BYTES } from '../../relay/byte-queue.ts';
import {
	asItCame,
	type Dialect,
	LONGEST_TEXT,
	type Reading,
	reading,
	type Shown,
} from '../../relay/dialect.ts';
import { encodeFrame, type SseFrame } from '../../sse/frame.ts';
import { largerCounts, originOf, uncounted, unnamed } from '../counts.ts';
import { numberOf, objectOf, objectsOf, parseObject, textOf, without } from '../json-fields.ts';
import { errorBody, inBandError } from '../openai-errors.ts';
import { hasCalls, isMeantEmpty, reasoningOf, usageOf } from './answer.ts';
import { reasoningFields } from './for-local.ts';

/** What all chunks of one completion have in common. */
interface Head {
	readonly id: unknown;
	readonly object: unknown;
	readonly created: unknown;
	readonly model: unknown;
}

export class ChatStream implements Dialect {
	readonly #options: RelayOptions;
	/** The head that the client knows, after a restart. */
	readonly #firstHead: Head | null;
	readonly #rewrites: boolean;
	readonly #text = new BoundedText(LONGEST_TEXT);
	readonly #open = new Set<number>();
	readonly #finished = new Set<number>();
	#head: Head | null = null;
	#label: string;
	#usage: TurnUsage = uncounted;
	#finishReason = '';
	#sawContent = false;
	#leftThinkingOut = false;

	constructor(options: RelayOptions, firstHead: Head | null = null) {
		this.#options = options;
		this.#firstHead = firstHead;
		this.#label = options.label;
		this.#rewrites = firstHead !== null || options.localModel !== null || options.label !== '';
	}

	get text(): string {
		return this.#text.value;
	}

	get usage(): TurnUsage {
		return this.#usage;
	}

	get origin(): AnswerOrigin {
		return this.#head === null ? unnamed : originOf(this.#head.id, this.#head.model);
	}

	get isComplete(): boolean {
		return this.#finished.size > 0 && [...this.#open].every((choice) => this.#finished.has(choice));
	}

	get isEmpty(): boolean {
		if (this.#sawContent) return false;
		return this.#leftThinkingOut || !isMeantEmpty(this.#finishReason, this.#usage);
	}

	isLast(frame: SseFrame): boolean {
		if (frame.data === null) return false;
		if (frame.data.trim() === '[DONE]') return true;
		const chunk = parseObject(frame.data);
		if (chunk === null) return false;
		return (
			Boolean(chunk.error) || objectsOf(chunk.choices).some((choice) => textOf(choice.finish_reason) !== '')
		);
	}

	failure(type: string, message: string): InBandError {
		const bytes = encodeFrame('', errorBody({ status: 502, kind: 'unavailable', message }));
		return { type, status: 502, message, bytes };
	}

	read(frame: SseFrame): Reading {
		const { data } = frame;
		if (data === null) return asItCame('keep-alive', frame);
		if (data.trim() === '[DONE]') {
			return this.isComplete ? asItCame('end', frame) : reading('lifecycle', NO_BYTES);
		}
		const chunk = parseObject(data);
		if (chunk === null) {
			return frame.event === 'error' ? this.#error(null, frame, data) : asItCame('lifecycle', frame);
		}
		const choices = objectsOf(chunk.choices);
		const failed = choices.find((choice) => choice.finish_reason === 'error');
		if (chunk.error || frame.event === 'error') return this.#error(chunk, frame, data);
		if (failed !== undefined) return this.#error(failed, frame, 'The answer failed.');
		if (this.#head === null && choices.length > 0) this.#head = headOf(chunk);
		// Some servers count along in every chunk: the counts are cumulative.
		this.#usage = largerCounts(this.#usage, usageOf(chunk.usage));
		let meaning: Shown = 'lifecycle';
		for (const choice of choices) meaning = stronger(meaning, this.#readChoice(choice));
		return reading(meaning, this.#rewrites ? this.#rewritten(chunk, choices) : frame.bytes);
	}

	restart(label: string, options: RelayOptions): { readonly bytes: Uint8Array; readonly dialect: Dialect } {
		const head = this.#firstHead ??
			this.#head ?? { id: '', object: 'chat.completion.chunk', created: 0, model: '' };
		const told = { ...head, model: options.localModel ?? head.model };
		return { bytes: textChunk(told, `\n\n${label}\n\n`), dialect: new ChatStream(options, head) };
	}

	#readChoice(choice: JsonObject): Shown {
		const index = numberOf(choice.index) ?? 0;
		this.#open.add(index);
		const delta = objectOf(choice.delta) ?? {};
		const text = textOf(delta.content) + textOf(delta.refusal);
		let meaning: Shown = 'lifecycle';
		if (reasoningOf(delta) !== '') {
			if (this.#options.localModel === null) {
				this.#sawContent = true;
				meaning = 'thinking';
			} else this.#leftThinkingOut = true;
		}
		if (text !== '') {
			this.#sawContent = true;
			if (index === 0) this.#text.add(text);
			meaning = 'text';
		}
		if (hasCalls(delta)) {
			this.#sawContent = true;
			meaning = 'hold';
		}
		const finish = textOf(choice.finish_reason);
		if (finish !== '') {
			this.#finished.add(index);
			this.#finishReason = finish;
			meaning = 'hold';
		}
		return meaning;
	}

	#rewritten(chunk: JsonObject, choices: readonly JsonObject[]): Uint8Array {
		const kept = choices.map((choice) => this.#plainChoice(choice));
		const isLeftOut = kept.length > 0 && objectOf(chunk.usage) === null && kept.every(isSilent);
		if (isLeftOut) return NO_BYTES;
		const head = this.#firstHead;
		const moved: Record<string, unknown> = { ...chunk, choices: kept };
		if (head !== null) {
			moved.id = head.id;
			moved.created = head.created;
		}
		if (this.#options.localModel !== null) moved.model = this.#options.localModel;
		const bytes = encodeFrame('', moved);
		if (this.#label === '' || !choices.some((choice) => bringsContent(choice))) return bytes;
		const label = textChunk(headOf(moved), `${this.#label}\n\n`);
		this.#label = '';
		return Buffer.concat([label, bytes]);
	}

	#plainChoice(choice: JsonObject): JsonObject {
		const delta = objectOf(choice.delta);
		if (delta === null) return choice;
		const plain: Record<string, unknown> = {
			...(this.#options.localModel === null ? delta : without(delta, reasoningFields)),
		};
		// The client has the role from the first upstream.
		if (this.#firstHead !== null) delete plain.role;
		return { ...choice, delta: plain };
	}

	#error(envelope: JsonObject | null, frame: SseFrame, raw: string): Reading {
		return { meaning: 'error', bytes: frame.bytes, error: inBandError(envelope, frame.bytes, raw) };
	}
}

function headOf(chunk: JsonObject): Head {
	return { id: chunk.id, object: chunk.object, created: chunk.created, model: chunk.model };
}

function textChunk(head: Head, text: string): Buffer {
	return encodeFrame('', { ...head, choices: [{ index: 0, delta: { content: text }, finish_reason: null }] });
}

/** Of several choices in one chunk the one that waits longest decides. */
function stronger(one: Shown, other: Shown): Shown {
	const order: readonly Shown[] = ['lifecycle', 'thinking', 'text', 'hold'];
	return order.indexOf(one) >= order.indexOf(other) ? one : other;
}

function bringsContent(choice: JsonObject): boolean {
	const delta = objectOf(choice.delta) ?? {};
	return textOf(delta.content) + textOf(delta.refusal) !== '' || hasCalls(delta);
}

/** Nothing is left in it that a client could use. */
function isSilent(choice: JsonObject): boolean {
	const delta = objectOf(choice.delta) ?? {};
	return (
		Object.values(delta).every((value) => value === null || value === '') &&
		textOf(choice.finish_reason) === ''
	);
}
