/**
 * One file per CLI implements this: payload → event, verdict → reply. The dialect is chosen by the path of the
 * request (`/hooks/<client>/<event>`), never guessed from the payload.
 */
import type { FloorEvent } from '../floor/events.ts';
import type { Verdict } from '../floor/verdict.ts';

/** A parsed JSON object of unknown shape; every field may be missing or of any type. */
export type Payload = Readonly<Record<string, unknown>>;

export interface DialectContext {
	/** Floor clock, ms since the epoch. */
	readonly at: number;
	/** Pid that the forwarder saw, with its start time, if any. */
	readonly process: FloorEvent['process'];
}

/** One response of a model; token counts as in the usage room. */
export interface HookUsage {
	/** Global: of two tellings of one response the larger counts hold. */
	readonly key: string;
	readonly model: string;
	/** Ms since the epoch; `null`: not told. */
	readonly at: number | null;
	readonly usage: {
		/** Neither read from nor written to the cache. */
		readonly input: number;
		readonly output: number;
		readonly cacheRead: number;
		readonly cacheCreation: number;
		readonly cacheCreation1h: number;
		readonly webSearches: number;
	};
}

export interface Dialect {
	/** As in the path: "claude-code". */
	readonly client: string;
	/** True when the reply of this event can change what the agent does or reads; others are acknowledged before any work. */
	answers(eventName: string): boolean;
	/** Never throws; an unknown event gives `{kind: 'other'}`. */
	parse(eventName: string, payload: Payload, context: DialectContext): FloorEvent;
	/** The JSON body that this CLI obeys for this event; `{}` where it can carry nothing. */
	reply(eventName: string, verdict: Verdict): Record<string, unknown>;
	/** What a model call used, for programs whose hooks alone tell it. `null`: this event does not tell. Never throws. */
	usageOf?(eventName: string, payload: Payload): HookUsage | null;
	/** True when `reply` to this event would bring a note to the model. */
	carriesNote(eventName: string): boolean;
}
