/** What a hook tells of a turn's end counts for the session's model, where no gateway saw the answer itself. */
import type { ProtocolId, ProviderSettings } from '../../shared/failover-settings.ts';
import { retryHintMs } from '../../shared/retry-after.ts';
import type { Agent } from '../floor/agent.ts';
import type { FloorEvent } from '../floor/events.ts';
import { nameOf } from '../floor/view.ts';
import type { ModelDesk, ModelOutcome } from '../models/model-desk.ts';

export interface ModelHooksOptions {
	readonly models: Pick<ModelDesk, 'observe'>;
	readonly providers: () => readonly ProviderSettings[];
	/** Span until the time that a text names, ms; `null` without one. */
	readonly resetHintMs: (text: string) => number | null;
}

/** What a program speaks where nobody has told it otherwise. Others call services that are no providers of the floor. */
const protocols: ReadonlyMap<string, ProtocolId> = new Map([
	['claude-code', 'anthropic-messages'],
	['codex', 'openai-responses'],
]);

/** `turn-failed` and `provider-trouble` with error `rate_limit` or `billing_error`, as dialects and records name it. */
export function createModelHooks({ models, providers, resetHintMs }: ModelHooksOptions) {
	return (event: FloorEvent, agent: Agent): void => {
		// What passed the gateway was counted there, from the answer itself.
		if (agent.served !== null) return;
		const { model } = agent;
		const outcome = outcomeOf(event, resetHintMs);
		const protocol = protocols.get(agent.client);
		if (model === null || outcome === null || protocol === undefined) return;
		const provider = providers().find((known) => known.protocols.includes(protocol));
		if (provider) models.observe({ provider: provider.id, model, holder: nameOf(agent) }, outcome);
	};
}

function outcomeOf(event: FloorEvent, resetHintMs: (text: string) => number | null): ModelOutcome | null {
	// A turn that ended well was answered.
	if (event.kind === 'turn-end') return { kind: 'ok' };
	const isTrouble =
		event.kind === 'provider-trouble' || (event.kind === 'turn-failed' && event.blame === 'provider');
	if (!isTrouble) return null;
	const { error, message } = event;
	if (error === 'rate_limit') {
		return { kind: 'limited', retryAfterMs: retryHintMs(message) ?? resetHintMs(message), said: message };
	}
	return error === 'billing_error' ? { kind: 'spend-limit', said: message } : null;
}
