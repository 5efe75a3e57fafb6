/** What happens to the model breakers, as incidents: opened once for each chain, told further, ended with the recovery. */
import type { IncidentBook } from '../floor/incidents.ts';
import type { ModelEvent } from '../models/model-desk.ts';

export class ModelIncidents {
	readonly #incidents: Pick<IncidentBook, 'report' | 'recover'>;

	constructor(incidents: Pick<IncidentBook, 'report' | 'recover'>) {
		this.#incidents = incidents;
	}

	readonly hear = (event: ModelEvent): void => {
		const { at, chain, chainId } = event;
		const limit = `rate-limit:${chainId}`;
		const money = `spend-limit:${chainId}`;
		switch (event.kind) {
			case 'opened':
			case 'probe-failed':
			case 'advanced':
			case 'exhausted':
				this.#limited(limit, event);
				break;
			case 'recovered':
				this.#incidents.recover(limit, at, `${chain.preferredModel} answers again`);
				break;
			case 'spend-limit':
				this.#incidents.report(
					money,
					{
						kind: 'spend-limit',
						severity: 'urgent',
						title: `${event.model} has no credit left, or has reached its spending limit`,
						detail: `${event.words} Waiting does not help and no other model is taken by itself: its agents fail until you add credit or raise the limit at the provider, or give them another model.`,
						agentId: null,
					},
					at,
				);
				break;
			case 'spend-cleared':
				this.#incidents.recover(money, at, `${event.model} answers again`);
				break;
			case 'half-open':
			case 'held':
			case 'released':
				break;
		}
	};

	#limited(key: string, { kind, at, chain, next, words }: ModelEvent): void {
		const { preferredModel, fallbackChain } = chain;
		const isExhausted = next === null;
		const title = isExhausted
			? `${preferredModel} is rate-limited, and nothing can stand in for it`
			: `${preferredModel} is rate-limited: ${next} stands in`;
		const meaning = isExhausted
			? 'Its agents are told when to ask again.'
			: 'Agents and loops that prefer it go on with the other model; it is tested by one call when its time has come.';
		const remedy =
			fallbackChain.length === 0
				? ' Name models that may stand in for it under "models.chains" in the settings.'
				: '';
		this.#incidents.report(
			key,
			{
				kind: 'rate-limit',
				// What goes on by itself and heals by itself needs nobody.
				severity: isExhausted ? 'attention' : 'info',
				title,
				detail: `${words} ${meaning}${remedy}`,
				agentId: null,
			},
			at,
			// A fallback that is limited too is the same happening going on.
			kind === 'opened' || kind === 'probe-failed',
		);
	}
}
