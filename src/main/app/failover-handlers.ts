/** What the window may ask about failover, answered. Each answer is the whole view, as it is after what was asked. */
import { ChannelError, type RequestHandlers } from '../../shared/channels.ts';
import type { FailoverView, GatewayGuide, OutboxAnswer, SloDay } from '../../shared/failover-view.ts';
import type { FailoverParts } from './failover-parts.ts';

export type FailoverHandlers = Pick<
	RequestHandlers,
	| 'failover:switch'
	| 'failover:wait'
	| 'failover:queue'
	| 'failover:refresh'
	| 'capability:get'
	| 'consent:answer'
	| 'improve:ask'
	| 'improve:read'
	| 'improve:dismiss'
	| 'outbox:retry'
	| 'outbox:discard'
	| 'outbox:answer'
	| 'models:pull'
	| 'slo:read'
	| 'gateway:guide'
>;

export interface FailoverHandlerParts {
	readonly failover: FailoverParts;
	readonly sloDays: (days: number) => SloDay[];
	/** What a provider said to a queued turn, as it was kept. */
	readonly answerOf: (idempotencyKey: string) => OutboxAnswer | null;
	readonly guides: () => GatewayGuide[];
	readonly hasLocalServer: (serverId: string) => boolean;
	/** The operator decided about an incident, as a sentence. */
	readonly decided: (incidentId: string, words: string) => void;
}

export function createFailoverHandlers({
	failover,
	sloDays,
	answerOf,
	guides,
	hasLocalServer,
	decided,
}: FailoverHandlerParts): FailoverHandlers {
	const { orchestrator, consents, outbox, localModels } = failover;
	const after = async (work: unknown): Promise<FailoverView> => {
		await work;
		return failover.view();
	};
	/** Answers a popup; what was decided is kept at its incident once it was done. */
	const answer = (
		popupId: string,
		agentId: string | undefined,
		/** Returns how many of the turns it could do nothing about. */
		work: () => number,
		wordsOf: (turns: string) => string,
	): FailoverView => {
		const popup = failover.view().popups.find(({ id }) => id === popupId);
		const turns =
			popup?.turns.filter((turn) => agentId === undefined || turn.agentId === agentId).length ?? 0;
		const done = turns - work();
		if (popup) decided(popup.incidentId, wordsOf(done === 1 ? '1 turn' : `${done} turns`));
		return failover.view();
	};
	const modelName = (modelId: string): string =>
		localModels.models().find(({ id }) => id === modelId)?.model ?? modelId;
	return {
		'failover:switch': ({ popupId, modelId, agentId }) =>
			answer(
				popupId,
				agentId,
				() => orchestrator.switchTo(popupId, modelId, agentId).length,
				(turns) => `Switched ${turns} to ${modelName(modelId)}`,
			),
		'failover:wait': ({ popupId }) =>
			answer(
				popupId,
				undefined,
				() => {
					orchestrator.wait(popupId);
					return 0;
				},
				(turns) => `Chose to wait for the network with ${turns}`,
			),
		'failover:queue': ({ popupId, agentId }) =>
			answer(
				popupId,
				agentId,
				() => {
					orchestrator.queue(popupId, agentId);
					return 0;
				},
				(turns) => `Queued ${turns} for retry`,
			),
		'failover:refresh': () => after(localModels.refresh(true)),
		'capability:get': () => failover.capability(),
		'consent:answer': ({ consentId, allow }) => {
			if (consents.answer(consentId, allow)) return failover.view();
			throw tooLate();
		},
		'improve:ask': ({ offerId }) => after(orchestrator.improveAsk(offerId)),
		'improve:read': ({ offerId }) => orchestrator.improveRead(offerId),
		'improve:dismiss': ({ offerId }) => after(orchestrator.improveDismiss(offerId)),
		'outbox:retry': ({ idempotencyKey }) => after(outbox.retry(idempotencyKey)),
		'outbox:discard': ({ idempotencyKey }) => after(outbox.discard(idempotencyKey)),
		'outbox:answer': ({ idempotencyKey }) => answerOf(idempotencyKey),
		'models:pull': ({ serverId, model }) => {
			if (!hasLocalServer(serverId)) throw unknownServer(serverId);
			return after(outbox.enqueue('download', { server_id: serverId, model }));
		},
		'slo:read': ({ days }) => sloDays(days),
		'gateway:guide': guides,
	};
}

function tooLate(): ChannelError {
	return new ChannelError({
		code: 'not-possible',
		message: 'That command no longer waits for your consent.',
		meaning: "Nothing was answered: the client's own permission prompt decides, or the call was denied.",
		remedy: 'If the agent still needs it, it will ask again.',
	});
}

function unknownServer(serverId: string): ChannelError {
	return new ChannelError({
		code: 'invalid-argument',
		message: `The settings have no local server "${serverId}".`,
		meaning: 'Nothing is downloaded.',
		remedy: 'Choose one of the servers in Settings, or add it to "localServers".',
	});
}
