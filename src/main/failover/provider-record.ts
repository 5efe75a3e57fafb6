/** One provider under one address: its breaker, and what the calls so far prove about it. */
import type { ProviderView } from '../../shared/capability.ts';
import { usable } from '../../shared/retry-after.ts';
import { type CallOutcome, isProviderLoss } from './call.ts';
import { describeOpening, describeOutcome } from './outcome-words.ts';
import type { Admission, AdmittedCall, ProviderBreaker } from './provider-breaker.ts';
import type { FailedCall } from './saved-breaker.ts';
import type { SavedProvider } from './saved-health.ts';

/** A success is proof that a provider can be reached for this long, ms. */
export const EVIDENCE_MAX_AGE_MS = 5 * 60_000;

/** One moment on both clocks. */
export interface Moment {
	readonly wall: number;
	readonly steady: number;
}

export class ProviderRecord {
	/** Evidence is about what answers here. */
	readonly baseUrl: string;
	readonly #breaker: ProviderBreaker;
	#lastSuccess: Moment | null = null;
	#lastFailure: Moment | null = null;
	/** Kind of the newest result that says anything. */
	#last: SavedProvider['last'] = null;
	/** The refusal of credentials that no success followed yet. */
	#refusal: FailedCall | null = null;
	/** Steady ms. */
	#retryAfterUntil: number | null = null;

	constructor(baseUrl: string, breaker: ProviderBreaker) {
		this.baseUrl = baseUrl;
		this.#breaker = breaker;
	}

	admit(now: Moment): Admission {
		return this.#breaker.admit(now.steady);
	}

	/** Returns false for a late or double result, which changes nothing. */
	settle(call: AdmittedCall, outcome: CallOutcome, now: Moment): boolean {
		if (!this.#breaker.settle(call, outcome, now.steady)) return false;
		const wish = usable(outcome.retryAfterMs);
		// A provider's wish is never shortened by a later one.
		if (wish !== null) this.#retryAfterUntil = Math.max(this.#retryAfterUntil ?? 0, now.steady + wish);
		if (outcome.kind === 'ok' && outcome.isProbe === true) {
			// The breaker closes; reachable is only what has served somebody (seed 003, section 1).
			this.#last = null;
		} else if (outcome.kind === 'ok') {
			this.#lastSuccess = now;
			this.#last = 'success';
			this.#refusal = null;
		} else if (outcome.kind === 'unauthorised') {
			const { kind, status, code } = outcome;
			this.#last = 'unauthorised';
			this.#refusal = { kind, status, code };
		} else if (isProviderLoss(outcome.kind)) {
			this.#lastFailure = now;
			this.#last = 'failure';
		}
		return true;
	}

	isDown(): boolean {
		return this.#breaker.opening() !== null;
	}

	remote(now: Moment): ProviderView['remote'] {
		if (this.isDown()) return this.#last === 'unauthorised' ? 'unauthorised' : 'unreachable';
		if (this.#refusal !== null) return 'unauthorised';
		const isFresh =
			this.#lastSuccess !== null && now.steady - this.#lastSuccess.steady <= EVIDENCE_MAX_AGE_MS;
		return this.#last === 'success' && isFresh ? 'reachable' : 'unknown';
	}

	/** It was lost without an answer, and no call since had one. */
	isUnanswered(): boolean {
		const opening = this.#breaker.opening();
		if (opening === null) return false;
		return (opening.lastTrial?.kind ?? opening.cause.kind) === 'lost';
	}

	reason(name: string): string {
		const opening = this.#breaker.opening();
		if (opening !== null) return describeOpening(opening, name);
		return this.#refusal === null ? '' : describeOutcome(this.#refusal, name);
	}

	/** Steady ms; `null` while the breaker is closed. */
	nextTrialAt(): number | null {
		return this.#breaker.opening()?.nextTrialAt ?? null;
	}

	view(id: string, name: string, now: Moment): ProviderView {
		const { timed: _, ...counts } = this.#breaker.counts(now.steady);
		const isWishOpen = this.#retryAfterUntil !== null && this.#retryAfterUntil > now.steady;
		return {
			id,
			name,
			remote: this.remote(now),
			breaker: this.#breaker.state(now.steady),
			reason: this.reason(name),
			lastSuccessAt: this.#lastSuccess?.wall ?? null,
			lastFailureAt: this.#lastFailure?.wall ?? null,
			nextTrialAt: wallOf(this.nextTrialAt(), now),
			...counts,
			retryAfterUntil: isWishOpen ? wallOf(this.#retryAfterUntil, now) : null,
		};
	}

	save(id: string, now: Moment): SavedProvider {
		return {
			id,
			baseUrl: this.baseUrl,
			breaker: this.#breaker.save(now.steady),
			lastSuccessAt: this.#lastSuccess?.wall ?? null,
			lastFailureAt: this.#lastFailure?.wall ?? null,
			last: this.#last,
			refusal: this.#refusal,
			retryAfterUntil: wallOf(this.#retryAfterUntil, now),
		};
	}

	/** `elapsedMs` since it was saved; `null` when nobody can tell, and then no stamp of it is believed. */
	restore(saved: SavedProvider, now: Moment, elapsedMs: number | null): void {
		this.#breaker.restore(saved.breaker, now.steady, elapsedMs);
		const momentOf = (wall: number | null): Moment | null =>
			elapsedMs === null || wall === null || wall > now.wall
				? null
				: { wall, steady: now.steady - (now.wall - wall) };
		this.#lastSuccess = momentOf(saved.lastSuccessAt);
		this.#lastFailure = momentOf(saved.lastFailureAt);
		this.#last = saved.last;
		this.#refusal = saved.refusal;
		const wish =
			elapsedMs === null || saved.retryAfterUntil === null ? null : usable(saved.retryAfterUntil - now.wall);
		this.#retryAfterUntil = wish === null ? null : now.steady + wish;
	}
}

function wallOf(steady: number | null, now: Moment): number | null {
	return steady === null ? null : now.wall + (steady - now.steady);
}
