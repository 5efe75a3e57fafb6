/** What needs the operator, and how many agents are in each group. A count leads to what it counts. */
import { useMemo } from 'react';
import {
	type AgentGroup,
	groupOf,
	groupOnFloor,
	isHeld,
	needsYou,
	waitsOf,
} from '../../../shared/attention.ts';
import { emptyFailoverView, type FailoverView } from '../../../shared/failover-view.ts';
import { agentsOf, type FloorPicture, incidentsOf } from '../../../shared/picture.ts';
import type { Incident } from '../../../shared/snapshot.ts';
import { useFailover, useFloor, useFloorContext, useLostSince } from '../../store/floor-context.tsx';
import { stableLayout } from '../../store/floor-layout.ts';
import { focusNextDecision } from '../../widgets/decision-focus.ts';
import { LevelGlyph } from '../../widgets/level-glyph.tsx';
import { focusAgent } from './agent-focus.ts';
import { focusIncident } from './incident-focus.ts';
import './attention-counts.css';

const countWords: Record<AgentGroup, (count: number) => string> = {
	'needs-you': (count) => (count === 1 ? 'needs you' : 'need you'),
	stopped: () => 'stopped',
	constrained: () => 'constrained',
	steering: () => 'steering',
	working: () => 'working',
	waiting: () => 'waiting',
	unverifiable: () => 'unverifiable',
	exited: () => 'exited',
};

export function AttentionCounts() {
	const select = useMemo(() => stableLayout(''), []);
	const { groups } = useFloor(({ picture }) => select(picture));
	const stopped = useFloor(({ picture }) => stoppedWords(picture));
	const needy = useFloor(({ picture }) => needyAgents(picture));
	const decisions = useFailover(decisionsIn);
	const incidents = useFloor(({ picture }) => urgentIncidents(picture).length);
	const firstIncident = useFloor(({ picture }) => urgentIncidents(picture)[0]?.id ?? '');
	const lost = useLostSince() !== null;
	const { view } = useFloorContext();
	const show = (group: AgentGroup, id: string) => {
		view.setState({ filter: '', ...(group === 'exited' ? { exitedOpen: true } : {}) });
		// The row may only be there after the filter is gone.
		requestAnimationFrame(() => focusAgent(id));
	};
	return (
		<ul className="counts" aria-label="Agents by what they need">
			{decisions > 0 && (
				<li>
					<button
						type="button"
						className={lost ? 'count' : 'count count-needs-you'}
						onClick={() => focusNextDecision()}
					>
						<b>{decisions}</b> {decisionWords(decisions, lost)}
					</button>
				</li>
			)}
			{incidents > 0 && (
				<li>
					<button
						type="button"
						className={lost ? 'count' : 'count count-needs-you'}
						data-testid="count-incidents"
						onClick={() => focusIncident(firstIncident)}
					>
						<b>{incidents}</b> {incidentWords(incidents, lost)}
					</button>
				</li>
			)}
			{needy === 0 && decisions === 0 && incidents === 0 && (
				<li className="count-calm">{lost ? 'What needs you is not known' : 'Nothing needs you'}</li>
			)}
			{groups.map(({ group, ids }) => {
				// Whoever only a decision stands for is counted with that decision.
				const counted = group === 'needs-you' ? needy : ids.length;
				if (counted === 0) return null;
				return (
					<li key={group}>
						<button
							type="button"
							className={`count count-${group}`}
							onClick={() => show(group, ids[0] ?? '')}
						>
							<CountGlyph group={group} />
							<b>{counted}</b> {group === 'stopped' ? stopped : countWords[group](counted)}
						</button>
					</li>
				);
			})}
		</ul>
	);
}

/** Agents that need the operator by themselves. */
function needyAgents(picture: FloorPicture): number {
	return agentsOf(picture).filter((agent) => groupOf(agent) === 'needs-you').length;
}

/** Those that no agent and no question stands for already. */
function urgentIncidents(picture: FloorPicture): readonly Incident[] {
	const failover = picture.failover.value ?? emptyFailoverView;
	return needsYou({ agents: agentsOf(picture), incidents: incidentsOf(picture), failover }).incidents;
}

function incidentWords(incidents: number, lost: boolean): string {
	if (lost) return incidents === 1 ? 'incident, last known' : 'incidents, last known';
	return incidents === 1 ? 'incident needs you' : 'incidents need you';
}

function decisionWords(decisions: number, lost: boolean): string {
	if (lost) return decisions === 1 ? 'decision, last known' : 'decisions, last known';
	return decisions === 1 ? 'decision waits' : 'decisions wait';
}

/** Popups that ask and commands that want consent. */
function decisionsIn(failover: FailoverView): number {
	const { popups, consents } = needsYou({ agents: [], incidents: [], failover });
	return popups.length + consents.length;
}

/** "stopped", "held" or both, by who is in that group. */
function stoppedWords(picture: FloorPicture): string {
	const waits = waitsOf(picture.failover.value ?? emptyFailoverView);
	const group = agentsOf(picture).filter((agent) => groupOnFloor(agent, waits.get(agent.id)) === 'stopped');
	const held = group.filter(isHeld).length;
	if (held === 0) return 'stopped';
	return held === group.length ? 'held' : 'stopped or held';
}

function CountGlyph({ group }: { group: AgentGroup }) {
	if (group === 'stopped' || group === 'constrained' || group === 'steering')
		return <LevelGlyph level={group} />;
	return null;
}
