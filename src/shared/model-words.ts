/** A chain of models in one line, the same in tray, top bar, foot line and for screen readers. Pure; times in ms. */
import type { AgentView } from './agent-view.ts';
import { nextCallTests, standingOf } from './attention.ts';
import { minuteWords } from './format.ts';
import { isSameModel } from './model-names.ts';
import type { ModelChainView } from './models-view.ts';
import { visibleText } from './untrusted-text.ts';

const NAME_LIMIT = 40;

/** A model's name as plain text that fits into a line. */
export function modelName(model: string): string {
	return visibleText(model, { limit: NAME_LIMIT }) || 'a model without a name';
}

/** The model that stands in for the preferred one; `null` while nothing does. */
export function standInOf({ modelInUse, preferredModel }: ModelChainView): string | null {
	return modelInUse === null || modelInUse === preferredModel ? null : modelInUse;
}

/**
 * What is the matter with a chain: "claude-sonnet-5 is rate-limited: gpt-5.4-mini stands in until 17:15". Coarse, so
 * that a menu which holds it is not replaced each second. `timeZone` (IANA) only for tests.
 */
export function limitWords(chain: ModelChainView, now: number, timeZone = ''): string {
	const { preferredModel, resumeAt, waitUntil, spendLimit } = chain;
	const name = modelName(preferredModel);
	const standIn = standInOf(chain);
	const until = (at: number | null) => (at === null ? '' : ` until ${minuteWords(at, now, timeZone)}`);
	switch (standingOf(chain)) {
		case 'spend-limit':
			return `${modelName(spendLimit?.model ?? preferredModel)} has reached a spending limit: waiting does not help`;
		case 'exhausted':
			return chain.held
				? `${name} is held back by you, and all its fallbacks are rate-limited${until(waitUntil)}`
				: `${name} and all its fallbacks are rate-limited${until(waitUntil)}`;
		case 'unaided':
			return `${name} is rate-limited${until(resumeAt)}: it has no fallback, calls still go to it`;
		case 'held':
			return standIn === null
				? `${name} is held on its fallback by you`
				: `${name} is held on ${modelName(standIn)} by you`;
		case 'testing':
			return `${name} was rate-limited and is ${nextCallTests(chain) ? 'tested by the next call' : 'being tested'}${
				standIn === null ? '' : `: ${modelName(standIn)} stands in`
			}`;
		case 'fallback':
			return standIn === null
				? `${name} is rate-limited${until(resumeAt)}`
				: `${name} is rate-limited: ${modelName(standIn)} stands in${until(resumeAt)}`;
		case 'preferred':
			return `${name} is used`;
	}
}

/** The first in words, the rest as a number; empty when there is none. */
export function firstAndCount([first = '', ...others]: readonly string[]): string {
	return others.length === 0 ? first : `${first}, and ${others.length} more`;
}

/** At most `limit` lines, and one that counts the rest. */
export function firstLines(lines: readonly string[], limit: number): readonly string[] {
	const more = lines.length - limit;
	return more > 0 ? [...lines.slice(0, limit), `and ${more} more ${more === 1 ? 'model' : 'models'}`] : lines;
}

/** The chain that a call of `model` at `provider` falls under: bound to that provider before the one for all. */
export function chainFor(
	chains: readonly ModelChainView[],
	{ provider, model }: { readonly provider: string; readonly model: string },
): ModelChainView | null {
	const own = chains.filter(({ preferredModel }) => isSameModel(preferredModel, model));
	return (
		own.find((chain) => chain.provider === provider) ?? own.find((chain) => chain.provider === null) ?? null
	);
}

type Served = NonNullable<AgentView['served']>;

/** Who answers in the cloud for the model that was asked for; `null`: that model itself does, or one of this machine. */
export function cloudStandIn(served: AgentView['served']): Served | null {
	return served?.harness === 'cloud' && !isSameModel(served.model, served.asked) ? served : null;
}
