/** The model breakers, built once and connected: their book on the disk, mirrors in the repositories, incidents, hooks. */
import { type Disposable, DisposableStore } from '../../shared/disposable.ts';
import type { ModelCaller, ModelChoiceView, ModelReport, ModelsView } from '../../shared/models-view.ts';
import { resetHintMs } from '../../shared/reset-time.ts';
import type { FloorEvent } from '../floor/events.ts';
import type { Floor } from '../floor/floor.ts';
import type { FloorRecord } from '../floor/records.ts';
import { ModelBreakers } from '../models/model-breakers.ts';
import type { SettingsFile } from '../store/settings-file.ts';
import { ModelBook, modelLocksDirectory } from './model-book.ts';
import { createModelClock, shown, shownView } from './model-clock.ts';
import type { ModelHandlerParts } from './model-handlers.ts';
import { createModelHooks } from './model-hooks.ts';
import { ModelIncidents } from './model-incidents.ts';
import { ModelMirrors } from './model-mirrors.ts';
import { clockOfThisMachine } from './timers.ts';

export interface ModelPartsOptions {
	readonly floor: Floor;
	readonly settings: SettingsFile;
	readonly dataDirectory: string;
	/** A window may want to see it. */
	readonly onChange: () => void;
	readonly onError: (where: string, error: unknown) => void;
}

/** Directories of agents that were looked at for a state file. */
const MOST_DIRECTORIES = 5_000;

export class ModelParts implements ModelHandlerParts, Disposable {
	readonly breakers: ModelBreakers;
	readonly #options: ModelPartsOptions;
	readonly #mirrors: ModelMirrors;
	readonly #held = new DisposableStore();
	readonly #hear: ReturnType<typeof createModelHooks>;
	readonly #problems = new Map<string, ModelsView['problems'][number]>();
	readonly #directories = new Set<string>();
	readonly #clock = createModelClock(clockOfThisMachine());
	readonly #incidents: ModelIncidents;
	#book: ModelBook | null = null;

	constructor(options: ModelPartsOptions) {
		this.#options = options;
		const { floor, settings, dataDirectory, onChange } = options;
		const { now } = this.#clock;
		this.breakers = new ModelBreakers({ settings: () => settings.current.models, now, random: Math.random });
		this.#mirrors = this.#held.add(
			new ModelMirrors({
				breakers: this.breakers,
				locksDirectory: modelLocksDirectory(dataDirectory),
				now,
				onProblem: this.#fileProblem,
			}),
		);
		this.#held.add(this.breakers.onChange(this.#mirrors.writeSoon));
		this.#held.add(this.breakers.onChange(onChange));
		this.#incidents = new ModelIncidents(floor.incidents);
		this.#held.add(this.breakers.onEvent(this.#incidents.hear));
		this.#held.add(floor.onRecord(this.#putAway));
		this.#hear = createModelHooks({
			models: this.breakers,
			providers: () => settings.current.providers,
			resetHintMs: (text) => resetHintMs(text, now()),
		});
	}

	/** Takes over what an earlier run knew, and what scripts wrote since. The data directory is claimed already. */
	async start(): Promise<void> {
		const { dataDirectory } = this.#options;
		this.#book = await ModelBook.open({
			dataDirectory,
			breakers: this.breakers,
			mirrors: this.#mirrors,
			onProblem: this.#fileProblem,
		});
		await this.#mirrors.syncAll();
		await this.#mirrors.writeAll();
		this.#incidents.restore(this.breakers.view().chains, this.#clock.now());
		this.#mirrors.watch();
	}

	view(): ModelsView {
		const { chains, problems } = this.breakers.view();
		const all = [...problems, ...this.#problems.values()];
		return shownView({ chains, problems: all }, this.#clock.offset());
	}

	/** Scripts may have written since: their word counts before ours is given, and is then in the file. */
	async current(caller: ModelCaller): Promise<ModelChoiceView> {
		return this.#inRepository(caller, (known) => this.breakers.current(known));
	}

	async report(report: ModelReport): Promise<ModelChoiceView> {
		return this.#inRepository(report, (known) => this.breakers.report(known));
	}

	probeNow(chainId: string): void {
		this.breakers.probeNow(chainId);
	}

	hold(chainId: string, isHeld: boolean): void {
		this.breakers.hold(chainId, isHeld);
	}

	/** Settings changed. */
	settingsChanged(): void {
		this.#incidents.retell(this.breakers.view().chains, this.#clock.now());
	}

	/** A hook came; it was counted for that agent. */
	hookCounted(event: FloorEvent, agentId: string): void {
		const agent = this.#options.floor.agent(agentId);
		if (!agent || agent.demo) return;
		this.#hear(event, agent);
		this.#lookAt(agent.directory);
	}

	/** A model call came; its agent was counted. */
	callCounted(agentId: string): void {
		const agent = this.#options.floor.agent(agentId);
		if (agent) this.#lookAt(agent.directory);
	}

	/** What is known is on the disk. */
	async stop(): Promise<void> {
		await this.#mirrors.close();
		await this.#book?.close();
	}

	dispose(): void {
		this.#held.dispose();
	}

	async #inRepository<C extends ModelCaller>(
		caller: C,
		work: (known: C) => ModelChoiceView,
	): Promise<ModelChoiceView> {
		const directory = await this.#mirrors.sync(caller.directory);
		const choice = work({ ...caller, directory });
		await this.#mirrors.write(directory);
		return { ...choice, resumeAt: shown(choice.resumeAt, this.#clock.offset()) };
	}

	/** The operator put an incident about money away: it is in order, or of no interest any more. */
	readonly #putAway = (record: FloorRecord): void => {
		if (record.kind !== 'incident' || record.incident.endedAt === null) return;
		const chainId = this.#incidents.moneyChainOf(record.incident.id);
		if (chainId !== null) this.breakers.dismissSpendLimit(chainId);
	};

	/** The repository in which an agent works may have a state file. */
	#lookAt(directory: string): void {
		if (directory === '' || this.#directories.has(directory)) return;
		if (this.#directories.size >= MOST_DIRECTORIES) this.#directories.clear();
		this.#directories.add(directory);
		this.#mirrors
			.sync(directory)
			.then((root) => this.#mirrors.write(root))
			.catch((error: unknown) => this.#options.onError('looking for a state file of the models', error));
	}

	readonly #fileProblem = (file: string, problem: string | null): void => {
		const key = `model-file:${file}`;
		const { floor, onChange } = this.#options;
		if (problem === null) {
			this.#problems.delete(file);
			floor.incidents.recover(key, this.#clock.now(), 'the file is in order again');
		} else {
			this.#problems.set(file, { file, problem, at: this.#clock.now() });
			const title = 'A state file of the model breakers is not in order';
			floor.incidents.report(
				key,
				{ kind: 'model-file', severity: 'info', title, detail: problem, agentId: null },
				this.#clock.now(),
			);
		}
		onChange();
	};
}
