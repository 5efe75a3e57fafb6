/** Chains of models in the words of this window. Pure; times in ms on one clock. */
import { type ChainStanding, standingOf } from '../../shared/attention.ts';
import { spanWords } from '../../shared/format.ts';
import { modelName, standInOf } from '../../shared/model-words.ts';
import type { ChainModelView, ModelCategory, ModelChainView, ModelsView } from '../../shared/models-view.ts';

/** What the switch says. */
export const standingWords: Record<ChainStanding, string> = {
	preferred: 'on its preferred model',
	unaided: 'limited, without a fallback',
	fallback: 'on a fallback',
	testing: 'testing recovery',
	held: 'held on its fallback by you',
	exhausted: 'every model is limited',
	'spend-limit': 'spending limit: needs you',
};

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

/** "No model is limited.", "1 of 3 chains is limited, tested or held."; money that ran out comes first. */
export function modelsSummary({ chains }: ModelsView): string {
	if (chains.length === 0) return 'No model is limited, and no chain is set up.';
	const off = chains.filter(({ state }) => state !== 'closed').length;
	const isMoneyOut = chains.some(({ spendLimit }) => spendLimit !== null);
	const of = chains.length === 1 ? 'The one chain' : `${off} of ${chains.length} chains`;
	const limits = `${of} ${off === 1 ? 'is' : 'are'} limited, tested or held.`;
	if (!isMoneyOut) return off === 0 ? 'No model is limited.' : limits;
	return `A spending limit needs you. ${off === 0 ? 'No model is rate-limited.' : limits}`;
}

/** On which model a hold keeps the chain: the one that stands in, or would. */
export function heldOn(chain: ModelChainView): string {
	const { models, preferredModel } = chain;
	const able = models.filter(({ model, state }) => model !== preferredModel && state !== 'skipped');
	const free = able.find(({ state }) => state !== 'limited') ?? able[0];
	return modelName(standInOf(chain) ?? free?.model ?? '');
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

function holdBarred({ held, models }: ModelChainView): string {
	// What is passed over for a time may be used again; without one, never.
	const some = models.slice(1).some(({ state, until }) => state !== 'skipped' || until !== null);
	return held || some ? '' : 'It has no fallback to be held on.';
}

function probeBarred({ state, held, probe, resumeAt, preferredModel }: ModelChainView): string {
	const name = modelName(preferredModel);
	if (held) return 'You hold it: let it recover first.';
	if (state === 'closed') return `${name} is in use, there is nothing to test.`;
	if (state === 'open' && resumeAt !== null) return '';
	return probe === null ? `The next call tests ${name} already.` : `${name} is being tested now.`;
}
