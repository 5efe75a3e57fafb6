/** What the gateway is built from. */
import type { ModelFit } from '../../shared/capability.ts';
import type { ProtocolId } from '../../shared/failover-settings.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Clock, Schedule } from '../failover/call.ts';
import type { FailoverDesk, TurnFacts } from '../failover/desk.ts';
import type { ServedBy } from '../floor/events.ts';
import type { ModelDesk } from '../models/model-desk.ts';
import type { WaitingTimes } from './client-answer.ts';
import type { CredentialKeeper } from './credentials.ts';
import type { Protocol, TurnUsage } from './protocol.ts';
import type { KeptRequest, TurnKeeper } from './turn-keeper.ts';
import type { Upstream } from './upstream.ts';

/** The floor as the gateway sees it. All of it is answered from memory. */
export interface GatewayFloor {
	/** The agent of a session; `null`: not on the floor yet. */
	find(
		client: string,
		sessionKey: string,
	): { readonly agentId: string; readonly agentName: string; readonly workspace: string } | null;
	/** Why its model calls are refused (`floor/standing.ts`); `null`: they are not. */
	refusal(agentId: string): string | null;
	/** Calls back whenever a refusal may have begun. Returns how to forget it. */
	onStanding?(listener: () => void): () => void;
	/** A model call began to be answered, or was over without an answer (`served: null`). Helper calls are not told. */
	modelCall(call: ModelCall): void;
	/** An answer was counted: told once for each that began, helper calls and those that broke off too. */
	counted?(answer: CountedAnswer): void;
}

/** One answer of whoever gave it: several for one turn when an attempt broke off and another went on. */
export interface CountedAnswer {
	readonly client: string;
	readonly sessionKey: string;
	readonly subagentId: string | null;
	/** The client's side work (titles, summaries): billed, and in nobody's transcript. */
	readonly isAuxiliary: boolean;
	/** Names this answer and no other. Of an Anthropic answer the same as its rows in Claude Code's transcript. */
	readonly key: string;
	/** The model that was asked for. */
	readonly asked: string;
	/** `model`: as the answer itself names it, where it does. Prices go by it. */
	readonly served: ServedBy;
	readonly usage: TurnUsage;
	/** False: it broke off, and what was counted until then is at least that. */
	readonly isWhole: boolean;
	/** Wall clock, ms. */
	readonly at: number;
}

export interface ModelCall {
	readonly client: string;
	readonly sessionKey: string;
	readonly subagentId: string | null;
	/** The model that was asked for. */
	readonly asked: string;
	readonly served: ServedBy | null;
	/** Wall clock, ms. */
	readonly at: number;
}

export interface GatewayTimes extends WaitingTimes {
	/** A provider or local server that sends no head for so long has failed, ms; 0: no limit. */
	readonly headersTimeoutMs: number;
	/** And one that falls silent in its answer, ms; 0: no limit. */
	readonly idleTimeoutMs: number;
	/** A provider's stream that has begun may be without any byte for so long, ms. */
	readonly streamSilenceMs: number;
	/** A local model that is loaded may be silent for so long, ms. */
	readonly localSilenceMs: number;
}

/**
 * Claude Code breaks off a stream that is silent for 300 s; the connect timeout is `Upstream`'s. A connection that dies
 * without a word (a lid closed, a VPN gone) sends nothing: 90 s are six times the pings of a provider, and short enough
 * for a person who waits. A local server that hangs sends nothing either, but one that reads a long prompt is silent too.
 */
export const gatewayTimes: GatewayTimes = {
	headAfterMs: 10_000,
	pingAfterMs: 10_000,
	headersTimeoutMs: 300_000,
	idleTimeoutMs: 300_000,
	streamSilenceMs: 90_000,
	localSilenceMs: 120_000,
};

export interface GatewayOptions {
	readonly agentToken: string;
	/** Of the listener that these routes are on. */
	readonly ownPort: () => number;
	readonly settings: () => Pick<Settings, 'providers' | 'localServers' | 'failover'>;
	readonly protocols: Readonly<Record<ProtocolId, Protocol>>;
	readonly desk: FailoverDesk;
	readonly models: ModelDesk;
	readonly floor: GatewayFloor;
	readonly clock: Clock;
	readonly schedule: Schedule;
	readonly upstream: Upstream;
	readonly credentials: CredentialKeeper;
	/** Requests that were answered locally, by turn id. */
	readonly turns: TurnKeeper;
	/** Resolves when the model can answer. Has its own budget and goes on when the caller leaves. */
	readonly warm: (model: ModelFit) => Promise<void>;
	/** Resolves when the turn is safely in the outbox. */
	readonly enqueue: (facts: TurnFacts, request: KeptRequest) => Promise<void>;
	readonly newTurnId: () => string;
	/** An environment variable of the floor. */
	readonly environment: (name: string) => string | undefined;
	/** A fault of the floor's own. */
	readonly onUnexpected: (where: string, error: unknown) => void;
	readonly times?: GatewayTimes;
}
