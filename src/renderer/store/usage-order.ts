/** The agents by what they took: which column they are sorted by, and the order that this gives. Pure. */
import type { AgentView } from '../../shared/agent-view.ts';
import { clientWords } from '../../shared/format.ts';
import type { UsageAmount } from '../../shared/usage-view.ts';

export type UsagePeriod = 'session' | 'today' | 'week';
export type UsageMetric = 'work' | 'cost';
/** "name", "program", or a figure: "today work". */
export type UsageSortKey = 'name' | 'program' | `${UsagePeriod} ${UsageMetric}`;

export interface UsageSort {
	readonly key: UsageSortKey;
	readonly descending: boolean;
}

/** The agent's amount of a period; `null`: not known. */
export function amountOf({ usage }: Pick<AgentView, 'usage'>, period: UsagePeriod): UsageAmount | null {
	return period === 'session' ? usage : (usage?.[period] ?? null);
}

export interface CountedAgents {
	/** In the sums of everybody. */
	readonly counted: readonly AgentView[];
	/** In none of them. */
	readonly apart: readonly AgentView[];
}

/**
 * A demo's agents are in no sum of a real floor; where the demo is all there is, the sums are theirs. `session`: the sum
 * over the agents on the floor.
 */
export function countedAgents(
	agents: readonly AgentView[],
	session: Pick<UsageAmount, 'work' | 'cacheRead'>,
): CountedAgents {
	const real = agents.filter(({ demo }) => !demo);
	const isPlay = real.length === 0 && session.work + session.cacheRead > 0;
	if (isPlay) return { counted: agents, apart: [] };
	return { counted: real, apart: agents.filter(({ demo }) => demo) };
}

/** The other way round for the same column; for another one the way in which it is mostly read: figures from the top. */
export function nextSort(sort: UsageSort, key: UsageSortKey): UsageSort {
	if (sort.key === key) return { key, descending: !sort.descending };
	return { key, descending: key !== 'name' && key !== 'program' };
}

/** What is not known comes last, whichever way; equal ones by name and id. */
export function sortedByUsage(agents: readonly AgentView[], { key, descending }: UsageSort): AgentView[] {
	const rows = agents.map((agent) => ({ agent, value: sortValue(agent, key) }));
	const way = descending ? -1 : 1;
	rows.sort((a, b) => way * compare(a.value, b.value, descending) || byName(a.agent, b.agent));
	return rows.map(({ agent }) => agent);
}

function sortValue(agent: AgentView, key: UsageSortKey): string | number | null {
	if (key === 'name') return agent.name.toLowerCase();
	if (key === 'program') return clientWords(agent.client).toLowerCase();
	const [period, metric] = key.split(' ') as [UsagePeriod, UsageMetric];
	const amount = amountOf(agent, period);
	return metric === 'work' ? (amount?.work ?? null) : (amount?.costUsd ?? null);
}

function compare(a: string | number | null, b: string | number | null, descending: boolean): number {
	if (a === b) return 0;
	if (a === null) return descending ? -1 : 1;
	if (b === null) return descending ? 1 : -1;
	return a < b ? -1 : 1;
}

function byName(a: AgentView, b: AgentView): number {
	return a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1;
}
