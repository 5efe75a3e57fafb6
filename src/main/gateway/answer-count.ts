/** What an answer took, read where a try ends. Pure. */
import type { AnswerCount, AttemptEnd, AttemptOptions } from './attempt-contract.ts';
import { headerOf } from './headers.ts';
import type { TurnUsage } from './protocol.ts';
import { uncounted, unnamed } from './protocols/counts.ts';
import type { UpstreamHead } from './upstream.ts';

/** `null`: it failed before anything was counted. One that ended well and told no counts is counted as unknown. */
export function countOfAnswer(
	{ relay, readsAnswer }: Pick<AttemptOptions, 'relay' | 'readsAnswer'>,
	head: UpstreamHead,
	end: AttemptEnd,
): AnswerCount | null {
	if (!readsAnswer) return null;
	const told = end.kind === 'whole' ? end.answer : relay;
	const { usage, origin } = told ?? { usage: uncounted, origin: unnamed };
	const isWhole = (end.kind === 'delivered' || end.kind === 'whole') && end.outcome.kind === 'ok';
	if (!isWhole && isUncounted(usage)) return null;
	return { ...origin, requestId: requestIdOf(head), usage, isWhole };
}

/** Anthropic's name for it, then OpenAI's. */
export function requestIdOf(head: UpstreamHead): string | null {
	const id = headerOf(head.headers, 'request-id') ?? headerOf(head.headers, 'x-request-id') ?? '';
	return id === '' || id.length > 200 ? null : id;
}

/** What is known of it, as at least so much; `null`: nothing is, which is not 0. */
export function knownTokens(usage: TurnUsage): Readonly<Record<keyof TurnUsage, number>> | null {
	if (isUncounted(usage)) return null;
	return {
		input: usage.input ?? 0,
		output: usage.output ?? 0,
		cacheRead: usage.cacheRead ?? 0,
		cacheCreation: usage.cacheCreation ?? 0,
		cacheCreation1h: usage.cacheCreation1h ?? 0,
		webSearches: usage.webSearches ?? 0,
	};
}

function isUncounted(usage: TurnUsage): boolean {
	return Object.values(usage).every((count) => count === null);
}
