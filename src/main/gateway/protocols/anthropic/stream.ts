/**
 * A Messages stream. Source: docs.claude.com/en/docs/build-with-claude/streaming.
 * `message_delta` waits for `message_stop`: a cut between the two leaves a message that can still be restarted.
 */
import type { AnswerOrigin, InBandError, JsonObject, RelayOptions, TurnUsage } from '../../protocol.ts';
import { BoundedText } from '../../relay/bounded-text.ts';
import { NO_BYTES } from '../../relay/byte-queue.ts';
import {
	asItCame,
	type Dialect,
	type GateView,
	LONGEST_TEXT,
	type Reading,
	reading,
	type Shown,
} from '../../relay/dialect.ts';
import { encodeFrame, type SseFrame } from '../../sse/frame.ts';
import { largerCounts, originOf, uncounted, unnamed } from '../counts.ts';
import { numberOf, objectOf, parseObject, textOf } from '../json-fields.ts';
import { isMeantEmpty, usageOf } from './answer.ts';
import { BlockPlan } from './block-plan.ts';
import { errorEvent, inBandError } from './errors.ts';

type BlockKind = 'text' | 'thinking' | 'other';

export class AnthropicStream implements Dialect {
	readonly #options: RelayOptions;
	/** Goes on in a message that another upstream began. */
	readonly #isRestart: boolean;
	/** Bytes are passed as they came unless something in them has to change. */
	readonly #rewrites: boolean;
	readonly #plan: BlockPlan;
	readonly #text = new BoundedText(LONGEST_TEXT);
	readonly #kinds = new Map<number, BlockKind>();
	#asideIndex: number | null = null;
	#label: string;
	#startUsage: JsonObject = {};
	#usage: TurnUsage = uncounted;
	/** The last word on the output: message_start counts one token that may never come. */
	#output: number | null = null;
	#origin: AnswerOrigin = unnamed;
	#stopReason = '';
	#sawContent = false;
	#leftThinkingOut = false;

	constructor(options: RelayOptions, firstIndex = 0, isRestart = false) {
		this.#options = options;
		this.#isRestart = isRestart;
		this.#label = options.label;
		this.#rewrites = isRestart || options.localModel !== null || options.label !== '';
		this.#plan = new BlockPlan(firstIndex);
	}

	get text(): string {
		return this.#text.value;
	}

	get usage(): TurnUsage {
		return this.#usage;
	}

	get origin(): AnswerOrigin {
		return this.#origin;
	}

	get isComplete(): boolean {
		return false;
	}

	get isEmpty(): boolean {
		if (this.#sawContent) return false;
		// A local model that only thought has nothing for the agent.
		return this.#leftThinkingOut || !isMeantEmpty(this.#stopReason, { output: this.#output });
	}

	isLast(frame: SseFrame): boolean {
		const event = frame.data === null ? null : parseObject(frame.data);
		return event !== null && (event.type === 'message_stop' || event.type === 'error');
	}

	failure(type: string, message: string): InBandError {
		const bytes = errorEvent({ status: 502, kind: 'unavailable', message });
		return { type, status: 502, message, bytes };
	}

	read(frame: SseFrame, gate: GateView): Reading {
		const { data } = frame;
		if (data === null || frame.event === 'ping') return asItCame('keep-alive', frame);
		// Arguments of a tool call can be long; they wait as they are.
		const isWaiting = gate.isHolding && this.#asideIndex === null && !this.#rewrites;
		if (isWaiting && frame.event === 'content_block_delta' && !frame.includes('text_delta'))
			return asItCame('hold', frame);
		const event = parseObject(data);
		if (event === null) {
			if (frame.event === 'error') return this.#error(null, frame, data);
			return asItCame('lifecycle', frame);
		}
		switch (textOf(event.type) || frame.event) {
			case 'ping':
				return asItCame('keep-alive', frame);
			case 'error':
				return this.#error(event, frame, data);
			case 'message_start':
				return this.#messageStart(event, frame);
			case 'content_block_start':
				return this.#blockStart(event, frame, gate);
			case 'content_block_delta':
				return this.#blockDelta(event, frame, gate);
			case 'content_block_stop':
				return this.#blockStop(event, frame);
			case 'message_delta':
				return this.#messageDelta(event, frame);
			case 'message_stop':
				return asItCame('end', frame);
			default:
				// Local servers say `data: {"error": …}` in the middle of a stream.
				return event.error ? this.#error(event, frame, data) : asItCame('lifecycle', frame);
		}
	}

	restart(label: string, options: RelayOptions): { readonly bytes: Uint8Array; readonly dialect: Dialect } {
		const { stops, nextIndex } = this.#plan.close();
		const frames = stops.map((index) =>
			encodeFrame('content_block_stop', { type: 'content_block_stop', index }),
		);
		// At the head of the new text and in no block of its own: a client's result is often its last block alone.
		const dialect = new AnthropicStream({ ...options, label }, nextIndex, true);
		return { bytes: Buffer.concat(frames), dialect };
	}

	#messageStart(event: JsonObject, frame: SseFrame): Reading {
		const message = objectOf(event.message) ?? {};
		this.#startUsage = objectOf(message.usage) ?? {};
		this.#usage = usageOf(this.#startUsage);
		this.#output = this.#usage.output;
		this.#origin = originOf(message.id, message.model);
		if (this.#isRestart) return reading('lifecycle', NO_BYTES);
		if (this.#options.localModel === null) return asItCame('lifecycle', frame);
		const named = { ...event, message: { ...message, model: this.#options.localModel } };
		return reading('lifecycle', encodeFrame('message_start', named));
	}

	#blockStart(event: JsonObject, frame: SseFrame, gate: GateView): Reading {
		const index = numberOf(event.index) ?? 0;
		const block = objectOf(event.content_block) ?? {};
		const kind = kindOf(textOf(block.type));
		this.#kinds.set(index, kind);
		if (kind === 'thinking' && this.#options.localModel !== null) return this.#leaveOut(index);
		const meaning = this.#startMeaning(kind, index, block, gate);
		let before: Buffer | null = null;
		if (kind === 'other' && this.#label !== '') before = textBlock(this.#plan.own(), this.#takeLabel());
		const out = this.#plan.start(index, !gate.isHolding && meaning !== 'hold' && meaning !== 'aside');
		if (meaning === 'text' || meaning === 'thinking') this.#plan.pass();
		const started = this.#moved(event, index, out, frame);
		if (before !== null) return reading(meaning, Buffer.concat([before, started]));
		if (kind !== 'text' || this.#label === '') return reading(meaning, started);
		const label = `${this.#takeLabel()}\n\n`;
		if (meaning !== 'text') {
			return reading(meaning, Buffer.concat([started, textDelta(out, label)]));
		}
		const labelled = { ...event, index: out, content_block: { ...block, text: label + textOf(block.text) } };
		return reading(meaning, encodeFrame('content_block_start', labelled));
	}

	#startMeaning(kind: BlockKind, index: number, block: JsonObject, gate: GateView): Shown {
		if (kind === 'other') {
			this.#sawContent = true;
			return 'hold';
		}
		if (kind === 'thinking') {
			if (gate.state === 'content') {
				if (!gate.isHolding) this.#asideIndex = index;
				return 'aside';
			}
			if (block.type !== 'redacted_thinking' && textOf(block.thinking) === '') return 'opening';
			this.#sawContent = true;
			return 'thinking';
		}
		return this.#addText(textOf(block.text)) ? 'text' : 'opening';
	}

	#blockDelta(event: JsonObject, frame: SseFrame, gate: GateView): Reading {
		const index = numberOf(event.index) ?? 0;
		const kind = this.#kinds.get(index);
		if (kind === 'thinking' && this.#plan.isLeftOut(index)) return this.#leaveOut(index);
		const delta = objectOf(event.delta) ?? {};
		const meaning = this.#deltaMeaning(kind, index, delta);
		if (!gate.isHolding && (meaning === 'text' || meaning === 'thinking')) this.#plan.pass();
		const out = this.#plan.outOf(index);
		const bytes = this.#moved(event, index, out, frame);
		// A server that sends no content_block_start.
		if (meaning !== 'text' || this.#label === '') return reading(meaning, bytes);
		const label = textDelta(out, `${this.#takeLabel()}\n\n`);
		return reading(meaning, Buffer.concat([label, bytes]));
	}

	#deltaMeaning(kind: BlockKind | undefined, index: number, delta: JsonObject): Shown {
		if (kind === 'other' || delta.type === 'input_json_delta') {
			this.#sawContent = true;
			return 'hold';
		}
		if (kind === 'thinking' || delta.type === 'thinking_delta') {
			if (this.#asideIndex === index) return 'aside';
			// A thought that is not shown comes as a signature alone.
			if (textOf(delta.thinking) === '') return 'lifecycle';
			this.#sawContent = true;
			return 'thinking';
		}
		return this.#addText(textOf(delta.text)) ? 'text' : 'lifecycle';
	}

	#blockStop(event: JsonObject, frame: SseFrame): Reading {
		const index = numberOf(event.index) ?? 0;
		if (this.#plan.isLeftOut(index)) return this.#leaveOut(index);
		const bytes = this.#moved(event, index, this.#plan.outOf(index), frame);
		this.#plan.stop(index);
		if (this.#asideIndex !== index) return reading('lifecycle', bytes);
		this.#asideIndex = null;
		this.#plan.passWhole(index);
		return reading('aside-end', bytes);
	}

	#messageDelta(event: JsonObject, frame: SseFrame): Reading {
		this.#stopReason = textOf(objectOf(event.delta)?.stop_reason) || this.#stopReason;
		// Counts are cumulative: the last ones hold, what they leave out stands in message_start.
		const counts = { ...this.#startUsage, ...objectOf(event.usage) };
		const told = usageOf(counts);
		this.#usage = largerCounts(this.#usage, told);
		this.#output = told.output;
		if (!this.#isRestart) return asItCame('hold', frame);
		// The client read the input tokens of the first upstream; these are the ones of the answer it gets.
		return reading('hold', encodeFrame('message_delta', { ...event, usage: counts }));
	}

	#error(event: JsonObject | null, frame: SseFrame, data: string): Reading {
		return { meaning: 'error', bytes: frame.bytes, error: inBandError(event, frame.bytes, data) };
	}

	#leaveOut(index: number): Reading {
		this.#leftThinkingOut = true;
		this.#plan.leaveOut(index);
		return reading('lifecycle', NO_BYTES);
	}

	#addText(text: string): boolean {
		if (text === '') return false;
		this.#sawContent = true;
		this.#text.add(text);
		return true;
	}

	#takeLabel(): string {
		const label = this.#label;
		this.#label = '';
		return label;
	}

	#moved(event: JsonObject, index: number, out: number, frame: SseFrame): Uint8Array {
		if (index === out) return frame.bytes;
		return encodeFrame(frame.event || textOf(event.type), { ...event, index: out });
	}
}

function kindOf(type: string): BlockKind {
	if (type === 'text') return 'text';
	return type === 'thinking' || type === 'redacted_thinking' ? 'thinking' : 'other';
}

function textDelta(index: number, text: string): Buffer {
	return encodeFrame('content_block_delta', {
		type: 'content_block_delta',
		index,
		delta: { type: 'text_delta', text },
	});
}

function textBlock(index: number, text: string): Buffer {
	const block = { type: 'content_block_start', index, content_block: { type: 'text', text: '' } };
	return Buffer.concat([
		encodeFrame('content_block_start', block),
		textDelta(index, text),
		encodeFrame('content_block_stop', { type: 'content_block_stop', index }),
	]);
}
