/** `agent-floor model`: which model a shell loop is to use, and how its calls went (seed 000). */
import { parseArgs } from 'node:util';
import { isSameModel } from '../../shared/model-names.ts';
import type {
	ModelCaller,
	ModelChainView,
	ModelChoiceView,
	ModelReport,
	ModelsView,
} from '../../shared/models-view.ts';
import { resetHintMs } from '../../shared/reset-time.ts';
import { retryAfterMs, retryHintMs } from '../../shared/retry-after.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import { limitIn, wishIn } from '../models/error-words.ts';
import { type Command, type CommandContext, type ExitCode, UsageError } from './command.ts';
import type { ModelAuthority } from './model-authority.ts';
import { authorityOf, callerOf, callerOptions, callerUsage } from './model-options.ts';
import { saidOf } from './model-said.ts';
import { ModelSession } from './model-session.ts';
import { statusWords } from './model-status-words.ts';
import { name } from './model-words.ts';

const controls = ['probe', 'hold', 'release'] as const;
const verbs = ['current', 'success', 'rate-limit', 'failure', 'status', ...controls] as const;
type Control = (typeof controls)[number];
type Verb = (typeof verbs)[number];

export const modelCommand: Command = {
	name: 'model',
	summary: 'Say which model a loop is to use now, and take how its call went; show the model breakers',
	usage: `Usage: agent-floor model current [--wait] [--json]     print the model to use now, and nothing else
       agent-floor model success                     the call went well
       agent-floor model rate-limit [--retry-after=V] [--message=TEXT]
       agent-floor model failure                     it failed for another reason: neither success nor limit
       agent-floor model status [--json]             the chains: state, model in use, why, until when
       agent-floor model probe|hold|release [MODEL]  test the preferred model now; stay on the fallback; no longer

  --wait             sleep until a model is free instead of leaving with 3
  --model=MODEL      which model the report is about (default: the one that this caller got last)
  --retry-after=V    when it may be asked again: seconds, an HTTP date, or words ("4 hours", "3:40pm")
  --message=TEXT     what the program said; the time is read from it
${callerUsage}

Goes through the floor that runs; without one it works on the machine-wide file, so all loops still agree.
Exit codes: 0 done; 1 there is no such chain; 2 used wrongly or failed; 3 the whole chain is limited (wait).`,
	async run(context) {
		const { values, positionals } = parseArgs({
			args: [...context.args],
			allowPositionals: true,
			options: {
				...callerOptions,
				wait: { type: 'boolean', default: false },
				json: { type: 'boolean', default: false },
				model: { type: 'string' },
				'retry-after': { type: 'string' },
				message: { type: 'string' },
			},
		});
		const [word = '', model, ...more] = positionals;
		const verb = verbs.find((known) => known === word);
		if (verb === undefined) throw new UsageError(`"${visibleText(word)}" is none of ${verbs.join(', ')}`);
		if (verb === 'rate-limit' && model !== undefined) {
			throw new UsageError(
				`what the program said goes into --message="${visibleText(model, { limit: 200 })}"`,
			);
		}
		if (more.length > 0 || (model !== undefined && !isControl(verb))) throw new UsageError('too many words');
		const caller = callerOf(values, context);
		const outcome = outcomeOf(verb, values);
		const authority = await authorityOf(values, caller, context);
		if (verb === 'status') return status(authority, caller, values.json, context);
		if (isControl(verb)) return control(authority, caller, verb, model, context);
		const session = new ModelSession(authority, caller, context.err);
		if (outcome !== null) {
			await session.report(outcome);
			return 0;
		}
		const choice = await session.ask(values.wait);
		if (values.json) context.out(printed(choice));
		else if (choice.model !== null) context.out(choice.model);
		return choice.model === null ? 3 : 0;
	},
};

/** These take a model as a word. */
function isControl(verb: Verb): verb is Control {
	return (controls as readonly Verb[]).includes(verb);
}

interface ReportValues {
	readonly model?: string | undefined;
	readonly 'retry-after'?: string | undefined;
	readonly message?: string | undefined;
}

/** `null`: the verb reports nothing. Throws a `UsageError`. */
function outcomeOf(
	verb: Verb,
	values: ReportValues,
): Pick<ModelReport, 'outcome' | 'model' | 'retryAfterMs' | 'said'> | null {
	const { model, message, 'retry-after': retryAfter } = values;
	if (verb !== 'rate-limit' && (message !== undefined || retryAfter !== undefined)) {
		throw new UsageError('--retry-after and --message belong to rate-limit');
	}
	const about = model === undefined ? {} : { model };
	if (verb === 'success') return { ...about, outcome: 'success' };
	if (verb === 'failure') return { ...about, outcome: 'other' };
	if (verb !== 'rate-limit') {
		if (model !== undefined) throw new UsageError('--model belongs to a report; --preferred names the chain');
		return null;
	}
	const now = Date.now();
	const said = message === undefined ? {} : { said: saidOf(message) };
	// The loop saw "quota" in it and took it for a rate limit; waiting would not help.
	const isMoney = message !== undefined && limitIn(message, now)?.kind === 'spend-limit';
	if (isMoney) return { ...about, outcome: 'spend-limit', ...said };
	const wish = retryAfter === undefined ? wishIn(message ?? '', now) : spanOf(retryAfter, now);
	return { ...about, outcome: 'rate-limit', ...said, ...(wish === null ? {} : { retryAfterMs: wish }) };
}

/** Throws a `UsageError` for what is no time: a wish that is silently lost would be asked too early. */
function spanOf(value: string, now: number): number {
	if (/^\s*[\d.]+(?:\s*,\s*[\d.]+)+\s*$/.test(value)) {
		throw new UsageError(
			`--retry-after=${visibleText(value)} is not one number of seconds; a fraction is written 1.5`,
		);
	}
	const span =
		retryAfterMs({ 'retry-after': value }, now) ??
		retryHintMs(`wait ${value}`) ??
		resetHintMs(`until ${value}`, now);
	if (span !== null) return span;
	throw new UsageError(
		`--retry-after=${visibleText(value)} is no time ahead; give seconds, an HTTP date, or words such as "4 hours"`,
	);
}

async function status(
	authority: ModelAuthority,
	{ directory, preferredModel, provider }: ModelCaller,
	json: boolean,
	{ out, err }: CommandContext,
): Promise<ExitCode> {
	const view = await authority.view(directory);
	const chains = view.chains.filter(
		(chain) =>
			(preferredModel === undefined || isSameModel(chain.preferredModel, preferredModel)) &&
			(provider === undefined || chain.provider === null || chain.provider === provider),
	);
	if (chains.length === 0 && view.chains.length > 0) {
		err(preferredModel === undefined ? 'No chain is known there.' : noChainWords(preferredModel));
		return 1;
	}
	out(json ? printed({ ...view, chains }) : statusWords({ ...view, chains }, Date.now()));
	return 0;
}

/** Times are whole ms: a fraction, of a delay that was drawn, means nothing. */
function printed(view: ModelsView | ModelChoiceView): string {
	return JSON.stringify(view, (key, value: unknown) =>
		typeof value === 'number' && key !== 'cooldownMinutes' ? Math.ceil(value) : value,
	);
}

function noChainWords(model: string): string {
	return `No chain prefers ${visibleText(model, { limit: 200 })}.`;
}

async function control(
	authority: ModelAuthority,
	caller: ModelCaller,
	verb: Control,
	model: string | undefined,
	{ out, err }: CommandContext,
): Promise<ExitCode> {
	const chain = meant(await authority.view(caller.directory), caller, model);
	if (chain === null) {
		const named = model ?? caller.preferredModel;
		err(named === undefined ? 'No chain is known here.' : noChainWords(named));
		return 1;
	}
	const view =
		verb === 'probe' ? await authority.probe(chain.id) : await authority.hold(chain.id, verb === 'hold');
	const after = view.chains.find(({ id }) => id === chain.id) ?? chain;
	out(controlWords(verb, chain, after));
	return 0;
}

/** The chain that prefers that model; without one the chain of this directory, else the first. */
function meant(
	{ chains }: ModelsView,
	{ directory, provider, preferredModel }: ModelCaller,
	model = preferredModel,
): ModelChainView | null {
	const bound = provider === undefined ? chains : chains.filter((chain) => chain.provider === provider);
	if (model === undefined) {
		return bound.find(({ repositories }) => repositories.includes(directory)) ?? bound[0] ?? null;
	}
	return bound.find(({ preferredModel: preferred }) => isSameModel(preferred, model)) ?? null;
}

function controlWords(
	verb: Control,
	before: ModelChainView,
	{ preferredModel, modelInUse, state }: ModelChainView,
): string {
	const preferred = name(preferredModel);
	const standIn = modelInUse === null ? 'nothing can stand in now' : `${name(modelInUse)} is used`;
	switch (verb) {
		case 'probe':
			if (state === 'closed') return `${preferred} is used already; there is nothing to test.`;
			return `Done: the next call tests ${preferred}.${before.probe === null ? '' : ` The test call of ${holderWords(before.probe)} is no longer waited for.`}`;
		case 'hold':
			return `Done: ${preferred} is held back until you release it; ${standIn}.`;
		case 'release':
			if (!before.held) return `${preferred} is not held back; there is nothing to release.`;
			return `Done: ${preferred} is no longer held back; ${standIn}.`;
	}
}

function holderWords({ holder }: NonNullable<ModelChainView['probe']>): string {
	return visibleText(holder, { limit: 200 });
}
