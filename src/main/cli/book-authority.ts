/** The machine-wide file of the model breakers, where no floor runs: each question has it to itself for a moment. */
import type { ModelsSettings } from '../../shared/models-settings.ts';
import type { ModelCaller, ModelChoiceView, ModelReport, ModelsView } from '../../shared/models-view.ts';
import { type CommandBookResult, type OnModelFileProblem, withModelBook } from '../app/model-book.ts';
import type { ModelMirrors } from '../app/model-mirrors.ts';
import type { ModelBreakers } from '../models/model-breakers.ts';
import type { ModelAuthority, Reported } from './model-authority.ts';

/** A floor has the file: it is to be asked instead. */
class FloorRuns extends Error {}

export class BookAuthority implements ModelAuthority {
	readonly #dataDirectory: string;
	readonly #settings: ModelsSettings;
	readonly #onProblem: OnModelFileProblem;
	readonly #problems = new Map<string, ModelsView['problems'][number]>();

	constructor(dataDirectory: string, settings: ModelsSettings, onProblem: OnModelFileProblem) {
		this.#dataDirectory = dataDirectory;
		this.#settings = settings;
		this.#onProblem = onProblem;
	}

	/** Asks this authority, unless a floor has the file; nothing was done then. */
	async unlessFloorRuns<T>(
		question: (authority: ModelAuthority) => Promise<T>,
	): Promise<CommandBookResult<T>> {
		try {
			return { kind: 'done', value: await question(this) };
		} catch (error) {
			if (error instanceof FloorRuns) return { kind: 'floor-runs' };
			throw error;
		}
	}

	current(caller: ModelCaller): Promise<ModelChoiceView> {
		return this.#with(async (breakers, mirrors) =>
			breakers.current({ ...caller, directory: await mirrors.sync(caller.directory) }),
		);
	}

	report(report: ModelReport): Promise<Reported> {
		return this.#with(async (breakers, mirrors) => {
			const directory = await mirrors.sync(report.directory);
			const before = breakers.view();
			const choice = breakers.report({ ...report, directory });
			return { before, choice, after: breakers.view() };
		});
	}

	view(directory: string): Promise<ModelsView> {
		return this.#with(async (breakers, mirrors) => {
			await mirrors.sync(directory);
			return this.#view(breakers);
		});
	}

	probe(chainId: string): Promise<ModelsView> {
		return this.#with((breakers) => {
			breakers.probeNow(chainId);
			return this.#view(breakers);
		});
	}

	hold(chainId: string, held: boolean): Promise<ModelsView> {
		return this.#with((breakers) => {
			breakers.hold(chainId, held);
			return this.#view(breakers);
		});
	}

	#view(breakers: ModelBreakers): ModelsView {
		return { ...breakers.view(), problems: [...this.#problems.values()] };
	}

	async #with<T>(work: (breakers: ModelBreakers, mirrors: ModelMirrors) => T | Promise<T>): Promise<T> {
		const options = { settings: this.#settings, onProblem: this.#fileProblem };
		const result = await withModelBook(this.#dataDirectory, options, work);
		if (result.kind === 'floor-runs') throw new FloorRuns();
		return result.value;
	}

	readonly #fileProblem: OnModelFileProblem = (file, problem) => {
		if (problem === null) this.#problems.delete(file);
		else this.#problems.set(file, { file, problem, at: Date.now() });
		this.#onProblem(file, problem);
	};
}
