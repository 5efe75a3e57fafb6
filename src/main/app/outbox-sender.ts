/** What the outbox asks of whoever carries an entry out. */
import type { OutboxKind } from '../../shared/failover-view.ts';
import type { OutboxEntry, OutboxEntryOf } from '../failover/outbox-entry.ts';

/** What the other side answered, with the identity of the model that did. */
export interface SentAnswer {
	readonly model: string;
	readonly text: string;
}

export type SendResult =
	/** It was taken. `detail`: what came of it, in one line. */
	| { readonly kind: 'done'; readonly detail: string; readonly answer?: SentAnswer }
	/** It was not taken, and that is certain. `afterMs`: not before that. */
	| { readonly kind: 'retry'; readonly detail: string; readonly afterMs?: number }
	/** It was not sent: something is missing that only somebody else can bring. */
	| { readonly kind: 'wait'; readonly detail: string }
	/** It was refused for good. */
	| { readonly kind: 'failed'; readonly detail: string };

/**
 * Carries one entry out, with its `idempotency_key` as the Idempotency-Key. Rejects when it cannot be known whether
 * it arrived: then only a person sends it again. `onProgress`: 0 to 1.
 */
export type Send<Entry extends OutboxEntry> = (
	entry: Entry,
	signal: AbortSignal,
	onProgress: (share: number) => void,
) => Promise<SendResult>;

export type Senders = { readonly [Kind in OutboxKind]: Send<OutboxEntryOf<Kind>> };

/** Gives the entry to the sender of its kind. */
export function sendWith(
	senders: Senders,
	entry: OutboxEntry,
	signal: AbortSignal,
	onProgress: (share: number) => void,
): Promise<SendResult> {
	switch (entry.kind) {
		case 'cloud_turn':
			return senders.cloud_turn(entry, signal, onProgress);
		case 'hook':
			return senders.hook(entry, signal, onProgress);
		case 'download':
			return senders.download(entry, signal, onProgress);
	}
}
