/**
 * Keeps the outbox (seed 003, section 4): takes entries in, carries them out, and never sends one twice by itself. An
 * entry is on the disk before it counts as queued, and stands there as sent before anybody is called.
 */
import { randomUUID } from 'node:crypto';
import type { OutboxKind, OutboxView } from '../../shared/failover-view.ts';
import type { Schedule } from '../failover/call.ts';
import { fateOf, workOf } from '../failover/outbox.ts';
import { deliveryOf, type NewPayload, newEntry, type OutboxEntry } from '../failover/outbox-entry.ts';
import type { OutboxLog } from '../store/outbox-log.ts';
import { OutboxDelivery, type OutboxDeliveryOptions } from './outbox-delivery.ts';
import { outboxFull, outboxGone, outboxSent } from './outbox-errors.ts';
import { type OutboxItem, OutboxItems, wait } from './outbox-items.ts';
import { OutboxJournal } from './outbox-journal.ts';

/** After a start or a reconnect the entries go out spread over this much, ms. */
export const DRAIN_SPREAD_MS = 2_000;
/** Timers stand still while the machine sleeps: nothing is waited for longer than this in one go, ms. */
const LONGEST_WAIT_MS = 60_000;
/** No wish of another side is remembered for longer over a restart, ms. */
const LONGEST_REMEMBERED_MS = 24 * 3_600_000;
const MOST_OPEN = 500;
/** Of all bodies together, characters. */
const MOST_OPEN_LENGTH = 256 * 1024 * 1024;
/** When the floor stops: entries under way may end for so long, then they are called off and get as much again, ms. */
export const STOP_GRACE_MS = 1_500;

export interface OutboxWorkerOptions extends OutboxDeliveryOptions {
	readonly log: OutboxLog<OutboxEntry>;
	readonly schedule: Schedule;
	/** Why an entry cannot go just now (its provider is down, say); `null` when it can. Answered from memory. */
	readonly waitsFor?: (entry: OutboxEntry) => string | null;
}

export class OutboxWorker {
	readonly #options: OutboxWorkerOptions;
	readonly #items = new OutboxItems();
	readonly #journal: OutboxJournal;
	readonly #delivery: OutboxDelivery;
	/** Work → the entry that is being written for it. */
	readonly #entering = new Map<string, Promise<OutboxEntry>>();
	readonly #underWay = new Set<Promise<void>>();
	#loading: Promise<void> | null = null;
	#cancelTimer: (() => void) | null = null;
	#isStopped = false;

	constructor(options: OutboxWorkerOptions) {
		this.#options = options;
		this.#journal = new OutboxJournal({ ...options, items: this.#items });
		this.#delivery = new OutboxDelivery(options, this.#journal);
	}

	/** Reads the log and begins. Never rejects: a log that cannot be read is told in the view, and tried again. */
	async start(): Promise<void> {
		try {
			await this.#load();
		} catch {
			// The view says why.
			this.#plan();
		}
	}

	view(): OutboxView {
		const { wall, steady } = this.#options.clock;
		return this.#items.view(this.#journal.problem, wall(), steady());
	}

	/**
	 * Resolves when the entry is on the disk. When an open one is about the same work already, that one is given. Rejects
	 * with a `StoreError` when the disk refuses and with a `ChannelError` when the payload does: nothing is queued then.
	 */
	async enqueue<Kind extends OutboxKind>(kind: Kind, payload: NewPayload<Kind>): Promise<OutboxEntry> {
		const { clock } = this.#options;
		const entry = newEntry(kind, payload, randomUUID(), clock.wall());
		await this.#load();
		const work = workOf(entry) ?? entry.idempotency_key;
		const same = this.#items.sameWork(entry)?.entry ?? this.#entering.get(work);
		if (same) return same;
		if (this.#items.open().length + this.#entering.size >= MOST_OPEN) throw outboxFull();
		if (this.#items.openLength() >= MOST_OPEN_LENGTH) throw outboxFull();
		const written = this.#enter(entry).finally(() => this.#entering.delete(work));
		this.#entering.set(work, written);
		return written;
	}

	/** That conversation's turn with that very input waits here for its answer. */
	holds(conversation: string, inputHash: string): boolean {
		return this.#items
			.open()
			.some(
				({ entry }) =>
					entry.kind === 'cloud_turn' &&
					entry.payload.purpose === 'retry' &&
					entry.payload.session_key === conversation &&
					entry.payload.input_hash === inputHash,
			);
	}

	/**
	 * A person wants it sent, now. One that may or may not have arrived goes out again with the same key. Rejects with a
	 * `ChannelError` when there is no such entry or it is done, with a `StoreError` when the disk refuses.
	 */
	async retry(key: string): Promise<void> {
		const item = this.#find(key);
		if (item.status === 'sending') return;
		if (item.status === 'reconciled') throw outboxSent();
		if (item.status !== 'pending') await this.#journal.write(item, 'pending', { detail: '' });
		wait(item, 0, this.#options.clock.steady());
		this.#changed();
	}

	/**
	 * A person wants it gone. One that is on its way is called off; if it arrived nevertheless, it stays and is shown as
	 * done. Rejects with a `ChannelError` when there is no such entry, with a `StoreError` when the disk refuses.
	 */
	async discard(key: string): Promise<void> {
		const item = this.#find(key);
		if (item.status === 'sending') {
			item.isDiscarded = true;
			item.abort?.abort(new Error('discarded by the operator'));
			return;
		}
		const { status } = item;
		// At once: what was thrown away is not sent while that is being written.
		item.status = 'failed';
		try {
			await this.#journal.write(item, 'failed', { detail: 'discarded by the operator', discarded: true });
		} catch (error) {
			item.status = status;
			throw error;
		}
		if (status === 'pending' || status === 'uncertain') this.#options.onEnd?.(item.entry);
		// A retry that was clicked a moment before may have begun meanwhile.
		item.isDiscarded = true;
		if (item.abort) item.abort.abort(new Error('discarded by the operator'));
		else item.status = 'failed';
		this.#changed();
	}

	/**
	 * The newest input of a session (never that of a helper request): turns that wait for the answer to another one are
	 * dropped, and so is this one when it was `answered` some other way. Never rejects.
	 */
	async superseded(sessionKey: string, inputHash: string, answered = false): Promise<void> {
		const waiting = this.#items.all().filter(({ status }) => status === 'pending');
		await Promise.all(
			waiting.map((item) => {
				switch (fateOf(item.entry, { sessionKey, inputHash, answered })) {
					case 'superseded':
						return this.#delivery.finish(item, 'failed', 'superseded: its session went on to another input');
					case 'answered':
						return this.#delivery.finish(item, 'reconciled', 'answered some other way meanwhile');
					default:
						return undefined;
				}
			}),
		);
	}

	/**
	 * Something is back: entries that wait go out, spread over two seconds, but none before the other side wished.
	 * `reason` is shown beside them. With `providerId`: only the turns for that provider.
	 */
	drain(reason: string, providerId?: string): void {
		const now = this.#options.clock.steady();
		for (const item of this.#items.all()) {
			const { entry, status, dueAt } = item;
			const isMeant = entry.kind === 'cloud_turn' && entry.payload.provider_id === providerId;
			if (status !== 'pending' || (providerId !== undefined && !isMeant)) continue;
			const spread = now + this.#options.random() * DRAIN_SPREAD_MS;
			item.dueAt = Math.max(item.notBefore, Math.min(dueAt ?? spread, spread));
			item.isHeldUp = false;
			item.note = reason;
		}
		this.#changed();
	}

	/** Nothing is begun any more; what is under way may end, or is called off and may be uncertain then. */
	async stop(): Promise<void> {
		this.#isStopped = true;
		this.#cancelTimer?.();
		await this.#grace();
		for (const { abort } of this.#items.sending()) abort?.abort(new Error('the floor is stopping'));
		await this.#grace();
		await this.#options.log.close();
	}

	/** Until what is under way has ended, but not for long. */
	async #grace(): Promise<void> {
		if (this.#underWay.size === 0) return;
		const { promise: over, resolve } = Promise.withResolvers<void>();
		const cancel = this.#options.schedule(STOP_GRACE_MS, resolve);
		await Promise.race([Promise.all(this.#underWay), over]);
		cancel();
	}

	#load(): Promise<void> {
		this.#loading ??= this.#read().catch((error: unknown) => {
			this.#loading = null;
			throw error;
		});
		return this.#loading;
	}

	async #read(): Promise<void> {
		const entries = await this.#journal.read();
		const { clock, random } = this.#options;
		for (const entry of entries) {
			const planned = Date.parse(deliveryOf(entry).next_attempt_at ?? '') - clock.wall();
			const left = Number.isNaN(planned) ? 0 : Math.min(Math.max(0, planned), LONGEST_REMEMBERED_MS);
			const item = this.#items.add(entry, clock.steady() + left + random() * DRAIN_SPREAD_MS);
			if (item.status === 'uncertain' && deliveryOf(entry).detail === '')
				item.note = 'The floor went down while this was being sent: it may or may not have arrived.';
		}
		this.#changed();
	}

	async #enter(entry: OutboxEntry): Promise<OutboxEntry> {
		await this.#journal.add(entry);
		const { clock, random } = this.#options;
		// A turn whose provider is down waits for its return (`waitsFor`, then `drain`).
		const spread = entry.kind === 'cloud_turn' ? random() * DRAIN_SPREAD_MS : 0;
		this.#items.add(entry, clock.steady() + spread);
		this.#changed();
		return entry;
	}

	readonly #wake = (): void => {
		this.#cancelTimer = null;
		if (this.#loading === null) void this.start();
		const now = this.#options.clock.steady();
		for (let item = this.#items.nextToSend(now); item !== undefined; item = this.#items.nextToSend(now)) {
			const obstacle = this.#options.waitsFor?.(item.entry) ?? null;
			if (obstacle === null) this.#begin(item);
			else {
				wait(item, item.notBefore, now + LONGEST_WAIT_MS);
				item.isHeldUp = true;
				item.note = obstacle;
			}
		}
		void this.#journal.tidy();
		this.#changed();
	};

	#begin(item: OutboxItem): void {
		item.status = 'sending';
		item.note = '';
		const work = this.#delivery
			.carryOut(item)
			.catch((error: unknown) => this.#options.onError('sending from the outbox', error))
			.finally(() => {
				this.#underWay.delete(work);
				this.#changed();
			});
		this.#underWay.add(work);
	}

	#plan(): void {
		this.#cancelTimer?.();
		if (this.#isStopped) return;
		const { clock, schedule } = this.#options;
		const next = this.#items.nextDue();
		const pause = next === null ? LONGEST_WAIT_MS : next - clock.steady();
		this.#cancelTimer = schedule(Math.min(Math.max(0, pause), LONGEST_WAIT_MS), this.#wake);
	}

	#find(key: string): OutboxItem {
		const item = this.#items.get(key);
		if (!item || deliveryOf(item.entry).discarded) throw outboxGone();
		return item;
	}

	#changed(): void {
		this.#plan();
		this.#options.onChange();
	}
}
