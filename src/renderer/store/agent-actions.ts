/** What can be done to an agent, and how it is asked for. The engine decides; its delta shows the effect. */
import type { AgentView } from '../../shared/agent-view.ts';
import type { FloorTransport } from '../../shared/transport.ts';
import { channelErrorOf } from '../transport/transport-errors.ts';
import { setAsked, type ViewStore } from './view-store.ts';

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

/** The actions that make sense for an agent, in the order of the buttons. Pure. */
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

/** Actions that need no dialog. */
export type DirectAction = Exclude<AgentAction, 'steer' | 'stop'>;

const channels = {
	hold: 'control:hold',
	constrain: 'control:constrain',
	resume: 'control:resume',
	'reset-evidence': 'control:resetEvidence',
} as const satisfies Record<DirectAction, string>;

/** Opens the dialog of an action, or asks the engine at once. A failure is kept at the agent, where it was asked. */
export async function takeAction(
	transport: FloorTransport,
	view: ViewStore,
	agentId: string,
	action: AgentAction,
): Promise<void> {
	if (action === 'steer' || action === 'stop') {
		view.setState({ dialog: { kind: action, agentId } });
		return;
	}
	setAsked(view, agentId, { action, error: null });
	try {
		await transport.request(channels[action], { agentId });
		setAsked(view, agentId, null);
	} catch (error) {
		setAsked(view, agentId, { action, error: channelErrorOf(error) });
	}
}
