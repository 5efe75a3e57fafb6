/** What one agent took: by time, and by model. */
import { useEffect, useState } from 'react';
import type { AgentView } from '../../../shared/agent-view.ts';
import type { ChannelErrorData, RequestOutput } from '../../../shared/channels.ts';
import { costWords, exactNumber, modelWords } from '../../../shared/format.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { Failure } from '../../widgets/failure.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { AgentUsage } from './agent-usage.tsx';

export function UsageTab({ agent }: { agent: AgentView }) {
	return (
		<div className="drawer-parts">
			<section className="drawer-section">
				<h3>Tokens and cost</h3>
				<AgentUsage
					usage={agent.usage}
					ended={agent.state.kind === 'exited'}
					outputTokensPerMinute={agent.outputTokensPerMinute}
				/>
			</section>
			<section className="drawer-section">
				<h3>By model, over its sessions</h3>
				<ByModel agentId={agent.id} asOf={agent.usage?.asOf ?? null} />
			</section>
		</div>
	);
}

function ByModel({ agentId, asOf }: { agentId: string; asOf: number | null }) {
	const { transport } = useFloorContext();
	const [models, setModels] = useState<RequestOutput<'agent:usage'> | null>(null);
	const [error, setError] = useState<ChannelErrorData | null>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: `asOf` moves when something new was counted
	useEffect(() => {
		let wanted = true;
		transport.request('agent:usage', { agentId }).then(
			(read) => {
				if (!wanted) return;
				setModels(read);
				setError(null);
			},
			(cause: unknown) => wanted && setError(channelErrorOf(cause)),
		);
		return () => {
			wanted = false;
		};
	}, [transport, agentId, asOf]);
	if (error) return <Failure error={error} />;
	if (models === null) return <p className="quiet">Reading…</p>;
	if (models.length === 0) return <p className="soft">Nothing was counted yet.</p>;
	return (
		<div className="drawer-scroll">
			<table className="model-usage" data-testid="model-usage">
				<thead>
					<tr>
						<th scope="col">Model</th>
						<th scope="col">Cost</th>
						<th scope="col">Work tokens</th>
						<th scope="col">Input</th>
						<th scope="col">Output</th>
						<th scope="col">Cache reads</th>
					</tr>
				</thead>
				<tbody>
					{models.map(({ model, local, amount }) => (
						<tr key={model}>
							<th scope="row">
								{model === '' ? 'not known' : <Untrusted text={modelWords(model)} limit={80} />}
								{local && <span className="tag">local, free</span>}
							</th>
							<td>{costWords(amount)}</td>
							<td>{exactNumber(amount.work)}</td>
							<td>{exactNumber(amount.input)}</td>
							<td>{exactNumber(amount.output)}</td>
							<td>{exactNumber(amount.cacheRead)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}
