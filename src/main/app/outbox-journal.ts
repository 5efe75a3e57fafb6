/** Writes the outbox's entries down as they change, and remembers what the disk would not take. */
import type { Clock } from '../failover/call.ts';
import { entriesToKeep } from '../failover/outbox.ts';
import {
	type Delivery,
	deliveryOf,
	type OutboxEntry,
	type OutboxState,
	withState,
} from '../failover/outbox-entry.ts';
import type { OutboxLog } from '../store/outbox-log.ts';
import type { OutboxItem, OutboxItems } from './outbox-items.ts';

const COMPACT_EVERY_MS = 3_600_000;
const MOST_WASTE_BYTES = 8 * 1024 * 1024;

export interface OutboxJournalOptions {
	readonly log: OutboxLog<OutboxEntry>;
	readonly items: OutboxItems;
	readonly clock: Clock;
	readonly onChange: () => void;
	readonly onError: (where: string, error: unknown) => void;
}

/** What changes of a delivery; the rest stays. */
export type DeliveryChange = Partial<Pick<Delivery, 'attempts' | 'detail' | 'next_attempt_at' | 'discarded'>>;

export class OutboxJournal {
	readonly #options: OutboxJournalOptions;
	#problem = '';
	#compactAt: number;
	#isTidying = false;

	constructor(options: OutboxJournalOptions) {
		this.#options = options;
		this.#compactAt = options.clock.steady() + COMPACT_EVERY_MS;
	}

	/** Why the outbox cannot be read or written; empty when it can. */
	get problem(): string {
		return this.#problem;
	}

	/** Rejects with a `StoreError`. */
	read(): Promise<OutboxEntry[]> {
		return this.#watched(() => this.#options.log.read());
	}

	/** Resolves when the entry is on the disk; rejects with a `StoreError`. */
	add(entry: OutboxEntry): Promise<void> {
		return this.#watched(() => this.#options.log.append([entry]));
	}

	/** Gives the item another state, on the disk first. Rejects with a `StoreError`: the item is as it was. */
	async write(item: OutboxItem, state: OutboxState, change: DeliveryChange): Promise<void> {
		const entry = this.#changed(item.entry, state, change);
		const { isUnwritten } = item;
		// From now on this is its last line: an older one must not come behind it.
		item.isUnwritten = false;
		try {
			await this.#watched(() => this.#options.log.append([entry]));
		} catch (error) {
			item.isUnwritten = isUnwritten;
			throw error;
		}
		item.entry = entry;
	}

	/** Notes what has happened already. Never rejects: what the disk refuses now is written by `tidy`. */
	async note(item: OutboxItem, state: OutboxState, change: DeliveryChange): Promise<void> {
		const entry = this.#changed(item.entry, state, change);
		item.entry = entry;
		item.isUnwritten = true;
		await this.#writeDown([item]);
	}

	/** Writes down what the disk refused before, and drops what is old. */
	async tidy(): Promise<void> {
		if (this.#isTidying) return;
		this.#isTidying = true;
		try {
			await this.#writeDown(this.#options.items.all().filter(({ isUnwritten }) => isUnwritten));
			if (this.#isCompactionDue()) await this.#compact();
		} finally {
			this.#isTidying = false;
		}
	}

	async #writeDown(items: readonly OutboxItem[]): Promise<void> {
		if (items.length === 0) return;
		const entries = items.map(({ entry }) => entry);
		try {
			await this.#watched(() => this.#options.log.append(entries));
		} catch {
			// The view says why; the entries are marked and tried again.
			return;
		}
		// One that has changed meanwhile has another line to be written.
		for (const [index, item] of items.entries()) if (item.entry === entries[index]) item.isUnwritten = false;
	}

	#isCompactionDue(): boolean {
		const { clock, items, log } = this.#options;
		if (log.waste > MOST_WASTE_BYTES) return true;
		if (clock.steady() < this.#compactAt) return false;
		this.#compactAt = clock.steady() + COMPACT_EVERY_MS;
		const entries = items.all().map(({ entry }) => entry);
		return entriesToKeep(entries, clock.wall()).length < entries.length;
	}

	async #compact(): Promise<void> {
		const { clock, items, log, onError } = this.#options;
		let dropped: readonly OutboxEntry[] = [];
		try {
			// Judged by the lines themselves: an item in memory may be a step behind what was just written of it.
			await log.compact((lines) => {
				const kept = new Set(entriesToKeep(lines, clock.wall()));
				dropped = lines.filter((line) => !kept.has(line));
				return [...kept];
			});
		} catch (error) {
			onError('compacting the outbox', error);
			return;
		}
		for (const { idempotency_key } of dropped) items.forget(idempotency_key);
	}

	#changed(entry: OutboxEntry, state: OutboxState, change: DeliveryChange): OutboxEntry {
		const at = new Date(this.#options.clock.wall()).toISOString();
		return withState(entry, state, { ...deliveryOf(entry), next_attempt_at: null, ...change, at });
	}

	async #watched<T>(work: () => Promise<T>): Promise<T> {
		try {
			const result = await work();
			this.#say('');
			return result;
		} catch (error) {
			this.#say(error instanceof Error ? error.message : String(error));
			throw error;
		}
	}

	#say(problem: string): void {
		if (problem === this.#problem) return;
		this.#problem = problem;
		this.#options.onChange();
	}
}
