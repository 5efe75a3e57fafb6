/** What the operator can do to an agent, by its rung. */
import type { AgentView } from '../../../shared/agent-view.ts';
import { actionKeys, actionMeanings, actionsFor, actionWords } from '../../store/agent-actions.ts';
import { trippedCap } from '../../store/caps.ts';
import { useFloorContext, useView } from '../../store/floor-context.tsx';
import { takeAction } from '../../store/take-action.ts';
import type { AskedAction } from '../../store/view-store.ts';

interface AgentButtonsProps {
	agent: AgentView;
	asked: AskedAction | undefined;
	/** Id of the element with the agent's name, so that twenty buttons "Hold" can be told apart by ear. */
	labelledBy: string;
	tabStop: boolean;
	/** Their keys are shown on them. */
	withKeys?: boolean;
}

export function AgentButtons({ agent, asked, labelledBy, tabStop, withKeys = false }: AgentButtonsProps) {
	const { transport, view, floor } = useFloorContext();
	const singleKeys = useView(({ preferences }) => preferences.singleKeys);
	const pending = asked?.error === null ? asked.action : null;
	// Where a cap tripped, the reset stands beside the raise and says what it forgets.
	const shown = actionsFor(agent).filter(
		(action) => action !== 'reset-evidence' || trippedCap(agent) === null,
	);
	return (
		<div className="agent-buttons">
			{shown.map((action) => (
				<button
					key={action}
					type="button"
					className="button"
					title={`${actionMeanings[action]} (${actionKeys[action]})`}
					aria-describedby={labelledBy}
					aria-keyshortcuts={actionKeys[action]}
					aria-disabled={pending !== null}
					aria-busy={pending === action}
					tabIndex={tabStop ? 0 : -1}
					onClick={() => {
						if (pending === null) void takeAction(transport, view, agent.id, action, floor);
					}}
				>
					{actionWords[action]}
					{withKeys && singleKeys && <kbd>{actionKeys[action]}</kbd>}
				</button>
			))}
		</div>
	);
}
