/** What was recorded since a time, as lines that a replay reads: events of hooks, and usage as it grew. */
import { inTime, interleaved } from '../replay/usage-lines.ts';
import type { FloorStore } from '../store/floor-store.ts';
import type { StoredEvent } from '../store/rows.ts';
import type { HeardResponse } from '../usage/usage-answers.ts';

/** Rows read at once: a few milliseconds. */
const PAGE = 200;

/** A span of time that is over, however much is recorded after it. Ms. */
interface Span {
	readonly from: number;
	/** Inclusive. */
	readonly until: number;
	/** Events that are played at most: the first. */
	readonly most: number;
}

export interface Night extends Span {
	readonly store: Pick<FloorStore, 'eventsSince'>;
	/** Events of that time in the store. */
	readonly recorded: number;
	/** Oldest first. */
	readonly responses: readonly HeardResponse[];
}

export interface NightSources extends Span {
	readonly store: Pick<FloorStore, 'eventsSince' | 'countEventsSince'>;
	readonly responsesSince: (at: number) => Iterable<HeardResponse>;
	/** Awaited now and then: it lets other work go on. */
	readonly breathe: () => Promise<void> | null;
}

/** `until` is not in the future. */
export async function nightOf({ responsesSince, breathe, ...span }: NightSources): Promise<Night> {
	const recorded = span.store.countEventsSince(span.from);
	const responses: HeardResponse[] = [];
	for (const response of responsesSince(span.from)) {
		if (response.at <= span.until) responses.push(response);
		const breath = breathe();
		if (breath) await breath;
	}
	return { ...span, recorded, responses: responses.sort(inTime) };
}

/** In order of time. Each call gives the same. */
export async function* recordedNight(night: Night): AsyncGenerator<string> {
	for (const next of interleaved(eventsOf(night), night.responses)) {
		const line = 'usage' in next ? next.usage : hookLine(next.event);
		if (line !== null) yield line;
	}
}

function* eventsOf({ store, from, until, most }: Night): Generator<StoredEvent> {
	let after: StoredEvent | null = null;
	for (let left = most; left > 0; ) {
		const events = store.eventsSince(from, after, Math.min(PAGE, left));
		for (const event of events) {
			if (event.at > until) return;
			yield event;
		}
		left -= events.length;
		after = events.at(-1) ?? null;
		if (after === null) return;
	}
}

/** `null`: its body is no JSON; the floor itself could make nothing of it. */
function hookLine({ at, client, name, body }: StoredEvent): string | null {
	try {
		return JSON.stringify({ at, client, event: name, body: JSON.parse(body) });
	} catch {
		// Said by the count of what was played.
		return null;
	}
}
