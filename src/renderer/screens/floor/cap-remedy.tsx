/** A cap that tripped: one click raises it, one resets the count, and what each keeps or forgets is said beside them. */
import type { AgentView } from '../../../shared/agent-view.ts';
import { actionKeys } from '../../store/agent-actions.ts';
import { capMeaning, capWords, type PassedCap, raiseWords, trippedCap } from '../../store/caps.ts';
import { useFloorContext, useView } from '../../store/floor-context.tsx';
import { putBackCap, raiseCap } from '../../store/raise-cap.ts';
import { takeAction } from '../../store/take-action.ts';
import { setRaised } from '../../store/view-store.ts';
import { Icon } from '../../widgets/icon.tsx';
import './cap-remedy.css';

/** Nothing unless a cap gives the reason of the agent's level. */
export function CapRemedy(props: Omit<CapButtonsProps, 'passed'>) {
	const passed = trippedCap(props.agent);
	return passed && <CapButtons {...props} passed={passed} />;
}

interface CapButtonsProps {
	agent: AgentView;
	passed: PassedCap;
	/** Id of the element with the agent's name, as for its other buttons. */
	labelledBy: string;
	tabStop: boolean;
}

export function CapButtons({ agent, passed, labelledBy, tabStop }: CapButtonsProps) {
	const { transport, view } = useFloorContext();
	const asked = useView((state) => state.asked.get(agent.id));
	const pending = asked?.error === null ? asked.action : null;
	const tabIndex = tabStop ? 0 : -1;
	return (
		<div className="cap-remedy" data-testid="cap-remedy">
			<div className="cap-buttons">
				<button
					type="button"
					className="button"
					data-testid="raise-cap"
					aria-describedby={labelledBy}
					aria-disabled={pending !== null}
					aria-busy={pending === 'raise-cap'}
					tabIndex={tabIndex}
					onClick={() => void raiseCap(transport, view, agent.id, passed)}
				>
					{raiseWords(passed)}
				</button>
				{agent.state.kind !== 'exited' && (
					<button
						type="button"
						className="button"
						data-testid="reset-count"
						aria-describedby={labelledBy}
						aria-disabled={pending !== null}
						aria-busy={pending === 'reset-evidence'}
						aria-keyshortcuts={actionKeys['reset-evidence']}
						tabIndex={tabIndex}
						onClick={() => void takeAction(transport, view, agent.id, 'reset-evidence')}
					>
						Reset the count
					</button>
				)}
			</div>
			<p className="quiet">{capMeaning(passed, agent)}</p>
		</div>
	);
}

/** That a cap was raised here, until it is put back or put aside. */
export function RaisedCapNote({ agentId, tabStop }: { agentId: string; tabStop: boolean }) {
	const { transport, view } = useFloorContext();
	const raised = useView((state) => state.raised.get(agentId));
	const pending = useView((state) => state.asked.get(agentId)?.error === null);
	if (!raised) return null;
	const { arm, was, to } = raised;
	const whose = arm === 'agent-token-cap' ? 'Its cap' : 'The floor’s cap';
	return (
		<div className="cap-raised" data-testid="cap-raised" role="status">
			<p>
				{whose} is {capWords(arm, to)} now; it was {capWords(arm, was)}.
			</p>
			<button
				type="button"
				className="button"
				aria-disabled={pending}
				tabIndex={tabStop ? 0 : -1}
				onClick={() => void putBackCap(transport, view, agentId, raised)}
			>
				Put it back
			</button>
			<button
				type="button"
				className="button button-bare"
				aria-label="Dismiss this message"
				tabIndex={tabStop ? 0 : -1}
				onClick={() => setRaised(view, agentId, null)}
			>
				<Icon name="close" />
			</button>
		</div>
	);
}
