/**
 * What scripts or a person did between two looks at a repository's state file. Only the file tells, so of several ways
 * to the same state the shortest is taken.
 */
import { SUCCESSES_TO_CLOSE } from './model-breaker.ts';
import type { ModelChain } from './model-desk.ts';
import type { ScriptDeed } from './script-deed.ts';
import type { StateRecord } from './state-record.ts';

/** More than this between two looks did not happen: somebody edited the counts. */
const MOST_AT_ONCE = 50;

/** The configuration in a state file. It binds no provider: a script does not know one. */
export function chainOf({ preferredModel, fallbackChain, cooldownMinutes }: StateRecord): ModelChain {
	return { provider: null, preferredModel, fallbackChain, cooldownMinutes };
}

export function isSameChain(one: ModelChain, other: ModelChain): boolean {
	return (
		one.preferredModel === other.preferredModel &&
		one.cooldownMinutes === other.cooldownMinutes &&
		one.fallbackChain.length === other.fallbackChain.length &&
		one.fallbackChain.every((model, index) => model === other.fallbackChain[index])
	);
}

/**
 * The deeds that lead from `last` (what we read or wrote last) to `now`, in order. A file that was made anew, with
 * nothing counted in it, says nothing about the models. `consecutiveFailures` is a count for people: limits of a
 * fallback that belong to an earlier opening are not reconstructed.
 */
export function deedsBetween(last: StateRecord, now: StateRecord): ScriptDeed[] {
	const isEdited = !isSameChain(chainOf(last), chainOf(now));
	const configured: ScriptDeed[] = isEdited ? [{ kind: 'configured', chain: chainOf(now) }] : [];
	if (isMadeAnew(last, now)) return configured;
	const way = new Way(last, now);
	way.recover();
	way.open();
	way.advance();
	way.test();
	way.close();
	return [...configured, ...way.deeds];
}

/**
 * What a file says that is seen for the first time: the same, from a closed circuit on. `now`: a limit whose cooldown is
 * over by then is no news, and an abandoned file must not move everybody to a fallback.
 */
export function deedsOfUnseen(record: StateRecord, now: number): ScriptDeed[] {
	const { state, openedAt, cooldownMinutes } = record;
	if (state === 'closed') return [];
	const isOver = openedAt === null ? state === 'half-open' : openedAt + cooldownMinutes * 60_000 <= now;
	if (isOver && (record.resumeAt ?? now) <= now) return [];
	const closed: StateRecord = {
		...record,
		state: 'closed',
		currentFallbackIndex: 0,
		openedAt: null,
		halfOpenSuccesses: 0,
		consecutiveFailures: 0,
	};
	return deedsBetween(closed, record);
}

/** As `Get-CircuitBreakerState` makes it when the file is gone. */
function isMadeAnew(last: StateRecord, now: StateRecord): boolean {
	const { metrics } = now;
	const isBlank =
		now.state === 'closed' &&
		now.openedAt === null &&
		metrics.totalFallbacks === 0 &&
		metrics.totalRecoveries === 0 &&
		metrics.lastFallbackAt === null &&
		metrics.lastRecoveryAt === null;
	return isBlank && last.metrics.totalFallbacks + last.metrics.totalRecoveries > 0;
}

/** Follows the circuit from one record towards the other, and notes what must have happened. */
class Way {
	readonly deeds: ScriptDeed[] = [];
	readonly #now: StateRecord;
	/** `lastFallbackAt` is another. */
	readonly #isDated: boolean;
	#hasOpened = false;
	#state: StateRecord['state'];
	#index: number;
	#successes: number;
	#openedAt: number | null;
	#failures: number;
	/** Openings and recoveries that the metrics tell of and that are not accounted for yet. */
	#openings: number;
	#recoveries: number;

	constructor(last: StateRecord, now: StateRecord) {
		this.#now = now;
		this.#state = last.state;
		this.#index = last.currentFallbackIndex;
		this.#successes = last.halfOpenSuccesses;
		this.#openedAt = last.openedAt;
		this.#failures = last.consecutiveFailures;
		this.#openings = plausible(now.metrics.totalFallbacks - last.metrics.totalFallbacks);
		this.#recoveries = plausible(now.metrics.totalRecoveries - last.metrics.totalRecoveries);
		this.#isDated = now.metrics.lastFallbackAt !== last.metrics.lastFallbackAt;
	}

	/** Every recovery that was counted, with the openings before it. */
	recover(): void {
		while (this.#recoveries > 0) {
			this.#recoveries -= 1;
			if (this.#state === 'closed') this.#limitPreferred();
			const isLast = this.#recoveries === 0;
			if (isLast && this.#now.state === 'closed') while (this.#openings > 0) this.#reopen();
			this.#begin();
			// The last of the successes is the one that closed it.
			const before = SUCCESSES_TO_CLOSE - 1 - this.#successes;
			if (before > 0) this.#note({ kind: 'succeeded', count: before });
			this.#toClosed();
		}
	}

	/** It is open or tested now: through the openings that are left, or one that was not counted. */
	open(): void {
		const { state } = this.#now;
		if (state === 'closed') return;
		if (this.#state === 'closed') this.#limitPreferred();
		while (this.#openings > 0) this.#reopen();
		if (state === 'open' && this.#state === 'half-open') this.#limitPreferred();
	}

	/** Fallbacks that were limited since it opened. */
	advance(): void {
		if (this.#state !== 'open' || this.#now.state === 'closed') return;
		const { currentFallbackIndex, fallbackChain, openedAt } = this.#now;
		const last = fallbackChain.length - 1;
		const wanted = Math.min(currentFallbackIndex, Math.max(last, 0));
		while (this.#index < wanted) this.#limitFallback(this.#index + 1);
		// At the end of the chain only the count of failures and the cooldown go on.
		const isAtEnd = this.#index >= last;
		const more = Math.min(this.#now.consecutiveFailures - this.#failures, MOST_AT_ONCE);
		if (isAtEnd) for (let count = 0; count < more; count += 1) this.#limitFallback(this.#index);
		const isLater = openedAt !== null && openedAt > (this.#openedAt ?? Number.POSITIVE_INFINITY);
		if (!isLater) return;
		// Dated, but not counted: by a script that did not know yet that it was open. It was the preferred model.
		if (this.#isDated && !this.#hasOpened) this.#limitPreferred();
		else if (isAtEnd) this.#limitFallback(this.#index);
	}

	/** The preferred model is tested, and has answered. */
	test(): void {
		if (this.#now.state !== 'half-open') return;
		this.#begin();
		const count = this.#now.halfOpenSuccesses - this.#successes;
		if (count > 0) this.#note({ kind: 'succeeded', count });
	}

	/** Closed without a recovery that was counted: by hand. */
	close(): void {
		if (this.#now.state === 'closed' && this.#state !== 'closed') this.#toClosed();
	}

	#note(deed: ScriptDeed): void {
		this.deeds.push(deed);
	}

	#begin(): void {
		if (this.#state !== 'open') return;
		this.#note({ kind: 'probe-begun' });
		this.#state = 'half-open';
		this.#successes = 0;
	}

	#reopen(): void {
		if (this.#state === 'open') this.#begin();
		this.#limitPreferred();
	}

	#limitPreferred(): void {
		const { preferredModel, metrics, openedAt } = this.#now;
		const at = (this.#isDated ? metrics.lastFallbackAt : null) ?? openedAt;
		this.#note({ kind: 'limited', model: preferredModel, at });
		this.#hasOpened = true;
		this.#openings = Math.max(0, this.#openings - 1);
		if (this.#state !== 'open') this.#index = 0;
		this.#state = 'open';
		this.#successes = 0;
		this.#openedAt = at;
		this.#failures += 1;
	}

	#limitFallback(next: number): void {
		const { fallbackChain, preferredModel, openedAt } = this.#now;
		this.#note({ kind: 'limited', model: fallbackChain[this.#index] ?? preferredModel, at: openedAt });
		this.#index = next;
		this.#openedAt = openedAt;
		this.#failures += 1;
	}

	#toClosed(): void {
		this.#note({ kind: 'closed' });
		this.#state = 'closed';
		this.#index = 0;
		this.#successes = 0;
		this.#openedAt = null;
		this.#failures = 0;
	}
}

function plausible(count: number): number {
	return count >= 0 && count <= MOST_AT_ONCE ? count : 0;
}
