/** What `render.ts` asks of a program: its events and payloads for what happens in a session. */
import type { Deed, Outcome } from '../trace.ts';

export interface ClientSession {
	readonly sessionId: string;
	readonly directory: string;
	/** Distinct for every turn, where the program tells one. */
	readonly turnId: string;
	/** Virtual time of the event, ms. */
	readonly at: number;
}

/** An event name and its payload. */
export type Told = readonly [event: string, body: Record<string, unknown>];

export interface ToldCall {
	readonly deed: Deed;
	readonly outcome: Outcome;
	readonly callId: string;
	readonly actor: string | null;
	readonly tookMs: number;
}

export interface ClientPayloads {
	start(session: ClientSession): Told[];
	prompt(session: ClientSession, text: string): Told[];
	begin(session: ClientSession, call: ToldCall): Told[];
	end(session: ClientSession, call: ToldCall): Told[];
	turnEnd(session: ClientSession, text: string): Told[];
	turnFailed(session: ClientSession, error: string, message: string): Told[];
	compactStart(session: ClientSession): Told[];
	compactEnd(session: ClientSession): Told[];
	subagent(session: ClientSession, id: string, ends: boolean): Told[];
}
