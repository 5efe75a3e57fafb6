import type { ReactNode } from 'react';
import type { AgentView } from '../../../shared/agent-view.ts';
import { Ago } from '../../widgets/age.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';

/** What tells this agent from every other one. */
export function AgentIdentity({ agent }: { agent: AgentView }) {
	const { process } = agent;
	const alive = { true: 'running', false: 'gone', null: 'not checked' }[String(process?.alive ?? null)];
	const rows: readonly (readonly [string, ReactNode])[] = [
		['Session', <Untrusted key="session" text={agent.sessionId} mono />],
		['Agent', <Untrusted key="agent" text={agent.id} mono />],
		['Process', process === null ? 'not known' : `pid ${process.pid}, ${alive}`],
		['First seen', <Ago key="first" at={agent.firstSeenAt} />],
		['Last heard', <Ago key="last" at={agent.state.lastHeardAt} />],
		[
			'Subagents',
			agent.subagents.length === 0 ? (
				'none'
			) : (
				<ul key="subagents">
					{agent.subagents.map(({ id, type, since }) => (
						<li key={id}>
							<Untrusted text={type || 'of unknown kind'} limit={80} />, <Ago at={since} />
						</li>
					))}
				</ul>
			),
		],
	];
	return (
		<table className="facts-table">
			<tbody>
				{rows.map(([words, value]) => (
					<tr key={words}>
						<th scope="row">{words}</th>
						<td>{value}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}
