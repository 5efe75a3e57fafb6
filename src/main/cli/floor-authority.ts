/** The model breakers of the floor that runs. */
import type { ModelCaller, ModelChoiceView, ModelReport, ModelsView } from '../../shared/models-view.ts';
import type { ModelAuthority, Reported } from './model-authority.ts';
import type { RunningFloor } from './running-floor.ts';

export class FloorAuthority implements ModelAuthority {
	readonly #floor: RunningFloor;

	constructor(floor: RunningFloor) {
		this.#floor = floor;
	}

	current(caller: ModelCaller): Promise<ModelChoiceView> {
		return this.#floor.request('model:current', caller);
	}

	async report(report: ModelReport): Promise<Reported> {
		const before = await this.view();
		const choice = await this.#floor.request('model:report', report);
		return { before, choice, after: await this.view() };
	}

	async view(): Promise<ModelsView> {
		return (await this.#floor.request('floor:snapshot', undefined)).models;
	}

	probe(chainId: string): Promise<ModelsView> {
		return this.#floor.request('model:probe', { chainId });
	}

	hold(chainId: string, held: boolean): Promise<ModelsView> {
		return this.#floor.request('model:hold', { chainId, held });
	}
}
