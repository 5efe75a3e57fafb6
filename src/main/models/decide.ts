/** Which model of a chain is to be used now. Looks, and changes nothing. */

import { isSameModel } from '../../shared/model-names.ts';
import { isCostlier } from './categories.ts';
import type { ChainBook, ChainEntry } from './chain-book.ts';
import type { ModelFacts } from './limits.ts';
import { isTestDue, resumeAt } from './model-breaker.ts';
import { cooldownMsOf } from './model-chain.ts';
import type { Probe, Probes } from './probes.ts';

/** Who has to wait asks again after this at the earliest, ms: never a hot loop. */
export const SHORTEST_WAIT_MS = 1_000;
/** Where it is not known when something is free: after this, ms. */
const RECHECK_MS = 30_000;

export type Decision =
	| { readonly kind: 'preferred' }
	/** The preferred model, as the test call. */
	| { readonly kind: 'probe' }
	| { readonly kind: 'fallback'; readonly model: string; readonly index: number }
	| Wait;

export interface Wait {
	readonly kind: 'wait';
	/** After now, always. */
	readonly resumeAt: number;
	/** The one that is free first. */
	readonly model: string;
	/** Nobody knows when it is free; `resumeAt` is when to look again. */
	readonly isGuess: boolean;
}

export interface DecisionParts {
	readonly book: ChainBook;
	readonly facts: ModelFacts;
	readonly probes: Probes;
	readonly allowCostlier: boolean;
}

export interface Asking {
	/** Where it is called; `null`: nobody said. */
	readonly provider: string | null;
	/** Tried in this turn already, as the chain writes them. */
	readonly tried: ReadonlySet<string>;
	readonly now: number;
}

/** Somebody who only begins. */
export const nothingTried: ReadonlySet<string> = new Set();

export function decide(entry: ChainEntry, asking: Asking, parts: DecisionParts): Decision {
	const { chain, circuit } = entry;
	const isTried = asking.tried.has(chain.preferredModel);
	if (circuit.state === 'closed' && !isTried) return { kind: 'preferred' };
	if (!isTried && mayTest(entry, asking, parts)) return { kind: 'probe' };
	const found = fallbackNow(entry, asking, parts);
	if (found !== null) return { kind: 'fallback', ...found };
	return soonest(entry, asking, parts);
}

/** The cooldown is over and nobody else on this machine tests the model. */
export function mayTest({ chain, circuit }: ChainEntry, asking: Asking, { probes }: DecisionParts): boolean {
	const { now } = asking;
	const isTime = circuit.state === 'half-open' || isTestDue(circuit, cooldownMsOf(chain), now);
	return isTime && probes.underWay(chain.provider, chain.preferredModel, now) === null;
}

/** From the current one on the first that may be asked, else an earlier one whose limit is over; `null`: none. */
export function fallbackNow(
	entry: ChainEntry,
	asking: Asking,
	parts: DecisionParts,
): { readonly model: string; readonly index: number } | null {
	const { fallbackChain } = entry.chain;
	const places = fallbackChain.map((model, index) => ({ model, index }));
	const current = Math.min(entry.circuit.currentFallbackIndex, Math.max(0, fallbackChain.length - 1));
	const order = [...places.slice(current), ...places.slice(0, current)];
	return (
		order.find(
			({ model }) => !asking.tried.has(model) && freeAt(model, entry, asking, parts) <= asking.now,
		) ?? null
	);
}

/** Whether a fallback may stand in at all, limited or not. */
export function mayStandIn(model: string, { chain }: ChainEntry, allowCostlier: boolean): boolean {
	return (
		!isSameModel(model, chain.preferredModel) && (allowCostlier || !isCostlier(model, chain.preferredModel))
	);
}

/** Whether anything may stand in where the call goes, now or later. */
export function hasStandIn(
	entry: ChainEntry,
	{ provider, now }: Pick<Asking, 'provider' | 'now'>,
	{ facts, allowCostlier }: DecisionParts,
): boolean {
	const at = provider ?? entry.chain.provider;
	return entry.chain.fallbackChain.some(
		(model) => mayStandIn(model, entry, allowCostlier) && facts.unserved(at, model, now) === null,
	);
}

/** When a fallback may be asked, ms since the epoch; never: Infinity. */
export function freeAt(
	model: string,
	entry: ChainEntry,
	{ provider, now }: Pick<Asking, 'provider' | 'now'>,
	{ book, facts, probes, allowCostlier }: DecisionParts,
): number {
	if (!mayStandIn(model, entry, allowCostlier)) return Number.POSITIVE_INFINITY;
	const account = entry.chain.provider;
	const pauses = [facts.pausedUntil(account, provider ?? account, model)];
	// Where another chain prefers it, its rest is that chain's cooldown, held there or not.
	for (const { chain, circuit } of book.preferring(account, model)) {
		const rest = circuit.hold?.from === 'limited' ? { ...circuit, hold: null } : circuit;
		pauses.push(resumeAt(rest, cooldownMsOf(chain)) ?? 0);
	}
	// Nobody disturbs its test call; where that is due, whoever lets it stand in makes it.
	const probe = probes.underWay(account, model, now);
	if (probe !== null) pauses.push(nextLook(probe, now));
	return Math.max(...pauses);
}

/**
 * Of all models of the chain the one that is free first. A fallback that was tried in this turn and is not limited has
 * refused it for another reason: it would again.
 */
function soonest(entry: ChainEntry, asking: Asking, parts: DecisionParts): Wait {
	const { chain } = entry;
	let first = { model: chain.preferredModel, ...preferredAt(entry, asking.now, parts) };
	for (const model of chain.fallbackChain) {
		const at = freeAt(model, entry, asking, parts);
		const wouldRefuse = asking.tried.has(model) && at <= asking.now;
		if (!wouldRefuse && at < first.at) first = { model, at, isGuess: false };
	}
	return waitFor(first, asking.now);
}

/** For a turn that was limited and has nothing to move to. */
export function waitForPreferred(entry: ChainEntry, { now }: Asking, parts: DecisionParts): Wait {
	return waitFor({ model: entry.chain.preferredModel, ...preferredAt(entry, now, parts) }, now);
}

function waitFor(
	{ model, at, isGuess }: Omit<Wait, 'kind' | 'resumeAt'> & { at: number },
	now: number,
): Wait {
	if (at === Number.POSITIVE_INFINITY) return waitFor({ model, at: now + RECHECK_MS, isGuess: true }, now);
	return { kind: 'wait', model, isGuess, resumeAt: Math.max(at, now + SHORTEST_WAIT_MS) };
}

function preferredAt(
	{ chain, circuit }: ChainEntry,
	now: number,
	{ probes }: DecisionParts,
): { readonly at: number; readonly isGuess: boolean } {
	if (circuit.hold !== null) return { at: Number.POSITIVE_INFINITY, isGuess: true };
	const probe = probes.underWay(chain.provider, chain.preferredModel, now);
	if (probe !== null) return { at: nextLook(probe, now), isGuess: true };
	return { at: resumeAt(circuit, cooldownMsOf(chain)) ?? now, isGuess: false };
}

/** A test call usually ends long before its lease: whoever waits for it looks again in steps. */
function nextLook({ since, until }: Probe, now: number): number {
	return Math.min(until, since + (Math.floor((now - since) / RECHECK_MS) + 1) * RECHECK_MS);
}
