/**
 * A Responses stream. Source: platform.openai.com/docs/api-reference/responses-streaming; Codex runs a tool as soon as
 * its `output_item.done` comes, so calls wait for `response.completed` (or `response.incomplete`, which is an end too).
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
import type { SseFrame } from '../../sse/frame.ts';
import { originOf, uncounted } from '../counts.ts';
import { numberOf, objectOf, objectsOf, parseObject, textOf } from '../json-fields.ts';
import { isMeantEmpty, itemText, saysSomething, usageOf, withPrefix } from './answer.ts';
import { failedEvent, streamError } from './errors.ts';
import { EventEncoder } from './event-encoder.ts';
import { isLastType, isOfCall, isReadWhileHolding, isTextDelta, isThoughtDelta } from './event-types.ts';
import { type EarlierItems, type Item, ItemLedger, labelEvents, nothingEarlier } from './item-ledger.ts';

/** The open response that a restarted answer goes on in. */
interface OpenResponse {
	readonly id: unknown;
	readonly createdAt: unknown;
	readonly items: EarlierItems;
	/** Of the next event; `null` when the stream has no numbers. */
	readonly sequence: number | null;
}

export class ResponsesStream implements Dialect {
	readonly #options: RelayOptions;
	readonly #open: OpenResponse | null;
	readonly #rewrites: boolean;
	readonly #ledger: ItemLedger;
	readonly #text = new BoundedText(LONGEST_TEXT);
	readonly #encoder: EventEncoder;
	#label: string;
	#response: JsonObject = {};
	#aside: Item | null = null;
	#usage: TurnUsage = uncounted;
	#status = '';
	#sawContent = false;
	/** Text came for an item that nobody announced. */
	#hasLooseText = false;
	#leftThinkingOut = false;

	constructor(options: RelayOptions, open: OpenResponse | null = null) {
		this.#options = options;
		this.#open = open;
		this.#label = options.label;
		this.#rewrites = open !== null || options.localModel !== null || options.label !== '';
		this.#ledger = new ItemLedger(open?.items ?? nothingEarlier);
		this.#encoder = new EventEncoder(this.#rewrites, open?.sequence ?? null);
	}

	get text(): string {
		return this.#text.value;
	}

	get usage(): TurnUsage {
		return this.#usage;
	}

	get origin(): AnswerOrigin {
		return originOf(this.#response.id, this.#response.model);
	}

	get isComplete(): boolean {
		return false;
	}

	get isEmpty(): boolean {
		if (this.#sawContent) return false;
		return this.#leftThinkingOut || !isMeantEmpty(this.#status, this.#usage);
	}

	isLast(frame: SseFrame): boolean {
		const event = frame.data === null ? null : parseObject(frame.data);
		return event !== null && isLastType(textOf(event.type));
	}

	failure(type: string, message: string): InBandError {
		return { type, status: 502, message, bytes: failedEvent({ status: 502, kind: 'unavailable', message }) };
	}

	read(frame: SseFrame, gate: GateView): Reading {
		const { data } = frame;
		if (data === null) return asItCame('keep-alive', frame);
		const isUnread = !this.#rewrites && gate.isHolding && this.#aside === null && frame.event !== '';
		if (isUnread && !isReadWhileHolding(frame.event)) return asItCame('hold', frame);
		const event = parseObject(data);
		if (event === null) {
			if (frame.event === 'error') return this.#error(null, frame, data);
			// "[DONE]" of a server that speaks Chat Completions as well: no end of this protocol.
			return data.trim() === '[DONE]' ? reading('lifecycle', NO_BYTES) : asItCame('lifecycle', frame);
		}
		const type = textOf(event.type) || frame.event;
		if (type === 'response.failed' || type === 'error') return this.#error(event, frame, data);
		if (type === '' && event.error) return this.#error(event, frame, data);
		if (type === 'response.completed' || type === 'response.incomplete')
			return this.#ended(type, event, frame);
		if (objectOf(event.response) !== null) return this.#lifecycle(event, frame);
		if (type === 'response.output_item.added') return this.#itemAdded(event, frame, gate);
		if (this.#ledger.isLeftOut(event)) return reading('lifecycle', NO_BYTES);
		const item = this.#ledger.itemOf(event);
		if (type === 'response.output_item.done') return this.#itemDone(event, frame, item, gate);
		const meaning = this.#meaningOf(type, event, item);
		if (!gate.isHolding && (meaning === 'text' || meaning === 'thinking')) this.#ledger.pass();
		if (item === null || item.kind !== 'message')
			return reading(meaning, this.#encoder.moved(event, item, {}, frame));
		return reading(meaning, this.#messageEvent(type, event, item, meaning, frame));
	}

	restart(label: string, options: RelayOptions): { readonly bytes: Uint8Array; readonly dialect: Dialect } {
		const { events, earlier } = this.#ledger.close();
		const between = new ItemLedger(earlier);
		const { out, item } = between.addLabel(label);
		const frames = [...events, ...labelEvents(out, item, label)].map((event) => this.#encoder.own(event));
		const dialect = new ResponsesStream(options, {
			id: this.#open === null ? this.#response.id : this.#open.id,
			createdAt: this.#open === null ? this.#response.created_at : this.#open.createdAt,
			items: {
				items: [...earlier.items, item],
				ids: new Set([...earlier.ids, textOf(item.id)]),
				nextIndex: out + 1,
			},
			sequence: this.#encoder.next,
		});
		return { bytes: Buffer.concat(frames), dialect };
	}

	#lifecycle(event: JsonObject, frame: SseFrame): Reading {
		const response = objectOf(event.response) ?? {};
		this.#response = response;
		if (this.#open !== null) return reading('lifecycle', NO_BYTES);
		if (this.#options.localModel === null)
			return reading('lifecycle', this.#encoder.moved(event, null, {}, frame));
		const named = { response: { ...response, model: this.#options.localModel } };
		return reading('lifecycle', this.#encoder.moved(event, null, named, frame));
	}

	#itemAdded(event: JsonObject, frame: SseFrame, gate: GateView): Reading {
		const added = objectOf(event.item) ?? {};
		const index = numberOf(event.output_index) ?? 0;
		if (added.type === 'reasoning' && this.#options.localModel !== null) {
			this.#leftThinkingOut = true;
			this.#ledger.leaveOut(index);
			return reading('lifecycle', NO_BYTES);
		}
		const isCall = added.type !== 'message' && added.type !== 'reasoning';
		const isAside = added.type === 'reasoning' && gate.state === 'content';
		const before = isCall && this.#label !== '' ? this.#labelFrames() : [];
		const item = this.#ledger.add(index, added, !gate.isHolding && !isCall && !isAside);
		if (isCall) this.#sawContent = true;
		if (isAside && !gate.isHolding) this.#aside = item;
		const changes = item.added === added ? {} : { item: item.added };
		const bytes = this.#encoder.moved(event, item, changes, frame);
		const meaning = isCall ? 'hold' : isAside ? 'aside' : 'opening';
		return reading(meaning, before.length === 0 ? bytes : Buffer.concat([...before, bytes]));
	}

	#meaningOf(type: string, event: JsonObject, item: Item | null): Shown {
		if (item?.kind === 'other' || isOfCall(type)) {
			this.#sawContent = true;
			return 'hold';
		}
		if (item !== null && item === this.#aside) return 'aside';
		if (isThoughtDelta(type) && textOf(event.delta) !== '') {
			this.#sawContent = true;
			return 'thinking';
		}
		if (!isTextDelta(type) || !this.#addText(textOf(event.delta))) return 'lifecycle';
		if (item === null) this.#hasLooseText = true;
		return 'text';
	}

	/** Keeps the parts of a message, so that it can be closed, and puts the label at the head of the first text. */
	#messageEvent(type: string, event: JsonObject, item: Item, meaning: Shown, frame: SseFrame): Uint8Array {
		const isRefusal = type.startsWith('response.refusal.') || objectOf(event.part)?.type === 'refusal';
		if (type === 'response.content_part.added')
			this.#ledger.partOf(item, event, isRefusal).isAnnounced = true;
		if (meaning === 'text') {
			const part = this.#ledger.partOf(item, event, isRefusal);
			let before: Uint8Array = NO_BYTES;
			if (this.#label !== '') {
				item.prefix = `${this.#takeLabel()}\n\n`;
				part.text = item.prefix;
				before = this.#encoder.own({
					...event,
					output_index: item.out,
					item_id: item.id,
					delta: item.prefix,
				});
			}
			this.#ledger.grow(part, textOf(event.delta));
			const bytes = this.#encoder.moved(event, item, {}, frame);
			return before.length === 0 ? bytes : Buffer.concat([before, bytes]);
		}
		if (type === 'response.output_text.done' || type === 'response.refusal.done') {
			this.#ledger.partOf(item, event, isRefusal).isTextDone = true;
			const changes = this.#hasPrefix(item, event) ? { text: item.prefix + textOf(event.text) } : {};
			return this.#encoder.moved(event, item, changes, frame);
		}
		if (type === 'response.content_part.done') {
			this.#ledger.partOf(item, event, isRefusal).isDone = true;
			const part = objectOf(event.part) ?? {};
			const changes = this.#hasPrefix(item, event)
				? { part: { ...part, text: item.prefix + textOf(part.text) } }
				: {};
			return this.#encoder.moved(event, item, changes, frame);
		}
		return this.#encoder.moved(event, item, {}, frame);
	}

	/** The prefix stands in the first part with text. */
	#hasPrefix(item: Item, event: JsonObject): boolean {
		const part = item.parts.get(numberOf(event.content_index) ?? 0);
		return item.prefix !== '' && part !== undefined && part.text.startsWith(item.prefix);
	}

	#itemDone(event: JsonObject, frame: SseFrame, item: Item | null, gate: GateView): Reading {
		const done = objectOf(event.item) ?? {};
		if (item === null) {
			// Announced by nobody: whatever it is, it is whole.
			const isThought = done.type === 'reasoning' && this.#options.localModel !== null;
			if (isThought) return reading('lifecycle', NO_BYTES);
			const added = this.#ledger.add(numberOf(event.output_index) ?? 0, done, !gate.isHolding);
			return this.#itemDone(event, frame, added, gate);
		}
		let meaning: Shown = item.kind === 'other' ? 'hold' : 'lifecycle';
		if (item.kind === 'other') this.#sawContent = true;
		// A server that streams no text tells it here.
		const isTold = item.kind === 'message' && item.parts.size === 0 && !this.#hasLooseText;
		if (isTold && this.#addText(itemText(done))) {
			if (this.#label !== '') item.prefix = `${this.#takeLabel()}\n\n`;
			meaning = 'text';
			if (!gate.isHolding) this.#ledger.pass();
		}
		if (item === this.#aside) {
			this.#aside = null;
			item.isPassed = true;
			this.#ledger.pass();
			meaning = 'aside-end';
		}
		const told = this.#ledger.finish(item, done);
		return reading(meaning, this.#encoder.moved(event, item, told === done ? {} : { item: told }, frame));
	}

	#ended(type: string, event: JsonObject, frame: SseFrame): Reading {
		const response = objectOf(event.response) ?? {};
		const isLocal = this.#options.localModel !== null;
		this.#usage = usageOf(response.usage);
		if (this.#response.id === undefined) this.#response = response;
		this.#status = type === 'response.incomplete' ? 'incomplete' : 'completed';
		const told = objectsOf(response.output).filter((item) => !isLocal || item.type !== 'reasoning');
		if (!this.#sawContent) {
			// Nothing was streamed; a whole answer may still stand here.
			this.#addText(told.map(itemText).join(''));
			if (told.some(saysSomething)) this.#sawContent = true;
		}
		if (!this.#rewrites) return asItCame('end', frame);
		const ended: Record<string, unknown> = {
			...response,
			output: this.#ledger.output() ?? this.#ledger.outputOf(this.#labelled(told)),
		};
		if (isLocal) ended.model = this.#options.localModel;
		if (this.#open !== null) {
			ended.id = this.#open.id;
			ended.created_at = this.#open.createdAt;
		}
		return reading('end', this.#encoder.moved(event, null, { response: ended }, frame));
	}

	#labelled(told: readonly JsonObject[]): JsonObject[] {
		const at = this.#label === '' ? -1 : told.findIndex((item) => item.type === 'message');
		return told.map((item, index) => (index === at ? withPrefix(item, `${this.#takeLabel()}\n\n`) : item));
	}

	#labelFrames(): Uint8Array[] {
		const text = this.#takeLabel();
		const { out, item } = this.#ledger.addLabel(text);
		return labelEvents(out, item, text).map((event) => this.#encoder.own(event));
	}

	#error(event: JsonObject | null, frame: SseFrame, data: string): Reading {
		// A response that failed is billed as far as it came.
		this.#usage = usageOf(objectOf(event?.response)?.usage);
		return { meaning: 'error', bytes: frame.bytes, error: streamError(event, frame.bytes, data) };
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
}
