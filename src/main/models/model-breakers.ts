/** All model breakers of this machine: one for each chain, with the limits and the test calls that they share. */
import type { Disposable } from '../../shared/disposable.ts';
import type { ModelsSettings } from '../../shared/models-settings.ts';
import type { ModelCaller, ModelChoiceView, ModelReport, ModelsView } from '../../shared/models-view.ts';
import { Callers } from './callers.ts';
import type { ChainEntry } from './chain-book.ts';
import { chainViews, stateRecord } from './chain-view.ts';
import { hasStandIn } from './decide.ts';
import { Loops } from './loops.ts';
import { ModelMachine } from './machine.ts';
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
import { Outcomes } from './outcomes.ts';
import { heldBack, nothingToHoldOn, unknownChain } from './refusals.ts';
import { readSavedBook, type SavedBook, savedChain } from './saved-book.ts';
import type { ScriptDeed } from './script-deed.ts';
import { adoptDeed } from './scripts.ts';
import { defaultStateRecord, type StateRecord } from './state-record.ts';
import { Turns } from './turns.ts';

export interface ModelBreakersOptions {
	readonly settings: () => ModelsSettings;
	/** ms since the epoch on a clock that does not jump (the composition anchors it; a wall clock step is not time). */
	readonly now: () => number;
	/** 0 to 1, for jitter. */
	readonly random: () => number;
}

export class ModelBreakers implements ModelDesk, ModelLoops, ModelControls {
	readonly #now: () => number;
	readonly #machine: ModelMachine;
	readonly #outcomes: Outcomes;
	readonly #turns: Turns;
	readonly #callers = new Callers();
	readonly #loops: Loops;
	readonly #changeListeners = new Set<() => void>();
	readonly #eventListeners = new Set<ModelEventListener>();

	constructor({ settings, now, random }: ModelBreakersOptions) {
		this.#now = now;
		this.#machine = new ModelMachine({ settings, random });
		this.#outcomes = new Outcomes(this.#machine, random);
		this.#turns = new Turns(this.#machine, this.#outcomes);
		this.#loops = new Loops(this.#machine, this.#outcomes, this.#callers);
	}

	choose(asked: AskedModel): ModelChoice | null {
		return this.#do((now) => this.#turns.choose(asked, now));
	}

	settle(ticket: ModelTicket, outcome: ModelOutcome): void {
		this.#do((now) => this.#turns.settle(ticket, outcome, now));
	}

	observe(asked: Pick<AskedModel, 'provider' | 'model' | 'holder'>, outcome: ModelOutcome): void {
		this.#do((now) => this.#turns.observe(asked, outcome, now));
	}

	current(caller: ModelCaller): ModelChoiceView {
		return this.#do((now) => this.#loops.current(caller, now));
	}

	report(report: ModelReport): ModelChoiceView {
		return this.#do((now) => this.#loops.report(report, now));
	}

	view(): ModelsView {
		return this.#do((now) => ({ chains: chainViews(this.#machine, now), problems: [] }));
	}

	probeNow(chainId: string): void {
		this.#do(() => {
			const entry = this.#entry(chainId);
			if (entry.circuit.hold !== null) throw heldBack(entry.chain);
			this.#machine.probeNow(entry);
		});
	}

	/**
	 * The operator has seen the spending limits of this chain's models; they are forgotten until a provider names one
	 * again. `chainId` unknown: throws a `ChannelError`.
	 */
	dismissSpendLimit(chainId: string): void {
		this.#do(() => this.#outcomes.forgetSpendLimits(this.#entry(chainId).chain));
	}

	hold(chainId: string, isHeld: boolean): void {
		this.#do((now) => {
			const entry = this.#entry(chainId);
			const canStay = hasStandIn(entry, { provider: null, now }, this.#machine.parts);
			if (isHeld && !canStay) throw nothingToHoldOn(entry.chain);
			if (isHeld) this.#machine.hold(entry);
			else this.#machine.release(entry);
		});
	}

	/** The repository's own chain as its state file says it; `null`: it has no file, the settings decide. */
	repository(directory: string, chain: ModelChain | null): void {
		this.#do(() => this.#machine.setRepository(directory, chain));
	}

	/** Takes over what scripts did to that repository's file. */
	adopt(directory: string, deeds: readonly ScriptDeed[]): void {
		this.#do((now) => {
			for (const deed of deeds) adoptDeed(directory, deed, this.#machine, this.#outcomes, now);
		});
	}

	/** What that repository's file should say now. */
	recordFor(directory: string): StateRecord {
		return this.#do((now) => {
			const entry = this.#machine.book.ofDirectory(directory, null);
			return entry === null ? defaultStateRecord : stateRecord(entry, directory, this.#machine, now);
		});
	}

	/** For the machine-wide file: plain JSON. */
	saved(): SavedBook {
		return this.#do(() => {
			const { book, facts, probes, serial } = this.#machine;
			return {
				version: 1,
				serial,
				chains: book.all().map(savedChain),
				...facts.all(),
				probes: probes.all(),
				callers: this.#callers.all(),
				repositories: book.repositories(),
			};
		});
	}

	/** Takes over what was saved; returns what of it could not be used, in sentences. */
	restore(saved: unknown): string[] {
		return this.#do((now) => {
			const { book, problems } = readSavedBook(saved, now);
			this.#machine.restore(book, now);
			this.#callers.restore(book?.callers ?? []);
			return problems;
		});
	}

	/** Something changed that is worth keeping and showing. */
	onChange(listener: () => void): Disposable {
		this.#changeListeners.add(listener);
		return { dispose: () => this.#changeListeners.delete(listener) };
	}

	onEvent(listener: ModelEventListener): Disposable {
		this.#eventListeners.add(listener);
		return { dispose: () => this.#eventListeners.delete(listener) };
	}

	/** One deed on one moment; what came of it is told when everything is consistent again. */
	#do<T>(deed: (now: number) => T): T {
		const machine = this.#machine;
		const now = this.#now();
		machine.sync(now);
		const result = deed(now);
		if (machine.events.length === 0 && !machine.isChanged) return result;
		const events = machine.events.splice(0);
		const { isChanged } = machine;
		machine.isChanged = false;
		for (const event of events) for (const listener of this.#eventListeners) listener(event);
		if (isChanged) for (const listener of this.#changeListeners) listener();
		return result;
	}

	#entry(chainId: string): ChainEntry {
		const entry = this.#machine.book.get(chainId);
		if (entry === null) throw unknownChain();
		return entry;
	}
}
