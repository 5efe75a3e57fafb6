/** What is remembered of a provider from its first loss until it is back. */
import type { CallOutcome } from './call.ts';
import type { Failure, TurnFacts } from './desk.ts';
import { isMoreSpecific } from './failover-words.ts';

export interface Outage {
	/** How it failed last, as specific as it is known. */
	failure: Failure | null;
	/** Local models that failed since, with what happened. */
	readonly failed: Map<string, string>;
	/** Models of the provider that were lost, with when they were last, steady ms. */
	readonly lostModels: Map<string, number>;
}

/** Of a model that nobody asked for this long nothing more will be heard, ms. */
const FORGET_MODEL_MS = 10 * 60_000;

const none: ReadonlyMap<string, string> = new Map();

export class Outages {
	readonly #byProvider = new Map<string, Outage>();

	has(providerId: string): boolean {
		return this.#byProvider.has(providerId);
	}

	note(providerId: string, failure: Failure): void {
		const outage = this.#of(providerId);
		if (outage.failure === null || isMoreSpecific(failure.cause, outage.failure.cause))
			outage.failure = failure;
	}

	/** A turn was lost. */
	noteModel({ providerId, model }: TurnFacts, now: number): void {
		this.#of(providerId).lostModels.set(model, now);
	}

	/** A turn was answered. Returns whether no model of the provider is lost any more. */
	noteAnswered({ providerId, model }: TurnFacts, now: number): boolean {
		const lost = this.#byProvider.get(providerId)?.lostModels ?? new Map<string, number>();
		for (const [name, at] of lost) {
			if (name === model || now - at >= FORGET_MODEL_MS) lost.delete(name);
		}
		return lost.size === 0;
	}

	providerIds(): string[] {
		return [...this.#byProvider.keys()];
	}

	failureOf(providerId: string): Failure | null {
		return this.#byProvider.get(providerId)?.failure ?? null;
	}

	/** Local models are excluded once they failed in this outage. */
	failedModels(providerId: string): ReadonlyMap<string, string> {
		return this.#byProvider.get(providerId)?.failed ?? none;
	}

	noteFailed(providerId: string, modelId: string, detail: string): void {
		this.#of(providerId).failed.set(modelId, detail);
	}

	/** A person wants it tried again. */
	forgive(providerId: string, modelId: string): void {
		this.#byProvider.get(providerId)?.failed.delete(modelId);
	}

	end(providerId: string): void {
		this.#byProvider.delete(providerId);
	}

	/** Why a turn is held although nothing was sent: the breaker's reason. */
	refusal(providerId: string, reason: string): Failure {
		const last = this.failureOf(providerId);
		const outcome: CallOutcome = {
			kind: last?.outcome.kind ?? 'error',
			status: null,
			code: last?.outcome.code ?? '',
			latencyMs: null,
			// The breaker's time is no wish of the provider's.
			retryAfterMs: null,
		};
		const cause = last?.cause === 'network-lost' ? 'network-lost' : 'breaker-open';
		return { cause, outcome, detail: reason, cutMidAnswer: false };
	}

	#of(providerId: string): Outage {
		const known = this.#byProvider.get(providerId);
		if (known) return known;
		const outage: Outage = { failure: null, failed: new Map(), lostModels: new Map() };
		this.#byProvider.set(providerId, outage);
		return outage;
	}
}
