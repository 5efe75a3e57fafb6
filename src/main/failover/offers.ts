/**
 * "Improve this with <cloud>?" for turns that a local model answered (seed 003, section 3.4). Offered quietly when the
 * provider is back; both answers are shown side by side and nothing is ever replaced. In memory only, the newest few.
 */
import type { ModelFit } from '../../shared/capability.ts';
import type { Comparison, ImproveOffer } from '../../shared/failover-view.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import type { Clock, Schedule } from './call.ts';
import type { TurnFacts } from './desk.ts';
import { offerBusy, offerGone } from './failover-words.ts';
import type { AskCloud, CloudAnswer } from './orchestrator-parts.ts';

export const KEPT_OFFERS = 20;
/** Nobody wants yesterday's turn improved, ms. */
export const OFFER_LIFE_MS = 24 * 60 * 60 * 1000;
/** Characters of the prompt that name the turn. */
const PROMPT = 300;

export interface OfferOptions {
	readonly clock: Clock;
	readonly schedule: Schedule;
	readonly providerName: (providerId: string) => string;
	readonly askCloud: AskCloud;
	/** A person wants a better answer than this local one. */
	readonly onAsked: (facts: TurnFacts, modelId: string) => void;
	readonly onChange: () => void;
}

interface Offer {
	readonly id: string;
	readonly facts: TurnFacts;
	readonly modelId: string;
	readonly localModel: string;
	readonly text: string;
	/** Wall clock, ms. */
	readonly answeredAt: number;
	readonly cancelExpiry: () => void;
	/** The provider is back: it can be seen. */
	isOpen: boolean;
	state: ImproveOffer['state'];
	problem: string;
	cloud: { readonly model: string; readonly text: string; readonly at: number } | null;
}

export class OfferBook {
	readonly #options: OfferOptions;
	/** Oldest first. */
	readonly #offers = new Map<string, Offer>();
	#serial = 0;

	constructor(options: OfferOptions) {
		this.#options = options;
	}

	/** A turn was answered locally. `isBack`: its provider answers again already. A turn has one offer. */
	add(facts: TurnFacts, model: ModelFit, answer: string, isBack: boolean): void {
		// A helper request is nobody's question, and an answer of tool calls alone leaves nothing to compare.
		if (facts.isAuxiliary || answer.trim() === '') return;
		for (const { id, facts: known } of this.#offers.values())
			if (known.turnId === facts.turnId) this.#remove(id);
		const answeredAt = this.#options.clock.wall();
		this.#serial += 1;
		const id = `offer-${answeredAt}-${this.#serial}`;
		this.#offers.set(id, {
			id,
			facts,
			modelId: model.id,
			localModel: model.model,
			text: answer,
			answeredAt,
			cancelExpiry: this.#options.schedule(OFFER_LIFE_MS, () => {
				this.#remove(id);
				this.#options.onChange();
			}),
			isOpen: isBack,
			state: 'offered',
			problem: '',
			cloud: null,
		});
		for (const oldest of this.#offers.keys()) {
			if (this.#offers.size <= KEPT_OFFERS) break;
			this.#remove(oldest);
		}
		this.#options.onChange();
	}

	/** Shows the offers of a provider that answers again, or of one model of it. */
	providerBack(providerId: string, model?: string): void {
		for (const offer of this.#offers.values()) {
			const { facts } = offer;
			if (facts.providerId === providerId && (model === undefined || facts.model === model))
				offer.isOpen = true;
		}
	}

	/** Asks the cloud; what comes of it is seen in the offer. Throws `ChannelError`. */
	ask(id: string): void {
		const offer = this.#present(id);
		if (offer.state !== 'offered' && offer.state !== 'failed') throw offerBusy();
		offer.state = 'asking';
		offer.problem = '';
		this.#options.onAsked(offer.facts, offer.modelId);
		this.#options.onChange();
		this.#options.askCloud(id, offer.facts).then(
			(answer) => this.cloudAnswered(id, answer),
			(error: unknown) => this.cloudAnswered(id, { kind: 'failed', problem: problemOf(error) }),
		);
	}

	/** What came of asking, at once or later from the outbox. Nothing when the offer is gone or was answered already. */
	cloudAnswered(id: string, answer: CloudAnswer): void {
		const offer = this.#offers.get(id);
		if (!offer || offer.state === 'ready' || offer.state === 'offered') return;
		if (answer.kind === 'answered') {
			offer.state = 'ready';
			offer.problem = '';
			offer.cloud = { model: answer.model, text: answer.text, at: this.#options.clock.wall() };
		} else {
			offer.state = answer.kind;
			offer.problem = answer.problem;
		}
		this.#options.onChange();
	}

	/** Throws `ChannelError`. */
	read(id: string): Comparison {
		const offer = this.#present(id);
		const { localModel: model, text, answeredAt: at, cloud } = offer;
		return { offer: this.#view(offer), local: { model, text, at }, cloud };
	}

	/** Throws `ChannelError`. */
	dismiss(id: string): void {
		this.#remove(this.#present(id).id);
		this.#options.onChange();
	}

	/** Newest first; only what can be asked. */
	views(): ImproveOffer[] {
		return [...this.#offers.values()]
			.filter(({ isOpen }) => isOpen)
			.map((offer) => this.#view(offer))
			.reverse();
	}

	dispose(): void {
		for (const id of [...this.#offers.keys()]) this.#remove(id);
	}

	#present(id: string): Offer {
		const offer = this.#offers.get(id);
		if (!offer?.isOpen) throw offerGone();
		return offer;
	}

	#remove(id: string): void {
		this.#offers.get(id)?.cancelExpiry();
		this.#offers.delete(id);
	}

	#view({ id, facts, localModel, answeredAt, state, problem }: Offer): ImproveOffer {
		const { agentId, agentName, providerId, model } = facts;
		return {
			id,
			agentId,
			agentName,
			providerId,
			providerName: this.#options.providerName(providerId),
			cloudModel: model,
			localModel,
			prompt: visibleText(facts.prompt, { limit: PROMPT }),
			answeredAt,
			state,
			problem,
		};
	}
}

function problemOf(error: unknown): string {
	return `The cloud could not be asked: ${error instanceof Error ? error.message : String(error)}`;
}
