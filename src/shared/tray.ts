/**
 * The one composer of what the floor says outside its window: tray icon, tooltip and menu, the badge, the window's
 * title. Nothing else counts for these places, so they cannot disagree.
 */
import type { AgentView } from './agent-view.ts';
import {
	type AgentGroup,
	type AgentWait,
	type AskingFloor,
	attentionGroups,
	type ChainStanding,
	groupOf,
	groupOnFloor,
	isHeld,
	limitedChains,
	type NeedsYou,
	needsYou,
	standingOf,
	waitsOf,
	withoutMoney,
} from './attention.ts';
import { type ConsentView, emptyFailoverView, type FailoverPopup } from './failover-view.ts';
import { firstAndCount, firstLines, limitWords } from './model-words.ts';
import { emptyModelsView, type ModelChainView } from './models-view.ts';
import type { FloorSnapshot, Incident } from './snapshot.ts';
import { visibleText } from './untrusted-text.ts';
import type { OrderKind } from './words.ts';

/** Agents and incidents named in the menu; the rest is counted in words. */
export const TRAY_LIST_LIMIT = 8;
/** Windows cuts tooltips at 127 characters. */
export const TOOLTIP_LIMIT = 120;
/** Chains of models named in the menu. */
export const TRAY_CHAIN_LIMIT = 3;
/** A longer line makes some menus as wide as the screen. */
export const LABEL_LIMIT = 120;
const NAME_LIMIT = 32;
const REASON_LIMIT = 60;
/** A beat this late means that nobody looks after the agents; sleep and a busy machine stay below. */
const LOST_AFTER_BEATS = 3;
const LOST_AFTER_LEAST_MS = 15_000;

export type TrayIcon = 'calm' | 'attention' | 'urgent' | 'lost';

/** What the operator can do from the menu. */
export type TrayCommand =
	| { readonly kind: 'show' }
	| { readonly kind: 'show-agent'; readonly agentId: string }
	| { readonly kind: 'quit' };

export type TrayMenuItem =
	| { readonly kind: 'separator' }
	/** Not clickable. */
	| { readonly kind: 'text'; readonly label: string }
	| { readonly kind: 'command'; readonly label: string; readonly command: TrayCommand };

export interface TrayPicture {
	readonly icon: TrayIcon;
	/** One line, at most `TOOLTIP_LIMIT` characters. */
	readonly tooltip: string;
	/** Title of the window: the count is readable where no badge is drawn. */
	readonly title: string;
	readonly menu: readonly TrayMenuItem[];
	/** `count` is everything that needs the operator, never only what the menu lists. */
	readonly badge: { readonly count: number; readonly description: string };
}

const groupWords: Record<AgentGroup, string> = {
	'needs-you': 'Needs you',
	stopped: 'Stopped',
	constrained: 'Constrained',
	steering: 'Steering',
	working: 'Working',
	waiting: 'Waiting',
	unverifiable: 'Unverifiable',
	exited: 'Exited',
};

const orderWords: Record<OrderKind, string> = {
	hold: 'held by you',
	constrain: 'constrained by you',
	stop: 'stopped by you',
};

/** Nothing goes on by itself: callers wait, fail, or ask again and again. */
const stuckStandings: ReadonlySet<ChainStanding> = new Set(['spend-limit', 'exhausted', 'unaided']);

/** One line of the menu before it is cut to length. */
interface Entry {
	readonly rank: number;
	readonly since: number;
	readonly id: string;
	readonly item: TrayMenuItem;
}

/** What the composer looks at. Callers that know nothing of failover or models leave them out. */
export type TrayFloor = AskingFloor & Pick<FloorSnapshot, 'status'> & Partial<Pick<FloorSnapshot, 'models'>>;

/**
 * Composes the picture. `null`: the engine does not answer. Pure; `now` on the floor's clock. `timeZone` (IANA) only for
 * tests.
 */
export function composeTray(floor: TrayFloor | null, now: number, timeZone = ''): TrayPicture {
	if (floor === null) return unanswered;
	const { status } = floor;
	const waits = waitsOf(floor.failover ?? emptyFailoverView);
	const counts = countGroups(floor.agents, waits);
	const needy = needsYou(floor);
	const count = countOf(needy);
	const lost = isOverdue(status, now);
	const held = floor.agents.filter(
		(agent) => groupOnFloor(agent, waits.get(agent.id)) === 'stopped' && isHeld(agent),
	).length;
	const summary = summaryOf(counts, held, count);
	const warning = lost ? 'The heartbeat is late: what is shown may be old' : tierWords(status);
	const chains = limitedChains(floor.models ?? emptyModelsView);
	// The incident that asks for money is in the list already.
	const isMoneyTold = needy.incidents.some(({ kind }) => kind === 'spend-limit');
	const limits = (isMoneyTold ? limitedChains({ chains: chains.map(withoutMoney) }) : chains).map((chain) =>
		cut(limitWords(chain, now, timeZone), LABEL_LIMIT),
	);
	const entries = [
		...needy.popups.map(popupEntry),
		...needy.consents.map(consentEntry),
		...needy.incidents.map(incidentEntry),
		...floor.agents
			.filter((agent) => groupOf(agent) !== 'exited')
			.map((agent) => agentEntry(agent, waits.get(agent.id), now)),
	].sort(byImportance);
	const name = nameOf(status);
	const warned = [warning, firstAndCount(limits)].filter(Boolean).map((words) => ` · ${words}`);
	return {
		icon: iconOf(floor, { count, lost, chains }),
		tooltip: cut(`${name}: ${summary}${warned.join('')}`, TOOLTIP_LIMIT),
		title: titleOf(status, count),
		menu: menuOf(
			[cut(`${name}: ${summary}`, LABEL_LIMIT), warning, ...firstLines(limits, TRAY_CHAIN_LIMIT)],
			entries,
		),
		badge: { count, description: badgeWords(needy.agents, count) },
	};
}

/** The title alone, as `composeTray` makes it: a window asks for it each second. */
export function composeTitle(floor: Omit<TrayFloor, 'models'>): string {
	return titleOf(floor.status, countOf(needsYou(floor)));
}

function titleOf(status: TrayFloor['status'], count: number): string {
	return count === 0 ? nameOf(status) : `(${count}) ${nameOf(status)}`;
}

function nameOf({ demo }: TrayFloor['status']): string {
	return demo ? 'Agent Floor (demo)' : 'Agent Floor';
}

const commands: readonly TrayMenuItem[] = [
	{ kind: 'separator' },
	{ kind: 'command', label: 'Show the floor', command: { kind: 'show' } },
	{ kind: 'command', label: 'Quit Agent Floor', command: { kind: 'quit' } },
];

const unanswered: TrayPicture = {
	icon: 'lost',
	tooltip: 'Agent Floor: the floor does not answer; agents are not watched',
	title: 'Agent Floor',
	menu: [{ kind: 'text', label: 'The floor does not answer; agents are not watched' }, ...commands],
	badge: { count: 0, description: 'The floor does not answer' },
};

function countGroups(
	agents: readonly AgentView[],
	waits: ReadonlyMap<string, AgentWait>,
): Record<AgentGroup, number> {
	const counts: Record<AgentGroup, number> = {
		'needs-you': 0,
		stopped: 0,
		constrained: 0,
		steering: 0,
		working: 0,
		waiting: 0,
		unverifiable: 0,
		exited: 0,
	};
	for (const agent of agents) counts[groupOnFloor(agent, waits.get(agent.id))] += 1;
	return counts;
}

function isOverdue(status: FloorSnapshot['status'], now: number): boolean {
	if (status.nextBeatAt === null) return false;
	const grace = Math.max(LOST_AFTER_BEATS * status.heartbeatSeconds * 1000, LOST_AFTER_LEAST_MS);
	return now - status.nextBeatAt > grace;
}

function countOf({ agents, incidents, popups, consents }: NeedsYou): number {
	return agents.length + incidents.length + popups.length + consents.length;
}

function iconOf(
	floor: AskingFloor,
	{ count, lost, chains }: { count: number; lost: boolean; chains: readonly ModelChainView[] },
): TrayIcon {
	if (lost) return 'lost';
	// Money that ran out is an urgent incident and counted there; once dismissed, the operator knows.
	if (count > 0) return 'urgent';
	// The operator's own orders are no news to them; what the ladder did is.
	const laddered = floor.agents.some((agent) => groupOf(agent) !== 'exited' && agent.level !== 'healthy');
	const open = floor.incidents.some(({ endedAt, severity }) => endedAt === null && severity === 'attention');
	// One that asks would have made it urgent: this one waits for the network, as the operator chose.
	const lostProvider = (floor.failover?.popups ?? []).length > 0;
	// A fallback that stands in needs nobody.
	const stuck = chains.some((chain) => stuckStandings.has(standingOf(chain)));
	return laddered || open || lostProvider || stuck ? 'attention' : 'calm';
}

function tierWords(status: FloorSnapshot['status']): string {
	if (status.tier === 'NORMAL') return '';
	return visibleText(`${status.tier}: ${status.tierReason}`, { limit: REASON_LIMIT });
}

/** `held`: how many of the stopped are merely held. */
function summaryOf(counts: Record<AgentGroup, number>, held: number, asking: number): string {
	const parts = asking === 0 ? [] : [`${asking} ${asking === 1 ? 'needs' : 'need'} you`];
	for (const group of attentionGroups) {
		if (group === 'needs-you' || group === 'exited') continue;
		const count = group === 'stopped' ? counts.stopped - held : counts[group];
		if (count > 0) parts.push(`${count} ${groupWords[group].toLowerCase()}`);
		if (group === 'stopped' && held > 0) parts.push(`${held} held`);
	}
	return parts.length === 0 ? 'no agent is running' : parts.join(' · ');
}

function badgeWords(asking: readonly AgentView[], count: number): string {
	if (count === 0) return 'Nothing needs you';
	const demo = asking.filter((agent) => agent.demo).length;
	const words = count === 1 ? '1 needs you' : `${count} need you`;
	return demo === 0 ? words : `${words} (${demo} of the demo)`;
}

function agentEntry(agent: AgentView, wait: AgentWait | undefined, now: number): Entry {
	const group = groupOnFloor(agent, wait);
	const own = agent.state.needsYou || !wait ? reasonOf(agent, group, now) : waitReason(wait);
	const reason = visibleText(own, { limit: REASON_LIMIT });
	const name = visibleText(agent.name, { limit: NAME_LIMIT }) || 'an agent without a name';
	const word = group === 'stopped' && isHeld(agent) ? 'Held' : groupWords[group];
	const label = `${word}: ${name}${agent.demo ? ' (demo)' : ''}${reason === '' ? '' : ` – ${reason}`}`;
	return {
		rank: attentionGroups.indexOf(group),
		since: agent.state.since,
		id: agent.id,
		item: {
			kind: 'command',
			label: cut(label, LABEL_LIMIT),
			command: { kind: 'show-agent', agentId: agent.id },
		},
	};
}

/** What an agent waits for, without the time it has left: the menu stays open longer than that. */
function waitReason(wait: AgentWait): string {
	if (wait.kind === 'consent') return 'wants your consent';
	const { providerName } = wait.popup;
	return wait.asks ? `turn held, ${providerName} is lost` : `turn held until ${providerName} is back`;
}

function reasonOf(agent: AgentView, group: AgentGroup, now: number): string {
	const unheard = unheardOf(agent.state, now);
	switch (group) {
		case 'needs-you':
		case 'waiting':
			return [agent.state.reason, unheard].filter(Boolean).join(', ');
		case 'stopped':
		case 'constrained':
		case 'steering':
			return [agent.order ? orderWords[agent.order.kind] : agent.levelReason, unheard]
				.filter(Boolean)
				.join(', ');
		case 'unverifiable':
			return unheard;
		case 'working':
			return agent.compacting ? 'compacting' : '';
		case 'exited':
			return agent.state.reason;
	}
}

/** What takes the edge off the rest of the line: nobody is there, or it is not known. */
function unheardOf({ kind, lastHeardAt }: AgentView['state'], now: number): string {
	if (kind === 'exited') return 'exited';
	return kind === 'unverifiable' ? unheardWords(now - lastHeardAt) : '';
}

/** Coarse on purpose (and no tool names above): an open menu closes on some desktops each time it is replaced. */
function unheardWords(ms: number): string {
	if (ms < 60_000) return 'not verifiable';
	if (ms < 3_600_000) return 'not heard from for minutes';
	return ms < 86_400_000 ? 'not heard from for hours' : 'not heard from for days';
}

function incidentEntry({ id, title, openedAt }: Incident): Entry {
	return askingEntry(id, openedAt, visibleText(title));
}

function popupEntry({ id, sentence, openedAt }: FailoverPopup): Entry {
	return askingEntry(id, openedAt, visibleText(sentence));
}

function consentEntry({ id, agentName, tool, target, askedAt }: ConsentView): Entry {
	const name = visibleText(agentName, { limit: NAME_LIMIT }) || 'an agent without a name';
	const call = visibleText(`${tool}: ${target}`, { limit: REASON_LIMIT });
	return askingEntry(id, askedAt, `${name} – may it run ${call}`);
}

/** What is answered in the window itself, wherever that stands. */
function askingEntry(id: string, since: number, words: string): Entry {
	return {
		rank: 0,
		since,
		id,
		item: { kind: 'command', label: cut(`Needs you: ${words}`, LABEL_LIMIT), command: { kind: 'show' } },
	};
}

/** Our own words and text made visible already, cut to `limit` characters (code points). */
function cut(text: string, limit: number): string {
	const characters = [...text];
	return characters.length <= limit
		? text
		: `${characters
				.slice(0, limit - 1)
				.join('')
				.trimEnd()}…`;
}

/** What matters most first, then what has waited longest; the id makes the order total. */
function byImportance(a: Entry, b: Entry): number {
	return a.rank - b.rank || a.since - b.since || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** `lines`: what is said of the whole floor; empty ones are left out. */
function menuOf(lines: readonly string[], entries: readonly Entry[]): TrayMenuItem[] {
	const menu: TrayMenuItem[] = lines.filter(Boolean).map((label) => ({ kind: 'text', label }));
	if (entries.length > 0) menu.push({ kind: 'separator' });
	menu.push(...entries.slice(0, TRAY_LIST_LIMIT).map((entry) => entry.item));
	const more = entries.length - TRAY_LIST_LIMIT;
	if (more > 0) menu.push({ kind: 'command', label: `and ${more} more`, command: { kind: 'show' } });
	return [...menu, ...commands];
}
