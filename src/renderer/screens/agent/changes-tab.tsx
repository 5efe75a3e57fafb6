/** What has changed in the agent's work tree: looked at when it is shown, and when asked again. */
import { useCallback, useEffect, useState } from 'react';
import type { AgentView } from '../../../shared/agent-view.ts';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import type { TreeChanges } from '../../../shared/timeline.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { Ago } from '../../widgets/age.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';

const sourceWords: Record<TreeChanges['source'], string> = {
	git: 'against the last commit',
	scan: 'by the times of files',
	none: 'nothing could be read',
};

export function ChangesTab({ agent: { id: agentId, directory } }: { agent: AgentView }) {
	const { transport } = useFloorContext();
	const [changes, setChanges] = useState<TreeChanges | null>(null);
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const [pending, setPending] = useState(false);
	const look = useCallback(() => {
		setPending(true);
		transport
			.request('agent:changes', { agentId })
			.then(
				(read) => {
					setChanges(read);
					setError(null);
				},
				(cause: unknown) => setError(channelErrorOf(cause)),
			)
			.finally(() => setPending(false));
	}, [transport, agentId]);
	useEffect(look, [look]);
	return (
		<div className="drawer-parts" data-testid="changes">
			{error && <Failure error={error} />}
			<p className="changes-head">
				<span className="soft">
					<Untrusted text={directory} limit={600} mono />{' '}
					{changes !== null && (
						<>
							{sourceWords[changes.source]}, looked at <Ago at={changes.asOf} />
						</>
					)}
				</span>
				<button type="button" className="button" aria-disabled={pending} onClick={look}>
					{pending ? 'Looking…' : 'Look again'}
				</button>
			</p>
			{changes !== null && changes.note !== '' && <p className="soft">{changes.note}</p>}
			{changes !== null && changes.source === 'git' && changes.files.length === 0 && (
				<p className="soft">Nothing differs from the last commit.</p>
			)}
			{changes !== null && changes.files.length > 0 && (
				<div className="drawer-scroll">
					<table className="model-usage">
						<thead>
							<tr>
								<th scope="col">File</th>
								<th scope="col">Change</th>
								<th scope="col">Lines added</th>
								<th scope="col">removed</th>
								<th scope="col">Written</th>
							</tr>
						</thead>
						<tbody>
							{changes.files.map(({ path, change, added, removed, at }) => (
								<tr key={path}>
									<th scope="row">
										<Untrusted text={path} limit={400} mono />
									</th>
									<td>{change}</td>
									<td>{added === null ? 'not counted' : added}</td>
									<td>{removed === null ? 'not counted' : removed}</td>
									<td>{at === null ? 'not known' : <Ago at={at} />}</td>
								</tr>
							))}
						</tbody>
					</table>
				</div>
			)}
			{changes !== null && changes.more > 0 && <p className="soft">and {changes.more} more files.</p>}
		</div>
	);
}
