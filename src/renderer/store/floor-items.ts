/** The floor as one flat list of what is drawn below each other: headings, and agents in one or more columns. Pure. */
import type { AgentGroup } from '../../shared/attention.ts';
import { type FloorGroup, type FloorLayout, isFolded } from './floor-layout.ts';
import type { Preferences } from './preferences.ts';

export type FloorItem =
	| { readonly kind: 'heading'; readonly key: string; readonly group: FloorGroup; readonly folded: boolean }
	| {
			readonly kind: 'agents';
			readonly key: string;
			/** Beside each other. */
			readonly ids: readonly string[];
			/** Place of the first of them among all agents that are not folded away, from 1. */
			readonly position: number;
			/** What the first of them needs. */
			readonly need: AgentGroup;
	  };

/** `columns`: agents beside each other, 1 or more. */
export function itemsOf(layout: FloorLayout, folds: Preferences['folds'], columns: number): FloorItem[] {
	const items: FloorItem[] = [];
	let position = 1;
	for (const group of layout.groups) {
		const folded = isFolded(group, folds);
		items.push({ kind: 'heading', key: `heading ${group.key}`, group, folded });
		if (folded) continue;
		const needs = group.tally.flatMap(([need, agents]) => new Array<AgentGroup>(agents).fill(need));
		for (let at = 0; at < group.ids.length; at += columns) {
			const ids = group.ids.slice(at, at + columns);
			// A row of one is its agent: it keeps what it is when it moves.
			const key = columns === 1 ? `agent ${ids[0]}` : `row ${at / columns} ${group.key}`;
			items.push({ kind: 'agents', key, ids, position, need: needs[at] ?? 'exited' });
			position += ids.length;
		}
	}
	return items;
}

/** Where an agent is drawn; -1: nowhere. */
export function itemIndexOf(items: readonly FloorItem[], agentId: string | null): number {
	if (agentId === null) return -1;
	return items.findIndex((item) => item.kind === 'agents' && item.ids.includes(agentId));
}
