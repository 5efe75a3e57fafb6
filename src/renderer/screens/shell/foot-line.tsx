/** The line at the foot: the whole name and place of the agent that the keys act on, and those keys. */

import { actionKeys, actionsFor } from '../../store/agent-actions.ts';
import { DECISION_KEY } from '../../store/commands.ts';
import { useAgent, useFailover, useStatus, useView } from '../../store/floor-context.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { LimitLine } from '../models/limit-line.tsx';
import './foot-line.css';

export function FootLine() {
	// As the keys themselves choose: the open drawer's agent, else the focused row's; none under a dialog.
	const agentId = useView(({ dialog, drawerAgentId, focusedAgentId }) =>
		dialog === null ? (drawerAgentId ?? focusedAgentId) : null,
	);
	const singleKeys = useView(({ preferences }) => preferences.singleKeys);
	const agent = useAgent(agentId ?? '');
	const asked = useFailover(({ popups, consents }) => popups.length + consents.length > 0);
	const status = useStatus();
	return (
		<footer className="foot-line">
			<p className="foot-place">
				{agent ? (
					<>
						<Untrusted text={agent.name} /> <Untrusted text={agent.directory} limit={600} mono />{' '}
						<Untrusted text={agent.model ?? ''} limit={80} />
					</>
				) : (
					status && (
						<>
							Agent Floor {status.version} <span className="mono">{status.address}</span>
						</>
					)
				)}
			</p>
			<LimitLine />
			{singleKeys && (
				<p className="foot-keys" aria-hidden="true">
					{agent &&
						actionsFor(agent).map((action) => (
							<span key={action}>
								<kbd>{actionKeys[action]}</kbd> {action.replace('-', ' ')}
							</span>
						))}
					{asked && (
						<span>
							<kbd>{DECISION_KEY}</kbd> decide
						</span>
					)}
					<span>
						<kbd>?</kbd> keys
					</span>
				</p>
			)}
		</footer>
	);
}
