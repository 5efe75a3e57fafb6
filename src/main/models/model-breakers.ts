/** All model breakers of this machine: one for each chain, with the limits and the test calls that they share. */
import type { Disposable } from '../../shared/disposable.ts';
import type { ModelsSettings } from '../../shared/models-settings.ts';
import {
	emptyModelsView,
	type ModelCaller,
	type ModelChoiceView,
	type ModelReport,
	type ModelsView,
} from '../../shared/models-view.ts';
import type {
	AskedModel,
	ModelChain,
	ModelChoice,
	ModelControls,
	ModelDesk,
	ModelEventListener,
	ModelLoops,
	ModelOutcome,
	ModelTicket,
} from './model-desk.ts';
import type { ScriptDeed } from './script-deed.ts';
import { defaultStateRecord, type StateRecord } from './state-record.ts';

export interface ModelBreakersOptions {
	readonly settings: () => ModelsSettings;
	/** ms since the epoch on a clock that does not jump (the composition anchors it; a wall clock step is not time). */
	readonly now: () => number;
	/** 0 to 1, for jitter. */
	readonly random: () => number;
}

export class ModelBreakers implements ModelDesk, ModelLoops, ModelControls {
	readonly #options: ModelBreakersOptions;

	constructor(options: ModelBreakersOptions) {
		this.#options = options;
	}

	choose(_asked: AskedModel): ModelChoice | null {
		return null;
	}

	settle(_ticket: ModelTicket, _outcome: ModelOutcome): void {}

	observe(_asked: Pick<AskedModel, 'provider' | 'model' | 'holder'>, _outcome: ModelOutcome): void {}

	current(caller: ModelCaller): ModelChoiceView {
		const preferredModel = caller.preferredModel ?? this.#options.settings().chains[0]?.preferredModel ?? '';
		return {
			model: preferredModel,
			preferredModel,
			state: 'closed',
			isFallback: false,
			isProbe: false,
			resumeAt: null,
			why: '',
		};
	}

	report(report: ModelReport): ModelChoiceView {
		return this.current(report);
	}

	view(): ModelsView {
		return emptyModelsView;
	}

	probeNow(_chainId: string): void {}

	hold(_chainId: string, _isHeld: boolean): void {}

	/** The repository's own chain as its state file says it; `null`: it has no file, the settings decide. */
	repository(_directory: string, _chain: ModelChain | null): void {}

	/** Takes over what scripts did to that repository's file. */
	adopt(_directory: string, _deeds: readonly ScriptDeed[]): void {}

	/** What that repository's file should say now. */
	recordFor(_directory: string): StateRecord {
		return defaultStateRecord;
	}

	/** For the machine-wide file: plain JSON. */
	saved(): unknown {
		return {};
	}

	/** Takes over what was saved; returns what of it could not be used, in sentences. */
	restore(_saved: unknown): string[] {
		return [];
	}

	/** Something changed that is worth keeping and showing. */
	onChange(_listener: () => void): Disposable {
		return { dispose: () => {} };
	}

	onEvent(_listener: ModelEventListener): Disposable {
		return { dispose: () => {} };
	}
}
