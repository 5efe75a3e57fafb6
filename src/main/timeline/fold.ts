/**
 * Records of an agent → its timeline. Pure: the same records give the same entries, in whatever order those of one time
 * came. What was never told (an end, a start) stays unknown and is not made up.
 */
import type { TimelineEntry } from '../../shared/timeline.ts';
import type { FloorEvent } from '../floor/events.ts';
import { Calls } from './calls.ts';
import { Notes } from './notes.ts';
import type { TimelineRecord } from './timeline-record.ts';
import { Turns } from './turns.ts';

type Wait = Extract<TimelineEntry, { kind: 'wait' }>;

/** Rank of records of the same millisecond: what an event brought about comes after it. */
const ranks: Readonly<Record<TimelineRecord['kind'], number>> = {
	model: 0,
	event: 1,
	order: 2,
	level: 3,
	note: 4,
	denial: 5,
	trouble: 6,
};

/** Oldest first. */
export function foldTimeline(records: readonly TimelineRecord[]): TimelineEntry[] {
	const fold = new Fold();
	for (const record of [...records].sort(inOrder)) fold.take(record);
	return fold.entries();
}

/** Nothing of it goes on any more: the agent is gone, or what came after was not read. */
export function settled(entries: readonly TimelineEntry[]): TimelineEntry[] {
	return entries.map((entry) => {
		const isOpen = (entry.kind === 'turn' || entry.kind === 'tool') && entry.outcome === 'running';
		return isOpen ? { ...entry, outcome: 'unknown' } : entry;
	});
}

function inOrder(a: TimelineRecord, b: TimelineRecord): number {
	return a.at - b.at || ranks[a.kind] - ranks[b.kind] || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

class Fold {
	readonly #turns = new Turns();
	readonly #calls = new Calls();
	readonly #notes = new Notes();
	readonly #waits: Wait[] = [];
	readonly #others: TimelineEntry[] = [];
	/** Who waits: a subagent's event does not end the agent's wait. */
	#waiting: { readonly index: number; readonly owner: string | null } | null = null;
	#compaction: Extract<TimelineEntry, { kind: 'session' }> | null = null;
	#sessionId: string | null = null;

	take(record: TimelineRecord): void {
		const { id, at } = record;
		switch (record.kind) {
			case 'event':
				this.#event(id, record.event);
				break;
			case 'level': {
				const { from, to, reason, evidence } = record;
				this.#others.push({ kind: 'level', id, at, endedAt: at, from, to, reason, evidence });
				break;
			}
			case 'order': {
				const { action, words } = record;
				if (action === 'steer') this.#notes.steered(words);
				this.#others.push({ kind: 'order', id, at, endedAt: at, action, words });
				break;
			}
			case 'note':
				this.#notes.take(id, at, record.text, record.delivered);
				break;
			case 'denial':
				this.#calls.denied(id, at, record.tool, record.reason);
				break;
			case 'trouble':
				this.#others.push({
					kind: 'mark',
					id,
					at,
					endedAt: at,
					mark: markOf(record.text),
					text: record.text,
				});
				break;
			case 'model':
				this.#turns.model(record.model);
				break;
		}
	}

	entries(): TimelineEntry[] {
		return [
			...this.#turns.entries(),
			...this.#calls.entries(),
			...this.#notes.entries(),
			...this.#waits,
			...this.#others,
		].sort((a, b) => a.at - b.at || order.indexOf(a.kind) - order.indexOf(b.kind) || (a.id < b.id ? -1 : 1));
	}

	#event(id: string, event: FloorEvent): void {
		const { at, subagentId } = event;
		this.#endWait(event);
		const isAnother = this.#sessionId !== null && this.#sessionId !== event.sessionId;
		if (isAnother && event.kind !== 'session-start')
			this.#session(`${id} session`, at, `goes on as session ${event.sessionId}`);
		this.#sessionId = event.sessionId;
		switch (event.kind) {
			case 'session-start':
				this.#session(
					id,
					at,
					`session ${isAnother ? `${event.sessionId} ` : ''}started${event.source === '' ? '' : ` (${event.source})`}`,
				);
				break;
			case 'session-end':
				this.#calls.settle(null);
				this.#turns.end(at, 'unknown', '');
				this.#session(id, at, `session ended${event.reason === '' ? '' : ` (${event.reason})`}`);
				break;
			case 'prompt':
				this.#calls.settle(subagentId);
				if (subagentId === null) this.#turns.begin(id, at, event.text);
				break;
			case 'tool-call':
				// Nobody told of a prompt: it woke by itself, or what came before is not kept.
				if (subagentId === null) this.#turns.ensure(`${id} turn`, at);
				this.#calls.begin(id, event);
				break;
			case 'tool-result':
				this.#calls.end(id, event);
				if (event.interrupted && subagentId === null) this.#turns.end(at, 'interrupted', '');
				break;
			case 'tool-batch':
				break;
			case 'waiting':
				if (event.on !== 'turn-done') this.#wait(id, event, event.message);
				break;
			case 'turn-end':
				if (subagentId !== null) break;
				this.#calls.settle(null);
				this.#turns.end(at, 'done', '');
				break;
			case 'turn-failed':
				this.#calls.settle(null);
				this.#turns.end(at, 'failed', [event.error, event.message].filter(Boolean).join(': '));
				break;
			case 'compact-start':
				this.#compaction = { kind: 'session', id, at, endedAt: null, text: 'compacts its context' };
				this.#others.push(this.#compaction);
				break;
			case 'compact-end':
				this.#endCompaction(at);
				break;
			case 'model-changed':
				this.#session(id, at, `works with ${event.to} from here on`);
				break;
			case 'directory-changed':
				this.#session(id, at, `works in ${event.to} from here on`);
				break;
			case 'provider-trouble': {
				const text = [event.error, event.message].filter(Boolean).join(': ');
				const mark = event.status === 429 ? 'rate-limit' : markOf(text);
				this.#others.push({ kind: 'mark', id, at, endedAt: at, mark, text });
				break;
			}
			case 'subagent-start':
				if (subagentId !== null)
					this.#session(id, at, `subagent ${event.subagentType ?? subagentId} started`);
				break;
			case 'subagent-end':
				if (subagentId !== null) this.#session(id, at, `subagent ${event.subagentType ?? subagentId} ended`);
				break;
			case 'file-changed':
			case 'model-call':
			case 'other':
				break;
		}
	}

	#session(id: string, at: number, text: string): void {
		this.#others.push({ kind: 'session', id, at, endedAt: at, text });
	}

	#wait(id: string, event: FloorEvent, reason: string): void {
		this.#waits.push({ kind: 'wait', id, at: event.at, endedAt: null, reason });
		this.#waiting = { index: this.#waits.length - 1, owner: event.subagentId };
	}

	/** As on the floor: its owner's next event ends a wait, and so does a turn's beginning or end. */
	#endWait(event: FloorEvent): void {
		const waiting = this.#waiting;
		if (waiting === null || event.kind === 'other') return;
		const isTurn = event.kind === 'prompt' || event.kind === 'turn-end' || event.kind === 'turn-failed';
		if (!(isTurn && event.subagentId === null) && waiting.owner !== event.subagentId) return;
		const wait = this.#waits[waiting.index];
		if (wait) this.#waits[waiting.index] = { ...wait, endedAt: event.at };
		this.#waiting = null;
	}

	#endCompaction(at: number): void {
		const began = this.#compaction;
		if (began === null) return;
		this.#others[this.#others.indexOf(began)] = { ...began, endedAt: at };
		this.#compaction = null;
	}
}

/** Of entries of the same time, the turn comes before what is in it. */
const order: readonly TimelineEntry['kind'][] = [
	'session',
	'turn',
	'tool',
	'wait',
	'order',
	'level',
	'note',
	'mark',
];

/** What the words of the history (see `FailoverHistory`), or of the program, tell of. */
function markOf(text: string): 'failover' | 'rate-limit' | 'trouble' {
	if (/rate[-_ ]limit|answers again/i.test(text)) return 'rate-limit';
	return /was lost|locally|outbox/.test(text) ? 'failover' : 'trouble';
}
