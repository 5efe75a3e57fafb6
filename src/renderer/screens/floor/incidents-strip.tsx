/** Open incidents: what happened, how often, how old, what to do. They stay until they end or are dismissed. */
import { useMemo, useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import { type FloorPicture, incidentsOf } from '../../../shared/picture.ts';
import type { Incident } from '../../../shared/snapshot.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import { useAgent, useFailover, useFloor, useFloorContext, useView } from '../../store/floor-context.tsx';
import { severityWords } from '../../store/incident-list.ts';
import { openPage } from '../../store/page-link.ts';
import { takeAction } from '../../store/take-action.ts';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { Ago } from '../../widgets/age.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { SeverityGlyph } from '../../widgets/severity-glyph.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { dismissIncident } from '../incidents/dismiss-incident.ts';
import './incidents-strip.css';

const SHOWN = 3;
const severities: readonly Incident['severity'][] = ['urgent', 'attention', 'info'];

/** Open ones that no popup stands for, the urgent first, then the newest. */
export function openIncidents(picture: FloorPicture): Incident[] {
	const popups = picture.failover.value?.popups ?? [];
	return incidentsOf(picture)
		.filter(({ id, endedAt }) => endedAt === null && !popups.some(({ incidentId }) => incidentId === id))
		.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
}

/** What is only for information does not push agents down while there is something more to see. */
function shownAtFirst(open: readonly Incident[]): readonly Incident[] {
	const owed = open.filter(({ severity }) => severity !== 'info').slice(0, SHOWN);
	return owed.length === 0 ? open.slice(0, 1) : owed;
}

export function IncidentsStrip() {
	const incidents = useFloor((state) => state.picture.incidents);
	const popups = useFailover((failover) => failover.popups);
	const { floor, view } = useFloorContext();
	const [all, setAll] = useState(false);
	// The parts of the picture that matter here.
	// biome-ignore lint/correctness/useExhaustiveDependencies: see above
	const open = useMemo(() => openIncidents(floor.getState().picture), [incidents, popups]);
	if (open.length === 0) return null;
	const shown = shownAtFirst(open);
	const more = open.length - shown.length;
	return (
		<section className="incidents" aria-label="Incidents">
			<ul>
				{(all ? open : shown).map((incident) => (
					<IncidentLine key={incident.id} incident={incident} />
				))}
			</ul>
			<div className="incidents-foot">
				{more > 0 && (
					<button
						type="button"
						className="button button-bare"
						aria-expanded={all}
						onClick={() => setAll(!all)}
					>
						{all ? 'Show fewer' : `and ${more} more`}
					</button>
				)}
				<button
					type="button"
					className="button button-bare"
					data-testid="all-incidents"
					onClick={() => openPage(view, 'incidents')}
				>
					All incidents
				</button>
			</div>
		</section>
	);
}

function IncidentLine({ incident }: { incident: Incident }) {
	const context = useFloorContext();
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const { id, severity, title, detail, count, updatedAt, agentId } = incident;
	const dismiss = () => {
		setError(null);
		dismissIncident(context, incident).catch((cause: unknown) => setError(channelErrorOf(cause)));
	};
	return (
		<li
			className={`incident incident-${severity}`}
			data-testid="incident"
			data-severity={severity}
			data-incident-id={id}
			tabIndex={-1}
		>
			<SeverityGlyph severity={severity} />
			<div className="incident-text">
				<p className="incident-title">
					<span className="unseen">{severityWords[severity]}: </span>
					<strong>
						<Untrusted text={title} />
					</strong>{' '}
					<span className="quiet nowrap">
						{count > 1 && `${count} times, last `}
						<Ago at={updatedAt} />
					</span>
				</p>
				<p className="incident-detail">
					<Untrusted text={detail} limit={600} />
				</p>
				{error && <Failure error={error} onDismiss={() => setError(null)} />}
			</div>
			<div className="incident-buttons">
				{agentId !== null && <IncidentAgent agentId={agentId} />}
				<button
					type="button"
					className="button button-bare"
					aria-label={`Dismiss: ${visibleText(title, { limit: 80 })}`}
					onClick={dismiss}
				>
					<Icon name="close" />
				</button>
			</div>
		</li>
	);
}

/** The way to the agent that an incident is about. A failed resume is told at the agent itself. */
function IncidentAgent({ agentId }: { agentId: string }) {
	const { transport, view } = useFloorContext();
	const agent = useAgent(agentId);
	const pending = useView(({ asked }) => asked.get(agentId)?.error === null);
	if (agent === null) return null;
	const name = visibleText(agent.name, { limit: 80 });
	return (
		<>
			{agent.standing === 'stopped' && (
				<button
					type="button"
					className="button"
					aria-label={`Resume ${name}`}
					aria-disabled={pending}
					aria-busy={pending}
					onClick={() => void takeAction(transport, view, agentId, 'resume')}
				>
					Resume
				</button>
			)}
			<button
				type="button"
				className="button"
				aria-label={`Show ${name}`}
				data-testid="incident-show"
				onClick={() => view.setState({ drawerAgentId: agentId, activeAgentId: agentId })}
			>
				Show
			</button>
		</>
	);
}
