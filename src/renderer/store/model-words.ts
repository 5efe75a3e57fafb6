/** Chains of models in the words of this window. Pure; times in ms on one clock. */
import { type ChainStanding, nextCallTests, standingOf } from '../../shared/attention.ts';
import { minuteWords, spanWords, timeWords } from '../../shared/format.ts';
import { isSameModel } from '../../shared/model-names.ts';
import { modelName, standInOf } from '../../shared/model-words.ts';
import type { ChainModelView, ModelCategory, ModelChainView, ModelsView } from '../../shared/models-view.ts';
import { count } from './failover-words.ts';

const HOUR = 3_600_000;

const standingWords: Record<ChainStanding, string> = {
	preferred: 'on its preferred model',
	unaided: 'limited, without a fallback',
	fallback: 'on a fallback',
	testing: 'testing recovery',
	held: 'held on its fallback by you',
	exhausted: 'every model is limited',
	'spend-limit': 'spending limit: needs you',
};

/** What the switch says. */
export function switchWords(chain: ModelChainView): string {
	const standing = standingOf(chain);
	if (standing === 'exhausted' && chain.held) return 'held by you, every fallback is limited';
	return standingWords[standing];
}

/** A time that a countdown runs to: "18:18:22" while that shows seconds, "22:19" before. Never earlier than it says. */
export function dueWords(at: number, now: number): string {
	const second = Math.ceil(at / 1000) * 1000;
	return second - now < HOUR ? timeWords(second, now) : minuteWords(at, now);
}

/** What a category says of cost. */
export const categoryWords: Record<ModelCategory, string> = {
	lightweight: 'lightweight: lower cost, still billed',
	versatile: 'versatile: moderate cost',
	powerful: 'powerful: higher cost',
	unknown: 'its cost class is not known',
};

export const chainStateWords: Record<ChainModelView['state'], string> = {
	'in-use': 'in use',
	ready: 'ready',
	limited: 'limited',
	skipped: 'passed over',
};

/**
 * "No model is limited.", "1 of 3 chains is limited, tested or held."; money that ran out comes first. A model that was
 * only seen is no chain that anybody set up.
 */
export function modelsSummary({ chains }: ModelsView): string {
	if (chains.length === 0) return 'No model is limited, and no chain is set up.';
	const isMoneyOut = chains.some(({ spendLimit }) => spendLimit !== null);
	const limits = limitsSummary(chains);
	if (!isMoneyOut) return limits ?? 'No model is limited.';
	return `A spending limit needs you. ${limits ?? 'No model is rate-limited.'}`;
}

/** `null`: every chain is on its preferred model. */
function limitsSummary(chains: readonly ModelChainView[]): string | null {
	const made = chains.filter(({ source }) => source !== 'seen').length;
	const off = chains.filter(({ state }) => state !== 'closed');
	const seenOff = off.filter(({ source }) => source === 'seen').length;
	const madeOff = off.length - seenOff;
	const parts: string[] = [];
	if (madeOff > 0) parts.push(made === 1 ? 'the one chain' : `${madeOff} of ${made} chains`);
	if (seenOff > 0) parts.push(`${count(seenOff, 'model')} that no chain names`);
	if (parts.length === 0) return null;
	const words = parts.join(' and ');
	const verb = off.length === 1 ? 'is' : 'are';
	return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${verb} limited, tested or held.`;
}

/** What a hold of the chain would do; where nothing could be used at once, what its callers wait for. */
export function holdMeaning(chain: ModelChainView, now: number): string {
	const able = fallbacksOf(chain);
	const free =
		standInOf(chain) ?? able.find(({ state }) => state !== 'limited' && state !== 'skipped')?.model;
	if (free !== undefined) return `Stays on ${modelName(free)} and tests nothing until you let it recover.`;
	const until = ({ until: at }: ChainModelView) => at ?? Number.POSITIVE_INFINITY;
	const first = able.toSorted((a, b) => until(a) - until(b))[0];
	if (first === undefined) return '';
	const when = first.until === null ? '' : ` until ${dueWords(first.until, now)}`;
	const waiting = `Callers wait for ${modelName(first.model)}, ${chainStateWords[first.state]}${when}`;
	return `${waiting}; nothing is tested until you let it recover.`;
}

/** What may stand in, now or later: what is passed over for a time may be used again, what is so for good never. */
function fallbacksOf({ models }: Pick<ModelChainView, 'models'>): ChainModelView[] {
	return models.slice(1).filter(({ state, until }) => state !== 'skipped' || until !== null);
}

/** Where calls go while the model of the chain's spending limit is out of money, and what ends that. Empty: it is not. */
export function moneyCallsWords(chain: ModelChainView): string {
	const { spendLimit, preferredModel, fallbackChain, state, modelInUse } = chain;
	if (spendLimit === null) return '';
	const goesTo = state === 'closed' || fallbackChain.length === 0 ? preferredModel : modelInUse;
	if (goesTo !== null && isSameModel(goesTo, spendLimit.model))
		return 'Calls still go to it, and no other model is taken for it. The first that succeeds clears this.';
	const clears = `The first call of ${modelName(spendLimit.model)} that succeeds clears this.`;
	if (isSameModel(spendLimit.model, preferredModel)) return `${sparedWords(chain, goesTo)} ${clears}`;
	return goesTo === null
		? `No call goes to it now. ${clears}`
		: `No call goes to it now: ${modelName(goesTo)} is used. ${clears}`;
}

/** Why the preferred model is not asked besides its spending limit. */
function sparedWords(chain: ModelChainView, goesTo: string | null): string {
	const instead = goesTo === null ? 'no call goes to it' : `calls go to ${modelName(goesTo)}`;
	if (chain.held) return `You hold it back as well: ${instead}.`;
	if (nextCallTests(chain)) return 'It was rate-limited as well: the next call goes to it, to test that.';
	if (chain.probe !== null)
		return `It was rate-limited as well: ${instead}, but for the test call under way.`;
	return `It is rate-limited as well: ${instead}.`;
}

/** "claude-sonnet-5 limited → gpt-5.4-mini": short, for one line among others. */
export function briefWords(chain: ModelChainView): string {
	const name = modelName(chain.preferredModel);
	const standIn = standInOf(chain);
	const next = standIn === null ? '' : ` → ${modelName(standIn)}`;
	const words: Record<ChainStanding, string> = {
		preferred: name,
		unaided: `${name} limited`,
		fallback: `${name} limited${next}`,
		testing: `${name} being tested${next}`,
		held: `${name} held${next}`,
		exhausted: `${name} and its fallbacks limited`,
		'spend-limit': `${modelName(chain.spendLimit?.model ?? chain.preferredModel)}: spending limit`,
	};
	return words[standingOf(chain)];
}

/** What a countdown of the chain runs to; `null`: it waits for no time. */
export function countdownOf(chain: ModelChainView): number | null {
	const standing = standingOf(chain);
	if (standing === 'exhausted') return chain.waitUntil;
	return standing === 'fallback' || standing === 'unaided' ? chain.resumeAt : null;
}

/** Where a chain comes from, for which provider it counts, how long its cooldown is. */
export function scopeWords({ source, provider, cooldownMinutes }: ModelChainView): string {
	const from = {
		settings: 'From the settings',
		repository: 'From a repository’s state file',
		seen: 'Seen limited, in no chain',
	}[source];
	const where = provider === null ? 'for every call on this machine' : `for calls to ${modelName(provider)}`;
	return `${from}; counts ${where}; cooldown ${spanWords(cooldownMinutes * 60_000)}`;
}

/** What the operator may do to a chain now, and why not. Empty: it may. */
export interface ChainDeeds {
	readonly probeBarred: string;
	readonly holdBarred: string;
}

/** `lost`: the engine does not answer. */
export function deedsOf(chain: ModelChainView, lost: boolean): ChainDeeds {
	if (lost) return { probeBarred: 'The engine does not answer.', holdBarred: 'The engine does not answer.' };
	return {
		probeBarred: probeBarred(chain),
		holdBarred: holdBarred(chain),
	};
}

function holdBarred(chain: ModelChainView): string {
	return chain.held || fallbacksOf(chain).length > 0 ? '' : 'It has no fallback to be held on.';
}

function probeBarred({ state, held, probe, resumeAt, preferredModel }: ModelChainView): string {
	const name = modelName(preferredModel);
	if (held) return 'You hold it: let it recover first.';
	if (state === 'closed') return `${name} is in use, there is nothing to test.`;
	if (state === 'open' && resumeAt !== null) return '';
	return probe === null ? `The next call tests ${name} already.` : `${name} is being tested now.`;
}
