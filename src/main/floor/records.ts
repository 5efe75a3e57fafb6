/** What the floor tells the outside as it happens: store, window, tray and the process edge all hear the same. */
import type { BreakerState, Evidence } from '../../shared/breaker-state.ts';
import type { Incident } from '../../shared/snapshot.ts';
import type { BreakerAction, BreakerLevel } from '../../shared/words.ts';

export interface Transition {
	readonly kind: 'transition';
	readonly agentId: string;
	readonly sessionId: string;
	readonly at: number;
	readonly from: BreakerLevel;
	readonly to: BreakerLevel;
	readonly action: BreakerAction;
	readonly reason: string;
	readonly evidence: Evidence | null;
}

export type FloorRecord =
	| Transition
	/** One per agent and beat (seed 002: emitted for monitoring). */
	| { readonly kind: 'breaker-state'; readonly state: BreakerState; readonly changed: boolean }
	| {
			readonly kind: 'operator-action';
			readonly agentId: string;
			readonly at: number;
			readonly action:
				| 'steer'
				| 'hold'
				| 'constrain'
				| 'stop'
				| 'resume'
				| 'reset-evidence'
				/** Consent to one destructive command, or its refusal. */
				| 'allow-once'
				| 'deny-once';
			readonly words: string;
	  }
	| {
			readonly kind: 'note';
			readonly agentId: string;
			readonly at: number;
			readonly text: string;
			readonly delivered: boolean;
	  }
	| {
			readonly kind: 'denial';
			readonly agentId: string;
			readonly at: number;
			readonly tool: string;
			readonly reason: string;
	  }
	| { readonly kind: 'trouble'; readonly agentId: string; readonly at: number; readonly text: string }
	| { readonly kind: 'incident'; readonly incident: Incident }
	/** It leaves the floor; it is still there while this is heard. */
	| { readonly kind: 'agent-removed'; readonly agentId: string }
	/** A wish to the process edge: end this agent's tree. */
	| { readonly kind: 'end-process'; readonly agentId: string; readonly at: number };

export type RecordListener = (record: FloorRecord) => void;
