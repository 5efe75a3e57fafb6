/** The outbox's rules (seed 003, section 4): what an entry still is, when it is tried again, what of it is kept and shown. */
import type { OutboxEntryView, OutboxView } from '../../shared/failover-view.ts';
import { deliveryOf, type OutboxEntry } from './outbox-entry.ts';

/** What can be said of an entry now. The log knows no `sending`: that ends with the process. */
export type OutboxStatus = OutboxEntryView['state'];

/** After a start: what was on its way when the floor went down may or may not have arrived. */
export function statusAtStart(entry: OutboxEntry): OutboxStatus {
	return entry.state === 'sent' ? 'uncertain' : entry.state;
}

/** The newest input of a session. `answered`: it has got its answer some other way. */
export interface SessionNews {
	readonly sessionKey: string;
	readonly inputHash: string;
	readonly answered: boolean;
}

/**
 * What the newest input of a session means for an entry that waits: `superseded` when the session has gone on to another
 * input, `answered` when the same one was answered meanwhile, `null` when it still has to be sent. Only turns that
 * had no answer are concerned: a wish to improve an old answer stays what it was.
 */
export function fateOf(entry: OutboxEntry, news: SessionNews): 'superseded' | 'answered' | null {
	if (entry.kind !== 'cloud_turn' || entry.state !== 'pending') return null;
	if (entry.payload.purpose !== 'retry' || entry.payload.session_key !== news.sessionKey) return null;
	if (entry.payload.input_hash !== news.inputHash) return 'superseded';
	return news.answered ? 'answered' : null;
}

/**
 * What an entry is about: a second open one with the same answer here would do the same work twice. `null`: each is
 * its own (two notices of one text are two notices).
 */
export function workOf(entry: OutboxEntry): string | null {
	switch (entry.kind) {
		case 'cloud_turn': {
			const { purpose, offer_id, provider_id, session_key, input_hash } = entry.payload;
			return JSON.stringify(
				offer_id === undefined ? [purpose, provider_id, session_key, input_hash] : [purpose, offer_id],
			);
		}
		case 'download':
			return JSON.stringify(['download', entry.payload.server_id, entry.payload.model]);
		case 'hook':
			return null;
	}
}

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 10 * 60_000;

/**
 * Pause before the next attempt, ms: full jitter under a ceiling that doubles from 1 s to 10 minutes, on top of what
 * the other side asked for. `attempts`: those already made. `random`: from 0 to below 1.
 */
export function backoffMs(attempts: number, random: number, askedMs = 0): number {
	// Above 2^20 seconds the ceiling is in force anyway; an exponent without bound would become Infinity.
	const ceiling = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(Math.max(attempts, 0), 20));
	return Math.max(0, askedMs) + random * ceiling;
}

/** A notice that could not be delivered for so long helps nobody any more, ms. */
const HOOK_LIFE_MS = 24 * 3_600_000;

/** True when it has to be given up instead of being tried once more. */
export function isTooOld(entry: OutboxEntry, now: number): boolean {
	return entry.kind === 'hook' && now - Date.parse(entry.created_at) > HOOK_LIFE_MS;
}

const KEEP_FINISHED_MS = 7 * 24 * 3_600_000;
const MOST_FINISHED = 500;

/**
 * What a compaction leaves: all that is still open, and the newest of what ended within a week. What the operator threw
 * away goes at once. The order is kept.
 */
export function entriesToKeep(entries: readonly OutboxEntry[], now: number): OutboxEntry[] {
	const finished = entries
		.filter(
			(entry) => isFinished(entry) && !deliveryOf(entry).discarded && now - endOf(entry) <= KEEP_FINISHED_MS,
		)
		.sort((a, b) => endOf(b) - endOf(a))
		.slice(0, MOST_FINISHED);
	const kept = new Set(finished);
	return entries.filter((entry) => !isFinished(entry) || kept.has(entry));
}

function isFinished(entry: OutboxEntry): boolean {
	return entry.state === 'reconciled' || entry.state === 'failed';
}

function endOf(entry: OutboxEntry): number {
	return Date.parse(deliveryOf(entry).at);
}

/** An entry as it is now, with what only the running floor knows of it. */
export interface OutboxItem {
	readonly entry: OutboxEntry;
	readonly status: OutboxStatus;
	/** Why it waits just now; empty when the entry itself says all. */
	readonly note: string;
	/** Ms since the epoch. */
	readonly nextAttemptAt: number | null;
	/** 0 to 1. */
	readonly progress: number | null;
}

const MOST_SHOWN = 100;

/** What the window shows. Open entries are shown before finished ones when there are too many. */
export function outboxView(items: Iterable<OutboxItem>, problem: string): OutboxView {
	const shown = [...items].filter(({ entry }) => !deliveryOf(entry).discarded).map(viewOf);
	const count = (...states: OutboxStatus[]) => shown.filter(({ state }) => states.includes(state)).length;
	const isOpen = ({ state }: OutboxEntryView) => state !== 'reconciled' && state !== 'failed';
	const newestFirst = (a: OutboxEntryView, b: OutboxEntryView) => b.createdAt - a.createdAt;
	const chosen = shown
		.sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)) || newestFirst(a, b))
		.slice(0, MOST_SHOWN);
	return {
		queued: count('pending', 'sending'),
		uncertain: count('uncertain'),
		entries: chosen.sort(newestFirst),
		problem,
	};
}

function viewOf({ entry, status, note, nextAttemptAt, progress }: OutboxItem): OutboxEntryView {
	const { attempts, detail } = deliveryOf(entry);
	return {
		idempotencyKey: entry.idempotency_key,
		createdAt: Date.parse(entry.created_at),
		kind: entry.kind,
		state: status,
		title: titleOf(entry),
		detail: note === '' ? detail : note,
		attempts,
		nextAttemptAt: status === 'pending' ? nextAttemptAt : null,
		// One that was answered some other way was never sent.
		hasAnswer:
			entry.kind === 'cloud_turn' && status === 'reconciled' && (entry.payload.delivery?.attempts ?? 0) > 0,
		progress: status === 'sending' && entry.kind === 'download' ? progress : null,
	};
}

function titleOf(entry: OutboxEntry): string {
	switch (entry.kind) {
		case 'cloud_turn': {
			const { purpose, agent_name, model } = entry.payload;
			return purpose === 'retry'
				? `Ask ${model} again for ${agent_name}`
				: `Ask ${model} to improve an answer for ${agent_name}`;
		}
		case 'hook':
			return `Notify ${new URL(entry.payload.url).host}`;
		case 'download':
			return `Download ${entry.payload.model} to ${entry.payload.server_id}`;
	}
}
