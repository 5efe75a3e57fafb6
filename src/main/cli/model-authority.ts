/**
 * Who knows which model is to be used: the floor that runs, or, where none does, the machine-wide file that it would use.
 * Both answer alike.
 */
import type { ModelCaller, ModelChoiceView, ModelReport, ModelsView } from '../../shared/models-view.ts';
import { RunningFloor } from './running-floor.ts';

export interface ModelAuthority {
	/** Rejects with a `ChannelError` or a `StoreError`. */
	current(caller: ModelCaller): Promise<ModelChoiceView>;
	report(report: ModelReport): Promise<ModelChoiceView>;
	view(directory: string): Promise<ModelsView>;
	probe(chainId: string): Promise<ModelsView>;
	hold(chainId: string, held: boolean): Promise<ModelsView>;
}

class FloorAuthority implements ModelAuthority {
	readonly #floor: RunningFloor;

	constructor(floor: RunningFloor) {
		this.#floor = floor;
	}

	current(caller: ModelCaller): Promise<ModelChoiceView> {
		return this.#floor.request('model:current', caller);
	}

	report(report: ModelReport): Promise<ModelChoiceView> {
		return this.#floor.request('model:report', report);
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

/** `err` hears what the answer is worth where it is not the floor's. Rejects with a `StoreError`. */
export async function findModelAuthority(
	dataDirectory: string,
	_err: (text: string) => void,
): Promise<ModelAuthority> {
	const floor = await RunningFloor.find(dataDirectory);
	if (floor) return new FloorAuthority(floor);
	throw new Error('No floor runs.');
}
