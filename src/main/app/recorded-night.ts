/** What was recorded since a time, as lines that a replay reads: events of hooks, and usage as it grew. */
import type { FloorStore } from '../store/floor-store.ts';
import type { StoredEvent } from '../store/rows.ts';
import type { HeardResponse } from '../usage/usage-answers.ts';

/** Rows read at once: a few milliseconds. */
const PAGE = 200;

export interface NightSources {
	readonly store: Pick<FloorStore, 'eventsSince'>;
	/** Oldest first. */
	readonly responses: readonly HeardResponse[];
	readonly from: number;
	/** Events that are played at most. */
	readonly most: number;
}

/** In order of time. */
export async function* recordedNight({ store, responses, from, most }: NightSources): AsyncGenerator<string> {
	const sums = new Map<string, Sum>();
	let next = 0;
	let after: Pick<StoredEvent, 'at' | 'id'> | null = null;
	for (let played = 0; played < most; ) {
		const events = store.eventsSince(from, after, Math.min(PAGE, most - played));
		for (const event of events) {
			for (; (responses[next]?.at ?? Number.POSITIVE_INFINITY) <= event.at; next += 1) {
				const response = responses[next];
				if (response) yield usageLine(response, sums);
			}
			const line = hookLine(event);
			if (line !== null) yield line;
		}
		played += events.length;
		const last = events.at(-1);
		if (last === undefined) break;
		after = last;
	}
	for (const response of responses.slice(next)) yield usageLine(response, sums);
}

interface Sum {
	input: number;
	output: number;
	cacheRead: number;
	cacheCreation: number;
	usd: number | null;
}

/** Cumulative over its session, from the beginning of the time on. */
function usageLine(response: HeardResponse, sums: Map<string, Sum>): string {
	const { at, sessionId, model, usd } = response;
	const sum = sums.get(sessionId) ?? { input: 0, output: 0, cacheRead: 0, cacheCreation: 0, usd: null };
	sums.set(sessionId, sum);
	sum.input += response.input;
	sum.output += response.output;
	sum.cacheRead += response.cacheRead;
	sum.cacheCreation += response.cacheCreation;
	if (usd !== null) sum.usd = (sum.usd ?? 0) + usd;
	return JSON.stringify({ at, usage: { sessionId, model, ...sum } });
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
