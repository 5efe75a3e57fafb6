/** The filter box: words that must all be found. Pure. */
import type { AgentView } from '../../shared/agent-view.ts';
import type { AgentGroup } from '../../shared/attention.ts';

/** True when every word of `filter` occurs in the agent's name, place, client, model, who answered, level, state or group. */
export function matchesFilter(agent: AgentView, filter: string, group: AgentGroup): boolean {
	const { name, directory, client, model, served, level, standing, state, sessionId } = agent;
	const texts = [
		name,
		directory,
		client,
		model ?? '',
		served?.model ?? '',
		served?.harness ?? '',
		level,
		standing,
		state.kind,
		state.reason,
		group.replace('-', ' '),
		sessionId,
	];
	return hasAllWords(texts, filter);
}

/** True when every word of `filter` occurs in one of the texts, in whatever case. */
export function hasAllWords(texts: readonly string[], filter: string): boolean {
	const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) return true;
	const text = texts.join('\n').toLowerCase();
	return words.every((word) => text.includes(word));
}
