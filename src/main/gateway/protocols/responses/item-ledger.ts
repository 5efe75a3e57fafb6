/** The output items of one response at the client: their indexes and ids, what of them it has, and how to close them. */
import type { JsonObject } from '../../protocol.ts';
import { numberOf, objectOf, textOf } from '../json-fields.ts';
import { labelMessage, withPrefix } from './answer.ts';

/** Characters of an open part; no answer is that long, an upstream that never stops is. */
const LONGEST_PART = 8_000_000;

export type ItemKind = 'message' | 'reasoning' | 'other';

interface Part {
	readonly isRefusal: boolean;
	/** The client was told that it began (some servers leave that out). */
	isAnnounced: boolean;
	isTextDone: boolean;
	isDone: boolean;
	text: string;
}

export interface Item {
	/** `output_index` and id at the client. */
	readonly out: number;
	readonly id: string;
	readonly kind: ItemKind;
	/** As announced to the client. */
	readonly added: JsonObject;
	readonly parts: Map<number, Part>;
	/** A line of ours at the head of its text; empty for none. */
	prefix: string;
	/** The client has it, or its beginning. */
	isPassed: boolean;
	/** As the client gets it at its end; `null` while it is open. */
	done: JsonObject | null;
}

/** What the client has from upstreams before this one. */
export interface EarlierItems {
	readonly items: readonly JsonObject[];
	readonly ids: ReadonlySet<string>;
	readonly nextIndex: number;
}

export const nothingEarlier: EarlierItems = { items: [], ids: new Set(), nextIndex: 0 };

export class ItemLedger {
	readonly #earlier: EarlierItems;
	readonly #items: Item[] = [];
	readonly #byIndex = new Map<number, Item>();
	readonly #byId = new Map<string, Item>();
	readonly #leftOut = new Set<number>();
	readonly #ids: Set<string>;
	#next: number;
	#waiting: Item[] = [];

	constructor(earlier: EarlierItems) {
		this.#earlier = earlier;
		this.#ids = new Set(earlier.ids);
		this.#next = earlier.nextIndex;
	}

	/** An item that its upstream began. Its id is kept unless the client knows another item by it. */
	add(index: number, added: JsonObject, goesAlong: boolean): Item {
		const told = textOf(added.id);
		const id = told === '' ? '' : this.#unused(told);
		const item: Item = {
			out: this.#next,
			id,
			kind: kindOf(textOf(added.type)),
			added: id === told ? added : { ...added, id },
			parts: new Map(),
			prefix: '',
			isPassed: false,
			done: null,
		};
		if (goesAlong) this.#waiting.push(item);
		this.#next += 1;
		this.#items.push(item);
		this.#byIndex.set(index, item);
		this.#leftOut.delete(index);
		if (told !== '') this.#byId.set(told, item);
		return item;
	}

	/** A finished message of our own, before the next item. */
	addLabel(text: string): { readonly out: number; readonly item: JsonObject } {
		const out = this.#next;
		const done = labelMessage(this.#unused(`msg_label_${out}`), text);
		this.#items.push({
			out,
			id: textOf(done.id),
			kind: 'message',
			added: done,
			parts: new Map(),
			prefix: '',
			isPassed: false,
			done,
		});
		this.#next += 1;
		return { out, item: done };
	}

	/** The item that an event is about: by index, else by id, else the newest. */
	itemOf(event: JsonObject): Item | null {
		const index = numberOf(event.output_index);
		if (index !== null) return this.#byIndex.get(index) ?? null;
		return (
			this.#byId.get(textOf(event.item_id) || textOf(objectOf(event.item)?.id)) ?? this.#items.at(-1) ?? null
		);
	}

	leaveOut(index: number): void {
		this.#leftOut.add(index);
	}

	isLeftOut(event: JsonObject): boolean {
		const index = numberOf(event.output_index);
		return index !== null && this.#leftOut.has(index);
	}

	/** Content went out, and with it every item that waited for it. */
	pass(): void {
		for (const item of this.#waiting) item.isPassed = true;
		this.#waiting = [];
	}

	partOf(item: Item, event: JsonObject, isRefusal = false): Part {
		const index = numberOf(event.content_index) ?? 0;
		const known = item.parts.get(index);
		if (known !== undefined) return known;
		const part = { isRefusal, isAnnounced: false, isTextDone: false, isDone: false, text: '' };
		item.parts.set(index, part);
		return part;
	}

	/** More text of a part. */
	grow(part: Part, text: string): void {
		if (part.text.length < LONGEST_PART) part.text += text;
	}

	/** The item as the client gets it at its end. */
	finish(item: Item, done: JsonObject): JsonObject {
		const named = item.id === '' || done.id === item.id ? done : { ...done, id: item.id };
		item.done = withPrefix(named, item.prefix);
		return item.done;
	}

	/** All finished items of the response, those of earlier upstreams first; `null` when this upstream finished none. */
	output(): JsonObject[] | null {
		const finished = this.#items.map((item) => item.done).filter((done) => done !== null);
		return finished.length === 0 ? null : [...this.#earlier.items, ...finished];
	}

	/** The same when the upstream told its items only at the end. */
	outputOf(told: readonly JsonObject[]): JsonObject[] {
		return [...this.#earlier.items, ...told];
	}

	/** Ends at the client what is open there. `events` lack their sequence numbers. */
	close(): { readonly events: readonly JsonObject[]; readonly earlier: EarlierItems } {
		const passed = this.#items.filter((item) => item.isPassed);
		const events = passed.filter((item) => item.done === null).flatMap((item) => closeItem(item));
		const items = [
			...this.#earlier.items,
			...passed.map((item) => item.done).filter((done) => done !== null),
		];
		const ids = new Set([...this.#earlier.ids, ...passed.map((item) => item.id)]);
		const nextIndex = Math.max(this.#earlier.nextIndex, ...passed.map((item) => item.out + 1));
		return { events, earlier: { items, ids, nextIndex } };
	}

	#unused(id: string): string {
		let unused = id;
		for (let number = 2; this.#ids.has(unused); number += 1) unused = `${id}_${number}`;
		this.#ids.add(unused);
		return unused;
	}
}

function kindOf(type: string): ItemKind {
	return type === 'message' || type === 'reasoning' ? type : 'other';
}

function closeItem(item: Item): JsonObject[] {
	const events: JsonObject[] = [];
	const place = { item_id: item.id, output_index: item.out };
	const content: JsonObject[] = [];
	for (const [index, part] of item.parts) {
		const field = part.isRefusal ? 'refusal' : 'text';
		const type = part.isRefusal ? 'refusal' : 'output_text';
		const whole = part.isRefusal ? { type, refusal: part.text } : { type, text: part.text, annotations: [] };
		content.push(whole);
		if (part.isDone || !part.isAnnounced) continue;
		const at = { ...place, content_index: index };
		if (!part.isTextDone) events.push({ type: `response.${type}.done`, ...at, [field]: part.text });
		events.push({ type: 'response.content_part.done', ...at, part: whole });
	}
	const isMessage = item.kind === 'message';
	item.done = isMessage
		? { ...item.added, status: 'completed', content }
		: { ...item.added, status: 'incomplete' };
	events.push({ type: 'response.output_item.done', output_index: item.out, item: item.done });
	return events;
}

/** The life of a message of our own, from its first event to its last. */
export function labelEvents(out: number, item: JsonObject, text: string): JsonObject[] {
	const at = { item_id: item.id, output_index: out, content_index: 0 };
	const part = { type: 'output_text', text, annotations: [] };
	return [
		{
			type: 'response.output_item.added',
			output_index: out,
			item: { ...item, status: 'in_progress', content: [] },
		},
		{ type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
		{ type: 'response.output_text.delta', ...at, delta: text },
		{ type: 'response.output_text.done', ...at, text },
		{ type: 'response.content_part.done', ...at, part },
		{ type: 'response.output_item.done', output_index: out, item },
	];
}
