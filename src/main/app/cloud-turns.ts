/** Turns that are asked of a provider without their agent: queued ones, and those of "Improve this with …?". */
import type { ProtocolId, ProviderSettings } from '../../shared/failover-settings.ts';
import type { CallOutcome, CallTicket } from '../failover/call.ts';
import { conversationOf, sessionOfConversation, type TurnFacts } from '../failover/desk.ts';
import type { CloudAnswer } from '../failover/orchestrator-parts.ts';
import type { NewPayload, OutboxEntryOf } from '../failover/outbox-entry.ts';
import type { ProviderAdmission } from '../failover/provider-health.ts';
import type { Protocol } from '../gateway/protocol.ts';
import type { CloudTurn, CloudAnswer as GatewayAnswer } from '../gateway/queued-turn.ts';
import type { KeptRequest, TurnKeeper } from '../gateway/turn-keeper.ts';
import type { SendResult } from './outbox-sender.ts';

/** Characters of an answer that the list shows. */
const HEAD = 200;

export interface CloudTurnsOptions {
	readonly providers: () => readonly ProviderSettings[];
	readonly protocols: Readonly<Record<ProtocolId, Protocol>>;
	readonly turns: TurnKeeper;
	/** The breaker's leave, as for every call. */
	readonly admit: (providerId: string) => ProviderAdmission;
	readonly settle: (ticket: CallTicket, outcome: CallOutcome) => void;
	/** Rejects only with the signal's own reason. */
	readonly ask: (turn: CloudTurn, idempotencyKey: string, signal: AbortSignal) => Promise<GatewayAnswer>;
	/** Resolves when it is on the disk. */
	readonly enqueue: (payload: NewPayload<'cloud_turn'>) => Promise<unknown>;
}

export class CloudTurns {
	readonly #options: CloudTurnsOptions;

	constructor(options: CloudTurnsOptions) {
		this.#options = options;
	}

	/** [Queue for retry]: resolves when the turn is safely in the outbox. */
	async queue(facts: TurnFacts, request: KeptRequest): Promise<void> {
		await this.#options.enqueue({ ...payloadOf(facts, request), purpose: 'retry' });
	}

	/** "Improve this": through the outbox, so that a crash or an offline hour loses nothing. */
	async improve(offerId: string, facts: TurnFacts): Promise<CloudAnswer> {
		const request = this.#options.turns.of(facts.turnId);
		if (!request) {
			return {
				kind: 'failed',
				problem:
					'The request of this turn is no longer in memory (only the last twenty are kept), so it cannot be asked again.',
			};
		}
		await this.#options.enqueue({ ...payloadOf(facts, request), purpose: 'improve', offer_id: offerId });
		return { kind: 'waiting', problem: 'It is in the outbox and goes out as soon as it can.' };
	}

	/** The outbox's sender. Rejects when it cannot be known whether the provider took it. */
	async send(
		{ idempotency_key: key, payload }: OutboxEntryOf<'cloud_turn'>,
		signal: AbortSignal,
	): Promise<SendResult> {
		const provider = this.#options.providers().find(({ id }) => id === payload.provider_id);
		if (!provider) {
			return { kind: 'failed', detail: `The settings no longer have a provider "${payload.provider_id}".` };
		}
		const admission = this.#options.admit(provider.id);
		if (admission.ticket === null) {
			return { kind: 'retry', detail: admission.reason, afterMs: admission.retryInMs };
		}
		const turn: CloudTurn = {
			provider,
			protocol: this.#options.protocols[payload.protocol],
			path: payload.path,
			body: Buffer.from(payload.body),
			sessionKey: sessionOfConversation(payload.session_key),
		};
		let outcome: CallOutcome = left;
		try {
			const answer = await this.#options.ask(turn, key, signal);
			outcome = 'text' in answer ? answered : answer.outcome;
			return resultOf(answer);
		} finally {
			this.#options.settle(admission.ticket, outcome);
		}
	}
}

const answered: CallOutcome = { kind: 'ok', status: 200, code: '', latencyMs: null, retryAfterMs: null };
const left: CallOutcome = { kind: 'neutral', status: null, code: '', latencyMs: null, retryAfterMs: null };

function payloadOf(facts: TurnFacts, request: KeptRequest): Omit<NewPayload<'cloud_turn'>, 'purpose'> {
	return {
		provider_id: request.providerId,
		protocol: request.protocol,
		path: request.path,
		body: Buffer.from(request.body).toString(),
		input_hash: facts.inputHash,
		session_key: conversationOf(facts),
		agent_id: facts.agentId,
		agent_name: facts.agentName,
		model: facts.model,
	};
}

function resultOf(answer: GatewayAnswer): SendResult {
	if ('text' in answer) {
		const head = answer.text.slice(0, HEAD);
		return { kind: 'done', detail: head === '' ? 'answered without text' : head, answer };
	}
	if (answer.lacksCredentials) return { kind: 'wait', detail: answer.problem };
	if (answer.isUncertain) throw new Error(answer.problem);
	if (!answer.lost) return { kind: 'failed', detail: answer.problem };
	return {
		kind: 'retry',
		detail: answer.problem,
		...(answer.retryAfterMs !== null && { afterMs: answer.retryAfterMs }),
	};
}
