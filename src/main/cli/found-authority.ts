/**
 * Who knows which model is to be used: the floor that runs, or else the machine-wide file that it would use. Looked for
 * with each question: while a program runs for hours, floors come and go.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelCaller, ModelChoiceView, ModelReport, ModelsView } from '../../shared/models-view.ts';
import type { Settings } from '../../shared/settings.ts';
import type { OnModelFileProblem } from '../app/model-book.ts';
import { STATE_FILE } from '../models/state-record.ts';
import { isDataDirectoryClaimed } from '../store/directory-claim.ts';
import { SettingsFile } from '../store/settings-file.ts';
import { BookAuthority } from './book-authority.ts';
import type { CommandContext } from './command.ts';
import { FloorAuthority } from './floor-authority.ts';
import { MirrorAuthority } from './mirror-authority.ts';
import type { ModelAuthority, Reported } from './model-authority.ts';
import { RunningFloor } from './running-floor.ts';

const FLOOR_PATIENCE_MS = 3_000;
const RETRY_MS = 200;

const SILENT_FLOOR =
	'A floor has the machine-wide state of the models, but does not answer: the state file of this repository is used alone.';

export class FoundAuthority implements ModelAuthority {
	readonly #dataDirectory: string;
	readonly #err: (text: string) => void;
	readonly #patienceMs: number;
	readonly #said = new Set<string>();
	/** Of the question that is asked now. */
	#directory: string | null = null;

	/** `err` hears what the answers are worth where they are not the floor's, and what is wrong with files. */
	constructor(
		dataDirectory: string,
		{ err, floorPatienceMs = FLOOR_PATIENCE_MS }: Pick<CommandContext, 'err' | 'floorPatienceMs'>,
	) {
		this.#dataDirectory = dataDirectory;
		this.#err = err;
		this.#patienceMs = floorPatienceMs;
	}

	current(caller: ModelCaller): Promise<ModelChoiceView> {
		return this.#ask(caller.directory, (authority) => authority.current(caller));
	}

	report(report: ModelReport): Promise<Reported> {
		return this.#ask(report.directory, (authority) => authority.report(report));
	}

	view(directory: string): Promise<ModelsView> {
		return this.#ask(directory, (authority) => authority.view(directory));
	}

	probe(chainId: string): Promise<ModelsView> {
		return this.#ask(this.#directory, (authority) => authority.probe(chainId));
	}

	hold(chainId: string, held: boolean): Promise<ModelsView> {
		return this.#ask(this.#directory, (authority) => authority.hold(chainId, held));
	}

	/** Ids of the providers that the settings have. */
	async providers(): Promise<readonly string[]> {
		const floor = await RunningFloor.find(this.#dataDirectory);
		const { providers } = floor ? await floor.request('settings:get', undefined) : await this.#settings();
		return providers.map(({ id }) => id);
	}

	async #ask<T>(directory: string | null, question: (authority: ModelAuthority) => Promise<T>): Promise<T> {
		this.#directory = directory;
		const dataDirectory = this.#dataDirectory;
		const deadline = performance.now() + this.#patienceMs;
		for (;;) {
			const floor = await RunningFloor.find(dataDirectory);
			if (floor) return question(new FloorAuthority(floor));
			// One that stopped while it had the book's lock keeps that as well: it is not waited for.
			if (!isDataDirectoryClaimed(dataDirectory)) {
				const book = new BookAuthority(dataDirectory, (await this.#settings()).models, this.#fileProblem);
				const answer = await book.unlessFloorRuns(question);
				if (answer.kind === 'done') return answer.value;
			}
			if (performance.now() >= deadline) break;
			await sleep(RETRY_MS);
		}
		this.#say(SILENT_FLOOR);
		return question(new MirrorAuthority(dataDirectory, (await this.#settings()).models));
	}

	async #settings(): Promise<Settings> {
		const settings = await SettingsFile.open(this.#dataDirectory);
		settings.dispose();
		for (const problem of settings.problems) this.#say(problem);
		return settings.current;
	}

	/** What is the matter with another repository's file is told there, but for one that was set aside: that is told once. */
	readonly #fileProblem: OnModelFileProblem = (file, problem) => {
		const isState = file.endsWith(STATE_FILE);
		const isElsewhere = isState && (this.#directory === null || file !== join(this.#directory, STATE_FILE));
		if (problem === null || (isElsewhere && !problem.includes('.corrupt-'))) return;
		this.#say(problem.includes(file) ? problem : `${file}: ${problem}`);
	};

	/** The same again with each question is not worth a second line. */
	#say(text: string): void {
		if (this.#said.has(text)) return;
		this.#said.add(text);
		this.#err(text);
	}
}
