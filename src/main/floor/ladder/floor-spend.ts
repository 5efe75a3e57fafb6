/** What the whole floor has spent, and who is to be asked to stop when that is too much. */
import type { UsageTrack } from './usage-track.ts';

export interface Spender {
	readonly agentId: string;
	readonly usage: UsageTrack;
	/** Not frozen: the ladder may do something about it. */
	readonly judged: boolean;
}

export interface FloorTotal {
	/** Work tokens or US dollars. */
	readonly total: number;
	/** The agent that spent most of those that still spend; ties go to the smaller id. `null`: nobody spends. */
	readonly topSpender: string | null;
}

export interface FloorSpend {
	readonly agents: number;
	/** Agents that work and whose cost is not known. */
	readonly unpriced: number;
	readonly work: FloorTotal;
	readonly usd: FloorTotal;
}

/** Each agent of the floor once, whether it is judged or not: the totals are of the floor. */
export function floorSpend(spenders: readonly Spender[]): FloorSpend {
	return {
		agents: spenders.length,
		unpriced: spenders.reduce((count, { usage }) => count + (usage.isUnpriced ? 1 : 0), 0),
		work: totalOf(spenders, 'work'),
		usd: totalOf(spenders, 'usd'),
	};
}

function totalOf(spenders: readonly Spender[], metric: 'work' | 'usd'): FloorTotal {
	let total = 0;
	let top: Spender | null = null;
	for (const spender of spenders) {
		const spent = spender.usage[metric];
		total += spent;
		if (!spender.judged || spender.usage.grown[metric] <= 0) continue;
		const most: number = top === null ? -1 : top.usage[metric];
		if (top === null || spent > most || (spent === most && spender.agentId < top.agentId)) top = spender;
	}
	return { total, topSpender: top?.agentId ?? null };
}
