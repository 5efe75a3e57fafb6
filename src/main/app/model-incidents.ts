/** What happens to the model breakers, as incidents: opened once for each chain, told further, ended with the recovery. */

import { withoutMoney } from '../../shared/attention.ts';
import { sentenceWords } from '../../shared/format.ts';
import type { ModelChainView } from '../../shared/models-view.ts';
import type { IncidentBook } from '../floor/incidents.ts';
import type { ModelEvent } from '../models/model-desk.ts';

/** A chain that is not on its preferred model, as far as an incident tells of it. */
interface LimitedChain {
	readonly at: number;
	readonly preferredModel: string;
	readonly hasFallbacks: boolean;
	/** `null`: nothing stands in. */
	readonly next: string | null;
	readonly words: string;
}

export class ModelIncidents {
	readonly #incidents: Pick<IncidentBook, 'report' | 'recover' | 'isOpen'>;
	/** Incident about money → the chain that it is about. */
	readonly #money = new Map<string, string>();

	constructor(incidents: Pick<IncidentBook, 'report' | 'recover' | 'isOpen'>) {
		this.#incidents = incidents;
	}

	readonly hear = (event: ModelEvent): void => {
		const { at, chain, chainId, model, words } = event;
		switch (event.kind) {
			case 'opened':
			case 'probe-failed':
			case 'advanced':
			case 'exhausted': {
				const { preferredModel, fallbackChain } = chain;
				const hasFallbacks = fallbackChain.length > 0;
				// A fallback that is limited too is the same happening going on.
				const isAgain = event.kind === 'opened' || event.kind === 'probe-failed';
				this.#limited(chainId, { at, preferredModel, hasFallbacks, next: event.next, words }, isAgain);
				break;
			}
			case 'recovered':
				this.#ends(limitKey(chainId), at, chain.preferredModel);
				break;
			case 'spend-limit':
				this.#outOfMoney(chainId, model, words, at);
				break;
			case 'spend-cleared':
				this.#ends(moneyKey(chainId), at, model);
				break;
			case 'half-open':
			case 'held':
			case 'released':
				break;
		}
	};

	/** The chains were changed: what is open is told in words that are true now. */
	retell(chains: readonly ModelChainView[], at: number): void {
		this.restore(chains.filter(({ id }) => this.#incidents.isOpen(limitKey(id))).map(withoutMoney), at);
	}

	/** What an earlier run of the floor left behind, and still is so. */
	restore(chains: readonly ModelChainView[], at: number): void {
		for (const chain of chains) {
			const { id, preferredModel, fallbackChain, state, held, modelInUse, spendLimit, why: words } = chain;
			if (state !== 'closed' && !held) {
				const next = modelInUse === preferredModel ? null : modelInUse;
				this.#limited(id, { at, preferredModel, hasFallbacks: fallbackChain.length > 0, next, words }, false);
			}
			if (spendLimit) this.#outOfMoney(id, spendLimit.model, moneyWords(spendLimit.said), at);
		}
	}

	/** The chain of which an incident tells that its money is out; `null`: it tells of something else. */
	moneyChainOf(incidentId: string): string | null {
		return this.#money.get(incidentId) ?? null;
	}

	#ends(key: string, at: number, model: string): void {
		const reason = `${model} answers again`;
		this.#incidents.recover(key, at, reason, { at, by: 'engine', words: `Saw that ${reason}` });
	}

	#limited(chainId: string, chain: LimitedChain, isAgain: boolean): void {
		const { at, preferredModel, hasFallbacks, next, words } = chain;
		const isExhausted = next === null;
		const alone = hasFallbacks ? 'nothing can stand in for it' : 'it has no fallback';
		const title = isExhausted
			? `${preferredModel} is rate-limited, and ${alone}`
			: `${preferredModel} is rate-limited: ${next} stands in`;
		const waiting = hasFallbacks
			? 'Its agents are told when to ask again.'
			: 'Whoever is refused is told when to ask again.';
		const meaning = isExhausted
			? waiting
			: 'Agents and loops that prefer it go on with the other model; it is tested by one call when its time has come.';
		const remedy = hasFallbacks
			? ''
			: ' Name models that may stand in for it under "models.chains" in the settings.';
		this.#incidents.report(
			limitKey(chainId),
			{
				kind: 'rate-limit',
				// What goes on by itself and heals by itself needs nobody.
				severity: isExhausted ? 'attention' : 'info',
				title,
				detail: `${words} ${meaning}${remedy}`,
				agentId: null,
			},
			at,
			isAgain,
		);
	}

	#outOfMoney(chainId: string, model: string, words: string, at: number): void {
		const incident = this.#incidents.report(
			moneyKey(chainId),
			{
				kind: 'spend-limit',
				severity: 'urgent',
				title: `${model} has no credit left, or has reached its spending limit`,
				detail: `${words} Calls that go to it fail until then: no other model is taken for it by itself. This ends with its next good answer, or when you put it away.`,
				agentId: null,
			},
			at,
		);
		this.#money.set(incident.id, chainId);
	}
}

/** Of the incident that a chain is limited. */
export function limitKey(chainId: string): string {
	return `rate-limit:${chainId}`;
}

/** As the event says it, for what an earlier run of the floor has heard. */
function moneyWords(said: string): string {
	const quoted = said === '' ? '' : `The provider said: ${sentenceWords(`“${said}”`)} `;
	return `${quoted}Waiting does not help, raise the limit or add credit.`;
}

function moneyKey(chainId: string): string {
	return `spend-limit:${chainId}`;
}
