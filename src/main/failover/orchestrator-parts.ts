/** What the orchestrator is built from: everything that is not its own decision comes in here. */
import type { LocalServerView, ModelFit } from '../../shared/capability.ts';
import type { FailoverSettings } from '../../shared/failover-settings.ts';
import type { Incident, IncidentDecision } from '../../shared/snapshot.ts';
import type { CallOutcome, CallTicket, Clock, Schedule } from './call.ts';
import type { TurnFacts } from './desk.ts';
import type { Acceptance } from './recommend.ts';

/** The part of `ProviderHealth` that is needed here. */
export interface ProviderGate {
	/** Asks for one call. `retryInMs`: when to ask again at the latest. */
	admit(
		providerId: string,
	):
		| { readonly ticket: CallTicket }
		| { readonly ticket: null; readonly retryInMs: number; readonly reason: string };
	settle(ticket: CallTicket, outcome: CallOutcome): void;
	/** Its breaker is not closed. */
	isDown(providerId: string): boolean;
	/** Until a call may go, ms; 0 when one may go now. */
	retryInMs(providerId: string): number;
	/** Why it is down, in one sentence; empty otherwise. */
	reason(providerId: string): string;
}

/** The part of the floor's incident book that is needed here. One key is one open incident. */
export interface IncidentReporter {
	report(
		key: string,
		report: Pick<Incident, 'kind' | 'severity' | 'title' | 'detail' | 'agentId'>,
		at: number,
		/** False: the open one goes on in other words, and nothing happened again. */
		isAgain?: boolean,
	): Pick<Incident, 'id'>;
	/** Nothing happens when none is open for `key`. */
	recover(key: string, at: number, reason: string): void;
	/** What was decided about the one that is open for `key`, and by whom. */
	decideAbout(key: string, decision: IncidentDecision): void;
}

/** The cloud's own answer to a turn that was answered locally. */
export type CloudAnswer =
	| { readonly kind: 'answered'; readonly model: string; readonly text: string }
	/** It was queued; `OfferBook.cloudAnswered` brings the answer when there is one. */
	| { readonly kind: 'waiting'; readonly problem: string }
	| { readonly kind: 'failed'; readonly problem: string };

/** Rejects only for a fault of the floor's own. */
export type AskCloud = (offerId: string, facts: TurnFacts) => Promise<CloudAnswer>;

export interface OrchestratorParts {
	readonly clock: Clock;
	readonly schedule: Schedule;
	/** 0 (inclusive) to 1 (exclusive). */
	readonly random: () => number;
	readonly gate: ProviderGate;
	readonly incidents: IncidentReporter;
	/** Asked at every decision, so a change of the settings holds at once. */
	readonly settings: () => FailoverSettings;
	readonly providerName: (providerId: string) => string;
	/** Those of the settings: for any other nothing is asked and nothing held. */
	readonly providerIds: () => readonly string[];
	/** What discovery saw last; from memory. */
	readonly localModels: () => {
		readonly models: readonly ModelFit[];
		readonly servers: readonly LocalServerView[];
	};
	readonly acceptance: (workspace: string, modelId: string) => Acceptance | null;
	/**
	 * What became of a local answer. A later verdict on the same turn replaces the earlier one: an agent went on with
	 * the answer, then a person asked for a better one.
	 */
	readonly recordAcceptance: (workspace: string, modelId: string, accepted: boolean, turnId: string) => void;
	/** While a popup waits nothing is probed. */
	readonly probingPaused: (isPaused: boolean) => void;
	readonly askCloud: AskCloud;
}
