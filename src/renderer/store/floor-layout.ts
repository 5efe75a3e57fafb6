/** Which agents are drawn, in which group and order. Pure. Groups come from the one selector that the tray uses too. */
import type { AgentView } from '../../shared/agent-view.ts';
import { type AgentGroup, type AgentWait, groupOnFloor, waitSince, waitsOf } from '../../shared/attention.ts';
import { emptyFailoverView } from '../../shared/failover-view.ts';
import type { FloorPicture } from '../../shared/picture.ts';
import { matchesTerms, parseFilter } from './agent-filter.ts';
import type { Grouping, Preferences } from './preferences.ts';
import { directoryName } from './seen-programs.ts';

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

/** As they are counted: "2 need you". */
export const countWords: Readonly<Record<AgentGroup, (agents: number) => string>> = {
	'needs-you': (agents) => (agents === 1 ? 'needs you' : 'need you'),
	stopped: () => 'stopped',
	constrained: () => 'constrained',
	steering: () => 'steering',
	working: () => 'working',
	waiting: () => 'waiting',
	unverifiable: () => 'unverifiable',
	exited: () => 'exited',
};

export const groupOrder = Object.keys(groupWords) as readonly AgentGroup[];
const rankOf = new Map(groupOrder.map((group, rank) => [group, rank]));

/** From here on nothing asks for attention: repositories are not told apart by it. */
const CALM = groupOrder.indexOf('working');

export interface FloorGroup {
	/** Of all groups there ever are. */
	readonly key: string;
	/** What all of them need; `null`: they are of one repository. */
	readonly group: AgentGroup | null;
	readonly title: string;
	/** Where the repository is; `null`: it is a group of one need. */
	readonly path: string | null;
	/** Agent ids in the order of the screen. */
	readonly ids: readonly string[];
	/** How many of each need, what matters most first; needs that nobody has are left out. */
	readonly tally: readonly (readonly [need: AgentGroup, agents: number])[];
}

export interface FloorLayout {
	readonly groups: readonly FloorGroup[];
	/** Agents known, whatever the filter. */
	readonly total: number;
	/** Agents that pass the filter. */
	readonly shown: number;
}

export interface Arrangement {
	readonly filter: string;
	readonly grouping: Grouping;
}

/** The parts of the picture that say where agents stand. */
export type LaidOut = Pick<FloorPicture, 'agents' | 'failover'>;

/** Where one agent stands, and what that was found from. */
interface Placed {
	readonly view: AgentView;
	readonly wait: AgentWait | undefined;
	readonly need: AgentGroup;
	readonly passes: boolean;
	readonly groupKey: string;
	/** The smallest comes first in its need. */
	readonly order: number;
}

/** Groups and sorts. Groups without agents are left out. */
export function layoutOf(picture: LaidOut, arrangement: Arrangement): FloorLayout {
	return stableLayout(arrangement)(picture);
}

/**
 * A layout for a store selector: the same object (and the same `ids`) as long as nothing moved, so that a token count
 * that changed redraws one row and not the list. Only agents that changed are looked at.
 */
export function stableLayout({ filter, grouping }: Arrangement): (picture: LaidOut) => FloorLayout {
	const terms = parseFilter(filter);
	let drawn: { agents: unknown; failover: unknown; layout: FloorLayout } | null = null;
	let placed = new Map<string, Placed>();

	const place = (view: AgentView, wait: AgentWait | undefined): Placed => {
		const need = groupOnFloor(view, wait);
		const passes = matchesTerms(view, terms, need);
		return {
			view,
			wait,
			need,
			passes,
			groupKey: keyOf(view, need, grouping),
			order: orderOf(view, need, wait),
		};
	};

	return ({ agents, failover }) => {
		if (drawn?.agents === agents && drawn.failover === failover) return drawn.layout;
		const waits = waitsOf(failover.value ?? emptyFailoverView);
		const next = new Map<string, Placed>();
		let moved = drawn === null;
		for (const [id, { value }] of agents) {
			if (value === null) continue;
			const wait = waits.get(id);
			const known = placed.get(id);
			const now = known?.view === value && known.wait === wait ? known : place(value, wait);
			moved ||= known === undefined || !standsAlike(known, now);
			next.set(id, now);
		}
		moved ||= next.size !== placed.size;
		placed = next;
		const layout =
			drawn !== null && !moved ? drawn.layout : keepEqual(drawn?.layout, arrange(next, grouping));
		drawn = { agents, failover, layout };
		return layout;
	};
}

function standsAlike(a: Placed, b: Placed): boolean {
	return (
		a === b ||
		(a.need === b.need && a.passes === b.passes && a.groupKey === b.groupKey && a.order === b.order)
	);
}

/** What has exited stands apart, in every grouping: it is over, and in nobody's way. */
function keyOf({ repository, directory }: AgentView, need: AgentGroup, grouping: Grouping): string {
	if (grouping === 'need' || need === 'exited') return `need ${need}`;
	return `repository ${repository?.path ?? directory}`;
}

/** Longest waiting first where somebody waits, newest first among the exited; elsewhere nothing changes places. */
function orderOf(agent: AgentView, need: AgentGroup, wait: AgentWait | undefined): number {
	if (need === 'needs-you') return wait && !agent.state.needsYou ? waitSince(wait) : agent.state.since;
	if (need === 'exited') return -agent.state.since;
	if (need === 'working' || need === 'waiting' || need === 'unverifiable') return agent.firstSeenAt;
	return agent.order?.at ?? agent.levelSince;
}

function arrange(placed: ReadonlyMap<string, Placed>, grouping: Grouping): FloorLayout {
	const groups = new Map<string, Placed[]>();
	let shown = 0;
	for (const one of placed.values()) {
		if (!one.passes) continue;
		shown += 1;
		const members = groups.get(one.groupKey);
		if (members) members.push(one);
		else groups.set(one.groupKey, [one]);
	}
	const drawn = [...groups].map(([key, members]) => groupOf(key, members, grouping)).sort(inOrder);
	return { groups: drawn, total: placed.size, shown };
}

function groupOf(key: string, members: Placed[], grouping: Grouping): FloorGroup {
	members.sort(byRank);
	const counts = new Map<AgentGroup, number>();
	for (const { need } of members) counts.set(need, (counts.get(need) ?? 0) + 1);
	const [first] = members;
	const need = first?.need ?? 'exited';
	const ids = members.map(({ view }) => view.id);
	const tally = [...counts];
	if (grouping === 'need' || need === 'exited') {
		return { key, group: need, title: groupWords[need], path: null, ids, tally };
	}
	const { repository, directory } = first?.view ?? { repository: null, directory: '' };
	const title = repository?.name ?? directoryName(directory);
	return { key, group: null, title, path: repository?.path ?? directory, ids, tally };
}

/** In groups of one need the rank says nothing. */
function byRank(a: Placed, b: Placed): number {
	return rank(a.need) - rank(b.need) || a.order - b.order || (a.view.id < b.view.id ? -1 : 1);
}

/** What needs the operator first, then by the worst level; repositories where nothing asks, by name. What is over comes last. */
function inOrder(a: FloorGroup, b: FloorGroup): number {
	const worst = ({ group, tally }: FloorGroup): number => {
		const found = rank(tally[0]?.[0] ?? 'exited');
		return group === null ? Math.min(found, CALM) : found;
	};
	return (
		worst(a) - worst(b) ||
		compareTexts(a.title.toLowerCase(), b.title.toLowerCase()) ||
		compareTexts(a.key, b.key)
	);
}

function compareTexts(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}

function rank(need: AgentGroup): number {
	return rankOf.get(need) ?? groupOrder.length;
}

function keepEqual(before: FloorLayout | undefined, after: FloorLayout): FloorLayout {
	if (!before) return after;
	const known = new Map(before.groups.map((group) => [group.key, group]));
	const groups = after.groups.map((next) => {
		const same = known.get(next.key);
		return same && equalGroups(same, next) ? same : next;
	});
	const unchanged = before.total === after.total && before.shown === after.shown;
	return unchanged && equalLists(before.groups, groups) ? before : { ...after, groups };
}

function equalGroups(a: FloorGroup, b: FloorGroup): boolean {
	return a.title === b.title && equalLists(a.ids, b.ids) && equalLists(a.tally.flat(), b.tally.flat());
}

function equalLists<T>(a: readonly T[], b: readonly T[]): boolean {
	return a.length === b.length && a.every((item, at) => item === b[at]);
}

/** Whether a group is folded: as the operator left it, else only what has exited. */
export function isFolded(
	{ key, group }: Pick<FloorGroup, 'key' | 'group'>,
	folds: Preferences['folds'],
): boolean {
	return folds[key] ?? group === 'exited';
}

/** The agents that the arrows go through: all of the groups that are open, drawn or not. */
export function openIds({ groups }: FloorLayout, folds: Preferences['folds']): string[] {
	return groups.flatMap((group) => (isFolded(group, folds) ? [] : group.ids));
}
