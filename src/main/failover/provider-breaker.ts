/**
 * The circuit breaker of one provider: closed → open → half-open (seed 003, section 2). Pure: no timers, no I/O;
 * `now` is steady ms (never jumps, counts sleep) and comes with every call. Half-open is a matter of time, not of an
 * event: an open breaker is half-open as soon as its trial is due.
 */

import { usable } from '../../shared/retry-after.ts';
import { BREAKER_RULES, type BreakerRules } from './breaker-rules.ts';
import { BreakerWindow, countedCall, type WindowCounts } from './breaker-window.ts';
import type { CallOutcome } from './call.ts';
import {
	type FailedCall,
	type OpenCause,
	openForRestore,
	SAVED_CALLS,
	type SavedBreaker,
} from './saved-breaker.ts';

export type BreakerPhase = 'closed' | 'open' | 'half-open';

/** Permission for one call. A result is counted once, and only while `era` is the breaker's. */
export interface AdmittedCall {
	/** Moves on with every opening and closing. */
	readonly era: number;
	readonly serial: number;
	readonly isTrial: boolean;
}

export type Admission =
	| { readonly admitted: true; readonly call: AdmittedCall }
	/** `retryInMs`: above 0; when to ask again at the latest. `onChange` may say so earlier. */
	| { readonly admitted: false; readonly retryInMs: number };

/** Why it is not closed, and what its trials gave. Steady ms. */
export interface Opening {
	/** Of the first opening: trials that fail do not move it. */
	readonly openedAt: number;
	/** When the next trial may go; while one runs, when its lease ends. */
	readonly nextTrialAt: number;
	readonly cause: OpenCause;
	readonly failedTrials: number;
	readonly lastTrial: FailedCall | null;
}

export interface BreakerChange {
	readonly from: BreakerPhase;
	readonly to: BreakerPhase;
	/** Steady ms. */
	readonly at: number;
}

export interface ProviderBreakerOptions {
	readonly rules?: Partial<BreakerRules>;
	/**
	 * What is added to a trial's time, ms, so that breakers that opened together do not try together. Cut to 0 …
	 * `trialAfterMs`: it only ever lengthens. Without it a trial is due exactly after the seed's 30 s.
	 */
	readonly jitterMs?: (dueAt: number) => number;
	/** Numbers for calls; shared where tickets of several breakers meet, so that none is taken for another's. */
	readonly nextSerial?: () => number;
	/** Told after every change, when the breaker is consistent again. */
	readonly onChange?: (change: BreakerChange) => void;
}

interface OpenState {
	openedAt: number;
	trialAt: number;
	cause: OpenCause;
	failedTrials: number;
	lastTrial: FailedCall | null;
	/** The trial under way and the end of its lease; a trial that is never settled is replaced after it. */
	trial: { readonly serial: number; readonly until: number } | null;
	/** Half-open comes by time; it is told with the first trial, and not again with one that took its place. */
	isHalfOpenTold: boolean;
}

export class ProviderBreaker {
	readonly #rules: BreakerRules;
	readonly #jitterMs: (dueAt: number) => number;
	readonly #nextSerial: () => number;
	readonly #onChange: (change: BreakerChange) => void;
	readonly #window: BreakerWindow;
	/** Calls of this era that were not settled yet, by serial, oldest first; the value is when each was admitted. */
	readonly #inFlight = new Map<number, number>();
	#era = 1;
	#open: OpenState | null = null;
	/** Until when an erring provider asked not to be called again; a floor for the trial after an opening. */
	#notBefore = Number.NEGATIVE_INFINITY;
	#lastLoss: FailedCall = { kind: 'error', status: null, code: '' };
	#latest = 0;

	constructor({ rules, jitterMs, nextSerial, onChange }: ProviderBreakerOptions = {}) {
		this.#rules = { ...BREAKER_RULES, ...rules };
		this.#jitterMs = jitterMs ?? (() => 0);
		let serial = 0;
		this.#nextSerial = nextSerial ?? (() => ++serial);
		this.#onChange = onChange ?? (() => undefined);
		this.#window = new BreakerWindow(this.#rules.windowMs, this.#rules.slowMs);
	}

	/** Asks for one call. Every admitted call is to be settled; one that is not is released by its lease. */
	admit(now: number): Admission {
		const at = this.#time(now);
		const open = this.#open;
		if (open === null) return { admitted: true, call: this.#newCall(at, false) };
		const waitUntil = open.trial?.until ?? open.trialAt;
		if (at < waitUntil) return { admitted: false, retryInMs: waitUntil - at };
		const call = this.#newCall(at, true);
		open.trial = { serial: call.serial, until: at + this.#rules.trialLeaseMs };
		const isNews = !open.isHalfOpenTold;
		open.isHalfOpenTold = true;
		if (isNews) this.#onChange({ from: 'open', to: 'half-open', at });
		return { admitted: true, call };
	}

	/**
	 * What came of an admitted call. Returns whether it was taken as evidence: not the second time, not from an older
	 * era, and not a failure of a trial whose lease ended and whose place another one took.
	 */
	settle(call: AdmittedCall, outcome: CallOutcome, now: number): boolean {
		const at = this.#time(now);
		if (call.era !== this.#era || !this.#inFlight.delete(call.serial)) return false;
		if (this.#open !== null) return this.#settleTrial(this.#open, call.serial, outcome, at);
		this.#settleClosed(outcome, at);
		return true;
	}

	state(now: number): BreakerPhase {
		const at = this.#time(now);
		if (this.#open === null) return 'closed';
		return this.#open.trial !== null || at >= this.#open.trialAt ? 'half-open' : 'open';
	}

	/** `null` while closed. */
	opening(): Opening | null {
		if (this.#open === null) return null;
		const { openedAt, trialAt, cause, failedTrials, lastTrial, trial } = this.#open;
		return { openedAt, nextTrialAt: trial?.until ?? trialAt, cause, failedTrials, lastTrial };
	}

	/** Of the last 60 s. `p95LatencyMs` is `null` while fewer calls than the minimum have a latency. */
	counts(now: number): WindowCounts & { readonly p95LatencyMs: number | null } {
		const at = this.#time(now);
		const counts = this.#window.counts(at);
		return { ...counts, p95LatencyMs: counts.timed < this.#rules.minCalls ? null : this.#window.p95(at) };
	}

	/** Plain JSON, times as ages and spans, so that it survives a new steady clock. */
	save(now: number): SavedBreaker {
		const at = this.#time(now);
		const open = this.#open;
		return {
			notBeforeInMs: Math.max(0, this.#notBefore - at),
			lastLoss: this.#lastLoss,
			calls: this.#window
				.calls(at)
				.slice(-SAVED_CALLS)
				.map(({ at: endedAt, as, latencyMs }) => ({ agoMs: at - endedAt, as, latencyMs })),
			open: open && {
				openedAgoMs: at - open.openedAt,
				// Also for a trial under way: it ends with the program, and the next one is due at once.
				trialInMs: Math.max(0, open.trialAt - at),
				cause: open.cause,
				failedTrials: open.failedTrials,
				lastTrial: open.lastTrial,
			},
		};
	}

	/**
	 * Takes over what was saved `elapsedMs` ago (0 or more; `null`: the clock was set back, nobody knows). Times that
	 * cannot be true let a trial decide at once. Calls admitted before are forgotten. Tells nobody.
	 */
	restore(saved: SavedBreaker, now: number, elapsedMs: number | null = 0): void {
		const at = this.#time(now);
		this.#nextEra();
		this.#window.clear();
		// Of an unknown age nothing counts; the window wants its calls in order, whatever a file says.
		const calls = elapsedMs === null ? [] : saved.calls.toSorted((left, right) => right.agoMs - left.agoMs);
		for (const { agoMs, as, latencyMs } of calls)
			this.#window.add({ at: at - agoMs - (elapsedMs ?? 0), as, latencyMs });
		this.#lastLoss = saved.lastLoss;
		this.#notBefore = at + (elapsedMs === null ? 0 : this.#wish(saved.notBeforeInMs - elapsedMs));
		const open = saved.open && openForRestore(saved.open, elapsedMs, this.#rules);
		this.#open = open && {
			openedAt: at - open.openedAgoMs,
			trialAt: at + open.trialInMs,
			cause: open.cause,
			failedTrials: open.failedTrials,
			lastTrial: open.lastTrial,
			trial: null,
			isHalfOpenTold: false,
		};
	}

	#settleClosed(outcome: CallOutcome, at: number): void {
		const counted = countedCall(outcome, at);
		if (counted === null) return;
		this.#window.add(counted);
		if (counted.as === 'rate-limited') return;
		if (counted.as === 'error') {
			this.#lastLoss = failedCall(outcome);
			this.#notBefore = Math.max(this.#notBefore, at + this.#wish(outcome.retryAfterMs));
		}
		const cause: OpenCause | null =
			outcome.kind === 'lost' ? { kind: 'lost', last: this.#lastLoss } : this.#trippedCause(at);
		if (cause !== null) this.#openUp(cause, at);
	}

	#settleTrial(open: OpenState, serial: number, outcome: CallOutcome, at: number): boolean {
		const isCurrent = open.trial?.serial === serial;
		if (outcome.kind === 'ok') {
			// Also of a trial that outlived its lease: a long answer that ended well is what a trial is for.
			this.#close(at);
			return true;
		}
		if (!isCurrent) return false;
		open.trial = null;
		const counted = countedCall(outcome, at);
		if (open.cause.kind === 'lost' && isAnswer(outcome)) {
			this.#close(at);
			if (counted !== null) this.#window.add(counted);
			return true;
		}
		if (counted === null) return true;
		this.#window.add(counted);
		this.#nextEra();
		if (counted.as === 'error') open.failedTrials += 1;
		open.lastTrial = failedCall(outcome);
		open.trialAt = this.#trialTime(at, outcome.retryAfterMs);
		open.isHalfOpenTold = false;
		this.#onChange({ from: 'half-open', to: 'open', at });
		return true;
	}

	#trippedCause(at: number): OpenCause | null {
		const { minCalls, errorPercent } = this.#rules;
		const { calls, errors, timed } = this.#window.counts(at);
		if (calls >= minCalls && errors * 100 >= errorPercent * calls)
			return { kind: 'error-rate', calls, errors, last: this.#lastLoss };
		if (timed >= minCalls && this.#window.isSlow(at))
			return { kind: 'latency', calls: timed, p95Ms: this.#window.p95(at) ?? 0 };
		return null;
	}

	#openUp(cause: OpenCause, at: number): void {
		this.#nextEra();
		const trialAt = this.#trialTime(at, null);
		this.#open = {
			openedAt: at,
			trialAt,
			cause,
			failedTrials: 0,
			lastTrial: null,
			trial: null,
			isHalfOpenTold: false,
		};
		this.#onChange({ from: 'closed', to: 'open', at });
	}

	#close(at: number): void {
		this.#nextEra();
		this.#open = null;
		this.#window.clear();
		this.#onChange({ from: 'half-open', to: 'closed', at });
	}

	/** The seed's 30 s and the provider's wish are floors; jitter comes on top. */
	#trialTime(at: number, retryAfterMs: number | null): number {
		const { trialAfterMs } = this.#rules;
		const due = Math.max(at + trialAfterMs, at + this.#wish(retryAfterMs), this.#notBefore);
		const jitter = this.#jitterMs(due);
		return due + (Number.isFinite(jitter) ? Math.min(Math.max(0, jitter), trialAfterMs) : 0);
	}

	/** What of a provider's wish is kept, ms. */
	#wish(retryAfterMs: number | null): number {
		return Math.min(usable(retryAfterMs) ?? 0, this.#rules.longestWishMs);
	}

	#newCall(at: number, isTrial: boolean): AdmittedCall {
		this.#forgetLostCalls(at);
		const serial = this.#nextSerial();
		this.#inFlight.set(serial, at);
		return { era: this.#era, serial, isTrial };
	}

	/** Whoever loses a ticket must not make the floor grow. */
	#forgetLostCalls(at: number): void {
		for (const [serial, admittedAt] of this.#inFlight) {
			if (at - admittedAt < this.#rules.callLeaseMs) return;
			this.#inFlight.delete(serial);
		}
	}

	#nextEra(): void {
		this.#era += 1;
		this.#inFlight.clear();
	}

	/** Steady by contract; should a caller's clock go back all the same, time stands still here. */
	#time(now: number): number {
		if (Number.isFinite(now)) this.#latest = Math.max(this.#latest, now);
		return this.#latest;
	}
}

/** Something answers there, though not with what was asked for: a provider that errs is no such proof of health. */
function isAnswer({ kind, status }: CallOutcome): boolean {
	return status !== null && (kind === 'rate-limited' || kind === 'unauthorised' || kind === 'neutral');
}

function failedCall({ kind, status, code }: CallOutcome): FailedCall {
	return { kind, status, code };
}
