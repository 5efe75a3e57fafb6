/** What on the floor may be told of: what needs the operator, and turns that ended. Pure. */
import type { AgentView } from '../../shared/agent-view.ts';
import { type AskingFloor, needsYou } from '../../shared/attention.ts';
import type { ConsentView, FailoverPopup } from '../../shared/failover-view.ts';
import { spanWords } from '../../shared/format.ts';
import type { Notice } from '../../shared/notice.ts';
import type { Incident } from '../../shared/snapshot.ts';
import { visibleText } from '../../shared/untrusted-text.ts';

const NAME_LIMIT = 60;
const TITLE_LIMIT = 120;
const TEXT_LIMIT = 200;

/** The floor and what the snapshot does not say of it. */
export interface NoticeFloor extends AskingFloor {
	/** The last turn of each agent that ended by itself, by agent id. Times in ms. */
	readonly endedTurns: ReadonlyMap<string, { readonly startedAt: number; readonly endedAt: number }>;
}

/** One thing that may be told. */
export interface Matter extends Pick<Notice, 'kind' | 'title' | 'body' | 'agentId' | 'about'> {
	/** What it is about as long as it goes on: there is one matter of a cause at a time. */
	readonly cause: string;
	/** The very occurrence, the same after a restart: what is told once. */
	readonly occurrence: string;
	/** When it began, ms. */
	readonly since: number;
	/** Not told more often than the cooldown allows; `null`: each is a question of its own, and has its time. */
	readonly theme: string | null;
	/** Never told, now or later: it only counts as known. */
	readonly muted: boolean;
	/** Gone with the demo: a restart need not know of it. */
	readonly demo: boolean;
}

type Plain = Omit<Matter, 'demo' | 'muted'>;

export interface MatterRules {
	/** A turn that took less than this is muted, ms. */
	readonly doneAfterMs: number;
}

/** All of them, in no order. */
export function mattersOf(floor: NoticeFloor, { doneAfterMs }: MatterRules): Matter[] {
	const demoIds = new Set(floor.agents.filter(({ demo }) => demo).map(({ id }) => id));
	const isDemoAll = floor.agents.every(({ demo, state }) => demo || state.kind === 'exited');
	const ofDemo = (agentIds: readonly (string | null)[]): Pick<Matter, 'demo' | 'muted'> => {
		const demo = agentIds.length > 0 && agentIds.every((id) => id !== null && demoIds.has(id));
		return { demo, muted: demo && !isDemoAll };
	};
	const { agents, incidents, popups, consents } = needsYou(floor);
	const matters: Matter[] = [
		...popups.map((popup) => ({
			...popupMatter(popup),
			...ofDemo(popup.turns.map(({ agentId }) => agentId)),
		})),
		...consents.map((consent) => ({ ...consentMatter(consent), ...ofDemo([consent.agentId]) })),
		...agents.map((agent) => ({ ...needMatter(agent), ...ofDemo([agent.id]) })),
		...incidents.map((incident) => ({ ...incidentMatter(incident), ...ofDemo([incident.agentId]) })),
	];
	for (const agent of floor.agents) {
		const turn = isDone(agent) ? floor.endedTurns.get(agent.id) : undefined;
		if (!turn) continue;
		const lastedMs = turn.endedAt - turn.startedAt;
		const { demo, muted } = ofDemo([agent.id]);
		matters.push({
			...doneMatter(agent, turn.endedAt, lastedMs),
			demo,
			muted: muted || lastedMs < doneAfterMs,
		});
	}
	return matters;
}

/** A total order, the same after every restart. */
export function oldestFirst(a: Matter, b: Matter): number {
	return a.since - b.since || (a.occurrence < b.occurrence ? -1 : 1);
}

/** Its turn ended and nothing of it works on; one that was stopped or has left is not done. */
function isDone({ state, standing, subagents }: AgentView): boolean {
	const rests = state.kind === 'waiting' || state.kind === 'unverifiable';
	return rests && !state.needsYou && standing !== 'stopped' && subagents.length === 0;
}

function popupMatter({
	id,
	incidentId,
	providerId,
	sentence,
	recommendation,
	refusal,
	openedAt,
}: FailoverPopup): Plain {
	return {
		cause: `popup:${id}`,
		occurrence: `popup:${id}`,
		kind: 'needs-you',
		since: openedAt,
		theme: `popup:${providerId}`,
		title: visibleText(sentence, { limit: TITLE_LIMIT }),
		body: visibleText(recommendation || refusal, { limit: TEXT_LIMIT }),
		agentId: null,
		about: [id, incidentId],
	};
}

function consentMatter({ id, agentName, tool, target, why, askedAt }: ConsentView): Plain {
	return {
		cause: `consent:${id}`,
		occurrence: `consent:${id}`,
		kind: 'needs-you',
		since: askedAt,
		theme: null,
		title: `May ${nameWords(agentName)} run ${nameWords(tool)}?`,
		body: visibleText(why === '' ? target : `${why}: ${target}`, { limit: TEXT_LIMIT }),
		// Not the agent's own page: the question is answered on the floor.
		agentId: null,
		about: [id],
	};
}

function needMatter(agent: AgentView): Plain {
	const { id, state, level, levelSince, order } = agent;
	// A stop outlives turns, silence and restarts: it began when the ladder said so.
	const isStop = level === 'stopped' && order === null;
	const since = isStop ? levelSince : state.since;
	return {
		cause: `agent:${id}`,
		occurrence: `agent:${id}:${isStop ? 'stop' : 'ask'}@${since}`,
		kind: 'needs-you',
		since,
		theme: `agent:${id}`,
		title: `${shownName(agent)} needs you`,
		body: visibleText(state.reason, { limit: TEXT_LIMIT }),
		agentId: id,
		about: [id],
	};
}

function incidentMatter({ id, kind, title, detail, agentId, openedAt }: Incident): Plain {
	return {
		cause: `incident:${id}`,
		occurrence: `incident:${id}`,
		kind: 'needs-you',
		since: openedAt,
		theme: incidentTheme({ kind, title, agentId }),
		title: visibleText(title, { limit: TITLE_LIMIT }),
		body: visibleText(detail, { limit: TEXT_LIMIT }),
		agentId,
		about: agentId === null ? [id] : [id, agentId],
	};
}

/** The same for an incident that another run of the floor opened for the same cause. */
export function incidentTheme({
	kind,
	title,
	agentId,
}: Pick<Incident, 'kind' | 'title' | 'agentId'>): string {
	return `incident:${kind}:${agentId ?? ''}:${title}`;
}

function doneMatter(agent: AgentView, endedAt: number, lastedMs: number): Plain {
	return {
		cause: `done:${agent.id}`,
		occurrence: `done:${agent.id}@${endedAt}`,
		kind: 'done',
		since: endedAt,
		theme: `done:${agent.id}`,
		title: `${shownName(agent)} is done`,
		body: `Its turn took ${spanWords(lastedMs)}. It waits for your next prompt.`,
		agentId: agent.id,
		about: [agent.id],
	};
}

function shownName({ name, demo }: AgentView): string {
	return `${demo ? 'Demo: ' : ''}${nameWords(name)}`;
}

function nameWords(name: string): string {
	return visibleText(name, { limit: NAME_LIMIT });
}
