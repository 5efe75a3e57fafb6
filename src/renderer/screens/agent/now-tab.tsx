/** How an agent stands now, why, and what can be done. */
import type { ReactNode } from 'react';
import type { AgentView } from '../../../shared/agent-view.ts';
import { isHeld } from '../../../shared/attention.ts';
import { stateWords } from '../../../shared/format.ts';
import { useAgentWait, useFloorContext, useView } from '../../store/floor-context.tsx';
import { isGatewayOnly } from '../../store/gateway-only.ts';
import { setAsked } from '../../store/view-store.ts';
import { Span, useTimed } from '../../widgets/age.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { LevelMark } from '../../widgets/level-glyph.tsx';
import { StateGlyph } from '../../widgets/state-glyph.tsx';
import { ToolCall } from '../../widgets/tool-call.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { AgentButtons } from '../floor/agent-buttons.tsx';
import { AgentFacts } from '../floor/agent-facts.tsx';
import { AgentWhy } from '../floor/agent-why.tsx';
import { RaisedCapNote } from '../floor/cap-remedy.tsx';
import { WaitLine } from '../floor/wait-line.tsx';
import { AgentOffers } from '../improve/improve-offers.tsx';
import { AgentIdentity } from './agent-identity.tsx';
import { AnsweredBy } from './answered-by.tsx';

export function NowTab({ agent, titleId }: { agent: AgentView; titleId: string }) {
	const { view } = useFloorContext();
	const asked = useView((state) => state.asked.get(agent.id));
	const state = useTimed((now) => stateWords(agent.state, now));
	const wait = useAgentWait(agent.id);
	return (
		<div className="drawer-parts">
			<div className="drawer-standing">
				{wait && agent.state.kind !== 'exited' && <WaitLine wait={wait} />}
				<p className={agent.state.needsYou ? 'drawer-state drawer-for-you' : 'drawer-state'}>
					<StateGlyph state={agent.state} /> <Untrusted text={state} limit={600} />{' '}
					<span className="quiet">
						<Span since={agent.state.since} />
					</span>
				</p>
				<p className="drawer-levels">
					<LevelMark level={agent.standing} word={isHeld(agent) ? 'held' : agent.standing} />
					{agent.state.kind === 'exited' && agent.standing !== 'healthy' && (
						<span className="quiet">when it ended</span>
					)}
					{agent.standing !== agent.level && <span className="quiet">the ladder says {agent.level}</span>}
				</p>
				<AgentWhy agent={agent} labelledBy={titleId} tabStop />
				<RaisedCapNote agentId={agent.id} tabStop />
				<AnsweredBy agent={agent} />
				{isGatewayOnly(agent) && (
					<p className="soft">Seen through the gateway only: connect its hooks for tools and usage.</p>
				)}
				<AgentFacts agent={agent} />
				<AgentOffers agentId={agent.id} />
				<AgentButtons agent={agent} asked={asked} labelledBy={titleId} tabStop withKeys />
				{asked?.error && <Failure error={asked.error} onDismiss={() => setAsked(view, agent.id, null)} />}
			</div>
			<Section title="Tools, newest first">
				{agent.lastTools.length === 0 && <p className="quiet">No tool call seen yet.</p>}
				<ul className="drawer-list">
					{agent.lastTools.map((call, index) => (
						// Two calls may start in the same millisecond.
						// biome-ignore lint/suspicious/noArrayIndexKey: see above
						<li key={`${call.at} ${index}`}>
							<ToolCall call={call} />
						</li>
					))}
				</ul>
			</Section>
			<Section title="Identity">
				<AgentIdentity agent={agent} />
			</Section>
		</div>
	);
}

function Section({ title, children }: { title: string; children: ReactNode }) {
	return (
		<section className="drawer-section">
			<h3>{title}</h3>
			{children}
		</section>
	);
}
