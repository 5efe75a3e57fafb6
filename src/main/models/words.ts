/** The breaker's sentences for people. Times stand beside them as numbers, so that no sentence grows old. */
import { spanWords } from '../../shared/format.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import type { ChainEntry } from './chain-book.ts';
import type { Decision, Wait } from './decide.ts';
import type { ModelEvent } from './model-desk.ts';

const SAID_LIMIT = 160;

export interface EventFacts extends Omit<ModelEvent, 'words'> {
	/** What the provider said, or why it is over; may be empty. Untrusted. */
	readonly said: string;
	/** Whose words they are; `null`: not known. */
	readonly provider: string | null;
}

export function eventWords(facts: EventFacts): string {
	const { kind, next, resumeAt, at, said, provider } = facts;
	const model = name(facts.model);
	const then = next === null ? 'nothing can stand in' : `${name(next)} stands in`;
	const when = resumeAt === null || resumeAt <= at ? '' : `, tried again in ${spanWords(resumeAt - at)}`;
	switch (kind) {
		case 'opened':
			return `${limitedBy(model, provider, said)}: ${then}${when}.`;
		case 'probe-failed':
			return `${model} is still limited${quoted(said)}: ${then}${when}.`;
		case 'advanced':
			return `${model} is limited too${quoted(said)}: ${then}.`;
		case 'exhausted':
			return `${model} is limited too${quoted(said)}: now every model of the chain is limited.`;
		case 'half-open':
			return `The cooldown of ${model} is over: one call tests it.`;
		case 'recovered':
			return `${model} answers again and is used again.`;
		case 'spend-limit':
			return `${model} refused for lack of credit or a spending limit${quoted(said)}: waiting does not help, raise the limit or add credit.`;
		case 'spend-cleared':
			return `The spending limit of ${model} is over: ${visibleText(said)}.`;
		case 'held':
			return next === null ? `${model} is held back by you.` : `${model} is held back by you: ${then}.`;
		case 'released':
			return `${model} is no longer held back.`;
	}
}

/** Why the chain is not on its preferred model; empty while closed. */
export function chainWords(entry: ChainEntry, inUse: string | null, isTested: boolean): string {
	const { chain, circuit, because } = entry;
	if (circuit.state === 'closed') return '';
	const model = name(chain.preferredModel);
	const then = inUse !== null ? `${name(inUse)} stands in` : nothingLeft(entry);
	if (circuit.hold !== null) return `You hold ${model} back: ${then}.`;
	if (circuit.state === 'open') return `${limitedBy(model, because.provider, because.said)}: ${then}.`;
	const done = circuit.halfOpenSuccesses > 0 ? ` (${circuit.halfOpenSuccesses} of 2 successes)` : '';
	return `${model} was limited and is ${isTested ? 'being tested' : 'tested by the next call'}${done}: meanwhile ${then}.`;
}

/** What a loop is told besides the model; empty when there is nothing to say. */
export function choiceWords(entry: ChainEntry, decision: Decision): string {
	switch (decision.kind) {
		case 'preferred':
			return '';
		case 'probe':
			return `This call tests whether ${name(entry.chain.preferredModel)} has recovered.`;
		case 'fallback':
			return chainWords(entry, decision.model, true);
		case 'wait':
			return waitWords(decision);
	}
}

/** Why there is no model now; the time to ask again stands beside it. */
export function waitWords({ model, isGuess }: Wait): string {
	return isGuess
		? `No model of the chain can be asked now, and it is not known when ${name(model)} can again.`
		: `No model of the chain can be asked now; ${name(model)} is the first that can again.`;
}

function nothingLeft({ chain }: ChainEntry): string {
	return chain.fallbackChain.length === 0
		? 'it has no fallback, its calls still go through'
		: 'no fallback can be asked now';
}

function limitedBy(model: string, provider: string | null, said: string): string {
	return `${model} is rate-limited${provider === null ? '' : ` by ${name(provider)}`}${quoted(said)}`;
}

function quoted(said: string): string {
	const words = visibleText(said.trim(), { limit: SAID_LIMIT });
	return words === '' ? '' : ` (“${words}”)`;
}

function name(model: string): string {
	return visibleText(model, { limit: 80 });
}
