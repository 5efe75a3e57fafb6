/** The popups: one for each provider that turns are held for, opened, updated in place and closed with its reason. */
import type { FailoverPopup } from '../../shared/failover-view.ts';
import type { Failure } from './desk.ts';
import { isMoreSpecific, lossSentence } from './failover-words.ts';
import type { HeldTurnRecord } from './held-turns.ts';
import type { OrchestratorParts } from './orchestrator-parts.ts';
import type { Recommendation } from './recommend.ts';

/** Turns, by why they went back. */
export interface GivenBack {
	/** The hold was over. */
	undecided: number;
	unfit: number;
}

export interface OpenPopup {
	readonly id: string;
	readonly providerId: string;
	readonly openedAt: number;
	readonly turns: Set<HeldTurnRecord>;
	incidentId: string;
	updatedAt: number;
	failure: Failure;
	/** The operator, or the settings, chose to wait. */
	isWaiting: boolean;
	recommendation: Recommendation;
	/** Turns that left it without anybody's decision. */
	readonly givenBack: GivenBack;
}

export interface PopupHooks {
	readonly recommend: (providerId: string, turns: readonly HeldTurnRecord[]) => Recommendation;
	/** A turn joined. Returns the incident's id. */
	readonly onJoined: (popup: OpenPopup) => string;
	readonly onClosed: (popup: OpenPopup, reason: string) => void;
}

const nothing: Recommendation = { candidates: [], excluded: [], recommendation: '', refusal: '' };

export class Popups {
	readonly #parts: OrchestratorParts;
	readonly #hooks: PopupHooks;
	readonly #byProvider = new Map<string, OpenPopup>();
	#serial = 0;

	constructor(parts: OrchestratorParts, hooks: PopupHooks) {
		this.#parts = parts;
		this.#hooks = hooks;
	}

	of(providerId: string): OpenPopup | null {
		return this.#byProvider.get(providerId) ?? null;
	}

	byId(id: string): OpenPopup | null {
		return [...this.#byProvider.values()].find((popup) => popup.id === id) ?? null;
	}

	/** Puts a turn on its provider's popup. Returns the popup when it had to be opened for it, else `null`. */
	join(turn: HeldTurnRecord, failure: Failure): OpenPopup | null {
		const { providerId } = turn.facts;
		const known = this.of(providerId);
		const popup = known ?? this.#open(providerId, failure);
		const isNew = !popup.turns.has(turn);
		popup.turns.add(turn);
		if (isMoreSpecific(failure.cause, popup.failure.cause)) popup.failure = failure;
		this.#update(popup);
		// Another turn that comes back from a vain retry is no further occurrence.
		if (isNew) popup.incidentId = this.#hooks.onJoined(popup);
		return known ? null : popup;
	}

	/** Takes a turn off; the last one closes the popup. */
	leave(turn: HeldTurnRecord, reason: string): void {
		const popup = this.of(turn.facts.providerId);
		if (!popup?.turns.delete(turn)) return;
		if (popup.turns.size === 0) this.close(popup, reason);
		else this.#update(popup);
	}

	/** Takes the turns of one model off. */
	leaveModel(providerId: string, model: string, reason: string): void {
		for (const turn of [...(this.of(providerId)?.turns ?? [])]) {
			if (turn.facts.model === model) this.leave(turn, reason);
		}
	}

	close(popup: OpenPopup, reason: string): void {
		if (!this.#byProvider.delete(popup.providerId)) return;
		popup.turns.clear();
		if (this.#byProvider.size === 0) this.#parts.probingPaused(false);
		this.#hooks.onClosed(popup, reason);
	}

	/** The operator waits, or is asked again. */
	setWaiting(popup: OpenPopup, isWaiting: boolean): void {
		popup.isWaiting = isWaiting;
		this.#update(popup);
	}

	/** Models, settings or what failed have changed. */
	refresh(): void {
		for (const popup of this.#byProvider.values()) this.#update(popup);
	}

	all(): OpenPopup[] {
		return [...this.#byProvider.values()];
	}

	views(): FailoverPopup[] {
		return this.all().map((popup) => {
			const { id, incidentId, providerId, failure, openedAt, updatedAt, recommendation } = popup;
			const providerName = this.#parts.providerName(providerId);
			const waiting = this.#isWaiting(popup);
			return {
				id,
				incidentId,
				providerId,
				providerName,
				cause: failure.cause,
				sentence: lossSentence(failure, providerName),
				detail: failure.detail,
				openedAt,
				updatedAt,
				turns: [...popup.turns].map((turn) => turn.view(waiting)),
				...recommendation,
				waiting,
			};
		});
	}

	#isWaiting({ isWaiting }: OpenPopup): boolean {
		return isWaiting || this.#parts.settings().policy === 'wait';
	}

	#open(providerId: string, failure: Failure): OpenPopup {
		const at = this.#parts.clock.wall();
		this.#serial += 1;
		const popup: OpenPopup = {
			id: `popup-${at}-${this.#serial}`,
			incidentId: '',
			providerId,
			openedAt: at,
			updatedAt: at,
			turns: new Set(),
			failure,
			isWaiting: false,
			recommendation: nothing,
			givenBack: { undecided: 0, unfit: 0 },
		};
		if (this.#byProvider.size === 0) this.#parts.probingPaused(true);
		this.#byProvider.set(providerId, popup);
		return popup;
	}

	#update(popup: OpenPopup): void {
		popup.updatedAt = this.#parts.clock.wall();
		popup.recommendation =
			this.#parts.settings().policy === 'wait'
				? nothing
				: this.#hooks.recommend(popup.providerId, [...popup.turns]);
	}
}
