/**
 * What scripts or a person did between two looks at a repository's state file. Only the file tells, so of several ways
 * to the same state the shortest is taken.
 */
import { DATE_TOLERANCE_MS } from './dot-net-date.ts';
import { SUCCESSES_TO_CLOSE } from './model-breaker.ts';
import { cooldownMsOf, isSameChain } from './model-chain.ts';
import type { ModelChain } from './model-desk.ts';
import type { ScriptDeed } from './script-deed.ts';
import type { StateRecord } from './state-record.ts';

/** More than this between two looks did not happen: somebody edited the counts. */
const MOST_AT_ONCE = 50;

/** The configuration in a state file. It binds no provider: a script does not know one. */
export function chainOf({ preferredModel, fallbackChain, cooldownMinutes }: StateRecord): ModelChain {
	return { provider: null, preferredModel, fallbackChain, cooldownMinutes };
}

/**
 * The deeds that lead from `last` (what we read or wrote last) to `now`, in order. A file that is older than `last` says
 * nothing about the models, nor does one of a limit whose cooldown is over `at` that time (ms since the epoch; nothing is
 * over where it is not given): a checkout, or a pull, is no news. Its configuration holds all the same: that is how a
 * repository gets one. `consecutiveFailures` is a count for people: limits of a fallback that belong to an earlier opening
 * are not reconstructed.
 */
export function deedsBetween(
	last: StateRecord,
	now: StateRecord,
	at = Number.NEGATIVE_INFINITY,
): ScriptDeed[] {
	const isEdited = !isSameChain(chainOf(last), chainOf(now));
	const configured: ScriptDeed[] = isEdited ? [{ kind: 'configured', chain: chainOf(now) }] : [];
	if (isOlder(now, last) || (last.state === 'closed' && isOver(now, at))) return configured;
	const way = new Way(last, now);
	way.recover();
	way.open();
	way.advance();
	way.test();
	way.close();
	way.answer();
	way.wish(last);
	return [...configured, ...way.deeds];
}

/** What a file says that is seen for the first time: the same, from a closed circuit on. `at`: ms since the epoch. */
export function deedsOfUnseen(record: StateRecord, at: number): ScriptDeed[] {
	const closed: StateRecord = {
		...record,
		state: 'closed',
		currentFallbackIndex: 0,
		openedAt: null,
		halfOpenSuccesses: 0,
		consecutiveFailures: 0,
	};
	return deedsBetween(closed, record, at);
}

/**
 * Counts and last times only ever grow, so the one with a lower count or an earlier time was written before: an old
 * version out of git, a copy that a script held for long, or a new file of `Get-CircuitBreakerState`.
 */
export function isOlder(one: StateRecord, other: StateRecord): boolean {
	const [is, was] = [one.metrics, other.metrics];
	return (
		is.totalFallbacks < was.totalFallbacks ||
		is.totalRecoveries < was.totalRecoveries ||
		isEarlier(is.lastFallbackAt, was.lastFallbackAt) ||
		isEarlier(is.lastRecoveryAt, was.lastRecoveryAt)
	);
}

function isEarlier(one: number | null, other: number | null): boolean {
	return other !== null && (one === null || one < other - DATE_TOLERANCE_MS);
}

/** It tells of a limit, but the preferred model may be tried by now. */
function isOver(record: StateRecord, at: number): boolean {
	const { state, openedAt, resumeAt } = record;
	if (state === 'closed') return false;
	const isCooled = openedAt === null ? state === 'half-open' : openedAt + cooldownMsOf(record) <= at;
	return isCooled && (resumeAt === null || resumeAt <= at);
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
		if (state !== 'open' || this.#state !== 'half-open') return;
		if (this.#isPutOff()) this.#end();
		else this.#limitPreferred();
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
		if (openedAt === null || this.#openedAt === null || openedAt === this.#openedAt) return;
		// Dated, but not counted: by a script that did not know yet that it was open. It was the preferred model. Ours may
		// have been the later date, put off for a wish.
		if (this.#isDated && !this.#hasOpened) this.#limitPreferred();
		else if (isAtEnd && openedAt > this.#openedAt && !this.#isPutOff()) this.#limitFallback(this.#index);
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

	/** Nothing else happened, and the failures are over. */
	answer(): void {
		const isOver = this.#now.consecutiveFailures === 0 && this.#failures > 0;
		if (isOver && this.deeds.length === 0) this.#note({ kind: 'answered' });
	}

	/** The preferred model is to be left alone for longer than `last` said. */
	wish(last: StateRecord): void {
		const { state, resumeAt } = this.#now;
		const known = last.state === 'closed' ? null : last.resumeAt;
		if (state !== 'open' || resumeAt === null || resumeAt <= (known ?? Number.NEGATIVE_INFINITY)) return;
		this.#note({ kind: 'wished', until: resumeAt });
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

	#end(): void {
		this.#note({ kind: 'probe-ended' });
		this.#state = 'open';
		this.#successes = 0;
	}

	/** A floor set `openedAt` for the time at which the preferred model may be tried: nothing was limited then. */
	#isPutOff(): boolean {
		const { openedAt, resumeAt } = this.#now;
		if (openedAt === null || resumeAt === null) return false;
		return Math.abs(openedAt + cooldownMsOf(this.#now) - resumeAt) <= DATE_TOLERANCE_MS;
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
