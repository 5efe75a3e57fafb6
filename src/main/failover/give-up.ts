/** The ways in which a held turn is given back to its agent. */
import type { HeldDecision } from './desk.ts';

export type GiveUp = HeldDecision & { readonly kind: 'give-up' };

export const holdOver: GiveUp = { kind: 'give-up', why: 'hold-over' };
export const noLocalFit: GiveUp = { kind: 'give-up', why: 'no-local-fit' };
export const shuttingDown: GiveUp = { kind: 'give-up', why: 'shutting-down' };
export const providerGone: GiveUp = { kind: 'give-up', why: 'provider-gone' };

/** Helper requests, and every turn once the floor is being closed, are given back at once; nobody is asked. */
export function giveBackAtOnce(isStopped: boolean): GiveUp {
	return isStopped ? shuttingDown : holdOver;
}
