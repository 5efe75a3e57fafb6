/** The floor as the gateway sees it: a model call and a hook of one session meet on one agent. */
import type { FloorEvent } from '../floor/events.ts';
import type { Floor } from '../floor/floor.ts';
import { refusalOfModelCall } from '../floor/standing.ts';
import { nameOf } from '../floor/view.ts';
import type { GatewayFloor, ModelCall } from '../gateway/options.ts';

/** `onCounted`: an agent was heard of (its id), so that it is kept and shown. */
export function createGatewayFloor(floor: Floor, onCounted: (agentId: string) => void): GatewayFloor {
	return {
		find: (client, sessionKey) => {
			const agent = floor.agentOfSession(client, sessionKey);
			return agent ? { agentId: agent.id, agentName: nameOf(agent), workspace: agent.directory } : null;
		},
		refusal: (agentId) => {
			const agent = floor.agent(agentId);
			return agent ? refusalOfModelCall(agent) : null;
		},
		onStanding: (listener) => {
			const heard = floor.onRecord(({ kind }) => {
				// The ladder tells its step before it takes it.
				if (kind === 'operator-action' || kind === 'transition') queueMicrotask(listener);
			});
			return () => heard.dispose();
		},
		modelCall: (call) => {
			const agent = floor.apply(eventOf(call));
			if (agent) onCounted(agent.id);
		},
	};
}

function eventOf({ client, sessionKey, subagentId, asked, served, at }: ModelCall): FloorEvent {
	return {
		kind: 'model-call',
		at,
		client,
		name: 'model-call',
		sessionId: sessionKey,
		subagentId,
		subagentType: null,
		directory: null,
		transcriptPath: null,
		model: null,
		process: null,
		dedupeKey: null,
		asked,
		served,
	};
}
