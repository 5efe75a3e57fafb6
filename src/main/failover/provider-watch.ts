/**
 * Whether a provider is down, back or gone, and what follows for whoever waits for it. "Back" is said on evidence only:
 * its breaker was open and is closed, or a turn like those that wait was answered. A helper's small call is none.
 */
import type { TurnFacts } from './desk.ts';
import { goneWords, newAddressWords } from './failover-words.ts';
import type { OfferBook } from './offers.ts';
import type { OpenPopup } from './popups.ts';
import type { FlowOptions, TurnFlow } from './turn-flow.ts';

export interface ProviderWatchOptions extends FlowOptions {
	readonly flow: TurnFlow;
	readonly offers: OfferBook;
}

export class ProviderWatch {
	readonly #options: ProviderWatchOptions;
	/** Providers that were down when last looked at. */
	readonly #down = new Set<string>();

	constructor(options: ProviderWatchOptions) {
		this.#options = options;
	}

	/** Its breaker or a trial of it may have changed. */
	look(providerId: string, whyBack = 'recovered'): void {
		const { parts, news, flow } = this.#options;
		const { gate, clock } = parts;
		const down = gate.isDown(providerId);
		if (down !== this.#down.has(providerId)) {
			if (down) this.#down.add(providerId);
			else this.#down.delete(providerId);
			const reason = gate.reason(providerId);
			news.happened({ kind: 'provider-changed', at: clock.wall(), providerId, down, reason });
			if (!down) this.#back(providerId, whyBack);
		}
		if (down) flow.planRetries(providerId);
	}

	/** The settings may have lost a provider, or have it at another address, of which nothing is known. */
	checkSettings(): void {
		const { parts, outages } = this.#options;
		const ids = parts.providerIds();
		for (const id of new Set([...this.#down, ...outages.providerIds()])) {
			if (!ids.includes(id)) this.#gone(id);
			else if (this.#down.has(id) && !parts.gate.isDown(id)) this.look(id, newAddressWords);
		}
	}

	/** The provider answers this turn: those that wait for the same model may go, and nothing is said of another. */
	answered(facts: TurnFacts): void {
		const { parts, outages, routes, offers, popups, incidents, flow } = this.#options;
		const { providerId, model, isAuxiliary } = facts;
		if (isAuxiliary || !outages.has(providerId) || parts.gate.isDown(providerId)) return;
		const isWhole = outages.noteAnswered(facts, parts.clock.steady());
		routes.endAnswered(facts);
		offers.providerBack(providerId, model);
		popups.leaveModel(providerId, model, 'recovered');
		if (isWhole && !popups.of(providerId) && routes.count(providerId) === 0) {
			incidents.ends(providerId, 'recovered');
			outages.end(providerId);
			offers.providerBack(providerId);
		}
		flow.sendAll(providerId, model);
	}

	/** No turn is held for the provider now; its incident goes on as long as it is lost or sessions are local. */
	popupClosed(popup: OpenPopup, reason: string, isStopped: boolean): void {
		const { id: popupId, providerId, givenBack } = popup;
		const { parts, news, outages, routes, incidents } = this.#options;
		news.happened({ kind: 'popup-closed', at: parts.clock.wall(), providerId, popupId, reason });
		incidents.gaveBack(providerId, givenBack);
		const isLost = parts.gate.isDown(providerId) || routes.count(providerId) > 0;
		if (isLost && !isStopped && outages.has(providerId)) {
			incidents.stands(providerId, `No turn is held now: ${reason}.`);
			return;
		}
		incidents.ends(providerId, reason);
		outages.end(providerId);
	}

	#back(providerId: string, reason: string): void {
		const { outages, routes, offers, popups, incidents, flow, news } = this.#options;
		if (!outages.has(providerId)) return;
		outages.end(providerId);
		routes.endOf(providerId);
		offers.providerBack(providerId);
		const popup = popups.of(providerId);
		if (popup) popups.close(popup, reason);
		incidents.ends(providerId, reason);
		flow.sendAll(providerId);
		news.changed();
	}

	#gone(providerId: string): void {
		const { parts, news, outages, routes, popups, incidents, flow } = this.#options;
		flow.providerGone(providerId);
		routes.endOf(providerId);
		const popup = popups.of(providerId);
		if (popup) popups.close(popup, goneWords);
		incidents.ends(providerId, goneWords);
		outages.end(providerId);
		if (!this.#down.delete(providerId)) return;
		const at = parts.clock.wall();
		news.happened({ kind: 'provider-changed', at, providerId, down: false, reason: goneWords });
	}
}
