/**
 * Why an agent is where it is: the reason in a sentence, the count, what clears it, and what your order does. What was
 * counted, one by one, is folded.
 */
import { useId } from 'react';
import type { AgentView } from '../../../shared/agent-view.ts';
import { evidenceCountWords, levelMeanings, stopProgressWords } from '../../../shared/format.ts';
import { useFloorContext, useView } from '../../store/floor-context.tsx';
import { toggleWhy } from '../../store/view-store.ts';
import { Ago } from '../../widgets/age.tsx';
import { EvidenceOccurrences } from '../../widgets/evidence-view.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { Meter } from '../../widgets/meter.tsx';
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
	const { evidence, climbHeld, order, stopProgress } = agent;
	const reason = reasonOf(agent);
	if (evidence === null && reason === '' && climbHeld === '' && !order && !stopProgress) return null;
	return (
		<div className="agent-why">
			{order && <OrderLine order={order} />}
			{stopProgress && <StopLine progress={stopProgress} />}
			{reason !== '' && (
				<p className="why-reason">
					<Untrusted text={reason} limit={400} />
				</p>
			)}
			{(evidence !== null || climbHeld !== '') && (
				<Evidence agent={agent} labelledBy={labelledBy} tabStop={tabStop} />
			)}
			<CapRemedy agent={agent} labelledBy={labelledBy} tabStop={tabStop} />
		</div>
	);
}

function reasonOf({ levelReason, level, order }: AgentView): string {
	if (levelReason !== '' || level === 'healthy' || order !== null) return levelReason;
	return `It ${levelMeanings[level]}.`;
}

/** The count and what clears it on one line; the rest on demand. */
function Evidence({ agent, labelledBy, tabStop }: AgentWhyProps) {
	const { view } = useFloorContext();
	const open = useView(({ openWhys }) => openWhys.has(agent.id));
	const restId = useId();
	const { evidence, level, climbHeld } = agent;
	return (
		<>
			<div className="why-line">
				{evidence && (
					<span className="why-count">
						<Meter count={evidence.count} limit={evidence.limit} level={level} />
						<span className="nowrap figures">{evidenceCountWords(evidence)}</span>
					</span>
				)}
				<button
					type="button"
					className="button button-bare why-toggle"
					aria-expanded={open}
					aria-controls={open ? restId : undefined}
					aria-describedby={labelledBy}
					tabIndex={tabStop ? 0 : -1}
					onClick={() => toggleWhy(view, agent.id)}
				>
					Why
					<Icon name="chevron" turned={open} />
				</button>
				{evidence && !open && (
					<span className="why-clears">
						Clears: <Untrusted text={evidence.clears} limit={300} />
					</span>
				)}
			</div>
			{open && (
				<div className="why-rest" id={restId}>
					{evidence && (
						<p className="quiet">
							since <Ago at={evidence.since} />, last <Ago at={evidence.lastAt} />
						</p>
					)}
					{evidence && <EvidenceOccurrences evidence={evidence} />}
					{climbHeld !== '' && (
						<p className="soft">
							Not climbing: <Untrusted text={climbHeld} limit={300} />
						</p>
					)}
				</div>
			)}
		</>
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
