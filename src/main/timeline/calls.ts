/** Tool calls: begun, ended, refused; each once, whatever was told twice or not at all. */
import type { TimelineEntry } from '../../shared/timeline.ts';
import type { FloorEvent, ToolResult } from '../floor/events.ts';
import { targetOf } from '../floor/tool-target.ts';

type ToolEntry = Extract<TimelineEntry, { kind: 'tool' }>;

/** A refusal is written this soon after the call it is about, ms. */
const REFUSED_WITHIN_MS = 2_000;

interface Call {
	readonly callId: string | null;
	readonly isOpen: boolean;
	readonly entry: ToolEntry;
}

export class Calls {
	readonly #calls: Call[] = [];
	/** Refusals that no call was found for: a prompt, a call of a model. */
	readonly #refused: ToolEntry[] = [];
	/** Places of open calls: few, while a long night has tens of thousands of ended ones. */
	readonly #open = new Set<number>();
	readonly #byId = new Map<string, number>();

	begin(id: string, event: FloorEvent & { readonly kind: 'tool-call' }): void {
		const { callId, at, tool, input, subagentId } = event;
		if (callId !== null && this.#byId.has(callId)) return;
		this.#push(callId, true, {
			kind: 'tool',
			id,
			at,
			endedAt: null,
			tool,
			target: targetOf(input),
			outcome: 'running',
			reason: '',
			subagentId,
		});
	}

	end(id: string, event: FloorEvent & ToolResult): void {
		const { at, callId, tool, input, failed, durationMs, subagentId } = event;
		const outcome = failed ? 'failed' : 'ok';
		const place = callId === null ? this.#openOf(tool, subagentId) : this.#byId.get(callId);
		const call = place === undefined ? undefined : this.#calls[place];
		if (place !== undefined && call) {
			// A refused call's "failure" is our own refusal, reported back; an end that was told twice ended the first time.
			const { outcome: before } = call.entry;
			if (before === 'denied' || before === 'ok' || before === 'failed') return;
			this.#set(place, { ...call.entry, outcome, endedAt: at });
			return;
		}
		// Its beginning is known only by how long it took.
		this.#push(callId, false, {
			kind: 'tool',
			id,
			at: at - (durationMs ?? 0),
			endedAt: at,
			tool,
			target: targetOf(input),
			outcome,
			reason: '',
			subagentId,
		});
	}

	/** A reply refused it. */
	denied(id: string, at: number, tool: string, reason: string): void {
		for (let place = this.#calls.length - 1; place >= 0; place -= 1) {
			const call = this.#calls[place];
			if (!call || call.entry.at < at - REFUSED_WITHIN_MS) break;
			const { entry } = call;
			if (entry.tool !== tool || entry.outcome === 'denied' || entry.outcome === 'ok') continue;
			this.#set(place, { ...entry, outcome: 'denied', reason, endedAt: entry.at });
			return;
		}
		this.#refused.push({
			kind: 'tool',
			id,
			at,
			endedAt: at,
			tool,
			target: '',
			outcome: 'denied',
			reason,
			subagentId: null,
		});
	}

	/** Nobody will tell how these did. `owner` null: of all. */
	settle(owner: string | null): void {
		for (const place of [...this.#open]) {
			const entry = this.#calls[place]?.entry;
			if (!entry || (owner !== null && entry.subagentId !== owner)) continue;
			this.#set(place, { ...entry, outcome: 'unknown' });
		}
	}

	entries(): readonly ToolEntry[] {
		return [...this.#calls.map(({ entry }) => entry), ...this.#refused];
	}

	#openOf(tool: string, subagentId: string | null): number | undefined {
		return [...this.#open].findLast((place) => {
			const entry = this.#calls[place]?.entry;
			return entry?.tool === tool && entry.subagentId === subagentId;
		});
	}

	#push(callId: string | null, isOpen: boolean, entry: ToolEntry): void {
		const place = this.#calls.push({ callId, isOpen, entry }) - 1;
		if (isOpen) this.#open.add(place);
		if (callId !== null) this.#byId.set(callId, place);
	}

	#set(place: number, entry: ToolEntry): void {
		const call = this.#calls[place];
		if (!call) return;
		this.#calls[place] = { ...call, isOpen: false, entry };
		this.#open.delete(place);
	}
}
