/** What the `model` and `run` commands say, in the manner of the seed's functions (seed 000, "PowerShell Functions"). */
import { spanWords, timeWords } from '../../shared/format.ts';
import { isSameModel } from '../../shared/model-names.ts';
import type { ModelChainView, ModelChoiceView, ModelReport, ModelsView } from '../../shared/models-view.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import { isCostlier } from '../models/categories.ts';
import { SUCCESSES_TO_CLOSE } from '../models/model-breaker.ts';

/** A model's name as plain text. */
export const name = (model: string): string => visibleText(model, { limit: 80 });

/** "17:05:10 (in 4 m)". */
export function clockWords(at: number, now: number): string {
	return `${timeWords(at, now)} (in ${spanWords(at - now)})`;
}

/** The chain that a caller in this directory gets; `null` when the view has none for that model. */
export function chainOf(
	{ chains }: ModelsView,
	{ preferredModel }: Pick<ModelChoiceView, 'preferredModel'>,
	{ directory, provider }: Pick<ModelReport, 'directory' | 'provider'>,
): ModelChainView | null {
	const alike = chains.filter((chain) => chain.preferredModel === preferredModel);
	return (
		alike.find(({ repositories }) => repositories.includes(directory)) ??
		alike.find((chain) => chain.provider === (provider ?? null)) ??
		alike.find((chain) => chain.provider === null) ??
		null
	);
}

/** Whether a caller that names that model falls under this chain, and somebody wrote the chain down. */
export function isChainOf(
	{ preferredModel, provider, source }: ModelChainView,
	model: string,
	at: string | undefined,
): boolean {
	return source !== 'seen' && isSameModel(preferredModel, model) && (provider === null || provider === at);
}

/** A model that was asked for by name and that no chain prefers. */
export function unnamedWords(model: string, provider: string | undefined): string {
	const where = provider === undefined ? '' : ` at ${name(provider)}`;
	return `No chain names ${name(model)}${where} as its preferred model: it is used as it is, without a fallback.`;
}

/** The seed's words, unless somebody asked for the test before its time. */
export function probeWords(model: string, chain: ModelChainView | null, now: number): string {
	const isEarly =
		chain !== null && chain.openedAt !== null && now < chain.openedAt + chain.cooldownMinutes * 60_000;
	return isEarly
		? `Testing preferred model (${model}) before its cooldown is over, as asked...`
		: `Cooldown expired. Testing preferred model (${model})...`;
}

/** The chain that a report tells of: the caller's own, or that of the other model that it names. */
export function reportedChain(
	view: ModelsView,
	{ model, ...report }: ModelReport,
	choice: Pick<ModelChoiceView, 'preferredModel'>,
): ModelChainView | null {
	const own = chainOf(view, choice, report);
	if (model === undefined || (own !== null && isNamed(own, model))) return own;
	return (
		view.chains.find(({ preferredModel }) => isSameModel(preferredModel, model)) ??
		view.chains.find((chain) => isNamed(chain, model)) ??
		own
	);
}

function isNamed({ preferredModel, fallbackChain }: ModelChainView, model: string): boolean {
	return [preferredModel, ...fallbackChain].some((each) => isSameModel(each, model));
}

/** When no model may be asked: which is the first again, and when. */
export function limitedWords(choice: ModelChoiceView, chain: ModelChainView | null, now: number): string {
	const { resumeAt, preferredModel } = choice;
	const all = noneWords(chain);
	if (resumeAt === null) return `${all}: the chain is that of ${name(preferredModel)}.`;
	const first = chain?.models.find(({ until, state }) => state === 'limited' && until === resumeAt);
	const when = clockWords(resumeAt, now);
	// Behind a test call nobody knows the time: it is when to look again.
	if (first === undefined) return `${all}; ask again at ${when}.`;
	return `${all}; ${name(first.model)} is free at ${when}.`;
}

/** "All models of the chain are limited", or what else keeps some of them from being asked. */
function noneWords(chain: ModelChainView | null): string {
	const skipped = chain === null ? '' : skippedWords(chain);
	return skipped === ''
		? 'All models of the chain are limited'
		: `No model of the chain can be asked (${skipped})`;
}

/** Which models of the chain may not be asked, and why; empty when none is. */
export function skippedWords({ models, preferredModel }: ModelChainView): string {
	return models
		.filter(({ state }) => state === 'skipped')
		.map(({ model, why }) => {
			if (model === preferredModel) return `${name(model)} is held back by you`;
			if (isCostlier(model, preferredModel)) {
				return `${name(model)} is skipped as costlier, models.allowCostlier allows it`;
			}
			return `${name(model)} is skipped: ${visibleText(why, { limit: 200 }).replace(/\.$/, '')}`;
		})
		.join('; ');
}

/**
 * What a report has changed, in one line without its "[circuit-breaker]"; empty when there is nothing to say. `before` and
 * `after`: the chain that it tells of. `choice`: what the caller is to use.
 */
export function reportWords(
	{ outcome, model }: ModelReport,
	before: ModelChainView | null,
	after: ModelChainView | null,
	choice: ModelChoiceView,
	now: number,
): string {
	switch (outcome) {
		case 'success':
			return successWords(before, after) || unknownWords(model, after);
		case 'rate-limit':
			return rateLimitWords(model, before, after, choice, now);
		case 'spend-limit':
			return `NO CREDIT — ${name(model ?? after?.spendLimit?.model ?? choice.preferredModel)} refused for a spending limit or missing credit; waiting does not help, raise the limit or add credit`;
		case 'other':
			return unknownWords(model, after);
	}
}

/** A report that names a model of no chain. */
function unknownWords(model: string | undefined, chain: ModelChainView | null): string {
	if (model === undefined || chain === null || isNamed(chain, model)) return '';
	return `No chain names ${name(model)}: the report changes nothing`;
}

function successWords(before: ModelChainView | null, after: ModelChainView | null): string {
	if (before === null || after === null || before.state === 'closed') return '';
	if (after.state === 'closed') return `RECOVERED — back to preferred model (${name(after.preferredModel)})`;
	if (after.state === 'half-open' && after.halfOpenSuccesses > before.halfOpenSuccesses) {
		return `Half-open success ${after.halfOpenSuccesses}/${SUCCESSES_TO_CLOSE}`;
	}
	return '';
}

function rateLimitWords(
	model: string | undefined,
	before: ModelChainView | null,
	after: ModelChainView | null,
	choice: ModelChoiceView,
	now: number,
): string {
	const isOwn = after?.preferredModel === choice.preferredModel;
	if (model !== undefined && after !== null && !(isOwn && isNamed(after, model))) {
		return `RATE LIMITED — ${otherModelWords(model, after, choice, now)}`;
	}
	if (choice.model === null) return `RATE LIMITED — ${limitedWords(choice, after, now)}`;
	const next = name(choice.model);
	if (choice.isProbe)
		return `Fallback also limited — the cooldown of ${next} is over: the next call tests it`;
	if (!choice.isFallback) {
		if (choice.state !== 'closed')
			return `RATE LIMITED — nothing can stand in for ${next}${inBrackets(after === null ? '' : skippedWords(after))}; it is asked again`;
		return `RATE LIMITED — ${next} is used as before`;
	}
	const isNews = before === null || before.state === 'closed' || opensAnew(before, after);
	if (!isNews) {
		// A call that began before the circuit opened tells nothing new.
		if (before.modelInUse !== choice.model) return `Fallback also limited — trying ${next}`;
		const isOther = model !== undefined && !isSameModel(model, choice.preferredModel);
		return isOther
			? `RATE LIMITED — ${name(model)} is limited as well; ${next} goes on standing in`
			: `RATE LIMITED — it is known already that ${name(choice.preferredModel)} is limited; ${next} goes on standing in`;
	}
	return `RATE LIMITED — falling back to ${next}${after === null ? '' : ` (${cooldownWords(after, now)})`}`;
}

function inBrackets(words: string): string {
	return words === '' ? '' : ` (${words})`;
}

function opensAnew(before: ModelChainView, after: ModelChainView | null): boolean {
	return before.state === 'half-open' && after?.state === 'open';
}

/** A limit that says nothing of the caller's own chain. */
function otherModelWords(
	model: string,
	chain: ModelChainView,
	{ model: used }: ModelChoiceView,
	now: number,
): string {
	const here = used === null ? 'here no model of the chain is free' : `${name(used)} is used here as before`;
	const { preferredModel, fallbackChain, modelInUse, state } = chain;
	if (!isSameModel(preferredModel, model) || state === 'closed') return `${name(model)} is limited; ${here}`;
	const then =
		modelInUse !== null
			? `${name(modelInUse)} stands in for it`
			: fallbackChain.length === 0
				? 'it has no fallback, its calls still go through'
				: 'no fallback can be asked now';
	return `${name(model)} is limited: ${then} (${cooldownWords(chain, now)}); ${here}`;
}

function cooldownWords({ cooldownMinutes, resumeAt }: ModelChainView, now: number): string {
	const isLonger = resumeAt !== null && resumeAt - now > cooldownMinutes * 60_000 + JITTER_MS;
	const until = isLonger ? `; as the provider asked, not before ${clockWords(resumeAt, now)}` : '';
	return `cooldown: ${minutesWords(cooldownMinutes)}${until}`;
}

/** The seed's "10m"; what is no whole number of minutes in seconds. */
function minutesWords(minutes: number): string {
	return Number.isInteger(minutes) ? `${minutes}m` : `${Math.max(1, Math.round(minutes * 60))}s`;
}

/** The test call after a cooldown comes up to this much later, ms: nothing that needs words. */
const JITTER_MS = 61_000;
