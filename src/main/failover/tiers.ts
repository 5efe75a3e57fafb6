/** The tier of the whole floor and why, in one line (seed 003, section 5). Pure: the same facts give the same tier. */
import type { Tier } from '../../shared/words.ts';
import { sessionsWords } from './failover-words.ts';
import { sentence } from './sentence.ts';

export interface TierFacts {
	/** Providers that were used and cannot be called now; `reason` is a sentence. */
	readonly downProviders: readonly { readonly name: string; readonly reason: string }[];
	/** A local model can take turns. */
	readonly localReady: boolean;
	/** Sessions whose turns are answered locally now. */
	readonly sessions: number;
	/** Entries of the outbox that wait for a provider. */
	readonly pendingItems: number;
	/** A turn was refused since the first of them went down. */
	readonly refusedSince: boolean;
}

export interface TierVerdict {
	readonly tier: Tier;
	readonly reason: string;
}

/**
 * NORMAL while nothing that was used is known to be down. With a provider down: READ-ONLY-REMOTE while items wait for
 * it, else LOCAL-ONLY with a local model, else REFUSING, which is said of single requests and never of the app.
 */
export function tierOf(facts: TierFacts): TierVerdict {
	const { downProviders, refusedSince } = facts;
	const pending = countOf(facts.pendingItems);
	const locals = localWords(countOf(facts.sessions), facts.localReady);
	if (downProviders.length === 0)
		return {
			tier: 'NORMAL',
			reason:
				pending === 0
					? 'Nothing is known to be down.'
					: `Nothing is known to be down; ${itemWords(pending)} ${pending === 1 ? 'is' : 'are'} being sent.`,
		};
	const why = sentence(`${nameWords(downProviders)}: ${reasonWords(downProviders)}`);
	const refused = refusedSince ? ' A turn that nothing here can take was refused.' : '';
	if (pending > 0)
		return {
			tier: 'READ-ONLY-REMOTE',
			reason: `${why} ${itemWords(pending)} ${pending === 1 ? 'waits' : 'wait'} to be sent; ${
				locals ?? 'no local model can answer'
			} until then.${refused}`,
		};
	if (locals !== null) return { tier: 'LOCAL-ONLY', reason: `${why} ${sentence(locals)}.${refused}` };
	return {
		tier: 'REFUSING',
		reason: `${why} No local model can answer, so requests to ${
			downProviders.length === 1 ? 'it' : 'them'
		} are refused one by one; everything else works.`,
	};
}

function countOf(value: number): number {
	return Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0;
}

/** What local models do, or could; `null`: nothing. */
function localWords(sessions: number, isReady: boolean): string | null {
	if (sessions > 0) return `${sessionsWords(sessions)} locally`;
	return isReady ? 'a local model can go on' : null;
}

function itemWords(count: number): string {
	return `${count} queued ${count === 1 ? 'item' : 'items'}`;
}

/** "Anthropic is down", "Anthropic and OpenAI are down", "Anthropic, OpenAI and 3 more are down". */
function nameWords(down: TierFacts['downProviders']): string {
	const names = down.map(({ name }) => name);
	const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
	const list = [shown.slice(0, -1).join(', '), shown.at(-1)].filter((part) => part !== '').join(' and ');
	return `${list} ${names.length === 1 ? 'is' : 'are'} down`;
}

/** The first provider's reason stands for all: the line stays one line, and each provider has its own in its view. */
function reasonWords(down: TierFacts['downProviders']): string {
	const reason = down[0]?.reason.trim() ?? '';
	if (reason === '') return 'no reason is known.';
	return reason.endsWith('.') ? reason : `${reason}.`;
}
