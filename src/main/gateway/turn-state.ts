/** What a turn knows of itself between its tries: what the client has of the answer, how the provider failed, who was told. */
import { type CallOutcome, isProviderLoss } from '../failover/call.ts';
import type { Failure, HeldTurn, TurnEnd } from '../failover/desk.ts';
import type { ServedBy } from '../floor/events.ts';
import type { ModelDesk } from '../models/model-desk.ts';
import { attempt } from './attempt.ts';
import type { AnswerCount, AttemptEnd, Silence } from './attempt-contract.ts';
import type { ClientAnswer } from './client-answer.ts';
import { chainLimited } from './limit-words.ts';
import { LONGEST_MODEL_NAME } from './model-name.ts';
import { ModelSeat, type NoSeat } from './model-seat.ts';
import { type GatewayOptions, type GatewayTimes, gatewayTimes } from './options.ts';
import type { RelayOptions, StreamRelay } from './protocol.ts';
import { ProviderWords } from './provider-words.ts';
import type { TurnRequest } from './turn-request.ts';
import type { UpstreamRequest } from './upstream.ts';
import { type GiveUp, giveUpError, nameOf } from './words.ts';

/** Token counts have limits of their own: they say nothing about the model's. Nor has a chain a name without end. */
const unlimited: ModelDesk = { choose: () => null, settle: () => {}, observe: () => {} };

/** Releases a ticket whose call was never made; a failure that blames no provider. */
export const neutral: CallOutcome = {
	kind: 'neutral',
	status: null,
	code: '',
	latencyMs: null,
	retryAfterMs: null,
};

/** What a try knows of the one before it. */
export interface Again {
	/** How that failed; `null`: this is the first. */
	readonly known: Failure | null;
	/** Aborted when the operator decides otherwise while this one is still silent. */
	readonly abandon: AbortSignal | undefined;
}

export interface Try {
	readonly request: UpstreamRequest;
	/** Who is asked, in words. */
	readonly name: string;
	/** And by id. */
	readonly asked: ServedBy;
	/** Headers of ours on the answer. Flat. */
	readonly marks: readonly string[];
	readonly relay: RelayOptions;
	/** Leads over from an answer that broke off. */
	readonly restartLabel: string;
	readonly silence: Silence;
	/** The operator decided otherwise. */
	readonly abandon: AbortSignal | undefined;
	/** A whole answer begins to come. */
	readonly onGoodHead?: () => void;
	readonly onAnswering: () => void;
}

export class TurnState {
	readonly options: GatewayOptions;
	readonly turn: TurnRequest;
	readonly answer: ClientAnswer;
	readonly times: GatewayTimes;
	readonly said: ProviderWords;
	/** The limit of the model that was asked for, as it was said since the turn last waited. */
	readonly limitSaid: ProviderWords;
	readonly seat: ModelSeat;
	/** How the provider failed last: what the person finally sees, whatever a local model did. */
	failure: Failure | null = null;
	/** The stream of which the client has the beginning; `null`: it has nothing of an answer. */
	#relay: StreamRelay | null = null;
	#held: HeldTurn | null = null;
	#served: ServedBy | null = null;
	#answers = 0;
	#over = false;

	constructor(options: GatewayOptions, turn: TurnRequest, answer: ClientAnswer) {
		this.options = options;
		this.turn = turn;
		this.answer = answer;
		this.times = options.times ?? gatewayTimes;
		this.said = new ProviderWords(turn.protocol, nameOf(turn.provider), turn.headers);
		this.limitSaid = new ProviderWords(turn.protocol, nameOf(turn.provider), turn.headers);
		const { readsAnswer, facts } = turn;
		const isKnown = readsAnswer && facts.model.length <= LONGEST_MODEL_NAME;
		this.seat = new ModelSeat(isKnown ? this.#shielded(options.models) : unlimited, facts);
		answer.onLeft(() => this.end({ kind: 'client-left' }));
	}

	get over(): boolean {
		return this.#over;
	}

	/** Part of the answer has reached the client. */
	get isCut(): boolean {
		return this.#relay !== null;
	}

	/** Only thinking has: the client can do nothing but ask again. */
	get isThinkingOnly(): boolean {
		return this.#relay?.state === 'thinking';
	}

	/** A stand-in has begun the answer of which the client has the beginning. */
	get wasStoodIn(): boolean {
		return this.#served?.harness === 'cloud' && this.#served.model !== this.turn.facts.model;
	}

	/** The turn waits, or goes elsewhere: which model it is asked of is chosen anew when it goes on. */
	leaveSeat(): void {
		this.seat.leave();
		this.limitSaid.forget();
	}

	/** A fault of somebody who is only told of the turn must not break its answer. */
	tell(deed: () => void): void {
		try {
			deed();
		} catch (error) {
			this.options.onUnexpected('gateway: whoever is told of a turn', error);
		}
	}

	hold(): HeldTurn {
		this.#held ??= this.options.desk.hold(this.turn.facts);
		return this.#held;
	}

	/** True when the agent may not call a model (any more); it was told so. */
	refuse(): boolean {
		const { client, sessionKey } = this.turn.session;
		const agent = this.options.floor.find(client, sessionKey);
		const reason = agent && this.options.floor.refusal(agent.agentId);
		if (!reason) return false;
		this.answer.refuse(reason);
		this.end({ kind: 'barred' });
		return true;
	}

	/**
	 * Calls back, perhaps at once, when nobody wants what is being waited for: the client has left, its agent was stopped
	 * (it was told so), or the operator decided otherwise. Returns how to forget it.
	 */
	onUnwanted(abandon: AbortSignal | undefined, listener: () => void): () => void {
		const forgetLeft = this.answer.onLeft(listener);
		const forgetStanding = this.options.floor.onStanding?.(() => {
			if (!this.#over && this.refuse()) listener();
		});
		abandon?.addEventListener('abort', listener, { once: true });
		if (abandon?.aborted) listener();
		return () => {
			forgetLeft();
			forgetStanding?.();
			abandon?.removeEventListener('abort', listener);
		};
	}

	/** One try. What the client has then is remembered here. */
	async attempt(the: Try): Promise<AttemptEnd> {
		const { request, name, asked, marks, relay, restartLabel, silence, abandon, onGoodHead, onAnswering } =
			the;
		const { upstream, clock, schedule } = this.options;
		const { protocol, readsAnswer, facts } = this.turn;
		const stream = facts.isStream ? this.#stream(restartLabel, relay) : null;
		return attempt({
			upstream,
			clock,
			schedule,
			protocol,
			readsAnswer,
			request,
			name,
			marks,
			answer: this.answer,
			relay: stream?.relay ?? null,
			prefix: stream?.bytes ?? new Uint8Array(),
			silence,
			onUnwanted: (listener) => this.onUnwanted(abandon, listener),
			onGoodHead: () => onGoodHead?.(),
			onAnswering: () => {
				this.#relay = stream?.relay ?? null;
				this.tell(() => this.#held?.answering?.());
				onAnswering();
			},
			onCounted: (count) => this.#counted(asked, count),
		});
	}

	/** Remembers how a try ended; `null`: it is nothing that a turn is held for. */
	failed(end: AttemptEnd): Failure | null {
		if (end.kind === 'unwanted' || end.kind === 'delivered' || !isProviderLoss(end.outcome.kind)) return null;
		const { outcome, detail } = end;
		const { kind } = outcome;
		const cause =
			kind === 'lost' ? 'network-lost' : kind === 'cut' || this.isCut ? 'stream-cut' : 'provider-error';
		this.failure = { cause, outcome, detail, cutMidAnswer: this.isCut };
		return this.failure;
	}

	/** Who answers: told once for each who does. */
	tellServed(harness: ServedBy['harness'], at: string, model: string): void {
		const known = this.#served;
		if (known?.harness === harness && known.at === at && known.model === model) return;
		this.#served = { harness, at, model };
		this.#tell();
	}

	/** Nobody could answer: the provider's own error, or ours where it said nothing. */
	giveUp(why: GiveUp, failure: Failure): void {
		// What a provider said that is no longer there helps nobody.
		if (why === 'provider-gone' || !this.said.pass(this.answer)) {
			this.answer.error(giveUpError(this.turn.provider, failure, why));
		}
		this.end({ kind: why === 'no-local-fit' ? 'refused' : 'failed' });
	}

	/** No model may take the turn now: the asked one's own words on its limit, or ours, with the soonest time. */
	nothingStandsIn(seat: NoSeat): void {
		const { provider, facts } = this.turn;
		const error = chainLimited(provider, facts.model, seat, this.options.clock.wall());
		const better = seat.free?.isAsked ? null : (error.retryAfterSeconds ?? null);
		if (!this.limitSaid.pass(this.answer, better)) this.answer.error(error);
		this.end({ kind: 'failed' });
	}

	/** Idempotent: the first end counts. */
	end(how: TurnEnd): void {
		if (this.#over) return;
		this.#over = true;
		this.seat.leave();
		if (this.#held) this.#held.release(how);
		else this.options.desk.ended(this.turn.facts, how);
		if (this.#served === null) this.#tell();
	}

	#tell(): void {
		const { facts, session } = this.turn;
		if (facts.isAuxiliary) return;
		const { client, sessionKey, subagentId } = session;
		const at = this.options.clock.wall();
		const served = this.#served;
		this.tell(() =>
			this.options.floor.modelCall({ client, sessionKey, subagentId, asked: facts.model, served, at }),
		);
	}

	#counted(by: ServedBy, { id, model, requestId, usage, isWhole }: AnswerCount): void {
		const { facts, session, protocol } = this.turn;
		const { client, sessionKey, subagentId } = session;
		const { turnId, isAuxiliary, model: asked } = facts;
		this.#answers += 1;
		const isCloud = by.harness === 'cloud';
		const isNamed = isCloud && protocol.id === 'anthropic-messages' && id !== null && requestId !== null;
		// Local servers use ids again, and so do proxies.
		const key = isNamed ? `${id} ${requestId}` : `${turnId} ${this.#answers}`;
		const served: ServedBy = { ...by, model: isCloud && model !== null ? model : by.model };
		const at = this.options.clock.wall();
		this.tell(() =>
			this.options.floor.counted?.({
				client,
				sessionKey,
				subagentId,
				isAuxiliary,
				key,
				asked,
				served,
				usage,
				isWhole,
				at,
			}),
		);
	}

	#shielded(models: ModelDesk): ModelDesk {
		return {
			choose: (asked) => models.choose(asked),
			settle: (ticket, outcome) => this.tell(() => models.settle(ticket, outcome)),
			observe: (asked, outcome) => this.tell(() => models.observe(asked, outcome)),
		};
	}

	#stream(label: string, options: RelayOptions): { readonly relay: StreamRelay; readonly bytes: Uint8Array } {
		// The restart's own label says who goes on: a second one would say it again.
		if (this.#relay?.state === 'content') return this.#relay.restart(label, { ...options, label: '' });
		return { relay: this.turn.protocol.createRelay(options), bytes: new Uint8Array() };
	}
}
