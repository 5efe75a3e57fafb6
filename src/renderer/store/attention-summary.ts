/** What the line of counts says, found once for each picture. Pure. */
import { groupOf, groupOnFloor, isHeld, needsYou, waitsOf } from '../../shared/attention.ts';
import { emptyFailoverView } from '../../shared/failover-view.ts';
import { type FloorPicture, incidentsOf } from '../../shared/picture.ts';

export interface AttentionSummary {
	/** Agents that need the operator by themselves. */
	readonly needyAgents: number;
	/** Popups that ask and commands that want consent. */
	readonly decisions: number;
	/** Open urgent incidents that no agent and no question stands for already. */
	readonly incidents: number;
	/** Id of the newest of them; empty: none. */
	readonly firstIncident: string;
	/** Who is in the group of the stopped. */
	readonly barred: 'stopped' | 'held' | 'stopped or held';
}

type Summed = Pick<FloorPicture, 'agents' | 'incidents' | 'failover'>;

/** For a store selector: the same object as long as it says the same. */
export function stableSummary(): (picture: Summed) => AttentionSummary {
	let last: { picture: Summed; summary: AttentionSummary } | null = null;
	return (picture) => {
		const known = last?.picture;
		const same =
			known?.agents === picture.agents &&
			known.incidents === picture.incidents &&
			known.failover === picture.failover;
		const summary = last !== null && same ? last.summary : kept(last?.summary, summaryOf(picture));
		last = { picture, summary };
		return summary;
	};
}

export function summaryOf({ agents, incidents, failover: { value } }: Summed): AttentionSummary {
	const failover = value ?? emptyFailoverView;
	const waits = waitsOf(failover);
	const needy = [];
	let stopped = 0;
	let held = 0;
	for (const { value: agent } of agents.values()) {
		if (agent === null) continue;
		if (groupOf(agent) === 'needs-you') needy.push(agent);
		if (groupOnFloor(agent, waits.get(agent.id)) !== 'stopped') continue;
		stopped += 1;
		if (isHeld(agent)) held += 1;
	}
	const asking = needsYou({ agents: needy, incidents: incidentsOf({ incidents }), failover });
	return {
		needyAgents: needy.length,
		decisions: asking.popups.length + asking.consents.length,
		incidents: asking.incidents.length,
		firstIncident: asking.incidents[0]?.id ?? '',
		barred: held === 0 ? 'stopped' : held === stopped ? 'held' : 'stopped or held',
	};
}

function kept(before: AttentionSummary | undefined, after: AttentionSummary): AttentionSummary {
	const alike =
		before?.needyAgents === after.needyAgents &&
		before.decisions === after.decisions &&
		before.incidents === after.incidents &&
		before.firstIncident === after.firstIncident &&
		before.barred === after.barred;
	return alike ? before : after;
}
