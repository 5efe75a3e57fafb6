/** One agent as a card: everything one asks of it at a glance, in a few square centimetres. */
import { memo, useId } from 'react';
import type { AgentView } from '../../../shared/agent-view.ts';
import { groupOnFloor } from '../../../shared/attention.ts';
import { costParts, noteGist, noteWords } from '../../../shared/format.ts';
import { cloudStandIn } from '../../../shared/model-words.ts';
import { useAgent, useAgentWait, useView } from '../../store/floor-context.tsx';
import { useTimed } from '../../widgets/age.tsx';
import { SparkLine } from '../../widgets/spark-line.tsx';
import { TokenCount } from '../../widgets/token-count.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { AgentArticle, AgentKind, AgentName, AgentPlace, type AgentProps } from './agent-article.tsx';
import { AgentButtons } from './agent-buttons.tsx';
import { AgentNow } from './agent-now.tsx';
import { AgentFailure } from './agent-row.tsx';
import { AgentStanding } from './agent-standing.tsx';
import { AgentWhy } from './agent-why.tsx';
import { ServedTag } from './served-tag.tsx';
import './agent-card.css';

export const AgentCard = memo(function AgentCard({ agentId, tabStop, position, of }: AgentProps) {
	const agent = useAgent(agentId);
	const wait = useAgentWait(agentId);
	const asked = useView((state) => state.asked.get(agentId));
	const nameId = useId();
	if (agent === null) return null;
	return (
		<AgentArticle
			agent={agent}
			group={groupOnFloor(agent, wait)}
			className="agent-card"
			nameId={nameId}
			position={position}
			of={of}
		>
			<div className="card-head">
				<h3>
					<AgentName agent={agent} nameId={nameId} tabStop={tabStop} />
					{agent.demo && <span className="tag">demo</span>}
				</h3>
				<AgentStanding agent={agent} />
			</div>
			<AgentPlace agent={agent} />
			<p className="card-model">
				<ServedTag agent={agent} tabStop={tabStop} />
				{cloudStandIn(agent.served) === null && <AgentKind agent={agent} />}
			</p>
			<AgentNow agent={agent} wait={wait} />
			<AgentWhy agent={agent} labelledBy={nameId} tabStop={tabStop} />
			<Trouble agent={agent} />
			<LastNote agent={agent} />
			<AgentFailure agent={agent} labelledBy={nameId} tabStop={tabStop} />
			<div className="card-foot">
				<Spend agent={agent} />
				<AgentButtons agent={agent} asked={asked} labelledBy={nameId} tabStop={tabStop} />
			</div>
		</AgentArticle>
	);
});

function Spend({ agent: { usage, spark } }: { agent: AgentView }) {
	const { amount, note } = costParts(usage);
	return (
		<p className="card-spend figures">
			<span title={note || undefined}>
				<span className="unseen">Cost </span>
				<b>{amount}</b> {usage === null && <small>{note}</small>}
			</span>
			{usage && (
				<span>
					<TokenCount tokens={usage.work} /> work tokens
				</span>
			)}
			{spark && <SparkLine spark={spark} width={96} />}
		</p>
	);
}

/** The last turn that failed for the provider's sake, and caps that come near. */
function Trouble({ agent: { providerTrouble, warnings, denials } }: { agent: AgentView }) {
	const words = [
		...(providerTrouble ? [`Provider trouble: ${providerTrouble.message || providerTrouble.error}`] : []),
		...warnings,
	];
	return (
		<>
			{words.map((text) => (
				<p key={text} className="card-line fact-aware">
					<Untrusted text={text} limit={160} line />
				</p>
			))}
			{denials.count > 0 && (
				<p className="card-line">
					{denials.count === 1 ? '1 call refused' : `${denials.count} calls refused`}
				</p>
			)}
		</>
	);
}

function LastNote({ agent: { notes } }: { agent: AgentView }) {
	const [note] = notes;
	const where = useTimed((now) => (note ? noteWords(note, now) : ''));
	if (!note) return null;
	return (
		<p className="card-line card-note">
			<span className="nowrap">{note.source === 'operator' ? 'Your note' : 'Note'}</span>
			<Untrusted text={noteGist(note.text)} limit={120} line />
			<span className="nowrap">{where}</span>
		</p>
	);
}
