/** What needs the operator: the one selection that tray, badge, title, notifications and window share. Pure. */
import type { AgentView } from './agent-view.ts';
import type { ConsentView, FailoverPopup, FailoverView, HeldTurnView } from './failover-view.ts';
import type { ModelChainView, ModelsView } from './models-view.ts';
import type { FloorSnapshot, Incident } from './snapshot.ts';

/** Groups of agents, in the order in which they matter to the operator. */
export const attentionGroups = [
	'needs-you',
	'stopped',
	'constrained',
	'steering',
	'working',
	'waiting',
	'unverifiable',
	'exited',
] as const;
export type AgentGroup = (typeof attentionGroups)[number];

/**
 * The one group of an agent. An agent that has exited needs nobody, whatever it asked for last; but what would still
 * be refused when it is resumed (a stop, an order) keeps it where the operator can lift it.
 */
export function groupOf(agent: AgentView): AgentGroup {
	if (agent.state.kind === 'exited') {
		const barred = agent.standing === 'stopped' || agent.order !== null;
		return barred && agent.standing !== 'healthy' ? agent.standing : 'exited';
	}
	if (agent.state.needsYou) return 'needs-you';
	if (agent.standing !== 'healthy') return agent.standing;
	if (agent.state.kind === 'live') return 'working';
	return agent.state.kind;
}

/** What keeps an agent from going on until somebody decides or the network is back. */
export type AgentWait =
	| { readonly kind: 'consent'; readonly asks: true; readonly consent: ConsentView }
	| {
			readonly kind: 'turn';
			/** `false`: the operator has answered already, and it waits for the network. */
			readonly asks: boolean;
			readonly popup: FailoverPopup;
			readonly turn: HeldTurnView;
	  };

type Waiting = Pick<FailoverView, 'popups' | 'consents'>;
const knownWaits = new WeakMap<Waiting, ReadonlyMap<string, AgentWait>>();

/**
 * The agents that wait, by id, each with the one thing that matters most: a consent before a turn, what asks before
 * what waits, the shortest time first. The same view gives the same objects.
 */
export function waitsOf(failover: Waiting): ReadonlyMap<string, AgentWait> {
	const known = knownWaits.get(failover);
	if (known) return known;
	const waits = new Map<string, AgentWait>();
	const put = (agentId: string | null, wait: AgentWait): void => {
		if (agentId === null) return;
		const other = waits.get(agentId);
		if (!other || isMoreUrgent(wait, other)) waits.set(agentId, wait);
	};
	for (const popup of failover.popups) {
		for (const turn of popup.turns) {
			if (turn.state !== 'asking' && turn.state !== 'waiting') continue;
			const asks = turn.state === 'asking' && !popup.waiting;
			put(turn.agentId, { kind: 'turn', asks, popup, turn });
		}
	}
	for (const consent of failover.consents) put(consent.agentId, { kind: 'consent', asks: true, consent });
	knownWaits.set(failover, waits);
	return waits;
}

function isMoreUrgent(one: AgentWait, other: AgentWait): boolean {
	if (one.kind !== other.kind) return one.kind === 'consent';
	if (one.asks !== other.asks) return one.asks;
	return waitEnd(one) < waitEnd(other);
}

/** When its time is over, ms. */
export function waitEnd(wait: AgentWait): number {
	return wait.kind === 'consent' ? wait.consent.expiresAt : wait.turn.heldUntil;
}

/** Since when it waits, ms. */
export function waitSince(wait: AgentWait): number {
	return wait.kind === 'consent' ? wait.consent.askedAt : wait.turn.heldSince;
}

/** Where an agent stands on the floor: with those that need the operator also while a question about it waits. */
export function groupOnFloor(agent: AgentView, wait: AgentWait | undefined): AgentGroup {
	return agent.state.kind !== 'exited' && wait?.asks ? 'needs-you' : groupOf(agent);
}

/** Refused everything until resumed by the operator's mere hold: enforced like a stop, and never called one. */
export function isHeld(agent: Pick<AgentView, 'standing' | 'order'>): boolean {
	return agent.standing === 'stopped' && agent.order?.kind === 'hold';
}

/** The part of the floor that can ask for the operator. */
export type AskingFloor = Pick<FloorSnapshot, 'agents' | 'incidents'> &
	Partial<Pick<FloorSnapshot, 'failover'>>;

/** Everything that needs the operator now. One cause stands in one list. */
export interface NeedsYou {
	readonly agents: readonly AgentView[];
	/** Open urgent ones that neither an agent nor a popup stands for already. */
	readonly incidents: readonly Incident[];
	/** Those that still ask. */
	readonly popups: readonly FailoverPopup[];
	readonly consents: readonly ConsentView[];
}

export function needsYou({ agents, incidents, failover }: AskingFloor): NeedsYou {
	const asking = agents.filter((agent) => groupOf(agent) === 'needs-you');
	const popups = failover?.popups ?? [];
	const ids = new Set(asking.map((agent) => agent.id));
	const shown = new Set(popups.map((popup) => popup.incidentId));
	return {
		agents: asking,
		incidents: incidents.filter(
			({ id, endedAt, severity, agentId }) =>
				endedAt === null &&
				severity === 'urgent' &&
				!shown.has(id) &&
				(agentId === null || !ids.has(agentId)),
		),
		popups: popups.filter(isAsking),
		consents: failover?.consents ?? [],
	};
}

/** Whether a popup still asks: a turn of it is held for an answer, and the operator has not chosen to wait. */
export function isAsking({ waiting, turns }: Pick<FailoverPopup, 'waiting' | 'turns'>): boolean {
	return !waiting && turns.some(({ state }) => state === 'asking');
}

/** How a chain of models stands, what matters most to the operator first. */
export const chainStandings = [
	/** Money ran out: only a person helps. */
	'spend-limit',
	/** Every model of it is limited. */
	'exhausted',
	/** The preferred model is limited, and no other is named: calls still go to it. */
	'unaided',
	/** The preferred model is limited, another stands in. */
	'fallback',
	/** Whether the preferred model has recovered is being tested. */
	'testing',
	/** The operator keeps it on the fallback. */
	'held',
	/** All is well. */
	'preferred',
] as const;
export type ChainStanding = (typeof chainStandings)[number];

export function standingOf(chain: ModelChainView): ChainStanding {
	if (chain.spendLimit !== null) return 'spend-limit';
	if (chain.state === 'closed') return 'preferred';
	if (chain.fallbackChain.length === 0) return chain.state === 'open' ? 'unaided' : 'testing';
	// Whoever calls next tests the preferred model: that is no waiting for a time.
	if (chain.modelInUse === null) return isInTest(chain) ? 'testing' : 'exhausted';
	if (chain.held) return 'held';
	return chain.state === 'open' ? 'fallback' : 'testing';
}

/** The chain as it stands apart from its money: both may be so at a time, and each is told by itself. */
export function withoutMoney(chain: ModelChainView): ModelChainView {
	return { ...chain, spendLimit: null };
}

/** A call tests whether the preferred model has recovered, or the next one does. */
function isInTest(chain: ModelChainView): boolean {
	return chain.state === 'half-open' || nextCallTests(chain);
}

/** The cooldown is over and nobody tests yet: whoever calls next makes the test call. */
export function nextCallTests({ state, held, probe, resumeAt }: ModelChainView): boolean {
	if (held || probe !== null) return false;
	return state === 'half-open' || (state === 'open' && resumeAt === null);
}

/** All chains, what matters most first; the id makes the order total. */
export function chainsByStanding({ chains }: Pick<ModelsView, 'chains'>): ModelChainView[] {
	const rank = (chain: ModelChainView) => chainStandings.indexOf(standingOf(chain));
	return [...chains].sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

/** All chains in the order in which they are read: what asks, what the operator set up, what was only seen, what is calm. */
export function chainsToRead(models: Pick<ModelsView, 'chains'>): ModelChainView[] {
	const rank = (chain: ModelChainView): number => {
		const standing = standingOf(chain);
		if (standing === 'spend-limit') return 0;
		if (standing === 'preferred') return 3;
		return chain.source === 'seen' ? 2 : 1;
	};
	return chainsByStanding(models).sort((a, b) => rank(a) - rank(b));
}

/** Those that are not simply on their preferred model, what matters most first. */
export function limitedChains(models: Pick<ModelsView, 'chains'>): ModelChainView[] {
	return chainsByStanding(models).filter((chain) => standingOf(chain) !== 'preferred');
}
