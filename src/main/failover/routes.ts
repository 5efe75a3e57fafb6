/** Sessions that go on locally until their provider is back. One choice for a session and provider; in memory only. */
import type { LocalRouteView } from '../../shared/failover-view.ts';
import type { Clock } from './call.ts';
import type { TurnFacts } from './desk.ts';

/** A session that goes on locally gives its provider a try this often, ms: the seed's time to the half-open breaker. */
export const ASK_PROVIDER_AGAIN_MS = 30_000;

/** With a provider that answers others, a session that asked nothing for this long is over, ms. */
export const IDLE_CHOICE_MS = 10 * 60_000;

export interface LocalChoice {
	readonly facts: TurnFacts;
	readonly modelId: string;
	/** Wall clock, ms. */
	readonly since: number;
	/** Turns answered by it. */
	turns: number;
	/** The turn whose answer carries the label; `null`: the next one. */
	labelledTurn: string | null;
	/** Steady ms: before this its turns are not tried at the provider. */
	askProviderAt: number;
	/** Steady ms: when its session last asked. */
	askedAt: number;
}

export class LocalRoutes {
	readonly #clock: Clock;
	readonly #choices = new Map<string, LocalChoice>();

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	of(facts: TurnFacts): LocalChoice | null {
		return this.#choices.get(keyOf(facts)) ?? null;
	}

	/** The session asks. */
	asks(facts: TurnFacts): LocalChoice | null {
		const choice = this.of(facts);
		if (choice) choice.askedAt = this.#clock.steady();
		return choice;
	}

	/**
	 * The session's choice from now on; for a session of nobody in particular, of this turn alone. The same model again
	 * changes nothing: its answers were labelled already.
	 */
	choose(facts: TurnFacts, modelId: string): LocalChoice {
		const known = this.of(facts);
		if (known?.modelId === modelId) return known;
		const choice: LocalChoice = {
			facts,
			modelId,
			since: this.#clock.wall(),
			turns: 0,
			labelledTurn: null,
			askProviderAt: 0,
			askedAt: this.#clock.steady(),
		};
		if (facts.isAttributed) this.#choices.set(keyOf(facts), choice);
		this.askLater(choice);
		return choice;
	}

	/** The provider has just failed this session. */
	askLater(choice: LocalChoice): void {
		choice.askProviderAt = this.#clock.steady() + ASK_PROVIDER_AGAIN_MS;
	}

	/** True for the one turn whose answer is the session's first by this model. */
	takesLabel(choice: LocalChoice, turnId: string): boolean {
		choice.labelledTurn ??= turnId;
		return choice.labelledTurn === turnId;
	}

	answered(facts: TurnFacts): void {
		const choice = this.of(facts);
		if (choice) choice.turns += 1;
	}

	/** The turn got no local answer: the label goes to the next one. */
	unanswered(facts: TurnFacts): void {
		const choice = this.of(facts);
		if (choice?.labelledTurn === facts.turnId) choice.labelledTurn = null;
	}

	/** That model failed this session. */
	drop(facts: TurnFacts, modelId: string): void {
		if (this.of(facts)?.modelId === modelId) this.#choices.delete(keyOf(facts));
	}

	/** The provider is back. */
	endOf(providerId: string): void {
		for (const [key, { facts }] of this.#choices)
			if (facts.providerId === providerId) this.#choices.delete(key);
	}

	/**
	 * The provider answered this turn: sessions that left for the same model, this very session, and those that are over
	 * go back to it. Of other models it says nothing.
	 */
	endAnswered({ providerId, model, sessionKey, subagentId }: TurnFacts): void {
		const idleSince = this.#clock.steady() - IDLE_CHOICE_MS;
		for (const [key, { facts, askedAt }] of this.#choices) {
			if (facts.providerId !== providerId) continue;
			const isSession = subagentId === null && facts.sessionKey === sessionKey;
			if (facts.model === model || isSession || askedAt <= idleSince) this.#choices.delete(key);
		}
	}

	count(providerId: string): number {
		return [...this.#choices.values()].filter(({ facts }) => facts.providerId === providerId).length;
	}

	views(): LocalRouteView[] {
		return [...this.#choices.values()].map(({ facts, modelId, since, turns }) => {
			const { sessionKey, agentId, agentName, providerId } = facts;
			return { sessionKey, agentId, agentName, providerId, modelId, since, turns };
		});
	}
}

/** A session may use two providers; what was chosen for one says nothing about the other. */
function keyOf({ providerId, sessionKey }: TurnFacts): string {
	return JSON.stringify([providerId, sessionKey]);
}
