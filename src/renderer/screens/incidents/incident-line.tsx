/** One incident: what it is, where it is in its life, who decided what; the whole text unfolds. */
import { type KeyboardEvent, useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import { exactNumber, sentenceWords, spanWords } from '../../../shared/format.ts';
import type { Incident, IncidentDecision } from '../../../shared/snapshot.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import { useAgent, useFloorContext } from '../../store/floor-context.tsx';
import {
	deciderWords,
	type IncidentRow,
	incidentKindWords,
	severityWords,
} from '../../store/incident-list.ts';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { Ago, ClockTime, Span } from '../../widgets/age.tsx';
import { AgentName } from '../../widgets/agent-name.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { SeverityGlyph } from '../../widgets/severity-glyph.tsx';
import { Untrusted, UntrustedBlock } from '../../widgets/untrusted.tsx';
import { AnswerButton } from './answer-button.tsx';
import { dismissIncident } from './dismiss-incident.ts';

/** Longest text that is unfolded, characters. */
const WHOLE = 20_000;

interface IncidentLineProps {
	row: IncidentRow;
	/** The one row of the page that Tab comes to. */
	active: boolean;
	unfolded: boolean;
	onUnfold: (unfolded: boolean) => void;
}

/** The inside of a row; the row itself is an element of the list around it. */
export function IncidentLine({ row, active, unfolded, onUnfold }: IncidentLineProps) {
	const { incident, state, asks, answer, isQuestion } = row;
	const { severity, kind, title, agentId, endedAt } = incident;
	const context = useFloorContext();
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const tabIndex = active ? 0 : -1;
	const shownTitle = visibleText(title, { limit: 80 });
	const dismiss = () => {
		setError(null);
		dismissIncident(context, incident).catch((cause: unknown) => setError(channelErrorOf(cause)));
	};
	return (
		<>
			<SeverityGlyph severity={severity} />
			<div className="incident-row-text">
				<p className="incident-row-title">
					<strong>
						<Untrusted text={title} />
					</strong>
				</p>
				<p className="incident-row-facts">
					<span>{severityWords[severity]}</span>
					<span>{incidentKindWords(kind)}</span>
					<Lifetime incident={incident} />
					{incident.count > 1 && (
						<span>
							{exactNumber(incident.count)} times, last <Ago at={incident.updatedAt} />
						</span>
					)}
					{agentId !== null && <OfAgent agentId={agentId} tabIndex={tabIndex} />}
				</p>
				<Decided incident={incident} unfolded={unfolded} />
				{unfolded && <Whole incident={incident} />}
				{error && <Failure error={error} onDismiss={() => setError(null)} />}
			</div>
			<div className="incident-row-end">
				<span className={`incident-state ${asks ? 'incident-state-asks' : ''}`} data-testid="incident-state">
					{asks ? 'needs you' : state}
				</span>
				<div className="incident-row-buttons">
					{answer !== null && endedAt === null && (
						<AnswerButton answer={answer} asks={asks} title={shownTitle} tabIndex={tabIndex} />
					)}
					<button
						type="button"
						className="button button-bare"
						aria-expanded={unfolded}
						aria-label={`Details: ${shownTitle}`}
						tabIndex={tabIndex}
						data-testid="incident-details"
						onClick={() => onUnfold(!unfolded)}
					>
						<Icon name="chevron" turned={unfolded} />
					</button>
					{endedAt === null && !isQuestion && (
						<button
							type="button"
							className="button button-bare"
							aria-label={`Dismiss: ${shownTitle}`}
							title="Dismiss"
							tabIndex={tabIndex}
							data-testid="incident-dismiss"
							onClick={dismiss}
						>
							<Icon name="close" />
						</button>
					)}
				</div>
			</div>
		</>
	);
}

/** "open for 4 m", "lasted 12 m". */
function Lifetime({ incident: { openedAt, endedAt } }: { incident: Incident }) {
	if (endedAt === null) {
		return (
			<span>
				open for <Span since={openedAt} />
			</span>
		);
	}
	return (
		<span>
			<ClockTime at={openedAt} />, lasted {spanWords(endedAt - openedAt)}
		</span>
	);
}

function OfAgent({ agentId, tabIndex }: { agentId: string; tabIndex: number }) {
	const name = useAgent(agentId)?.name ?? agentId;
	return (
		<span className="incident-row-agent">
			<AgentName agentId={agentId} name={name} tabIndex={tabIndex} />
		</span>
	);
}

/** How it ended, and the last decision; the others unfold. */
function Decided({ incident, unfolded }: { incident: Incident; unfolded: boolean }) {
	const { decisions, endReason, endedAt } = incident;
	const last = decisions.at(-1);
	// "recovered" is the state beside it; what a decision has ended, that decision tells.
	const isTold = endReason === 'recovered' || last?.at === endedAt;
	const reason = endReason === null || isTold ? '' : endReason;
	const told = last !== undefined && !unfolded;
	if (reason === '' && !told) return null;
	return (
		<div className="incident-row-decided">
			{told && (
				<p>
					<Decision decision={last} />
					{decisions.length > 1 && (
						<span className="quiet"> and {exactNumber(decisions.length - 1)} earlier</span>
					)}
				</p>
			)}
			{reason !== '' && endedAt !== null && (
				<p>
					<ClockTime at={endedAt} /> <Untrusted text={sentenceWords(reason)} limit={300} />
				</p>
			)}
		</div>
	);
}

function Decision({ decision: { at, by, words } }: { decision: IncidentDecision }) {
	return (
		<>
			<ClockTime at={at} /> <span className={`incident-by incident-by-${by}`}>{deciderWords[by]}</span>:{' '}
			<Untrusted text={sentenceWords(words)} limit={400} />
		</>
	);
}

/** All that is known of it. */
function Whole({ incident: { detail, decisions, openedAt, endedAt, endReason } }: { incident: Incident }) {
	return (
		<div className="incident-row-whole" data-testid="incident-whole">
			<p>
				<UntrustedBlock text={detail} limit={WHOLE} />
			</p>
			<ol className="incident-decisions" aria-label="What happened, and who decided">
				<li>
					<ClockTime at={openedAt} /> Opened.
				</li>
				{decisions.map((decision) => (
					<li key={`${decision.at} ${decision.by} ${decision.words}`}>
						<Decision decision={decision} />
					</li>
				))}
				{decisions.length === 0 && <li className="quiet">Nobody has decided anything about it.</li>}
				{endedAt !== null && (
					<li>
						<ClockTime at={endedAt} /> Ended after {spanWords(endedAt - openedAt)}
						{endReason !== null && (
							<>
								: <Untrusted text={sentenceWords(endReason, 'inside')} limit={400} />
							</>
						)}
					</li>
				)}
			</ol>
		</div>
	);
}

/** Enter and Space on the row itself unfold it; in a control of the row they are the control's. */
export function isRowPress(event: KeyboardEvent): boolean {
	return event.target === event.currentTarget && (event.key === 'Enter' || event.key === ' ');
}
