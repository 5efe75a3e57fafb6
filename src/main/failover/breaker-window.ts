/**
 * The calls of the last span of time, and what they add up to. Sliding: after a silence as long as the span it is
 * empty, however it was filled before. Times are steady ms and never run backwards (the breaker sees to that).
 */

import { type CallOutcome, isProviderLoss } from './call.ts';

/** What one call counts as. A rate limit is counted apart: it says nothing of the provider's health. */
export type CountedAs = 'ok' | 'error' | 'rate-limited';

export interface CountedCall {
	/** When it ended. */
	readonly at: number;
	readonly as: CountedAs;
	/** To the first byte, ms; `null` when not measured. */
	readonly latencyMs: number | null;
}

/** What an outcome counts as; `null` for one that says nothing about the provider's health. */
export function countedCall({ kind, latencyMs }: CallOutcome, at: number): CountedCall | null {
	const as = kind === 'ok' || kind === 'rate-limited' ? kind : isProviderLoss(kind) ? 'error' : null;
	if (as === null) return null;
	const isTimed = latencyMs !== null && Number.isFinite(latencyMs) && latencyMs >= 0;
	return { at, as, latencyMs: isTimed ? latencyMs : null };
}

export interface WindowCounts {
	/** Answered well or with an error; rate limits left out. */
	readonly calls: number;
	readonly errors: number;
	readonly rateLimited: number;
	/** Of `calls`, those with a latency. */
	readonly timed: number;
}

/**
 * Calls kept at most, whatever the rate: memory stays bounded. Beyond it (more than 160 calls a second for a minute)
 * the oldest go first and the shares are those of the newest ones.
 */
export const MAX_WINDOW_CALLS = 10_000;

/** Rank of the 95th percentile (nearest rank, 1-based) among `count` values. */
function rankOf95(count: number): number {
	return Math.ceil((95 * count) / 100);
}

export class BreakerWindow {
	readonly #spanMs: number;
	readonly #slowMs: number;
	#calls: CountedCall[] = [];
	/** Index of the oldest call that still counts; what stands before it is dropped in bulk. */
	#first = 0;
	#counts = { calls: 0, errors: 0, rateLimited: 0, timed: 0, slow: 0 };

	/** `slowMs`: a latency above it is slow. Both ms. */
	constructor(spanMs: number, slowMs: number) {
		this.#spanMs = spanMs;
		this.#slowMs = slowMs;
	}

	add(call: CountedCall): void {
		this.#calls.push(call);
		this.#count(call, 1);
		if (this.#calls.length - this.#first > MAX_WINDOW_CALLS) this.#dropFirst();
		this.#slideTo(call.at);
	}

	/** Of the calls that ended after `now - span`; one that is exactly as old as the span is out. */
	counts(now: number): WindowCounts {
		this.#slideTo(now);
		const { slow: _, ...counts } = this.#counts;
		return counts;
	}

	/** True when the 95th percentile of the latencies is above `slowMs`. Constant time, unlike `p95`. */
	isSlow(now: number): boolean {
		this.#slideTo(now);
		const { timed, slow } = this.#counts;
		return timed > 0 && timed - slow < rankOf95(timed);
	}

	/** 95th percentile of the latencies, nearest rank, ms; `null` without any. Sorts: for screens and reasons. */
	p95(now: number): number | null {
		const latencies = this.calls(now)
			.filter(({ as }) => as !== 'rate-limited')
			.flatMap(({ latencyMs }) => latencyMs ?? [])
			.sort((left, right) => left - right);
		return latencies[rankOf95(latencies.length) - 1] ?? null;
	}

	/** Oldest first. */
	calls(now: number): readonly CountedCall[] {
		this.#slideTo(now);
		return this.#calls.slice(this.#first);
	}

	clear(): void {
		this.#calls = [];
		this.#first = 0;
		this.#counts = { calls: 0, errors: 0, rateLimited: 0, timed: 0, slow: 0 };
	}

	#slideTo(now: number): void {
		for (
			let oldest = this.#calls[this.#first];
			oldest !== undefined && now - oldest.at >= this.#spanMs;
			oldest = this.#calls[this.#first]
		)
			this.#dropFirst();
	}

	#dropFirst(): void {
		const oldest = this.#calls[this.#first];
		if (oldest === undefined) return;
		this.#count(oldest, -1);
		this.#first += 1;
		// Half of the array is dead: one copy now instead of one for each call.
		if (this.#first * 2 < this.#calls.length) return;
		this.#calls = this.#calls.slice(this.#first);
		this.#first = 0;
	}

	#count({ as, latencyMs }: CountedCall, by: 1 | -1): void {
		if (as === 'rate-limited') {
			this.#counts.rateLimited += by;
			return;
		}
		this.#counts.calls += by;
		if (as === 'error') this.#counts.errors += by;
		if (latencyMs === null) return;
		this.#counts.timed += by;
		if (latencyMs > this.#slowMs) this.#counts.slow += by;
	}
}
