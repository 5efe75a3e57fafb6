/**
 * No brick wall (seed 003, section 3): where each turn goes, and what happens to those whose provider is lost. It
 * answers from memory, asks a person through one popup for a provider, and never answers in anybody's place.
 */
import type { ModelFit } from '../../shared/capability.ts';
import type { Comparison, FailoverPopup, ImproveOffer, LocalRouteView } from '../../shared/failover-view.ts';
import type { CallOutcome, CallTicket } from './call.ts';
import type { FailoverDesk, HeldTurn, Route, TurnEnd, TurnFacts } from './desk.ts';
import type { FailoverListener } from './failover-event.ts';
import { FailoverNews } from './failover-news.ts';
import {
	agentNotHeld,
	localForbidden,
	modelGone,
	modelUnfit,
	popupGone,
	whyEnded,
} from './failover-words.ts';
import { giveBackAtOnce } from './give-up.ts';
import type { HeldTurnRecord } from './held-turns.ts';
import { LocalInventory } from './local-inventory.ts';
import { LocalVerdicts } from './local-verdicts.ts';
import { LossIncidents } from './loss-incidents.ts';
import { OfferBook } from './offers.ts';
import type { CloudAnswer, OrchestratorParts } from './orchestrator-parts.ts';
import { Outages } from './outages.ts';
import { Popups } from './popups.ts';
import { ProviderWatch } from './provider-watch.ts';
import { type LocalChoice, LocalRoutes } from './routes.ts';
import { type FlowOptions, TurnFlow } from './turn-flow.ts';

/** A turn that the chosen model cannot take; it is still held. */
export interface KeptTurn {
	readonly turnId: string;
	readonly agentName: string;
	readonly reason: string;
}

export class Orchestrator implements FailoverDesk {
	readonly #parts: OrchestratorParts;
	readonly #news = new FailoverNews();
	readonly #outages = new Outages();
	readonly #routes: LocalRoutes;
	readonly #verdicts: LocalVerdicts;
	readonly #incidents: LossIncidents;
	readonly #inventory: LocalInventory;
	readonly #popups: Popups;
	readonly #flow: TurnFlow;
	readonly #offers: OfferBook;
	readonly #watch: ProviderWatch;
	#isStopped = false;

	constructor(parts: OrchestratorParts) {
		this.#parts = parts;
		this.#routes = new LocalRoutes(parts.clock);
		this.#verdicts = new LocalVerdicts(parts.recordAcceptance);
		this.#incidents = new LossIncidents(parts, this.#outages, this.#routes);
		this.#inventory = new LocalInventory(parts, this.#outages);
		this.#popups = new Popups(parts, {
			recommend: (providerId, turns) =>
				this.#inventory.recommend(
					providerId,
					turns.map(({ facts }) => facts),
				),
			onJoined: (popup) => this.#incidents.asks(popup),
			onClosed: (popup, reason) => this.#watch.popupClosed(popup, reason, this.#isStopped),
		});
		const shared: FlowOptions = {
			parts,
			news: this.#news,
			outages: this.#outages,
			routes: this.#routes,
			verdicts: this.#verdicts,
			incidents: this.#incidents,
			inventory: this.#inventory,
			popups: this.#popups,
		};
		this.#flow = new TurnFlow(shared);
		this.#offers = new OfferBook({
			clock: parts.clock,
			schedule: parts.schedule,
			providerName: parts.providerName,
			askCloud: parts.askCloud,
			onAsked: (facts, modelId) => this.#verdicts.improvementAsked(facts, modelId),
			onChange: () => this.#news.changed(),
		});
		this.#watch = new ProviderWatch({ ...shared, flow: this.#flow, offers: this.#offers });
	}

	// The gateway's side.

	route(facts: TurnFacts): Route {
		this.#verdicts.sessionAsks(facts);
		const choice = this.#routes.asks(facts);
		const model = choice && this.#inventory.chosen(choice, facts);
		if (choice && model && this.#parts.clock.steady() < choice.askProviderAt) {
			return this.#routeLocally(facts, choice, model);
		}
		// A session that goes on locally asks its provider now and then: else nobody might ever see it come back.
		const admission = this.#parts.gate.admit(facts.providerId);
		if (admission.ticket !== null) return { to: 'provider', ticket: admission.ticket };
		if (choice && model) return this.#routeLocally(facts, choice, model);
		return { to: 'hold', failure: this.#outages.refusal(facts.providerId, admission.reason) };
	}

	settle(ticket: CallTicket, outcome: CallOutcome): void {
		this.#parts.gate.settle(ticket, outcome);
		this.providerChanged(ticket.providerId);
	}

	hold(facts: TurnFacts): HeldTurn {
		if (facts.isAuxiliary || this.#isStopped) return this.#notHeld(facts);
		const turn = this.#flow.take(facts);
		return {
			next: (failure) => this.#flow.next(turn, failure),
			answering: () => {
				if (this.#flow.answering(turn) === 'cloud') this.#watch.answered(facts);
				this.#news.changed();
			},
			localFailed: (modelId, detail) => {
				this.#flow.localFailed(turn, modelId, detail);
				this.#news.changed();
			},
			release: (how) => {
				if (this.#flow.release(turn, whyEnded(how))) this.ended(facts, how);
			},
		};
	}

	ended(facts: TurnFacts, end: TurnEnd): void {
		if (end.kind === 'answered' && end.harness === 'local') {
			this.#verdicts.answered(facts);
			this.#routes.answered(facts);
		} else {
			if (end.kind === 'client-left') this.#verdicts.rejected(facts);
			else this.#verdicts.forget(facts);
			this.#routes.unanswered(facts);
		}
		if (end.kind === 'answered' && end.harness === 'cloud') this.#watch.answered(facts);
		this.#news.happened({ kind: 'turn-ended', at: this.#parts.clock.wall(), facts, end });
		this.#news.changed();
	}

	answeredLocally(facts: TurnFacts, model: ModelFit, answer: string): void {
		this.#offers.add(facts, model, answer, !this.#outages.has(facts.providerId));
	}

	// The window's side. It throws `ChannelError` for what is gone or cannot be.

	popups(): FailoverPopup[] {
		return this.#popups.views();
	}

	localRoutes(): LocalRouteView[] {
		return this.#routes.views();
	}

	offers(): ImproveOffer[] {
		return this.#offers.views();
	}

	/**
	 * [Switch & continue]: the turns of a popup, or of one agent, go on with a local model, and so do their sessions.
	 * Returns those that the model cannot take; it throws when that is all of them.
	 */
	switchTo(popupId: string, modelId: string, agentId?: string): KeptTurn[] {
		const turns = this.#turnsOf(popupId, agentId);
		if (this.#parts.settings().policy === 'wait') throw localForbidden();
		const model = this.#inventory.find(modelId);
		if (!model) throw modelGone(modelId);
		const kept: KeptTurn[] = [];
		for (const turn of turns) {
			const { turnId, agentName, providerId } = turn.facts;
			// Whoever chooses a model that failed knows that what made it fail is cured.
			this.#outages.forgive(providerId, modelId);
			const reason = this.#inventory.whyNot(model, turn.facts);
			if (reason === null) this.#flow.obey(turn, { kind: 'local', modelId });
			else kept.push({ turnId, agentName, reason });
		}
		const [first] = kept;
		if (first && kept.length === turns.length) throw modelUnfit(model.model, first.reason);
		this.#news.changed();
		return kept;
	}

	/**
	 * [Wait for network]: held until the provider is back or the hold is over; the popup stays, small. It is said of the
	 * turns that are asked about; where there are none, of those whose local model does not answer.
	 */
	wait(popupId: string): void {
		const popup = this.#popups.byId(popupId);
		if (!popup) throw popupGone();
		const turns = [...popup.turns];
		if (turns.every(({ silentModelId }) => silentModelId !== null)) {
			for (const turn of turns) this.#flow.obey(turn, { kind: 'wait' });
		}
		this.#popups.setWaiting(popup, true);
		this.#news.changed();
	}

	/** [Queue for retry]: the turns end with a clear message; the gateway puts them into the outbox first. */
	queue(popupId: string, agentId?: string): void {
		for (const turn of this.#turnsOf(popupId, agentId)) this.#flow.obey(turn, { kind: 'queued' });
		this.#news.changed();
	}

	improveAsk(offerId: string): void {
		this.#offers.ask(offerId);
	}

	/** The outbox brought the cloud's answer to an offer that waited, or gave up. */
	improveAnswered(offerId: string, answer: CloudAnswer): void {
		this.#offers.cloudAnswered(offerId, answer);
	}

	improveRead(offerId: string): Comparison {
		return this.#offers.read(offerId);
	}

	improveDismiss(offerId: string): void {
		this.#offers.dismiss(offerId);
	}

	// The composition's side.

	/** Popups, routes or offers changed. Returns how to stop listening. */
	onChange(listener: () => void): () => void {
		return this.#news.onChange(listener);
	}

	onEvent(listener: FailoverListener): () => void {
		return this.#news.onEvent(listener);
	}

	/** To be called on `ProviderHealth.onChange`, and for one that is down from an earlier run. */
	providerChanged(providerId: string): void {
		this.#watch.look(providerId);
	}

	/** Models or settings changed: the cards are written anew, and a policy that needs nobody is carried out. */
	refresh(): void {
		this.#watch.checkSettings();
		for (const { turns, isWaiting } of this.#popups.all()) {
			// What a person chose outranks the policy.
			if (isWaiting) continue;
			for (const turn of [...turns]) if (turn.isWaiting) this.#flow.goLocalByPolicy(turn);
		}
		this.#popups.refresh();
		this.#news.changed();
	}

	/** The machine was asleep: no hold ends before somebody could see it. */
	noteWake(): void {
		this.#flow.noteWake();
		this.#popups.refresh();
		this.#news.changed();
	}

	/** Every held turn is given back, and those that come later are not held. Idempotent. */
	stop(): void {
		this.#isStopped = true;
		this.#flow.stop();
		for (const popup of this.#popups.all()) this.#popups.close(popup, 'Agent Floor was closed');
		this.#offers.dispose();
		this.#news.changed();
	}

	#routeLocally(facts: TurnFacts, choice: LocalChoice, model: ModelFit): Route {
		this.#verdicts.started(facts, model.id);
		const isFirst = !facts.isAuxiliary && this.#routes.takesLabel(choice, facts.turnId);
		return { to: 'local', model, isFirst };
	}

	#notHeld(facts: TurnFacts): HeldTurn {
		let isOver = false;
		return {
			next: async () => giveBackAtOnce(this.#isStopped),
			answering: () => undefined,
			localFailed: () => this.#verdicts.rejected(facts),
			release: (how) => {
				if (!isOver) this.ended(facts, how);
				isOver = true;
			},
		};
	}

	#turnsOf(popupId: string, agentId: string | undefined): HeldTurnRecord[] {
		const popup = this.#popups.byId(popupId);
		if (!popup) throw popupGone();
		const turns = [...popup.turns].filter(({ facts }) => agentId === undefined || facts.agentId === agentId);
		if (turns.length === 0) throw agentNotHeld();
		return turns;
	}
}
