/** Verdicts → replies, by the table of one program. The tables differ (each was measured); how they are read does not. */
import type { Verdict } from '../floor/verdict.ts';
import type { Dialect } from './dialect.ts';

export type Reply = Record<string, unknown>;

/** How one event carries each verdict out; a verdict that is missing here cannot be brought about by this event. */
export type Means = { readonly [kind in Exclude<Verdict['kind'], 'pass'>]?: (text: string) => Reply };

/**
 * `meansByEvent`: exactly the events whose reply matters; all others are observers. A text of more than `longestText`
 * characters (UTF-16 units) is cut.
 */
export function repliesOf(
	meansByEvent: ReadonlyMap<string, Means>,
	longestText: number,
): Pick<Dialect, 'answers' | 'carriesNote' | 'reply'> {
	return {
		answers: (eventName) => meansByEvent.has(eventName),
		carriesNote: (eventName) => meansByEvent.get(eventName)?.note !== undefined,
		reply: (eventName, verdict) => {
			if (verdict.kind === 'pass' || (verdict.kind === 'note' && verdict.text.trim() === '')) return {};
			const text = capped(verdict.kind === 'note' ? verdict.text : verdict.reason, longestText);
			return meansByEvent.get(eventName)?.[verdict.kind]?.(text) ?? {};
		},
	};
}

/** Never blank: to Codex a denial without a reason is invalid, Gemini CLI's model would read "No reason provided". */
function capped(text: string, longest: number): string {
	if (text.trim() === '') return 'Agent Floor gave no reason.';
	return (text.length > longest ? `${text.slice(0, longest - 1)}…` : text).toWellFormed();
}
