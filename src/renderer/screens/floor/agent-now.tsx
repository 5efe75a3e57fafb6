/** What an agent does or waits for, and how old that is. */
import type { AgentView } from '../../../shared/agent-view.ts';
import type { AgentWait } from '../../../shared/attention.ts';
import { stateWords } from '../../../shared/format.ts';
import { Span, useTimed } from '../../widgets/age.tsx';
import { StateGlyph } from '../../widgets/state-glyph.tsx';
import { ToolCall } from '../../widgets/tool-call.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { WaitLine } from './wait-line.tsx';

export function AgentNow({ agent, wait }: { agent: AgentView; wait: AgentWait | undefined }) {
	return (
		<div className="agent-now">
			{wait && agent.state.kind !== 'exited' ? (
				<WaitLine wait={wait} decidable />
			) : (
				<StateLine agent={agent} />
			)}
			{isAsking(agent) && !wait && <p className="agent-where">answer it in its own terminal</p>}
			<Doing agent={agent} />
		</div>
	);
}

/** A permission or a question that only the client itself can take the answer to; a stop or a failed turn is none. */
function isAsking({ state, standing, providerTrouble, demo }: AgentView): boolean {
	const failed = providerTrouble !== null && providerTrouble.at >= state.since;
	return state.kind === 'waiting' && state.needsYou && standing !== 'stopped' && !failed && !demo;
}

function StateLine({ agent }: { agent: AgentView }) {
	const { state } = agent;
	const words = useTimed((now) => stateWords(state, now));
	return (
		<p className={`agent-state ${state.needsYou ? 'agent-state-for-you' : ''}`}>
			<StateGlyph state={state} />
			<span className="agent-state-words">
				<Untrusted text={words} />{' '}
				{(state.kind === 'waiting' || state.kind === 'exited') && (
					<span className="agent-state-age">
						<Span since={state.since} />
					</span>
				)}
			</span>
		</p>
	);
}

/** The call in flight, else the last one. */
function Doing({ agent }: { agent: AgentView }) {
	const call = agent.doing ?? agent.lastTools[0];
	if (agent.compacting) return <p className="agent-doing">compacting its context</p>;
	if (!call) return agent.state.kind === 'live' && <p className="agent-doing quiet">no tool call seen yet</p>;
	return (
		<p className="agent-doing">
			<ToolCall call={call} />
		</p>
	);
}
