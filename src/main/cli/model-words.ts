/** What the `model` and `run` commands say, in the manner of the seed's functions (seed 000, "PowerShell Functions"). */
import { spanWords, timeWords } from '../../shared/format.ts';
import { isSameModel } from '../../shared/model-names.ts';
import type { ModelChainView, ModelChoiceView, ModelReport, ModelsView } from '../../shared/models-view.ts';
import { visibleText } from '../../shared/untrusted-text.ts';

/** The seed's second success. */
const SUCCESSES_NEEDED = 2;

const name = (model: string): string => visibleText(model, { limit: 80 });

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
	if (resumeAt === null) return `All models of the chain of ${name(preferredModel)} are limited.`;
	const first = chain?.models.find(({ until, state }) => state === 'limited' && until === resumeAt);
	const when = clockWords(resumeAt, now);
	// Behind a test call nobody knows the time: it is when to look again.
	if (first === undefined) return `All models of the chain are limited; ask again at ${when}.`;
	return `All models of the chain are limited; ${name(first.model)} is free at ${when}.`;
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
			return successWords(before, after);
		case 'rate-limit':
			return rateLimitWords(model, before, after, choice, now);
		case 'spend-limit':
			return `NO CREDIT — ${name(model ?? after?.spendLimit?.model ?? choice.preferredModel)} refused for a spending limit or missing credit; waiting does not help, raise the limit or add credit`;
		case 'other':
			return '';
	}
}

function successWords(before: ModelChainView | null, after: ModelChainView | null): string {
	if (before === null || after === null || before.state === 'closed') return '';
	if (after.state === 'closed') return `RECOVERED — back to preferred model (${name(after.preferredModel)})`;
	if (after.state === 'half-open' && after.halfOpenSuccesses > before.halfOpenSuccesses) {
		return `Half-open success ${after.halfOpenSuccesses}/${SUCCESSES_NEEDED}`;
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
			return `RATE LIMITED — nothing can stand in for ${next}; it is asked again`;
		return `RATE LIMITED — ${next} is used as before`;
	}
	const isNews = before === null || before.state === 'closed' || opensAnew(before, after);
	if (!isNews) {
		// A call that began before the circuit opened tells nothing new.
		const isKnown = before.modelInUse === choice.model;
		return isKnown ? `RATE LIMITED — ${next} is used already` : `Fallback also limited — trying ${next}`;
	}
	return `RATE LIMITED — falling back to ${next}${after === null ? '' : ` (${cooldownWords(after, now)})`}`;
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

/** Everything about all chains, for people. */
export function statusWords(view: ModelsView, now: number): string {
	const chains = view.chains.map((chain) => chainLines(chain, now).join('\n'));
	const problems = view.problems.map(
		({ file, problem, at }) =>
			`check  ${visibleText(file, { limit: 400 })}: ${visibleText(problem, { limit: 600 })} (${timeWords(at, now)})`,
	);
	return [...(chains.length === 0 ? ['No chain is known.'] : chains), ...problems].join('\n\n');
}

function chainLines(chain: ModelChainView, now: number): string[] {
	const { preferredModel, provider, source, metrics, why, resumeAt, waitUntil, probe, spendLimit } = chain;
	const where = provider === null ? '' : ` at ${name(provider)}`;
	const origin = { settings: '', repository: ', from a state file', seen: ', seen: no chain names it' }[
		source
	];
	return [
		`${name(preferredModel)}${where}: ${chain.state}${chain.held ? ', held by you' : ''}${origin}`,
		line('in use', inUseWords(chain)),
		...(why === '' ? [] : [line('why', visibleText(why, { limit: 600 }))]),
		...(chain.openedAt === null
			? []
			: [line('since', `${timeWords(chain.openedAt, now)} (${spanWords(now - chain.openedAt)})`)]),
		...(resumeAt === null ? [] : [line('tried again', clockWords(resumeAt, now))]),
		...(waitUntil === null ? [] : [line('first free', clockWords(waitUntil, now))]),
		...(probe === null
			? []
			: [
					line(
						'tested by',
						`${visibleText(probe.holder, { limit: 200 })}, since ${timeWords(probe.since, now)}`,
					),
				]),
		...(spendLimit === null
			? []
			: [
					line(
						'money',
						`${name(spendLimit.model)} refused for a spending limit or missing credit (${timeWords(spendLimit.at, now)}): waiting does not help`,
					),
				]),
		...chain.models.map((model, index) => line(index === 0 ? 'chain' : '', modelWords(model, now))),
		line(
			'metrics',
			`${counted(metrics.totalFallbacks, 'fallback', 'fallbacks')}${last(metrics.lastFallbackAt, now)}, ${counted(metrics.totalRecoveries, 'recovery', 'recoveries')}${last(metrics.lastRecoveryAt, now)}`,
		),
		...chain.repositories.map((directory, index) =>
			line(index === 0 ? 'mirrored in' : '', visibleText(directory, { limit: 400 })),
		),
	];
}

function inUseWords({ modelInUse, preferredModel, fallbackChain, held }: ModelChainView): string {
	if (modelInUse !== null) return name(modelInUse);
	if (fallbackChain.length === 0 && !held)
		return `${name(preferredModel)}, though limited: it has no fallback`;
	return 'nothing: the whole chain is limited';
}

function line(label: string, text: string): string {
	return `  ${label.padEnd(12)} ${text}`;
}

function modelWords(
	{ model, category, state, until, why }: ModelChainView['models'][number],
	now: number,
): string {
	const words = { 'in-use': 'in use', ready: 'ready', limited: 'limited', skipped: 'skipped' }[state];
	const when = until === null ? '' : ` until ${clockWords(until, now)}`;
	const because = why === '' ? '' : `: ${visibleText(why, { limit: 200 })}`;
	return `${name(model).padEnd(24)} ${category.padEnd(12)} ${words}${when}${because}`;
}

function last(at: number | null, now: number): string {
	return at === null ? '' : ` (last ${timeWords(at, now)})`;
}

function counted(count: number, one: string, many: string): string {
	return `${count} ${count === 1 ? one : many}`;
}
