/** Who answers the agent's calls through the gateway, since when, and whether its session runs locally. */
import type { AgentView } from '../../../shared/agent-view.ts';
import { cloudStandIn } from '../../../shared/model-words.ts';
import { count } from '../../store/failover-words.ts';
import { useFailover } from '../../store/floor-context.tsx';
import { Span } from '../../widgets/age.tsx';
import { ModelTag } from '../../widgets/model-tag.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { StandInTag } from '../models/stand-in-tag.tsx';

/** Nothing for an agent that does not talk through the gateway. */
export function AnsweredBy({ agent: { id, served } }: { agent: AgentView }) {
	const route = useFailover(({ routes }) => routes.find(({ agentId }) => agentId === id));
	if (served === null && !route) return null;
	const standIn = cloudStandIn(served);
	return (
		<div className="answered" data-testid="answered-by">
			{served && (
				<p>
					Answered by{' '}
					{standIn ? (
						<StandInTag served={standIn} tabStop />
					) : (
						<ModelTag harness={served.harness} model={served.model} />
					)}{' '}
					<span className="quiet">
						at <Untrusted text={served.at} limit={60} />, since <Span since={served.since} />
					</span>
				</p>
			)}
			{route && (
				<p>
					Runs locally until <Untrusted text={route.providerId} limit={60} /> is back:{' '}
					<Untrusted text={route.modelId} limit={120} />, {count(route.turns, 'turn')} in{' '}
					<Span since={route.since} />
				</p>
			)}
		</div>
	);
}
