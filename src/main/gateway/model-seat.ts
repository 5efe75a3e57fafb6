/** Which model a turn is asked of: the one it asked for, or what stands in for it while that is rate-limited. */
import { isProviderLoss } from '../failover/call.ts';
import type { TurnFacts } from '../failover/desk.ts';
import type { ModelDesk, ModelOutcome, ModelTicket } from '../models/model-desk.ts';
import type { AttemptEnd } from './attempt-contract.ts';

export type Seat =
	| { readonly kind: 'ask'; readonly model: string; readonly isStandIn: boolean }
	/** Nothing can stand in (any more). `free`: the model that is free first, and when (ms); `null`: not known. */
	| { readonly kind: 'none'; readonly free: FreeModel | null };

export interface FreeModel {
	readonly at: number;
	/** It is the model that was asked for: its provider's own wish tells the time better. */
	readonly isAsked: boolean;
}

export class ModelSeat {
	readonly #desk: ModelDesk;
	readonly #facts: TurnFacts;
	/** Those of this turn that were limited, or could not take it. */
	readonly #tried = new Set<string>();
	#ticket: ModelTicket | null = null;
	#model: string;
	#taken: Seat | null = null;

	constructor(desk: ModelDesk, facts: TurnFacts) {
		this.#desk = desk;
		this.#facts = facts;
		this.#model = facts.model;
	}

	/** For the next call of this turn: the same until `settle` tells how that went. */
	take(): Seat {
		this.#taken ??= this.#choose();
		return this.#taken;
	}

	#choose(): Seat {
		const { providerId: provider, model, agentName: holder } = this.#facts;
		const choice = this.#desk.choose({ provider, model, holder, tried: this.#tried });
		this.#ticket = choice?.kind === 'use' ? choice.ticket : null;
		if (choice?.kind === 'wait') {
			return { kind: 'none', free: { at: choice.resumeAt, isAsked: choice.model === model } };
		}
		this.#model = this.#ticket?.model ?? model;
		if (this.#tried.has(this.#model)) return { kind: 'none', free: null };
		return { kind: 'ask', model: this.#model, isStandIn: this.#model !== model };
	}

	/** The first of an answer has come: whoever waits for the test of this model need not wait for its end. */
	answering(): void {
		this.#settle({ kind: 'ok' });
	}

	/** The turn is over without a call: the permit is given back. */
	release(): void {
		this.#settle({ kind: 'other' });
	}

	/** Tells how the call went. True: another model may take the turn. */
	settle(end: AttemptEnd): boolean {
		this.#taken = null;
		const outcome = outcomeOf(end, this.#model !== this.#facts.model);
		this.#settle(outcome);
		const goesOn = outcome.kind === 'limited' || (this.#model !== this.#facts.model && isRefusal(end));
		if (goesOn) this.#tried.add(this.#model);
		return goesOn;
	}

	#settle(outcome: ModelOutcome): void {
		const { providerId: provider, agentName: holder } = this.#facts;
		if (this.#ticket !== null) {
			this.#desk.settle(this.#ticket, outcome);
			this.#ticket = null;
		} else if (outcome.kind === 'limited' || outcome.kind === 'spend-limit') {
			this.#desk.observe({ provider, model: this.#model, holder }, outcome);
		}
	}
}

function outcomeOf(end: AttemptEnd, isStandIn: boolean): ModelOutcome {
	if (end.kind === 'unwanted') return { kind: 'other' };
	const { outcome } = end;
	const said = end.kind === 'delivered' ? '' : end.detail;
	if (outcome.isSpendLimit) return { kind: 'spend-limit', said };
	if (outcome.kind === 'rate-limited') return { kind: 'limited', retryAfterMs: outcome.retryAfterMs, said };
	if (outcome.kind === 'ok') return { kind: 'ok' };
	return isStandIn && isUnserved(end) ? { kind: 'unserved', said } : { kind: 'other' };
}

/** What the stand-in itself answers to this request, while it is well: another model may take it. */
function isRefusal(end: AttemptEnd): boolean {
	if (end.kind !== 'whole' && end.kind !== 'broken') return false;
	const { kind, status } = end.outcome;
	return status !== null && kind !== 'ok' && !isProviderLoss(kind);
}

/** The provider has no such model, or not for this account. */
function isUnserved(end: AttemptEnd): boolean {
	if (end.kind !== 'whole') return false;
	const { status, code } = end.outcome;
	return status === 404 || status === 403 || /model_not_found|not_found/.test(code);
}
