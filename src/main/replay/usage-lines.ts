/** Responses of models as usage lines of a replay, which are cumulative over their session. */

/** One response. Token counts are its own, none of them below 0. */
export interface SpentResponse {
	/** Ms since the epoch. */
	readonly at: number;
	readonly sessionId: string;
	readonly model: string;
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheCreation: number;
	/** US dollars; `null`: no price is known. */
	readonly usd: number | null;
}

interface Sum {
	input: number;
	output: number;
	cacheRead: number;
	cacheCreation: number;
	/** Of those with a price; `null`: none has one. */
	usd: number | null;
}

/** Of responses of the same moment the smaller first: no order in which files were read makes a difference. */
export function inTime(a: SpentResponse, b: SpentResponse): number {
	if (a.at !== b.at) return a.at - b.at;
	if (a.sessionId !== b.sessionId) return a.sessionId < b.sessionId ? -1 : 1;
	return a.output - b.output;
}

export class UsageLines {
	readonly #sums = new Map<string, Sum>();

	/** To be called in the order of `inTime`. */
	lineOf({ at, sessionId, model, ...spent }: SpentResponse): string {
		const sum = this.#sums.get(sessionId) ?? {
			input: 0,
			output: 0,
			cacheRead: 0,
			cacheCreation: 0,
			usd: null,
		};
		this.#sums.set(sessionId, sum);
		sum.input += spent.input;
		sum.output += spent.output;
		sum.cacheRead += spent.cacheRead;
		sum.cacheCreation += spent.cacheCreation;
		if (spent.usd !== null) sum.usd = (sum.usd ?? 0) + spent.usd;
		return JSON.stringify({ at, usage: { sessionId, model, ...sum } });
	}
}

/** Two feeds in order of time as one; what was spent at the time of an event comes before it. */
export function* interleaved<Event extends { readonly at: number }>(
	events: Iterable<Event>,
	responses: readonly SpentResponse[],
): Generator<{ readonly event: Event } | { readonly usage: string; readonly sessionId: string }> {
	const lines = new UsageLines();
	let next = 0;
	for (const event of events) {
		for (let response = responses[next]; response && response.at <= event.at; response = responses[next]) {
			yield { usage: lines.lineOf(response), sessionId: response.sessionId };
			next += 1;
		}
		yield { event };
	}
	for (const response of responses.slice(next)) {
		yield { usage: lines.lineOf(response), sessionId: response.sessionId };
	}
}
