/**
 * A turn in the hands of the orchestrator: its deadline, its next retry, and the one promise its gateway waits on.
 * It decides nothing; it makes sure that every `wait` is answered exactly once and that no timer outlives the turn.
 */
import type { HeldTurnView } from '../../shared/failover-view.ts';
import type { Clock, Schedule } from './call.ts';
import type { Failure, HeldDecision, TurnFacts } from './desk.ts';
import type { GiveUp } from './give-up.ts';

/** After a sleep of the machine a person has at least this long to see what waits, ms. */
export const WAKE_GRACE_MS = 10_000;
/** A deadline that is met later than this was slept through, ms. */
const SLEPT_MS = 5_000;

/** What the operator wants of a turn whose try is still under way; done as soon as the try comes back. */
export type Wish =
	| { readonly kind: 'local'; readonly modelId: string }
	| { readonly kind: 'queued' }
	/** Called off a local model that does not answer: the turn waits for its provider. */
	| { readonly kind: 'wait' };

/** A try under way that nothing of has reached the agent. */
interface SilentTry {
	readonly abandon: AbortController;
	/** `ModelFit.id`; `null`: at the provider. */
	readonly modelId: string | null;
}

export interface HeldTurnHooks {
	readonly clock: Clock;
	readonly schedule: Schedule;
	/** The hold is over while the turn waits for a decision or for its try to come back. */
	readonly onDeadline: (turn: HeldTurnRecord) => void;
	/** The provider may be asked again. Only while the turn waits. */
	readonly onRetryDue: (turn: HeldTurnRecord) => void;
}

export class HeldTurnRecord {
	readonly facts: TurnFacts;
	/** Wall clock, ms. */
	readonly heldSince: number;
	/** How the cloud failed last: what a local failure never replaces. */
	failure: Failure | null = null;
	/** A local model failed since; the next failure is that model's, not the provider's. */
	failedLocally = false;
	/** Retries at the provider that failed in a row. */
	retries = 0;
	/** How often it was sent on because the provider was back. */
	recoveries = 0;
	/** It is being sent on because the provider is back: that it is back still is no reason to put it off. */
	isSentOn = false;
	/** Steady ms; the provider's own wish. */
	notBefore = Number.NEGATIVE_INFINITY;
	wish: Wish | null = null;
	readonly #hooks: HeldTurnHooks;
	#deadline: number;
	#heldUntil: number;
	#isExpired = false;
	#final: GiveUp | null = null;
	#waiting: {
		readonly promise: Promise<HeldDecision>;
		readonly resolve: (decision: HeldDecision) => void;
	} | null = null;
	#try: SilentTry | null = null;
	#cancelDeadline: () => void = () => {};
	#cancelRetry: () => void = () => {};

	constructor(facts: TurnFacts, holdMs: number, hooks: HeldTurnHooks) {
		this.facts = facts;
		this.#hooks = hooks;
		this.heldSince = hooks.clock.wall();
		this.#heldUntil = this.heldSince + holdMs;
		this.#deadline = hooks.clock.steady() + holdMs;
		this.#isExpired = holdMs <= 0;
		if (!this.#isExpired) this.#armDeadline();
	}

	/** Steady ms until the hold is over; 0 when it is. */
	get remainingMs(): number {
		return this.#isExpired ? 0 : Math.max(0, this.#deadline - this.#hooks.clock.steady());
	}

	/** The hold is over: the next failure is the last. */
	get isExpired(): boolean {
		return this.#isExpired;
	}

	get isWaiting(): boolean {
		return this.#waiting !== null;
	}

	/** A try at the provider is under way of which nothing has reached the agent. */
	get isRetrying(): boolean {
		return this.#try !== null && this.#try.modelId === null;
	}

	/** `ModelFit.id` of the local model that has the turn and is still silent. */
	get silentModelId(): string | null {
		return this.#try?.modelId ?? null;
	}

	/** The try under way was called off: what it ends with says nothing. */
	get isTryAbandoned(): boolean {
		return this.#try?.abandon.signal.aborted ?? false;
	}

	/** Given up or released: every further `wait` is answered with the same. */
	get isOver(): boolean {
		return this.#final !== null;
	}

	/** Waits for a decision. A second call while the first is not answered gets the same promise. */
	wait(): Promise<HeldDecision> {
		if (this.#final) return Promise.resolve(this.#final);
		this.#try = null;
		if (this.#waiting === null) {
			const { promise, resolve } = Promise.withResolvers<HeldDecision>();
			this.#waiting = { promise, resolve };
		}
		return this.#waiting.promise;
	}

	/** Answers the one that waits. False when nobody does: then nothing has happened. */
	decide(decision: HeldDecision): boolean {
		const waiting = this.#waiting;
		if (waiting === null) return false;
		this.#waiting = null;
		this.isSentOn = false;
		this.#cancelRetry();
		if (decision.kind === 'provider' || decision.kind === 'local') {
			const abandon = new AbortController();
			this.#try = { abandon, modelId: decision.kind === 'local' ? decision.model.id : null };
			waiting.resolve({ ...decision, abandon: abandon.signal });
		} else waiting.resolve(decision);
		return true;
	}

	/** The try under way is not wanted any more: its gateway may break it off and ask again. */
	abandonTry(): void {
		this.#try?.abandon.abort();
	}

	/** The try reaches the agent: nobody can overrule it now. */
	noteAnswering(): void {
		this.#try = null;
	}

	/** Asks for `onRetryDue` in `ms`, in place of what was asked for before. For a turn that waits; a decision calls it off. */
	retryIn(ms: number): void {
		this.isSentOn = false;
		this.#cancelRetry();
		this.#cancelRetry = this.#hooks.schedule(ms, () => this.#hooks.onRetryDue(this));
	}

	/** The machine was asleep: nobody could see what waited. */
	noteWake(): void {
		if (this.isOver || this.#isExpired || this.remainingMs >= WAKE_GRACE_MS) return;
		this.#deadline = this.#hooks.clock.steady() + WAKE_GRACE_MS;
		this.#heldUntil = this.#hooks.clock.wall() + WAKE_GRACE_MS;
		this.#armDeadline();
	}

	/** Ends the turn: its timers, and whoever still waits is answered with `last`. Idempotent. */
	finish(last: GiveUp): void {
		const final = this.#final ?? last;
		this.#final = final;
		this.#try = null;
		this.#cancelDeadline();
		this.#cancelRetry();
		this.decide(final);
	}

	view(isChoosingToWait: boolean): HeldTurnView {
		const { turnId, agentId, agentName, model, activity, estimatedTokens } = this.facts;
		return {
			turnId,
			agentId,
			agentName,
			model,
			activity,
			estimatedTokens,
			heldSince: this.heldSince,
			heldUntil: this.#heldUntil,
			state: this.#viewState(isChoosingToWait),
			cutMidAnswer: this.failure?.cutMidAnswer ?? false,
		};
	}

	/** The question stands while the provider is tried again beside it: a retry does not make it blink. */
	#viewState(isChoosingToWait: boolean): HeldTurnView['state'] {
		const isGoingOn = this.wish === null ? this.silentModelId !== null : this.wish.kind !== 'wait';
		if (isGoingOn) return 'switching';
		if (!isChoosingToWait) return 'asking';
		return this.isRetrying ? 'retrying' : 'waiting';
	}

	#armDeadline(): void {
		this.#cancelDeadline();
		this.#cancelDeadline = this.#hooks.schedule(this.remainingMs, () => {
			if (this.#hooks.clock.steady() - this.#deadline > SLEPT_MS) {
				this.noteWake();
				return;
			}
			this.#isExpired = true;
			this.#hooks.onDeadline(this);
		});
	}
}
