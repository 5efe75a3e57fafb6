/** One held turn from failure to failure: a wish, a standing choice, the policy, a person, a retry, or the end of its hold. */
import type { ModelFit } from '../../shared/capability.ts';
import { BREAKER_RULES } from './breaker-rules.ts';
import type { Failure, HeldDecision, TurnFacts } from './desk.ts';
import type { FailoverNews } from './failover-news.ts';
import { continuedOn, queuedMessage } from './failover-words.ts';
import { type GiveUp, holdOver, noLocalFit, providerGone, shuttingDown } from './give-up.ts';
import { HeldTurnRecord, type Wish } from './held-turns.ts';
import type { LocalInventory } from './local-inventory.ts';
import type { LocalVerdicts } from './local-verdicts.ts';
import type { LossIncidents } from './loss-incidents.ts';
import type { OrchestratorParts } from './orchestrator-parts.ts';
import type { Outages } from './outages.ts';
import type { OpenPopup, Popups } from './popups.ts';
import { recoveryDelayMs, refusedDelayMs, retryDelayMs } from './retry-plan.ts';
import type { LocalRoutes } from './routes.ts';

/** What all parts of the orchestrator share. */
export interface FlowOptions {
	readonly parts: OrchestratorParts;
	readonly news: FailoverNews;
	readonly outages: Outages;
	readonly routes: LocalRoutes;
	readonly verdicts: LocalVerdicts;
	readonly incidents: LossIncidents;
	readonly inventory: LocalInventory;
	readonly popups: Popups;
}

export class TurnFlow {
	readonly #options: FlowOptions;
	readonly #held = new Set<HeldTurnRecord>();

	constructor(options: FlowOptions) {
		this.#options = options;
	}

	take(facts: TurnFacts): HeldTurnRecord {
		const { clock, schedule, settings } = this.#options.parts;
		const turn = new HeldTurnRecord(facts, settings().holdSeconds * 1000, {
			clock,
			schedule,
			onDeadline: (due) => this.#holdIsOver(due),
			onRetryDue: (due) => this.#retry(due),
		});
		this.#held.add(turn);
		return turn;
	}

	next(turn: HeldTurnRecord, failure: Failure): Promise<HeldDecision> {
		const { parts } = this.#options;
		const failedAt = parts.clock.steady();
		// What was called off did not fail.
		const known = turn.isTryAbandoned ? turn.failure : null;
		const decision = turn.wait();
		if (!turn.isOver && !parts.providerIds().includes(turn.facts.providerId)) turn.finish(providerGone);
		if (turn.isOver) return decision;
		const isLocalFailure = turn.failedLocally;
		const shown = known ?? this.#noteFailure(turn, failure);
		let opened: OpenPopup | null = null;
		const mayGoLocal = turn.wish?.kind !== 'wait';
		const isDecided =
			this.#takeWish(turn) || (mayGoLocal && (this.#goOnLocally(turn) || this.goLocalByPolicy(turn)));
		if (!isDecided) {
			if (turn.isExpired) this.#giveBack(turn);
			else if (isLocalFailure && this.#policy === 'local') this.#giveBack(turn, noLocalFit);
			else {
				opened = this.#ask(turn, shown);
				this.#planRetry(turn);
			}
		}
		this.#options.news.changed();
		if (opened) this.#popupOpened(opened, failedAt);
		return decision;
	}

	/** The operator's word about a turn that waits; a try under way that is still silent is broken off for it. */
	obey(turn: HeldTurnRecord, wish: Wish): void {
		const { silentModelId, facts } = turn;
		if (silentModelId !== null) {
			if (wish.kind === 'local' && wish.modelId === silentModelId) return;
			// The session's choice ends with it: the next turn would wait for the same silence.
			this.#options.routes.drop(facts, silentModelId);
			this.#options.verdicts.forget(facts);
		}
		turn.wish = wish;
		if (turn.isWaiting) this.#takeWish(turn);
		else turn.abandonTry();
	}

	/** Pre-authorised by the operator, and as visible as a click. False: the policy is another, or nothing fits. */
	goLocalByPolicy(turn: HeldTurnRecord): boolean {
		const { inventory, popups, incidents } = this.#options;
		if (this.#policy !== 'local') return false;
		const { providerId } = turn.facts;
		const [best] = inventory.recommend(providerId, [turn.facts]).candidates;
		const model = best && inventory.find(best.modelId);
		if (!model) return false;
		this.#goLocal(turn, model);
		// A popup that others wait on says more than this.
		if (!popups.of(providerId)) {
			incidents.stands(providerId, `Switched to ${model.model} at once, as the settings say.`);
		}
		incidents.decided(providerId, 'engine', `Switched 1 turn to ${model.model}, as the settings say`);
		return true;
	}

	/** Returns who answers. */
	answering(turn: HeldTurnRecord): 'local' | 'cloud' {
		const { silentModelId } = turn;
		turn.noteAnswering();
		if (silentModelId === null) {
			this.#options.popups.leave(turn, 'the provider answers again');
			return 'cloud';
		}
		const model = this.#options.inventory.find(silentModelId)?.model ?? silentModelId;
		this.#options.popups.leave(turn, continuedOn(model));
		return 'local';
	}

	localFailed(turn: HeldTurnRecord, modelId: string, detail: string): void {
		const { outages, verdicts, routes, popups } = this.#options;
		const { facts } = turn;
		if (turn.isTryAbandoned) return;
		outages.noteFailed(facts.providerId, modelId, detail);
		verdicts.rejected(facts);
		routes.drop(facts, modelId);
		turn.failedLocally = true;
		const popup = popups.of(facts.providerId);
		// Whoever chose to wait did so while there was something local to fall back on.
		if (popup) popups.setWaiting(popup, false);
	}

	/** False when it was released before. */
	release(turn: HeldTurnRecord, reason: string): boolean {
		if (!this.#held.delete(turn)) return false;
		turn.finish(holdOver);
		this.#options.popups.leave(turn, reason);
		return true;
	}

	/** The breaker's trial was taken or decided: the time of the others has moved with it. */
	planRetries(providerId: string): void {
		for (const turn of this.#options.popups.of(providerId)?.turns ?? []) {
			if (turn.isWaiting) this.#planRetry(turn);
		}
	}

	/** The provider is back, or one model of it: everything that waits for it is sent, a little apart. */
	sendAll(providerId: string, model?: string): void {
		const { random } = this.#options.parts;
		const turns = [...this.#held].filter(
			({ isWaiting, isSentOn, facts }) =>
				isWaiting &&
				!isSentOn &&
				facts.providerId === providerId &&
				(model === undefined || facts.model === model),
		);
		for (const [index, turn] of turns.entries()) {
			const { recoveries, remainingMs } = turn;
			turn.retryIn(recoveryDelayMs(index, { recoveries, remainingMs, random: random() }));
			turn.recoveries += 1;
			turn.isSentOn = true;
		}
	}

	noteWake(): void {
		for (const turn of this.#held) turn.noteWake();
	}

	/** The provider left the settings: nobody can be asked for its turns any more. What a local model has goes on. */
	providerGone(providerId: string): void {
		for (const turn of this.#held) {
			if (turn.facts.providerId !== providerId) continue;
			if (turn.isRetrying) turn.abandonTry();
			turn.finish(providerGone);
		}
	}

	stop(): void {
		for (const turn of this.#held) {
			turn.abandonTry();
			turn.finish(shuttingDown);
		}
	}

	get #policy(): 'ask' | 'local' | 'wait' {
		return this.#options.parts.settings().policy;
	}

	/** What a local model says never covers what the cloud said. Returns what is shown. */
	#noteFailure(turn: HeldTurnRecord, failure: Failure): Failure {
		const { outages, routes, parts } = this.#options;
		const { providerId } = turn.facts;
		if (turn.failedLocally) {
			turn.failedLocally = false;
			turn.failure ??= outages.failureOf(providerId) ?? failure;
			return turn.failure;
		}
		if (turn.failure !== null) turn.retries += 1;
		turn.failure = failure;
		const wish = Math.min(failure.outcome.retryAfterMs ?? 0, BREAKER_RULES.longestWishMs);
		turn.notBefore = parts.clock.steady() + wish;
		outages.note(providerId, failure);
		outages.noteModel(turn.facts, parts.clock.steady());
		const choice = routes.of(turn.facts);
		if (choice) routes.askLater(choice);
		return failure;
	}

	#takeWish(turn: HeldTurnRecord): boolean {
		const { wish } = turn;
		turn.wish = null;
		if (wish === null || wish.kind === 'wait') return false;
		if (wish.kind === 'queued') {
			const message = queuedMessage(this.#options.parts.providerName(turn.facts.providerId));
			turn.decide({ kind: 'queued', message });
			this.#options.popups.leave(turn, 'queued for retry');
			return true;
		}
		// Since the click the settings may forbid it, and the model may be gone.
		const model = this.#policy === 'wait' ? null : this.#options.inventory.find(wish.modelId);
		if (!model || this.#options.inventory.whyNot(model, turn.facts) !== null) return false;
		this.#goLocal(turn, model);
		return true;
	}

	/** The session's own choice stands: nobody is asked again. */
	#goOnLocally(turn: HeldTurnRecord): boolean {
		const choice = this.#options.routes.of(turn.facts);
		const model = choice && this.#options.inventory.chosen(choice, turn.facts);
		if (!model) return false;
		this.#goLocal(turn, model);
		return true;
	}

	/** A turn that is asked about stays on its card until the model answers: it may be silent, and others chosen. */
	#goLocal(turn: HeldTurnRecord, model: ModelFit): void {
		const { routes, verdicts, outages, parts } = this.#options;
		const { facts } = turn;
		// A choice stands as long as its outage, also where the outage of others is over.
		if (turn.failure) outages.note(facts.providerId, turn.failure);
		outages.noteModel(facts, parts.clock.steady());
		const choice = routes.choose(facts, model.id);
		verdicts.started(facts, model.id);
		turn.decide({ kind: 'local', model, isFirst: routes.takesLabel(choice, facts.turnId) });
	}

	/** Returns the popup when it was opened for this turn. What is asked about ends with the outage. */
	#ask(turn: HeldTurnRecord, failure: Failure): OpenPopup | null {
		this.#options.outages.note(turn.facts.providerId, failure);
		return this.#options.popups.join(turn, failure);
	}

	#planRetry(turn: HeldTurnRecord): void {
		const { gate, random, clock } = this.#options.parts;
		const { providerId } = turn.facts;
		const delay = retryDelayMs({
			isDown: gate.isDown(providerId),
			retryInMs: gate.retryInMs(providerId),
			retries: turn.retries,
			floorMs: turn.notBefore - clock.steady(),
			random: random(),
		});
		turn.retryIn(delay);
	}

	#retry(turn: HeldTurnRecord): void {
		const { parts, outages, news } = this.#options;
		const admission = parts.gate.admit(turn.facts.providerId);
		if (admission.ticket !== null) {
			turn.decide({ kind: 'provider', ticket: admission.ticket });
			news.changed();
			return;
		}
		turn.retryIn(refusedDelayMs(admission.retryInMs, parts.random()));
		// It was sent on because the provider was back, and the provider is gone again.
		const opened = this.#ask(turn, turn.failure ?? outages.refusal(turn.facts.providerId, admission.reason));
		if (opened === null) return;
		const goneAt = parts.clock.steady();
		news.changed();
		this.#popupOpened(opened, goneAt);
	}

	#holdIsOver(turn: HeldTurnRecord): void {
		// A local model that has the turn was chosen in time.
		if (turn.isRetrying) turn.abandonTry();
		if (!turn.isWaiting) return;
		this.#giveBack(turn);
		this.#options.news.changed();
	}

	/** The provider's own error goes to the agent. */
	#giveBack(turn: HeldTurnRecord, decision: GiveUp = this.#whyOver(turn)): void {
		const { popups, incidents } = this.#options;
		const { providerId } = turn.facts;
		const isUnfit = decision.why === 'no-local-fit';
		const reason = isUnfit ? 'no local model could go on' : 'nobody decided in time';
		turn.finish(decision);
		const popup = popups.of(providerId);
		if (popup) {
			popup.givenBack[turn.isExpired ? 'undecided' : 'unfit'] += 1;
			popups.leave(turn, reason);
		} else {
			incidents.stands(providerId, `The turn was given back to its agent: ${reason}.`);
			incidents.gaveBack(
				providerId,
				turn.isExpired ? { undecided: 1, unfit: 0 } : { undecided: 0, unfit: 1 },
			);
		}
	}

	#whyOver(turn: HeldTurnRecord): GiveUp {
		if (this.#policy === 'wait') return holdOver;
		const { candidates } = this.#options.inventory.recommend(turn.facts.providerId, [turn.facts]);
		return candidates.length === 0 ? noLocalFit : holdOver;
	}

	#popupOpened({ id: popupId, providerId, failure }: OpenPopup, failedAt: number): void {
		const { wall, steady } = this.#options.parts.clock;
		const popupMs = steady() - failedAt;
		const { cause } = failure;
		this.#options.news.happened({ kind: 'popup-opened', at: wall(), providerId, popupId, cause, popupMs });
	}
}
