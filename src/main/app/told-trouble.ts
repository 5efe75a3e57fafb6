/** Trouble at a provider that a program's own records tell, brought to the agent that met it. Never held against it. */
import type { Agent } from '../floor/agent.ts';
import { type FloorEvent, unhookedContext } from '../floor/events.ts';
import type { Floor } from '../floor/floor.ts';
import { happeningOf } from '../telemetry/telemetry-words.ts';
import type { ProviderTrouble } from '../usage/session-format.ts';

/** A hook, a file and telemetry tell of one failure within this time, ms. */
const ONE_FAILURE_MS = 60_000;

export interface ToldTroubleOptions {
	readonly floor: Floor;
	readonly now: () => number;
	/** It was news: the models may hear of it, windows see it. */
	readonly onTrouble: (event: FloorEvent, agent: Agent) => void;
}

/** Takes one telling. Sessions that are not on the floor are left alone: nobody is born of a failure. */
export function createToldTrouble({ floor, now, onTrouble }: ToldTroubleOptions) {
	return (client: string, sessionId: string, trouble: ProviderTrouble): void => {
		const agent = floor.agentOfSession(client, sessionId);
		if (!agent) return;
		const at = Math.min(trouble.at ?? now(), now());
		// Records are written behind: what the agent did since says that it is over.
		if (at < agent.lastActedAt || isKnown(agent, trouble.error, at)) return;
		const event: FloorEvent = {
			...unhookedContext({ at, client, name: 'provider-trouble', sessionId }),
			...happeningOf(trouble),
		};
		floor.apply(event);
		onTrouble(event, agent);
	};
}

function isKnown({ providerTrouble: known }: Agent, error: string, at: number): boolean {
	return known !== null && known.error === error && Math.abs(at - known.at) < ONE_FAILURE_MS;
}
