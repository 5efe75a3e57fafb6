/**
 * The circuit breaker of one chain of models: closed → open → half-open → closed (seed 000, "Circuit Breaker States").
 * Pure: every function takes the circuit and the time (ms since the epoch, of a clock that does not jump) and gives the
 * circuit after it. Where nothing changes it gives back the same object.
 *
 *             limit of the preferred model
 *    CLOSED ──────────────────────────────► OPEN ◄───────────┐
 *      ▲                                     │  limit of the │ limit of the
 *      │ 2 consecutive successes             │  fallback:    │ preferred model
 *      │                                     │  next one     │
 *      └──────────── HALF-OPEN ◄─────────────┘               │
 *                        │       cooldown over               │
 *                        └───────────────────────────────────┘
 */
import type { CircuitMetrics, CircuitState } from '../../shared/models-view.ts';

/** Seed 000, "HALF-OPEN": successes of the preferred model, one after the other, that close the circuit. */
export const SUCCESSES_TO_CLOSE = 2;
/** Part of the cooldown by which the first test call may be put off, so that chains do not all test at once. */
const JITTER_PART = 0.1;
const MAX_JITTER_MS = 60_000;

/** Seed 000, "State File", without its configuration; times in ms. What follows `metrics` is ours. */
export interface Circuit {
	readonly state: CircuitState;
	readonly currentFallbackIndex: number;
	/** `null` while closed. */
	readonly openedAt: number | null;
	readonly halfOpenSuccesses: number;
	readonly consecutiveFailures: number;
	readonly metrics: CircuitMetrics;
	/** Until when the provider wished to be left alone; a floor under the cooldown. `null`: it wished nothing. */
	readonly notBefore: number | null;
	/** Drawn when the circuit opens, 0 to 60 000. */
	readonly jitterMs: number;
	/** The operator wants a test call now: cooldown, wish and jitter do not count for it. */
	readonly testsNow: boolean;
	/** The operator keeps the chain on its fallback. `from: 'closed'`: nothing but the hold opened it. */
	readonly hold: { readonly from: 'closed' | 'limited' } | null;
}

export const closedCircuit: Circuit = {
	state: 'closed',
	currentFallbackIndex: 0,
	openedAt: null,
	halfOpenSuccesses: 0,
	consecutiveFailures: 0,
	metrics: { totalFallbacks: 0, totalRecoveries: 0, lastFallbackAt: null, lastRecoveryAt: null },
	notBefore: null,
	jitterMs: 0,
	testsNow: false,
	hold: null,
};

/** When the preferred model may be tried again; `null` while that is not a matter of time: closed, half-open or held. */
export function resumeAt(circuit: Circuit, cooldownMs: number): number | null {
	const { state, openedAt, notBefore, jitterMs, hold, testsNow } = circuit;
	if (state !== 'open' || openedAt === null || hold !== null) return null;
	if (testsNow) return openedAt;
	return Math.max(openedAt + cooldownMs, notBefore ?? 0) + jitterMs;
}

/** The cooldown is over: whoever calls next makes the test call. */
export function isTestDue(circuit: Circuit, cooldownMs: number, now: number): boolean {
	const at = resumeAt(circuit, cooldownMs);
	return at !== null && now >= at;
}

/** Its own time is over, whatever the operator wants. */
function isRested(circuit: Circuit, cooldownMs: number, now: number): boolean {
	return isTestDue({ ...circuit, hold: null, testsNow: false }, cooldownMs, now);
}

/** OPEN → HALF-OPEN (`Get-CurrentModel`). To be called when `isTestDue`. */
export function toHalfOpen(circuit: Circuit): Circuit {
	return { ...circuit, state: 'half-open', halfOpenSuccesses: 0, testsNow: false };
}

export interface PreferredLimit {
	readonly now: number;
	/** The provider's wish, ms from now; `null`: none. */
	readonly wishMs: number | null;
	readonly cooldownMs: number;
	/** 0 to 1. */
	readonly random: number;
}

/**
 * The preferred model was limited: CLOSED or HALF-OPEN → OPEN (`Update-CircuitBreakerOnRateLimit`). While the cooldown
 * runs it is news of a call that began before: it may lengthen the wish and changes nothing else. Once that is over it
 * is what a test call would have found: OPEN again.
 */
export function onPreferredLimit(circuit: Circuit, limit: PreferredLimit): Circuit {
	const { now, wishMs, cooldownMs, random } = limit;
	const wished = lengthened(circuit, wishMs === null ? null : now + wishMs);
	if (circuit.hold?.from === 'closed') {
		// From here on there is a reason besides the hold, with a cooldown of its own.
		return { ...wished, openedAt: now, hold: { from: 'limited' } };
	}
	if (circuit.state === 'open' && !isRested(circuit, cooldownMs, now)) return wished;
	if (circuit.hold !== null) return { ...wished, openedAt: now };
	return {
		...wished,
		state: 'open',
		currentFallbackIndex: 0,
		openedAt: now,
		halfOpenSuccesses: 0,
		consecutiveFailures: circuit.consecutiveFailures + 1,
		metrics: {
			...circuit.metrics,
			totalFallbacks: circuit.metrics.totalFallbacks + 1,
			lastFallbackAt: now,
		},
		jitterMs: random * Math.min(JITTER_PART * cooldownMs, MAX_JITTER_MS),
		testsNow: false,
	};
}

/** A later wish counts where it is longer; it never shortens. */
export function lengthened(circuit: Circuit, notBefore: number | null): Circuit {
	if (notBefore === null || notBefore <= (circuit.notBefore ?? Number.NEGATIVE_INFINITY)) return circuit;
	return { ...circuit, notBefore };
}

export interface FallbackLimit {
	readonly now: number;
	/** Where the limited one stands in the chain; one that is not the current one moves nothing. */
	readonly index: number;
	readonly fallbackCount: number;
	/** `any`: the seed's literal behaviour, the cooldown starts anew. */
	readonly cooldownResetBy: 'preferred' | 'any';
}

/** The fallback in use was limited: the next one, at most the last. While closed nobody uses one. */
export function onFallbackLimit(circuit: Circuit, limit: FallbackLimit): Circuit {
	if (circuit.state === 'closed') return circuit;
	const isCurrent = limit.index === circuit.currentFallbackIndex;
	const isReset = limit.cooldownResetBy === 'any' && circuit.state === 'open';
	return {
		...circuit,
		currentFallbackIndex: isCurrent
			? Math.min(limit.index + 1, limit.fallbackCount - 1)
			: circuit.currentFallbackIndex,
		consecutiveFailures: circuit.consecutiveFailures + 1,
		openedAt: isReset ? limit.now : circuit.openedAt,
	};
}

/**
 * The preferred model answered (`Update-CircuitBreakerOnSuccess`). While open that is news of a call that began before
 * the limit: it closes nothing.
 */
export function onPreferredSuccess(circuit: Circuit, now: number): Circuit {
	if (circuit.state !== 'half-open') return circuit.state === 'closed' ? withoutFailures(circuit) : circuit;
	const halfOpenSuccesses = circuit.halfOpenSuccesses + 1;
	if (halfOpenSuccesses >= SUCCESSES_TO_CLOSE) return onRecovery(circuit, now);
	return { ...circuit, halfOpenSuccesses, consecutiveFailures: 0 };
}

/** A fallback answered: the chain works, the circuit stays as it is. */
export function onFallbackSuccess(circuit: Circuit): Circuit {
	return withoutFailures(circuit);
}

/** The preferred model is known to work again: → CLOSED. A hold outlasts it. */
export function onRecovery(circuit: Circuit, now: number): Circuit {
	if (circuit.state === 'closed' || circuit.hold !== null) return circuit;
	const { totalRecoveries, ...metrics } = circuit.metrics;
	return {
		...closedCircuit,
		metrics: { ...metrics, totalRecoveries: totalRecoveries + 1, lastRecoveryAt: now },
	};
}

/** The operator keeps the chain on its fallback. No metric counts it: nothing was limited. */
export function onHold(circuit: Circuit, now: number): Circuit {
	if (circuit.hold !== null) return circuit;
	if (circuit.state !== 'closed') {
		return { ...circuit, state: 'open', halfOpenSuccesses: 0, testsNow: false, hold: { from: 'limited' } };
	}
	return { ...circuit, state: 'open', currentFallbackIndex: 0, openedAt: now, hold: { from: 'closed' } };
}

/** The operator lets go. What only the hold had opened is tested at once, everything else after its cooldown. */
export function onRelease(circuit: Circuit, cooldownMs: number, now: number): Circuit {
	if (circuit.hold === null) return circuit;
	const released = { ...circuit, hold: null, testsNow: circuit.hold.from === 'closed' };
	return isTestDue(released, cooldownMs, now) ? toHalfOpen(released) : released;
}

/** "Probe now": while open, the next caller tests. */
export function onProbeNow(circuit: Circuit): Circuit {
	return circuit.state === 'open' && circuit.hold === null ? { ...circuit, testsNow: true } : circuit;
}

/** The program ended while its test call was out: HALF-OPEN → OPEN, and the next caller tests. */
export function withoutTest(circuit: Circuit): Circuit {
	if (circuit.state !== 'half-open') return circuit;
	return { ...circuit, state: 'open', halfOpenSuccesses: 0, testsNow: true };
}

/** The chain stands on another fallback: the one at its index may not be asked now. */
export function atFallback(circuit: Circuit, index: number): Circuit {
	return circuit.currentFallbackIndex === index ? circuit : { ...circuit, currentFallbackIndex: index };
}

/** The chain was edited: an index behind its end is the last one. */
export function fittedTo(circuit: Circuit, fallbackCount: number): Circuit {
	return atFallback(circuit, Math.min(circuit.currentFallbackIndex, Math.max(0, fallbackCount - 1)));
}

function withoutFailures(circuit: Circuit): Circuit {
	return circuit.consecutiveFailures === 0 ? circuit : { ...circuit, consecutiveFailures: 0 };
}
