/** How many agents are in each group, what needs the operator first. A count leads to its group. */
import { useMemo } from 'react';
import { type AgentGroup, groupOf, isHeld, needsYou } from '../../../shared/attention.ts';
import type { FailoverView } from '../../../shared/failover-view.ts';
import { agentsOf, type FloorPicture } from '../../../shared/picture.ts';
import { useFailover, useFloor, useFloorContext, useLostSince } from '../../store/floor-context.tsx';
import { stableLayout } from '../../store/floor-layout.ts';
import { focusNextDecision } from '../../widgets/decision-focus.ts';
import { LevelGlyph } from '../../widgets/level-glyph.tsx';
import { focusAgent } from './agent-focus.ts';
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
	const { groups } = useFloor(({ picture }) => select(picture.agents));
	const stopped = useFloor(({ picture }) => stoppedWords(picture));
	const decisions = useFailover(decisionsIn);
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
			{groups[0]?.group !== 'needs-you' && decisions === 0 && (
				<li className="count-calm">{lost ? 'What needs you is not known' : 'Nothing needs you'}</li>
			)}
			{groups.map(({ group, ids }) => (
				<li key={group}>
					<button type="button" className={`count count-${group}`} onClick={() => show(group, ids[0] ?? '')}>
						<CountGlyph group={group} />
						<b>{ids.length}</b> {group === 'stopped' ? stopped : countWords[group](ids.length)}
					</button>
				</li>
			))}
		</ul>
	);
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
	const group = agentsOf(picture).filter((agent) => groupOf(agent) === 'stopped');
	const held = group.filter(isHeld).length;
	if (held === 0) return 'stopped';
	return held === group.length ? 'held' : 'stopped or held';
}

function CountGlyph({ group }: { group: AgentGroup }) {
	if (group === 'stopped' || group === 'constrained' || group === 'steering')
		return <LevelGlyph level={group} />;
	return null;
}
