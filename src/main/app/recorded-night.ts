/** What was recorded since a time, as lines that a replay reads: events of hooks, and usage as it grew. */
import { inTime, interleaved } from '../replay/usage-lines.ts';
import type { FloorStore } from '../store/floor-store.ts';
import type { StoredEvent } from '../store/rows.ts';
import type { HeardResponse } from '../usage/usage-answers.ts';

/** Rows read at once, of which each may be a whole file that was written: a few milliseconds. */
const PAGE = 50;

/** A span of time that is over, however much is recorded after it. Ms. */
interface Span {
	readonly from: number;
	/** Inclusive. */
	readonly until: number;
}

export interface Night extends Span {
	readonly store: Pick<FloorStore, 'eventsSince'>;
	/** Events of that time in the store. */
	readonly recorded: number;
	/** Older ones that were asked for, and are left out. */
	readonly leftOut: number;
	/** Oldest first. */
	readonly responses: readonly HeardResponse[];
}

export interface NightSources extends Span {
	readonly store: Pick<FloorStore, 'eventsSince' | 'countEventsSince' | 'startOfNewestEvents'>;
	/** Events that are played: of more, the newest. Those of one moment stay together. */
	readonly most: number;
	readonly responsesSince: (at: number) => Iterable<HeardResponse>;
	/** Awaited now and then: it lets other work go on. */
	readonly breathe: () => Promise<void> | null;
}

/** `until` is not in the future. Of too many events the night begins later than asked. */
export async function nightOf(sources: NightSources): Promise<Night> {
	const { store, from: asked, until, most, responsesSince, breathe } = sources;
	const from = store.startOfNewestEvents(asked, most) ?? asked;
	const recorded = store.countEventsSince(from);
	const leftOut = from === asked ? 0 : store.countEventsSince(asked) - recorded;
	const responses: HeardResponse[] = [];
	for (const response of responsesSince(from)) {
		if (response.at <= until) responses.push(response);
		const breath = breathe();
		if (breath) await breath;
	}
	return { store, from, until, recorded, leftOut, responses: responses.sort(inTime) };
}

/** In order of time. Each call gives the same. */
export async function* recordedNight(night: Night): AsyncGenerator<string> {
	for (const next of interleaved(eventsOf(night), night.responses)) {
		const line = 'usage' in next ? next.usage : hookLine(next.event);
		if (line !== null) yield line;
	}
}

function* eventsOf({ store, from, until }: Night): Generator<StoredEvent> {
	let after: StoredEvent | null = null;
	do {
		const events = store.eventsSince(from, after, PAGE);
		for (const event of events) {
			if (event.at > until) return;
			yield event;
		}
		after = events.at(-1) ?? null;
	} while (after !== null);
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
