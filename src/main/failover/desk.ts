/**
 * The counter between gateway and failover: the gateway brings turns, failover says where each goes. Everything is
 * answered from memory; only `HeldTurn.next` waits, for a person or for the provider.
 */
import type { ModelFit } from '../../shared/capability.ts';
import type { ProtocolId } from '../../shared/failover-settings.ts';
import type { Activity, FailureCause } from '../../shared/failover-view.ts';
import type { CallOutcome, CallTicket } from './call.ts';

/** One model request, as far as routing needs to know it. */
export interface TurnFacts {
	readonly turnId: string;
	/** The client's session (or label): what a choice holds for. */
	readonly sessionKey: string;
	/** False: several programs may share this session's key, so no choice is kept for it; each turn asks for itself. */
	readonly isAttributed: boolean;
	/** Set inside a subagent: it shares the session's choice, and has a conversation of its own. */
	readonly subagentId: string | null;
	/** On the floor; `null` when it is not known there yet. */
	readonly agentId: string | null;
	readonly agentName: string;
	/** Where the agent works; empty when not known. */
	readonly workspace: string;
	readonly providerId: string;
	readonly protocol: ProtocolId;
	/** As asked for. */
	readonly model: string;
	readonly isStream: boolean;
	readonly offersTools: boolean;
	/** Of system, tools and messages. An estimate, rather too high than too low. */
	readonly estimatedTokens: number;
	/** As asked for; `null` when not. */
	readonly maxOutputTokens: number | null;
	readonly activity: Activity;
	/** SHA-256 of system, tools and messages: an input that has changed supersedes a queued one. */
	readonly inputHash: string;
	/** Head of the newest prompt, for the screen. Untrusted. */
	readonly prompt: string;
	/** A helper request of the client (title, topic, token count): fails over silently to nothing, never asks. */
	readonly isAuxiliary: boolean;
	/** Floor clock. */
	readonly startedAt: number;
}

/**
 * Names one conversation: a newer input of it makes an older one pointless. No header can hold a line break. What an
 * unattributed caller asks is a conversation of its own: the next input may be another program's.
 */
export function conversationOf({ sessionKey, isAttributed, subagentId, inputHash }: TurnFacts): string {
	if (!isAttributed) return `${sessionKey}\n${subagentId ?? ''}\n${inputHash}`;
	return subagentId === null ? sessionKey : `${sessionKey}\n${subagentId}`;
}

/** The session that a conversation belongs to. */
export function sessionOfConversation(conversation: string): string {
	return conversation.split('\n')[0] ?? conversation;
}

export type Route =
	| { readonly to: 'provider'; readonly ticket: CallTicket }
	/** The session goes on locally until the provider is back. `isFirst`: its first local answer is labelled. */
	| { readonly to: 'local'; readonly model: ModelFit; readonly isFirst: boolean }
	/** The provider is known to be lost: nothing is sent; hold the turn. */
	| { readonly to: 'hold'; readonly failure: Failure };

/** Why a turn did not get its answer. */
export interface Failure {
	readonly cause: FailureCause;
	readonly outcome: CallOutcome;
	/** "The connection was refused (ECONNREFUSED)." For the popup's detail. */
	readonly detail: string;
	/** Part of the answer had reached the agent. */
	readonly cutMidAnswer: boolean;
}

export type HeldDecision =
	/** Ask the provider again (this may be the breaker's trial call). */
	| {
			readonly kind: 'provider';
			readonly ticket: CallTicket;
			/**
			 * Aborted when the operator decides otherwise, or the hold is over, while this try is still silent: settle it
			 * as neutral, break it off and ask `next` with the failure before it. Absent on a first try.
			 */
			readonly abandon?: AbortSignal;
	  }
	| {
			readonly kind: 'local';
			readonly model: ModelFit;
			readonly isFirst: boolean;
			/**
			 * Aborted when the operator decides otherwise while the model is still silent: break it off and ask `next`
			 * with the failure before it. The model did not fail: no `localFailed`.
			 */
			readonly abandon?: AbortSignal;
	  }
	/** Nobody decided in time, or nothing can be done: the provider's own error goes to the agent. */
	| {
			readonly kind: 'give-up';
			/** `provider-gone`: it was taken out of the settings. */
			readonly why: 'hold-over' | 'no-local-fit' | 'shutting-down' | 'provider-gone';
	  }
	/** The operator queued it: the agent is told so in its protocol's error form. */
	| { readonly kind: 'queued'; readonly message: string };

/** A turn in the hands of the orchestrator. Ask `next` after every failure until it gives up. */
export interface HeldTurn {
	/** Resolves with the next thing to try. `failure`: how the last try ended. */
	next(failure: Failure): Promise<HeldDecision>;
	/** The answer of the last try, cloud or local, begins to reach the agent: nobody needs to decide any more. */
	answering?(): void;
	/** The local model failed as well; the cloud's error stays the one that is shown. */
	localFailed(modelId: string, detail: string): void;
	/** The turn is over: answered, given up, or the client has left. Idempotent. */
	release(how: TurnEnd): void;
}

export type TurnEnd =
	| {
			readonly kind: 'answered';
			readonly harness: 'local' | 'cloud';
			readonly at: string;
			readonly model: string;
	  }
	/** Its provider is lost and no local model can take it (seed 003, section 3.5). */
	| { readonly kind: 'refused' }
	/** Its agent is stopped: no turn was made. */
	| { readonly kind: 'barred' }
	| { readonly kind: 'queued' }
	| { readonly kind: 'failed' }
	| { readonly kind: 'client-left' };

export interface FailoverDesk {
	/** Where this turn goes first. */
	route(facts: TurnFacts): Route;
	/** Evidence of one call. A ticket settles once; later ones of the same ticket are ignored. */
	settle(ticket: CallTicket, outcome: CallOutcome): void;
	/** Takes a turn that its provider could not answer. */
	hold(facts: TurnFacts): HeldTurn;
	/** A turn that was never held is over. */
	ended(facts: TurnFacts, end: TurnEnd): void;
	/** Both sides of a local answer, for "Improve this with …?". `answer`: text only. */
	answeredLocally(facts: TurnFacts, model: ModelFit, answer: string): void;
}
