/** What the tier stands on: every provider, local server and model with its evidence, and who runs locally. */
import type { ReactNode } from 'react';
import { limitedChains } from '../../../shared/attention.ts';
import type { FailoverView, LocalRouteView } from '../../../shared/failover-view.ts';
import type { Tier } from '../../../shared/words.ts';
import { count } from '../../store/failover-words.ts';
import { useFailover, useFloorContext, useModels } from '../../store/floor-context.tsx';
import { openPage } from '../../store/page-link.ts';
import { useRequest } from '../../store/use-request.ts';
import type { OpenDialog } from '../../store/view-store.ts';
import { Span } from '../../widgets/age.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { LocalModelList, LocalServerList } from './local-lists.tsx';
import { ProviderList } from './provider-list.tsx';
import './tier-panel.css';

interface TierPanelProps {
	tier: Tier;
	why: string;
	/** Something else is opened over the floor. */
	onLeave: () => void;
}

export function TierPanel({ tier, why, onLeave }: TierPanelProps) {
	const { view } = useFloorContext();
	const failover = useFailover((whole) => whole);
	const { offers } = failover;
	const limited = useModels((models) => limitedChains(models).length);
	const show = (dialog: OpenDialog) => {
		onLeave();
		view.setState({ dialog });
	};
	return (
		<>
			<div className="panel-head">
				<h2>{tier}</h2>
				<p className="soft">
					<Untrusted text={why} limit={400} />
				</p>
			</div>
			<TierEvidence>
				<button
					type="button"
					className="button"
					onClick={() => {
						onLeave();
						openPage(view, 'insights', { section: 'service-levels' });
					}}
				>
					Service levels
				</button>
				<button type="button" className="button" onClick={() => show({ kind: 'models' })}>
					{limited === 0 ? 'Rate limits: none…' : `Rate limits: ${limited}…`}
				</button>
				<button type="button" className="button" onClick={() => show({ kind: 'outbox' })}>
					{outboxWords(failover)}
				</button>
				{offers.length > 0 && (
					<button type="button" className="button" onClick={() => show({ kind: 'offers' })}>
						{count(offers.length, 'local answer')}…
					</button>
				)}
			</TierEvidence>
		</>
	);
}

/** Providers, servers, models and who runs locally, with a way to look again; `children`: more buttons beside it. */
export function TierEvidence({ children }: { children?: ReactNode }) {
	const { capability, providers, localServers, routes } = useFailover((whole) => whole);
	const asking = useRequest();
	return (
		<>
			<PanelSection title="Providers">
				<ProviderList providers={providers} />
			</PanelSection>
			<PanelSection title="Local servers">
				<LocalServerList servers={localServers} />
			</PanelSection>
			<PanelSection title="Local models">
				<LocalModelList models={capability.localModels} local={capability.local} />
			</PanelSection>
			<PanelSection title="Running locally">
				<RouteList routes={routes} />
			</PanelSection>
			{asking.error && <Failure error={asking.error} onDismiss={asking.forget} />}
			<div className="panel-foot">
				<button
					type="button"
					className="button"
					aria-busy={asking.pending !== null}
					onClick={() => void asking.ask('refresh', 'failover:refresh', {})}
				>
					{asking.pending === null ? 'Look again' : 'Looking…'}
				</button>
				{children}
			</div>
		</>
	);
}

function outboxWords({ outbox }: FailoverView): string {
	return outbox.entries.length === 0 ? 'Outbox: empty' : `Outbox: ${outbox.queued} queued…`;
}

function PanelSection({ title, children }: { title: string; children: ReactNode }) {
	return (
		<section className="panel-section">
			<h3>{title}</h3>
			{children}
		</section>
	);
}

export function RouteList({ routes }: { routes: readonly LocalRouteView[] }) {
	if (routes.length === 0) return <p className="soft">No session runs on a local model.</p>;
	return (
		<ul className="panel-list">
			{routes.map(({ sessionKey, agentName, modelId, providerId, since, turns }) => (
				<li key={sessionKey} data-testid="local-route">
					<p>
						<strong>
							<Untrusted text={agentName || sessionKey} limit={80} />
						</strong>{' '}
						on <Untrusted text={modelId} limit={120} />
					</p>
					<p className="soft">
						{count(turns, 'turn')} in <Span since={since} />, until <Untrusted text={providerId} limit={60} />{' '}
						is back
					</p>
				</li>
			))}
		</ul>
	);
}
