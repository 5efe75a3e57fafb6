/** What `model status` shows to people. */
import { spanWords, timeWords } from '../../shared/format.ts';
import type { ModelChainView, ModelsView } from '../../shared/models-view.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import { clockWords, name, skippedWords } from './model-words.ts';

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

function inUseWords(chain: ModelChainView): string {
	const { modelInUse, preferredModel, fallbackChain, held } = chain;
	if (modelInUse !== null) return name(modelInUse);
	if (fallbackChain.length === 0 && !held)
		return `${name(preferredModel)}, though limited: it has no fallback`;
	const skipped = skippedWords(chain);
	return skipped === '' ? 'nothing: the whole chain is limited' : `nothing can be asked now (${skipped})`;
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
