/** The one incident of a lost provider: urgent while turns are held, then kept in view until the provider is back. */
import type { IncidentDecision } from '../../shared/snapshot.ts';
import { lossSentence, sessionsWords } from './failover-words.ts';
import type { OrchestratorParts } from './orchestrator-parts.ts';
import type { Outages } from './outages.ts';
import type { GivenBack, OpenPopup } from './popups.ts';
import type { LocalRoutes } from './routes.ts';

export class LossIncidents {
	readonly #parts: OrchestratorParts;
	readonly #outages: Outages;
	readonly #routes: LocalRoutes;

	constructor(parts: OrchestratorParts, outages: Outages, routes: LocalRoutes) {
		this.#parts = parts;
		this.#outages = outages;
		this.#routes = routes;
	}

	/** A turn is held: somebody is needed. Returns the incident's id. */
	asks({ providerId, failure, turns, recommendation, updatedAt }: OpenPopup): string {
		const agents = new Set([...turns].map(({ facts }) => facts.agentId));
		const [agentId] = agents;
		const held = turns.size === 1 ? '1 turn is held.' : `${turns.size} turns are held.`;
		const next = recommendation.recommendation || recommendation.refusal || 'The settings say to wait.';
		return this.#parts.incidents.report(
			keyOf(providerId),
			{
				kind: 'failover',
				severity: 'urgent',
				title: lossSentence(failure, this.#parts.providerName(providerId)),
				detail: `${failure.detail} ${held} ${next}`,
				agentId: agents.size === 1 ? (agentId ?? null) : null,
			},
			updatedAt,
		).id;
	}

	/** Nobody is needed, and the provider is still lost. `what`: one sentence. */
	stands(providerId: string, what: string): void {
		const failure = this.#outages.failureOf(providerId);
		if (failure === null) return;
		const name = this.#parts.providerName(providerId);
		const sessions = this.#routes.count(providerId);
		const locals = sessions > 0 ? ` ${sessionsWords(sessions)} locally until ${name} is back.` : '';
		this.#parts.incidents.report(
			keyOf(providerId),
			{
				kind: 'failover',
				severity: 'attention',
				title: lossSentence(failure, name),
				detail: `${failure.detail} ${what}${locals}`,
				agentId: null,
			},
			this.#parts.clock.wall(),
			false,
		);
	}

	/** Nobody clicked: the settings, or time, decided about its turns. */
	decided(providerId: string, by: IncidentDecision['by'], words: string): void {
		const at = this.#parts.clock.wall();
		this.#parts.incidents.decideAbout(keyOf(providerId), { at, by, words });
	}

	/** Turns of it were given back to their agents, and no person had decided so. */
	gaveBack(providerId: string, { undecided, unfit }: GivenBack): void {
		if (undecided > 0) {
			this.decided(providerId, 'time', `Gave ${turnsWords(undecided)} back: nobody decided in time`);
		}
		if (unfit > 0) {
			this.decided(providerId, 'engine', `Gave ${turnsWords(unfit)} back: no local model could go on`);
		}
	}

	ends(providerId: string, reason: string): void {
		this.#parts.incidents.recover(keyOf(providerId), this.#parts.clock.wall(), reason);
	}
}

function turnsWords(count: number): string {
	return count === 1 ? '1 turn' : `${count} turns`;
}

function keyOf(providerId: string): string {
	return `failover:${providerId}`;
}
