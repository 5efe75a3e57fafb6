/** The floor as the gateway sees it: a model call and a hook of one session meet on one agent. */
import { type FloorEvent, unhookedContext } from '../floor/events.ts';
import type { Floor } from '../floor/floor.ts';
import { refusalOfModelCall } from '../floor/standing.ts';
import { nameOf } from '../floor/view.ts';
import type { CountedAnswer, GatewayFloor, ModelCall } from '../gateway/options.ts';

export interface GatewayFloorOptions {
	readonly floor: Floor;
	/** An agent was heard of (its id): it is to be kept and shown. */
	readonly onAgent: (agentId: string) => void;
	readonly onAnswer: (answer: CountedAnswer) => void;
}

export function createGatewayFloor({ floor, onAgent, onAnswer }: GatewayFloorOptions): GatewayFloor {
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
			if (agent) onAgent(agent.id);
		},
		counted: onAnswer,
	};
}

function eventOf({ client, sessionKey, subagentId, asked, served, at }: ModelCall): FloorEvent {
	const context = unhookedContext({ at, client, name: 'model-call', sessionId: sessionKey });
	return { ...context, subagentId, kind: 'model-call', asked, served };
}
