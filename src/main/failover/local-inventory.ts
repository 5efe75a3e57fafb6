/** The local models as discovery saw them last, judged for turns that wait. From memory: nothing is probed here. */
import type { ModelFit } from '../../shared/capability.ts';
import type { TurnFacts } from './desk.ts';
import type { OrchestratorParts } from './orchestrator-parts.ts';
import type { Outages } from './outages.ts';
import { type Recommendation, recommend, whyNot } from './recommend.ts';
import type { LocalChoice } from './routes.ts';

export class LocalInventory {
	readonly #parts: OrchestratorParts;
	readonly #outages: Outages;

	constructor(parts: OrchestratorParts, outages: Outages) {
		this.#parts = parts;
		this.#outages = outages;
	}

	/** `ModelFit.id`; `null`: it is not there any more. */
	find(modelId: string): ModelFit | null {
		return this.#parts.localModels().models.find(({ id }) => id === modelId) ?? null;
	}

	/** Why this model cannot take this turn now, with the cure; `null` when it can. */
	whyNot(model: ModelFit, facts: TurnFacts): string | null {
		return this.#judge(model, facts, this.#outages.failedModels(facts.providerId));
	}

	/**
	 * The model that a session chose; `null`: it is gone, cannot hold this turn, or the settings say to wait. That it
	 * failed another session is no reason to take it away from this one.
	 */
	chosen({ modelId }: LocalChoice, facts: TurnFacts): ModelFit | null {
		if (this.#parts.settings().policy === 'wait') return null;
		const model = this.find(modelId);
		return model && this.#judge(model, facts, new Map()) === null ? model : null;
	}

	recommend(providerId: string, turns: readonly TurnFacts[]): Recommendation {
		return recommend({
			...this.#parts.localModels(),
			turns,
			acceptance: this.#parts.acceptance,
			failed: this.#outages.failedModels(providerId),
		});
	}

	#judge(model: ModelFit, facts: TurnFacts, failed: ReadonlyMap<string, string>): string | null {
		return whyNot(model, facts, { servers: this.#parts.localModels().servers, failed });
	}
}
