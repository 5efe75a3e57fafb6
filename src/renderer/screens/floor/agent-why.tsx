/** Why an agent is where it is: the reason in a sentence, the count, what clears it, and what your order does. */
import type { AgentView } from '../../../shared/agent-view.ts';
import { levelMeanings, stopProgressWords } from '../../../shared/format.ts';
import { Ago } from '../../widgets/age.tsx';
import { EvidenceCount, EvidenceOccurrences } from '../../widgets/evidence-view.tsx';
import { Untrusted, UntrustedBlock } from '../../widgets/untrusted.tsx';
import { CapRemedy } from './cap-remedy.tsx';
import './agent-why.css';

interface AgentWhyProps {
	agent: AgentView;
	/** Id of the element with the agent's name. */
	labelledBy: string;
	/** Whether Tab comes to its buttons. */
	tabStop: boolean;
}

export function AgentWhy({ agent, labelledBy, tabStop }: AgentWhyProps) {
	const { evidence, levelReason, climbHeld, order, stopProgress, level } = agent;
	const silent = evidence === null && levelReason === '' && climbHeld === '' && !order && !stopProgress;
	if (silent) return null;
	return (
		<div className="agent-why">
			<div className="why-verdict">
				{order && <OrderLine order={order} />}
				{stopProgress && <StopLine progress={stopProgress} />}
				{levelReason !== '' && (
					<p className="why-reason">
						<Untrusted text={levelReason} limit={400} />
					</p>
				)}
				{levelReason === '' && level !== 'healthy' && !order && (
					<p className="why-reason">It {levelMeanings[level]}.</p>
				)}
				{evidence && <EvidenceCount evidence={evidence} level={level} />}
				{climbHeld !== '' && (
					<p className="soft">
						Not climbing: <Untrusted text={climbHeld} limit={300} />
					</p>
				)}
			</div>
			{evidence && <EvidenceOccurrences evidence={evidence} />}
			<CapRemedy agent={agent} labelledBy={labelledBy} tabStop={tabStop} />
		</div>
	);
}

function OrderLine({ order }: { order: NonNullable<AgentView['order']> }) {
	const what = { hold: 'You hold it', constrain: 'You limited it to reading', stop: 'You stopped it' }[
		order.kind
	];
	return (
		<p className="why-reason">
			{what}, <Ago at={order.at} />
			{order.words === '' ? '.' : ': '}
			{order.words !== '' && <UntrustedBlock text={order.words} limit={400} />}
		</p>
	);
}

/** The words are only true at the moment they were checked, so the moment is shown. */
function StopLine({ progress }: { progress: NonNullable<AgentView['stopProgress']> }) {
	const grave = progress.phase === 'still-running' || progress.phase === 'process-unknown';
	return (
		<p className={grave ? 'why-grave' : 'soft'} data-testid="stop-progress">
			<span>{stopProgressWords(progress)}</span>{' '}
			<span className="quiet">
				checked <Ago at={progress.checkedAt} />
			</span>
		</p>
	);
}
