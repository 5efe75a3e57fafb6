/** What else is worth knowing of an agent at a glance. Nothing is drawn for an agent of whom there is nothing to say. */
import type { ReactNode } from 'react';
import type { AgentView } from '../../../shared/agent-view.ts';
import type { FailoverView } from '../../../shared/failover-view.ts';
import { noteGist, noteWords } from '../../../shared/format.ts';
import { count } from '../../store/failover-words.ts';
import { useFailover, useFloorContext } from '../../store/floor-context.tsx';
import { Ago, useTimed } from '../../widgets/age.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import './agent-facts.css';

interface AgentFactsProps {
	agent: AgentView;
	/** Whether it counts the answers that could be compared; where they are listed, they need no count. */
	withOffers?: boolean;
}

export function AgentFacts({ agent, withOffers = false }: AgentFactsProps) {
	const offers = useFailover((failover) => (withOffers ? offersOf(failover, agent.id) : 0));
	const { view } = useFloorContext();
	const facts = factsOf(agent);
	if (offers > 0) {
		facts.push(
			<li key="offers">
				<button
					type="button"
					className="button button-bare fact-offers"
					onClick={() => view.setState({ dialog: { kind: 'offers' } })}
				>
					{count(offers, 'local answer')} to compare
				</button>
			</li>,
		);
	}
	if (facts.length === 0) return null;
	return <ul className="agent-facts">{facts}</ul>;
}

function offersOf({ offers }: FailoverView, agentId: string): number {
	return offers.filter((offer) => offer.agentId === agentId).length;
}

function factsOf(agent: AgentView): ReactNode[] {
	const { providerTrouble, warnings, notes, denials, subagents } = agent;
	const facts: ReactNode[] = [];
	if (providerTrouble) {
		facts.push(
			<li key="trouble" className="fact-aware">
				Provider trouble: <Untrusted text={providerTrouble.message || providerTrouble.error} limit={160} />{' '}
				<span className="quiet">
					<Ago at={providerTrouble.at} />
				</span>
			</li>,
		);
	}
	for (const warning of warnings) {
		facts.push(
			<li key={`warning ${warning}`} className="fact-aware">
				<Untrusted text={warning} limit={160} />
			</li>,
		);
	}
	const note = notes[0];
	if (note) facts.push(<NoteFact key="note" note={note} />);
	if (denials.count > 0) {
		facts.push(
			<li key="denials">
				{denials.count === 1 ? '1 call refused' : `${denials.count} calls refused`}
				{denials.last && (
					<>
						, last <Untrusted text={denials.last.tool} limit={60} />:{' '}
						<Untrusted text={denials.last.reason} limit={160} />
					</>
				)}
			</li>,
		);
	}
	if (subagents.length > 0) {
		const types = [...new Set(subagents.map(({ type }) => type))].filter(Boolean).slice(0, 3).join(', ');
		facts.push(
			<li key="subagents">
				{subagents.length === 1 ? '1 subagent' : `${subagents.length} subagents`}
				{types !== '' && (
					<>
						: <Untrusted text={types} limit={80} />
					</>
				)}
			</li>,
		);
	}
	return facts;
}

function NoteFact({ note }: { note: AgentView['notes'][number] }) {
	const where = useTimed((now) => noteWords(note, now));
	return (
		<li>
			{note.source === 'operator' ? 'Your note' : 'Note'} “
			<Untrusted text={noteGist(note.text)} limit={120} />” {where}
		</li>
	);
}
