/** Which model a turn is asked of: the one it asked for, or what stands in for it while that is rate-limited. */
import { isSameModel } from '../../shared/model-names.ts';
import { isProviderLoss } from '../failover/call.ts';
import { saysTooLong } from '../failover/classify-answer.ts';
import type { TurnFacts } from '../failover/desk.ts';
import type { ModelDesk, ModelOutcome, ModelTicket } from '../models/model-desk.ts';
import type { AttemptEnd } from './attempt-contract.ts';

export type Seat = { readonly kind: 'ask'; readonly model: string; readonly isStandIn: boolean } | NoSeat;

/** Nothing can stand in (any more). */
export interface NoSeat {
	readonly kind: 'none';
	/** `null`: not known. */
	readonly free: FreeModel | null;
	/** Of this turn, by what would have stood in. */
	readonly refusals: readonly Refusal[];
	/** A model was asked in this turn. */
	readonly wasAsked: boolean;
}

/** The model that can be asked first, and has not refused this turn. */
export interface FreeModel {
	readonly model: string;
	/** From now, ms. */
	readonly waitMs: number;
	/** It is the model that was asked for: its provider's own wish tells the time better. */
	readonly isAsked: boolean;
}

/** A stand-in that is well, and cannot take this request. */
export interface Refusal {
	readonly model: string;
	/** In its provider's words, without credentials. Untrusted. */
	readonly detail: string;
	/** The conversation does not fit into it. */
	readonly isTooLong: boolean;
}

export class ModelSeat {
	readonly #desk: ModelDesk;
	readonly #facts: TurnFacts;
	/** Of this turn, since it last waited. */
	readonly #limited = new Set<string>();
	readonly #refusals = new Map<string, Refusal>();
	#wasAsked = false;
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
		const tried = new Set([...this.#limited, ...this.#refusals.keys()]);
		const choice = this.#desk.choose({ provider, model, holder, tried });
		this.#ticket = choice?.kind === 'use' ? choice.ticket : null;
		if (choice?.kind === 'wait') {
			const { model: first, waitMs } = choice;
			// It would refuse this request then as well: nobody is to come back for that.
			if (this.#refusals.has(first)) return this.#none(null);
			return this.#none({ model: first, waitMs, isAsked: isSameModel(first, model) });
		}
		this.#model = this.#ticket?.model ?? model;
		if (tried.has(this.#model)) return this.#none(null);
		return { kind: 'ask', model: this.#model, isStandIn: this.#model !== model };
	}

	#none(free: FreeModel | null): NoSeat {
		return { kind: 'none', free, refusals: [...this.#refusals.values()], wasAsked: this.#wasAsked };
	}

	/** The first of an answer has come: whoever waits for the test of this model need not wait for its end. */
	answering(): void {
		this.#settle({ kind: 'ok' });
	}

	/**
	 * The turn is over without a call, waits, or goes elsewhere: the permit is given back. What is limited may have
	 * recovered when the turn goes on.
	 */
	leave(): void {
		this.#taken = null;
		this.#limited.clear();
		this.#settle({ kind: 'other' });
	}

	/** Tells how the call went. True: another model may take the turn. */
	settle(end: AttemptEnd): boolean {
		this.#taken = null;
		const isStandIn = this.#model !== this.#facts.model;
		const outcome = outcomeOf(end, isStandIn);
		this.#settle(outcome);
		if (end.kind !== 'unwanted') this.#wasAsked = true;
		if (outcome.kind === 'limited') {
			this.#limited.add(this.#model);
			return true;
		}
		const refusal = isStandIn ? refusalOf(end, this.#model) : null;
		if (refusal !== null) this.#refusals.set(this.#model, refusal);
		return refusal !== null;
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

/** What the stand-in itself answers to this request, while it is well: another model may take it. `null`: nothing such. */
function refusalOf(end: AttemptEnd, model: string): Refusal | null {
	if (end.kind !== 'whole' && end.kind !== 'broken') return null;
	const { outcome, detail } = end;
	const { kind, status, code } = outcome;
	if (status === null || kind === 'ok' || isProviderLoss(kind)) return null;
	return { model, detail, isTooLong: saysTooLong(code, detail) };
}

/** The provider has no such model, or not for this account. */
function isUnserved(end: AttemptEnd): boolean {
	if (end.kind !== 'whole') return false;
	const { status, code } = end.outcome;
	return status === 404 || status === 403 || /model_not_found|not_found/.test(code);
}
