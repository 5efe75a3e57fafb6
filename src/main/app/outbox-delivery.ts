/** Carries one entry of the outbox out, and draws the conclusions. */
import type { Clock } from '../failover/call.ts';
import { backoffMs, isTooOld } from '../failover/outbox.ts';
import { deliveryOf, type OutboxEntry } from '../failover/outbox-entry.ts';
import { type OutboxItem, wait } from './outbox-items.ts';
import type { OutboxJournal } from './outbox-journal.ts';
import { type Senders, type SendResult, type SentAnswer, sendWith } from './outbox-sender.ts';

/** A disk that refuses is not asked again before this, ms. */
const DISK_PAUSE_MS = 30_000;

export interface OutboxDeliveryOptions {
	readonly senders: Senders;
	readonly clock: Clock;
	/** From 0 to below 1. */
	readonly random: () => number;
	/** Keeps what was answered, before the entry counts as done. */
	readonly keepAnswer: (entry: OutboxEntry, answer: SentAnswer) => void;
	/** An entry was reconciled or failed. */
	readonly onEnd?: (entry: OutboxEntry) => void;
	readonly onChange: () => void;
	readonly onError: (where: string, error: unknown) => void;
}

export class OutboxDelivery {
	readonly #options: OutboxDeliveryOptions;
	readonly #journal: OutboxJournal;

	constructor(options: OutboxDeliveryOptions, journal: OutboxJournal) {
		this.#options = options;
		this.#journal = journal;
	}

	/** Resolves when it is known, or known to be unknown, what became of it. */
	async carryOut(item: OutboxItem): Promise<void> {
		const { clock, onChange, senders } = this.#options;
		const attempts = deliveryOf(item.entry).attempts + 1;
		const abort = new AbortController();
		item.abort = abort;
		try {
			await this.#journal.write(item, 'sent', { attempts, detail: '' });
		} catch {
			// The view says why. Nobody was called, so it simply goes on waiting.
			item.abort = null;
			if (item.isDiscarded) return this.finish(item, 'failed', 'discarded by the operator', true);
			return wait(item, item.notBefore, clock.steady() + DISK_PAUSE_MS);
		}
		// Called off while that was written: the transport was not called, which is certain.
		if (abort.signal.aborted) return this.#settle(item, { kind: 'wait', detail: '' });
		let result: SendResult;
		try {
			result = await sendWith(senders, item.entry, abort.signal, (share) => {
				item.progress = Math.min(Math.max(0, share), 1);
				onChange();
			});
		} catch (error) {
			const why = error instanceof Error ? error.message : String(error);
			if (item.isDiscarded) return this.finish(item, 'failed', `discarded on its way (${why})`, true);
			item.status = 'uncertain';
			return this.#journal.note(item, 'sent', { detail: `It may or may not have arrived: ${why}` });
		} finally {
			item.abort = null;
			item.progress = null;
		}
		await this.#settle(item, result);
	}

	async #settle(item: OutboxItem, result: SendResult): Promise<void> {
		const { clock, keepAnswer, onError, random } = this.#options;
		const { kind, detail } = result;
		if (kind === 'done') {
			try {
				if (result.answer) keepAnswer(item.entry, result.answer);
			} catch (error) {
				onError('keeping the answer of a queued turn', error);
			}
			return this.finish(item, 'reconciled', detail);
		}
		if (item.isDiscarded) return this.finish(item, 'failed', 'discarded by the operator', true);
		if (kind === 'failed') return this.finish(item, 'failed', detail);
		if (kind === 'wait') {
			wait(item, 0, null);
			return this.#journal.note(item, 'pending', { detail, attempts: deliveryOf(item.entry).attempts - 1 });
		}
		if (isTooOld(item.entry, clock.wall()))
			return this.finish(item, 'failed', `given up after a day: ${detail}`);
		const asked = result.afterMs ?? 0;
		const delay = backoffMs(deliveryOf(item.entry).attempts, random(), asked);
		wait(item, clock.steady() + asked, clock.steady() + delay);
		const next = new Date(clock.wall() + delay).toISOString();
		await this.#journal.note(item, 'pending', { detail, next_attempt_at: next });
	}

	/** It is over. Never rejects. `isDiscarded`: and is not to be shown. */
	async finish(
		item: OutboxItem,
		state: 'reconciled' | 'failed',
		detail: string,
		isDiscarded = false,
	): Promise<void> {
		// Before anything is waited for: it is not sent any more.
		item.status = state;
		item.note = '';
		await this.#journal.note(item, state, { detail, ...(isDiscarded && { discarded: true }) });
		this.#options.onEnd?.(item.entry);
		this.#options.onChange();
	}
}
