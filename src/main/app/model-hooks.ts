/** What a hook tells of a turn's end counts for the session's model, where no gateway saw the answer itself. */
import { retryHintMs } from '../../shared/retry-after.ts';
import type { Agent } from '../floor/agent.ts';
import type { FloorEvent } from '../floor/events.ts';
import { nameOf } from '../floor/view.ts';
import type { ModelDesk, ModelOutcome } from '../models/model-desk.ts';

export interface ModelHooksOptions {
	readonly models: Pick<ModelDesk, 'observe'>;
	/** Id of the provider that a client calls when nobody says another; `null`: none is set up. */
	readonly providerOf: (client: string) => string | null;
	/** Span until the time that a text names, ms; `null` without one. */
	readonly resetHintMs: (text: string) => number | null;
}

/** `StopFailure.error` of Claude Code (agent-clis: rate_limit, billing_error). */
export function createModelHooks({ models, providerOf, resetHintMs }: ModelHooksOptions) {
	return (event: FloorEvent, agent: Agent): void => {
		// What passed the gateway was counted there, from the answer itself.
		if (agent.served !== null) return;
		const { model } = agent;
		const provider = providerOf(agent.client);
		const outcome = outcomeOf(event, resetHintMs);
		if (model === null || provider === null || outcome === null) return;
		models.observe({ provider, model, holder: nameOf(agent) }, outcome);
	};
}

function outcomeOf(event: FloorEvent, resetHintMs: (text: string) => number | null): ModelOutcome | null {
	// A turn that ended well was answered.
	if (event.kind === 'turn-end') return { kind: 'ok' };
	if (event.kind !== 'turn-failed' || event.blame !== 'provider') return null;
	const { error, message } = event;
	if (error === 'rate_limit') {
		return { kind: 'limited', retryAfterMs: retryHintMs(message) ?? resetHintMs(message), said: message };
	}
	return error === 'billing_error' ? { kind: 'spend-limit', said: message } : null;
}
