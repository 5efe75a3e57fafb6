/** What the store keeps, as plain rows. Times are ms since the epoch on the floor's clock. */
import type { Evidence } from '../../shared/breaker-state.ts';
import type { BreakerAction, BreakerLevel, OrderKind } from '../../shared/words.ts';
import type { ProcessIdentity } from '../floor/events.ts';

/** Anything that `JSON.stringify` takes and gives back. */
export type JsonObject = Readonly<Record<string, unknown>>;

export interface AgentRow {
	readonly id: string;
	readonly client: string;
	/** The present session. */
	readonly sessionId: string;
	readonly directory: string;
	readonly name: string;
	readonly model: string | null;
	/** Kept from the first time the agent was saved. */
	readonly firstSeenAt: number;
	readonly lastEventAt: number;
	readonly level: BreakerLevel;
	readonly levelSince: number;
	readonly order: { readonly kind: OrderKind; readonly words: string; readonly at: number } | null;
	readonly process: ProcessIdentity | null;
	readonly demo: boolean;
	/** Whatever else the floor wants back after a restart. */
	readonly state: JsonObject;
}

/** A session belongs to one agent; an agent may have had several. */
export interface SessionRow {
	readonly client: string;
	readonly sessionId: string;
	readonly agentId: string;
	readonly transcriptPath: string | null;
	readonly firstSeenAt: number;
	readonly lastSeenAt: number;
}

export interface EventRow {
	readonly at: number;
	/** `null`: nobody could be named. */
	readonly agentId: string | null;
	readonly client: string;
	/** The client's own name of the event. */
	readonly name: string;
	/** A second event of the agent with the same name and key is not stored. */
	readonly dedupeKey: string | null;
	/** The body's length as it was received. */
	readonly bytes: number;
	/** Exactly as received. */
	readonly body: string;
}

export interface StoredEvent extends EventRow {
	/** Rises with each event that is stored. */
	readonly id: number;
}

export interface TransitionRow {
	readonly at: number;
	readonly agentId: string;
	readonly sessionId: string;
	readonly from: BreakerLevel;
	readonly to: BreakerLevel;
	readonly action: BreakerAction;
	readonly reason: string;
	readonly evidence: Evidence | null;
}

export type OperatorActionKind =
	| 'steer'
	| 'hold'
	| 'constrain'
	| 'stop'
	| 'resume'
	| 'reset-evidence'
	| 'allow-once'
	| 'deny-once'
	| 'dismiss-incident'
	| 'change-settings';

export interface OperatorActionRow {
	readonly at: number;
	/** `null`: about the floor, not one agent. */
	readonly agentId: string | null;
	readonly action: OperatorActionKind;
	/** The operator's own words; empty when none were given. */
	readonly words: string;
	readonly detail: JsonObject | null;
}

/** What else belongs into an agent's history: a note on its way, a call refused, a provider in trouble. */
export interface RemarkRow {
	readonly at: number;
	readonly agentId: string;
	readonly kind: 'note' | 'denial' | 'trouble';
	readonly text: string;
}

/** How long raw events and remarks are kept. */
export interface Retention {
	/** Ms since the epoch. */
	readonly now: number;
	readonly eventDays: number;
	/** Bodies together, in units of 1 000 000 bytes. */
	readonly eventMegabytes: number;
}
