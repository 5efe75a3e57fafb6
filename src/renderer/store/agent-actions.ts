/** What can be done to an agent. Pure. */
import type { AgentView } from '../../shared/agent-view.ts';

export type AgentAction = 'steer' | 'hold' | 'constrain' | 'stop' | 'resume' | 'reset-evidence';

/** Words on the buttons; an ellipsis means that a dialog comes first. */
export const actionWords: Record<AgentAction, string> = {
	steer: 'Steer…',
	hold: 'Hold',
	constrain: 'Constrain',
	stop: 'Stop…',
	resume: 'Resume',
	'reset-evidence': 'Reset evidence',
};

export const actionMeanings: Record<AgentAction, string> = {
	steer: 'Say something to the model with its next reply',
	hold: 'Refuse every tool call until you resume it; the session stays',
	constrain: 'Allow reading only, until you resume it',
	stop: 'Refuse every tool call and prompt, and end its process if you wish',
	resume: 'Lift your order and any stop; it starts again from healthy',
	'reset-evidence': 'Forget what the ladder has counted for this agent',
};

/** One letter for each action; they act on the agent in hand and nowhere else. */
export const actionKeys: Readonly<Record<AgentAction, string>> = {
	steer: 's',
	hold: 'h',
	constrain: 'c',
	stop: 'x',
	resume: 'r',
	'reset-evidence': 'e',
};

/** The actions that make sense for an agent, in the order of the buttons. */
export function actionsFor(agent: AgentView): AgentAction[] {
	const { standing, order, evidence, state } = agent;
	const lifted: AgentAction[] = order !== null || standing === 'stopped' ? ['resume'] : [];
	if (state.kind === 'exited') return lifted;
	const counted: AgentAction[] = evidence !== null ? ['reset-evidence'] : [];
	// A stopped agent can still have its process ended.
	if (standing === 'stopped' && order?.kind !== 'hold') return [...lifted, 'stop', ...counted];
	if (order?.kind === 'hold') return [...lifted, 'steer', 'stop', ...counted];
	if (standing === 'constrained') return [...lifted, 'steer', 'hold', 'stop', ...counted];
	return ['steer', 'hold', 'constrain', 'stop', ...lifted, ...counted];
}
