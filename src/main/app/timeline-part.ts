/** The past of each agent: kept as it happens, read for the window. */
import type { TimelinePage } from '../../shared/timeline.ts';
import type { Agent } from '../floor/agent.ts';
import type { FloorEvent } from '../floor/events.ts';
import type { Floor } from '../floor/floor.ts';
import type { FloorRecord } from '../floor/records.ts';
import { createDialects } from '../hooks/dialects.ts';
import { readPayload } from '../hooks/payload.ts';
import type { FloorStore } from '../store/floor-store.ts';
import type { StoredAction, StoredHookEvent, StoredRemark } from '../store/timeline-tables.ts';
import { foldTimeline, settled } from '../timeline/fold.ts';
import type { TimelineRecord } from '../timeline/timeline-record.ts';
import { TimelineMemory } from './timeline-memory.ts';

/** Events before a page that are read with it: what they began may end on it. */
const LEAD_EVENTS = 200;
/** Events after a page that are read with it: they end what is still open at its end. About 20 µs each. */
const LATER_EVENTS = 2_000;

export interface TimelinePartOptions {
	readonly floor: Floor;
	readonly store: FloorStore;
	/** For how long, and how many, raw events are kept. */
	readonly retention: () => { readonly eventDays: number; readonly eventMegabytes: number };
	readonly onError: (where: string, error: unknown) => void;
}

export class TimelinePart {
	readonly #options: TimelinePartOptions;
	readonly #memory = new TimelineMemory();
	/** Agent → since when its present model answers, as it was written last. */
	readonly #answering = new Map<string, number>();

	constructor(options: TimelinePartOptions) {
		this.#options = options;
	}

	/** An event of a played agent, which no store keeps. */
	played(event: FloorEvent, agentId: string): void {
		this.#memory.add(agentId, (id) => ({ kind: 'event', id, at: event.at, event }));
	}

	/** What the floor records of played agents; the store has the rest. */
	readonly record = (record: FloorRecord): void => {
		if (record.kind === 'agent-removed') {
			this.#memory.forget(record.agentId);
			this.#answering.delete(record.agentId);
			return;
		}
		if (!('agentId' in record) || this.#options.floor.agent(record.agentId)?.demo !== true) return;
		const { agentId } = record;
		switch (record.kind) {
			case 'transition': {
				const { at, from, to, reason, evidence } = record;
				this.#memory.add(agentId, (id) => ({ kind: 'level', id, at, from, to, reason, evidence }));
				break;
			}
			case 'operator-action': {
				const { at, action, words } = record;
				this.#memory.add(agentId, (id) => ({ kind: 'order', id, at, action, words }));
				break;
			}
			case 'note': {
				const { at, delivered, text } = record;
				this.#memory.add(agentId, (id) => ({ kind: 'note', id, at, delivered, text }));
				break;
			}
			case 'denial': {
				const { at, tool, reason } = record;
				this.#memory.add(agentId, (id) => ({ kind: 'denial', id, at, tool, reason }));
				break;
			}
			case 'trouble': {
				const { at, text } = record;
				this.#memory.add(agentId, (id) => ({ kind: 'trouble', id, at, text }));
				break;
			}
			case 'end-process':
				break;
		}
	};

	/** A model answered the agent through the gateway: written each time that it is another one. */
	answered(agent: Agent): void {
		const { id, served } = agent;
		if (served === null || this.#answering.get(id) === served.since) return;
		this.#answering.set(id, served.since);
		const model = {
			at: served.since,
			harness: served.harness,
			place: served.at,
			model: served.model,
			asked: served.asked,
		};
		if (agent.demo) {
			this.#memory.add(id, (recordId) => ({ kind: 'model', id: recordId, at: model.at, model }));
			return;
		}
		try {
			this.#options.store.timeline.addModel(id, model);
		} catch (error) {
			this.#options.onError('keeping who answered', error);
		}
	}

	/**
	 * `before`: ms; `null`: up to now. `limit`: events of the page, from a turn's beginning on where there is one. An
	 * entry is on the page in which it began; what begins or ends beyond the page's edges is read with it, so that no
	 * call is told twice and none has a wrong time.
	 */
	page(agentId: string, before: number | null, limit: number): TimelinePage {
		const agent = this.#options.floor.agent(agentId);
		const isThere = agent !== undefined && agent.exited === null;
		if (agent?.demo) {
			const entries = foldTimeline(this.#memory.of(agentId));
			return {
				entries: isThere ? entries : settled(entries),
				olderBefore: null,
				missing: 'A played agent keeps its last thousand events.',
			};
		}
		const { store } = this.#options;
		store.flush();
		const end = before ?? Number.MAX_SAFE_INTEGER;
		const earlier = store.timeline.events(agentId, end, limit + LEAD_EVENTS);
		const later = before === null ? [] : store.timeline.eventsFrom(agentId, before, LATER_EVENTS);
		const events = readEvents([...earlier.toReversed(), ...later]);
		const oldest = earlier.length > limit ? earlier[limit - 1] : undefined;
		const from = oldest ? turnFrom(events, oldest.at, end) : Number.MIN_SAFE_INTEGER;
		// All that is later was read, or only up to there.
		const lastRead = later.length < LATER_EVENTS ? undefined : later.at(-1)?.at;
		const span = {
			agentId,
			from: oldest ? (events[0]?.at ?? from) : Number.MIN_SAFE_INTEGER,
			before: lastRead ?? Number.MAX_SAFE_INTEGER,
		};
		const records: TimelineRecord[] = [
			...events,
			...store.timeline
				.levels(span)
				.map(({ id, ...level }) => ({ kind: 'level' as const, id: `level ${padded(id)}`, ...level })),
			...store.timeline.actions(span).flatMap(orderOf),
			...store.timeline.remarks(span).map(remarkOf),
			...store.timeline.models(span).map(({ id, ...model }) => ({
				kind: 'model' as const,
				id: `model ${padded(id)}`,
				at: model.at,
				model,
			})),
		];
		const entries = foldTimeline(records).filter(({ at }) => at >= from && at < end);
		return {
			entries: isThere && lastRead === undefined ? entries : settled(entries),
			olderBefore: oldest ? from : null,
			missing: oldest ? '' : this.#missing(agent, events[0]?.at),
		};
	}

	/** Why what came before the first event is not there. */
	#missing(agent: Agent | undefined, firstAt: number | undefined): string {
		const { eventDays, eventMegabytes } = this.#options.retention();
		const kept = `events are kept for ${eventDays} days, and up to ${eventMegabytes} MB of all agents`;
		if (firstAt === undefined) return `No event of it is kept; ${kept}.`;
		const isCut = agent !== undefined && agent.firstSeenAt < firstAt - 1_000;
		return isCut ? `What came before is not kept any more; ${kept}.` : '';
	}
}

/** Parsed as they were when they came. Bodies that cannot be read any more are left out. */
function readEvents(stored: readonly StoredHookEvent[]): (TimelineRecord & { readonly kind: 'event' })[] {
	// Some dialects remember sessions: each reading has its own.
	const dialects = new Map(createDialects().map((dialect) => [dialect.client, dialect]));
	return stored.flatMap(({ id, at, client, name, body }) => {
		const dialect = dialects.get(client);
		const read = readPayload(Buffer.from(body));
		if (!dialect || !read.ok) return [];
		const event = dialect.parse(name, read.payload, { at, process: null });
		return [{ kind: 'event', id: `event ${padded(id)}`, at, event }];
	});
}

/** Where the first turn from `from` to `end` begins, so that no turn is cut; `from` where none does. Times in ms. */
function turnFrom(events: readonly { at: number; event: FloorEvent }[], from: number, end: number): number {
	const first = events.find(
		({ at, event }) => at >= from && at < end && event.kind === 'prompt' && event.subagentId === null,
	);
	return first?.at ?? from;
}

const orders: ReadonlySet<string> = new Set([
	'hold',
	'constrain',
	'stop',
	'steer',
	'resume',
	'reset-evidence',
	'allow-once',
	'deny-once',
]);

function orderOf({ id, at, action, words }: StoredAction): TimelineRecord[] {
	if (!isOrder(action)) return [];
	return [{ kind: 'order', id: `order ${padded(id)}`, at, action, words }];
}

type OrderAction = Extract<TimelineRecord, { kind: 'order' }>['action'];

function isOrder(action: string): action is OrderAction {
	return orders.has(action);
}

/** As the recorder words them. */
function remarkOf({ id: row, at, kind, text }: StoredRemark): TimelineRecord {
	const id = `remark ${padded(row)}`;
	const colon = text.indexOf(': ');
	const [head, rest] = colon === -1 ? ['', text] : [text.slice(0, colon), text.slice(colon + 2)];
	if (kind === 'note') return { kind: 'note', id, at, delivered: head === 'delivered', text: rest };
	if (kind === 'denial') return { kind: 'denial', id, at, tool: head, reason: rest };
	return { kind: 'trouble', id, at, text };
}

/** Numbers that sort as text. */
function padded(id: number): string {
	return String(id).padStart(12, '0');
}
