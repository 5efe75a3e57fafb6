/** The outbox in memory: each entry with what only the running floor knows of it. No I/O. */
import type { OutboxView } from '../../shared/failover-view.ts';
import { type OutboxStatus, outboxView, statusAtStart, workOf } from '../failover/outbox.ts';
import type { OutboxEntry } from '../failover/outbox-entry.ts';

export interface OutboxItem {
	entry: OutboxEntry;
	status: OutboxStatus;
	/** Why it waits just now; empty when the entry says all. */
	note: string;
	/** `note` says what is in its way: when that is looked at next is nothing to show. */
	isHeldUp: boolean;
	/** When it is tried next, steady clock, ms; `null`: somebody has to wake it. */
	dueAt: number | null;
	/** The other side asked not to be asked before, steady clock, ms. */
	notBefore: number;
	/** 0 to 1; `null`: not known. */
	progress: number | null;
	/** Calls off the sender that has it. */
	abort: AbortController | null;
	/** The operator threw it away while it was on its way. */
	isDiscarded: boolean;
	/** What became of it is not on the disk yet. */
	isUnwritten: boolean;
}

/** Sent at the same time; of these at most one download, so that a long one holds up no turn. */
const MOST_AT_ONCE = 2;

export class OutboxItems {
	readonly #items = new Map<string, OutboxItem>();

	/** `dueAt`: steady clock, ms; only an entry that waits is ever sent by itself. */
	add(entry: OutboxEntry, dueAt: number | null): OutboxItem {
		const status = statusAtStart(entry);
		const item: OutboxItem = {
			entry,
			status,
			note: '',
			isHeldUp: false,
			dueAt: status === 'pending' ? dueAt : null,
			notBefore: 0,
			progress: null,
			abort: null,
			isDiscarded: false,
			isUnwritten: false,
		};
		this.#items.set(entry.idempotency_key, item);
		return item;
	}

	get(key: string): OutboxItem | undefined {
		return this.#items.get(key);
	}

	all(): OutboxItem[] {
		return [...this.#items.values()];
	}

	/** Neither done nor given up. */
	open(): OutboxItem[] {
		return this.all().filter(isOpen);
	}

	/** Characters of all bodies that are still to be sent. */
	openLength(): number {
		return this.open().reduce(
			(total, { entry }) => total + ('body' in entry.payload ? String(entry.payload.body).length : 0),
			0,
		);
	}

	sending(): OutboxItem[] {
		return this.all().filter(({ status }) => status === 'sending');
	}

	/** An entry that waits for, or does, the same work. */
	sameWork(entry: OutboxEntry): OutboxItem | undefined {
		const work = workOf(entry);
		if (work === null) return undefined;
		return this.all().find((item) => isOpen(item) && workOf(item.entry) === work);
	}

	/** What is to be sent now, the longest due first; undefined when nothing is or may be. `now`: steady clock, ms. */
	nextToSend(now: number): OutboxItem | undefined {
		const [first] = this.#sendable();
		return first && first.dueAt <= now ? first.item : undefined;
	}

	/** When the next one may be sent, steady clock, ms; `null`: none may before one that is on its way has ended. */
	nextDue(): number | null {
		return this.#sendable()[0]?.dueAt ?? null;
	}

	#sendable(): { readonly item: OutboxItem; readonly dueAt: number }[] {
		const sending = this.sending();
		if (sending.length >= MOST_AT_ONCE) return [];
		const isDownloading = sending.some(({ entry }) => entry.kind === 'download');
		return this.all()
			.filter(({ status, entry }) => status === 'pending' && !(isDownloading && entry.kind === 'download'))
			.flatMap((item) => (item.dueAt === null ? [] : { item, dueAt: item.dueAt }))
			.sort((a, b) => a.dueAt - b.dueAt);
	}

	/** It left the log. One that has been opened again meanwhile stays. */
	forget(key: string): void {
		const item = this.#items.get(key);
		if (item && !isOpen(item)) this.#items.delete(key);
	}

	/** `wall` and `steady`: both clocks at one moment, ms. */
	view(problem: string, wall: number, steady: number): OutboxView {
		return outboxView(
			this.all().map((item) => ({
				...item,
				nextAttemptAt:
					item.dueAt === null || item.isHeldUp ? null : Math.max(wall, wall + item.dueAt - steady),
			})),
			problem,
		);
	}
}

export function isOpen({ status }: OutboxItem): boolean {
	return status === 'pending' || status === 'sending' || status === 'uncertain';
}

/** It waits. Both times on the steady clock, ms; `dueAt` null: until somebody wakes it. */
export function wait(item: OutboxItem, notBefore: number, dueAt: number | null): void {
	item.status = 'pending';
	item.note = '';
	item.isHeldUp = false;
	item.notBefore = notBefore;
	item.dueAt = dueAt;
}
