/** How an action is asked for. The engine decides; its delta shows the effect. */
import type { FloorTransport } from '../../shared/transport.ts';
import { channelErrorOf } from '../transport/transport-errors.ts';
import type { AgentAction } from './agent-actions.ts';
import { setAsked, type ViewStore } from './view-store.ts';

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
	// One question at a time: the answer to the first may change what the second would mean.
	if (view.getState().asked.get(agentId)?.error === null) return;
	setAsked(view, agentId, { action, error: null });
	try {
		await transport.request(channels[action], { agentId });
		setAsked(view, agentId, null);
	} catch (error) {
		setAsked(view, agentId, { action, error: channelErrorOf(error) });
	}
}
