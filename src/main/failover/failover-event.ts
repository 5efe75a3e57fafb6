/** What failover tells the outside as it happens: the store's SLO tables, the journal, incidents and screens hear it. */
import type { Capability } from '../../shared/capability.ts';
import type { FailureCause } from '../../shared/failover-view.ts';
import type { Tier } from '../../shared/words.ts';
import type { TurnEnd, TurnFacts } from './desk.ts';

export type FailoverEvent =
	| { readonly kind: 'turn-ended'; readonly at: number; readonly facts: TurnFacts; readonly end: TurnEnd }
	/** `popupMs`: from the failure until the popup could be seen. */
	| {
			readonly kind: 'popup-opened';
			readonly at: number;
			readonly providerId: string;
			readonly popupId: string;
			readonly cause: FailureCause;
			readonly popupMs: number;
	  }
	| {
			readonly kind: 'popup-closed';
			readonly at: number;
			readonly providerId: string;
			readonly popupId: string;
			readonly reason: string;
	  }
	| {
			readonly kind: 'provider-changed';
			readonly at: number;
			readonly providerId: string;
			readonly down: boolean;
			readonly reason: string;
	  }
	| { readonly kind: 'tier-changed'; readonly at: number; readonly tier: Tier; readonly reason: string }
	| { readonly kind: 'capability-changed'; readonly at: number; readonly capability: Capability }
	| { readonly kind: 'queue-depth'; readonly at: number; readonly depth: number };

export type FailoverListener = (event: FailoverEvent) => void;
