/** Which agents are drawn, in which group and order. Pure. Groups come from the one selector that the tray uses too. */
import type { AgentView } from '../../shared/agent-view.ts';
import { type AgentGroup, type AgentWait, groupOnFloor, waitSince, waitsOf } from '../../shared/attention.ts';
import { emptyFailoverView } from '../../shared/failover-view.ts';
import type { FloorPicture } from '../../shared/picture.ts';
import { matchesFilter } from './agent-filter.ts';

/** The order on screen, and the words above each group. */
export const groupWords = {
	'needs-you': 'Needs you',
	stopped: 'Stopped or held',
	constrained: 'Constrained',
	steering: 'Steering',
	working: 'Working',
	waiting: 'Waiting, turn done',
	unverifiable: 'Unverifiable',
	exited: 'Exited',
} as const satisfies Record<AgentGroup, string>;

export const groupOrder = Object.keys(groupWords) as readonly AgentGroup[];

export interface FloorGroup {
	readonly group: AgentGroup;
	/** Agent ids in the order of the screen. */
	readonly ids: readonly string[];
}

export interface FloorLayout {
	readonly groups: readonly FloorGroup[];
	/** Agents known, whatever the filter. */
	readonly total: number;
	/** Agents that pass the filter. */
	readonly shown: number;
}

/** The parts of the picture that say where agents stand. */
export type LaidOut = Pick<FloorPicture, 'agents' | 'failover'>;

/** Groups and sorts. Groups without agents are left out. */
export function layoutOf({ agents, failover }: LaidOut, filter: string): FloorLayout {
	const waits = waitsOf(failover.value ?? emptyFailoverView);
	const groups = new Map<AgentGroup, AgentView[]>(groupOrder.map((group) => [group, []]));
	let total = 0;
	let shown = 0;
	for (const { value } of agents.values()) {
		if (value === null) continue;
		total += 1;
		const group = groupOnFloor(value, waits.get(value.id));
		if (!matchesFilter(value, filter, group)) continue;
		shown += 1;
		groups.get(group)?.push(value);
	}
	return {
		groups: [...groups]
			.filter(([, members]) => members.length > 0)
			.map(([group, members]) => ({ group, ids: members.sort(inGroup(group, waits)).map(({ id }) => id) })),
		total,
		shown,
	};
}

/** Longest waiting first where somebody waits, newest first among the exited; elsewhere nothing changes places. */
function inGroup(
	group: AgentGroup,
	waits: ReadonlyMap<string, AgentWait>,
): (a: AgentView, b: AgentView) => number {
	const key = (agent: AgentView): number => {
		if (group === 'needs-you') {
			const wait = waits.get(agent.id);
			return wait && !agent.state.needsYou ? waitSince(wait) : agent.state.since;
		}
		if (group === 'exited') return -agent.state.since;
		if (group === 'working' || group === 'waiting' || group === 'unverifiable') return agent.firstSeenAt;
		return agent.order?.at ?? agent.levelSince;
	};
	return (a, b) => key(a) - key(b) || (a.id < b.id ? -1 : 1);
}

/**
 * `layoutOf` for a store selector: the same object (and the same `ids`) as long as nothing moved, so that a token
 * count that changed redraws one row and not the list.
 */
export function stableLayout(filter: string): (picture: LaidOut) => FloorLayout {
	let last: { agents: unknown; failover: unknown; layout: FloorLayout } | null = null;
	return (picture) => {
		const { agents, failover } = picture;
		if (last?.agents === agents && last.failover === failover) return last.layout;
		const layout = keepEqual(last?.layout, layoutOf(picture, filter));
		last = { agents, failover, layout };
		return layout;
	};
}

function keepEqual(before: FloorLayout | undefined, after: FloorLayout): FloorLayout {
	if (!before) return after;
	const groups = after.groups.map((next) => {
		const same = before.groups.find(({ group }) => group === next.group);
		return same && equalLists(same.ids, next.ids) ? same : next;
	});
	const unchanged = before.total === after.total && before.shown === after.shown;
	return unchanged && equalLists(before.groups, groups) ? before : { ...after, groups };
}

function equalLists<T>(a: readonly T[], b: readonly T[]): boolean {
	return a.length === b.length && a.every((item, at) => item === b[at]);
}
