/**
 * Model responses by key, some 130 bytes each however many there are: numbers in long arrays instead of objects. Of a
 * response that is too old for any period only its key is kept, so that it is never counted again.
 */
import type { TokenUsage } from './token-usage.ts';

/** One response. Names stand as numbers that the ledger gives out. */
export interface TableResponse {
	/** See `fingerprint`. */
	readonly key: number;
	readonly session: number;
	readonly model: number;
	readonly day: number;
	/** Ms since the epoch. */
	readonly at: number;
	/** When the file began in which it was reported, ms since the epoch. */
	readonly bornAt: number;
	readonly usage: TokenUsage;
	/** Billionths of a dollar, whole: sums are exact and do not depend on the order. `null`: unpriced. */
	readonly nanoUsd: number | null;
}

/** There is no such response. */
export const ABSENT = -1;
/** It was counted, and is too old to be told apart from others. */
export const RETIRED = -2;

const EMPTY = -3;
const WIDTH = 13;
const SEGMENT_ROWS = 4096;
const FIRST_SLOTS = 8192;
/** Above that share of used slots the search gets long. */
const FULLEST = 0.6;

export class ResponseTable {
	/** Rows of `WIDTH` numbers: in segments, so that growing copies nothing. */
	readonly #segments: Float64Array[] = [];
	readonly #free: number[] = [];
	#rows = 0;
	/** Open addressing: each slot holds a key and its row. */
	#keys = new Float64Array(FIRST_SLOTS);
	#refs = new Int32Array(FIRST_SLOTS).fill(EMPTY);
	#used = 0;

	/** Responses of which more than the key is kept. */
	get size(): number {
		return this.#rows - this.#free.length;
	}

	/** One past the highest row that was ever used. */
	get rows(): number {
		return this.#rows;
	}

	/** The row of a key, `ABSENT` or `RETIRED`. */
	find(key: number): number {
		const ref = this.#refs[this.#slotOf(key)] ?? EMPTY;
		return ref === EMPTY ? ABSENT : ref;
	}

	/** Adds one whose key is absent; its row. */
	add(response: TableResponse): number {
		const row = this.#free.pop() ?? this.#grow();
		this.write(row, response);
		this.#point(response.key, row);
		return row;
	}

	/** Adds one whose key is absent at a row that is above all others. */
	addAt(row: number, response: TableResponse): void {
		while (this.#rows < row) this.#free.push(this.#grow());
		this.#grow();
		this.write(row, response);
		this.#point(response.key, row);
	}

	/** `null`: the row is not in use. */
	read(row: number): TableResponse | null {
		const segment = this.#segments[Math.floor(row / SEGMENT_ROWS)];
		const at = (row % SEGMENT_ROWS) * WIDTH;
		if (segment === undefined || segment[at] === 0) return null;
		const value = (field: number): number => segment[at + field] ?? 0;
		const nanoUsd = value(12);
		return {
			key: value(0),
			session: value(1),
			model: value(2),
			day: value(3),
			at: value(4),
			bornAt: value(5),
			usage: {
				input: value(6),
				output: value(7),
				cacheRead: value(8),
				cacheCreation: value(9),
				cacheCreation1h: value(10),
				webSearches: value(11),
			},
			nanoUsd: Number.isNaN(nanoUsd) ? null : nanoUsd,
		};
	}

	/** When it came, ms since the epoch; `null`: the row is not in use. */
	atOf(row: number): number | null {
		const segment = this.#segments[Math.floor(row / SEGMENT_ROWS)];
		const start = (row % SEGMENT_ROWS) * WIDTH;
		return segment === undefined || segment[start] === 0 ? null : (segment[start + 4] ?? 0);
	}

	write(row: number, { key, session, model, day, at, bornAt, usage, nanoUsd }: TableResponse): void {
		const segment = this.#segments[Math.floor(row / SEGMENT_ROWS)];
		if (segment === undefined) return;
		const { input, output, cacheRead, cacheCreation, cacheCreation1h, webSearches } = usage;
		const start = (row % SEGMENT_ROWS) * WIDTH;
		segment[start] = key;
		segment[start + 1] = session;
		segment[start + 2] = model;
		segment[start + 3] = day;
		segment[start + 4] = at;
		segment[start + 5] = bornAt;
		segment[start + 6] = input;
		segment[start + 7] = output;
		segment[start + 8] = cacheRead;
		segment[start + 9] = cacheCreation;
		segment[start + 10] = cacheCreation1h;
		segment[start + 11] = webSearches;
		segment[start + 12] = nanoUsd ?? Number.NaN;
	}

	/** Keeps the key alone, of a response that is here or of one that never was. */
	retire(key: number): void {
		const row = this.find(key);
		if (row >= 0) {
			const segment = this.#segments[Math.floor(row / SEGMENT_ROWS)];
			if (segment !== undefined) segment[(row % SEGMENT_ROWS) * WIDTH] = 0;
			this.#free.push(row);
		}
		this.#point(key, RETIRED);
	}

	#point(key: number, ref: number): void {
		const slot = this.#slotOf(key);
		if (this.#refs[slot] === EMPTY) this.#used += 1;
		this.#keys[slot] = key;
		this.#refs[slot] = ref;
		if (this.#used > this.#refs.length * FULLEST) this.#doubleSlots();
	}

	/** Where the key stands, or the free slot where it would. */
	#slotOf(key: number): number {
		const mask = this.#refs.length - 1;
		let slot = (key % 4_294_967_296) & mask;
		while (this.#refs[slot] !== EMPTY && this.#keys[slot] !== key) slot = (slot + 1) & mask;
		return slot;
	}

	/** One row more; its number. */
	#grow(): number {
		if (this.#rows >= this.#segments.length * SEGMENT_ROWS) {
			this.#segments.push(new Float64Array(SEGMENT_ROWS * WIDTH));
		}
		return this.#rows++;
	}

	#doubleSlots(): void {
		const [keys, refs] = [this.#keys, this.#refs];
		this.#keys = new Float64Array(keys.length * 2);
		this.#refs = new Int32Array(refs.length * 2).fill(EMPTY);
		for (let slot = 0; slot < refs.length; slot += 1) {
			const ref = refs[slot] ?? EMPTY;
			if (ref === EMPTY) continue;
			const key = keys[slot] ?? 0;
			const target = this.#slotOf(key);
			this.#keys[target] = key;
			this.#refs[target] = ref;
		}
	}
}

/**
 * A key as a number from 1 to 2^53 - 1: with a million responses the chance that any two of them meet is 1 in 18 000.
 * Two rounds of a multiplying hash over the characters (after cyrb53, which is in the public domain).
 */
export function fingerprint(text: string): number {
	let high = 0xdeadbeef;
	let low = 0x41c6ce57;
	for (let at = 0; at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		high = Math.imul(high ^ code, 2_654_435_761);
		low = Math.imul(low ^ code, 1_597_334_677);
	}
	high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
	low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
	return 4_294_967_296 * (2_097_151 & low) + (high >>> 0) || 1;
}
