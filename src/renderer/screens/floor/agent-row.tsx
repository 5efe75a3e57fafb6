/**
 * One agent on the floor: a two-line row while it is quiet, a plate with its evidence open while it asks for
 * attention. It listens to its own agent only.
 */
import { memo, useId } from 'react';
import type { AgentView } from '../../../shared/agent-view.ts';
import { groupOnFloor } from '../../../shared/attention.ts';
import { cloudStandIn } from '../../../shared/model-words.ts';
import { restingCap } from '../../store/caps.ts';
import { useAgent, useAgentWait, useFloorContext, useView } from '../../store/floor-context.tsx';
import { setAsked } from '../../store/view-store.ts';
import { Failure } from '../../widgets/failure.tsx';
import { AgentArticle, AgentKind, AgentName, AgentPlace, type AgentProps } from './agent-article.tsx';
import { AgentButtons } from './agent-buttons.tsx';
import { AgentFacts } from './agent-facts.tsx';
import { AgentNow } from './agent-now.tsx';
import { AgentSpend } from './agent-spend.tsx';
import { AgentStanding } from './agent-standing.tsx';
import { AgentWhy } from './agent-why.tsx';
import { CapButtons, RaisedCapNote } from './cap-remedy.tsx';
import { useSeenAtRest } from './list-rest.ts';
import { ServedTag } from './served-tag.tsx';
import './agent-row.css';
import './agent-row-narrow.css';

const plateGroups: ReadonlySet<string> = new Set(['needs-you', 'stopped', 'constrained', 'steering']);

interface AgentRowProps extends AgentProps {
	/** Many need you: each of them is as low as a quiet row. */
	crowd?: boolean;
}

export const AgentRow = memo(function AgentRow({ agentId, tabStop, position, of, crowd }: AgentRowProps) {
	const agent = useAgent(agentId);
	const wait = useAgentWait(agentId);
	const asked = useView((state) => state.asked.get(agentId));
	const nameId = useId();
	const seenAtRest = useSeenAtRest();
	if (agent === null) return null;
	const group = groupOnFloor(agent, wait);
	const plate = plateGroups.has(group);
	const brief = !plate || (crowd === true && group === 'needs-you');
	return (
		<AgentArticle
			agent={agent}
			group={group}
			className={`agent-row ${plate ? 'agent-plate' : 'agent-line'} ${brief ? 'agent-brief' : ''}`}
			nameId={nameId}
			position={position}
			of={of}
		>
			<AgentStanding agent={agent} />
			<div className="agent-who">
				<h3>
					<AgentName agent={agent} nameId={nameId} tabStop={tabStop} />
					{agent.demo && <span className="tag">demo</span>}
					<ServedTag agent={agent} tabStop={tabStop} />
					{/* The mark of a stand-in says which models, and takes their place. */}
					{cloudStandIn(agent.served) === null && (
						<span className="agent-kind">
							<AgentKind agent={agent} />
						</span>
					)}
				</h3>
				<AgentPlace agent={agent} />
			</div>
			<AgentNow agent={agent} wait={wait} />
			<div className="agent-side">
				<AgentSpend agent={agent} />
				{(!brief || tabStop || seenAtRest) && (
					<AgentButtons agent={agent} asked={asked} labelledBy={nameId} tabStop={tabStop} />
				)}
			</div>
			{plate && <AgentWhy agent={agent} labelledBy={nameId} tabStop={tabStop} />}
			<AgentFacts agent={agent} withOffers />
			<AgentFailure agent={agent} labelledBy={nameId} tabStop={tabStop} />
		</AgentArticle>
	);
});

/** What went wrong with what was asked for it, and a cap it rests on. */
export function AgentFailure(props: { agent: AgentView; labelledBy: string; tabStop: boolean }) {
	const { view } = useFloorContext();
	const { agent, tabStop } = props;
	const error = useView((state) => state.asked.get(agent.id)?.error ?? null);
	const resting = agent.state.kind === 'exited' ? null : restingCap(agent);
	return (
		<div className="agent-failure">
			{resting && <CapButtons {...props} passed={resting} />}
			<RaisedCapNote agentId={agent.id} tabStop={tabStop} />
			{error && <Failure error={error} onDismiss={() => setAsked(view, agent.id, null)} />}
		</div>
	);
}
