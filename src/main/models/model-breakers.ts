/** All model breakers of this machine: one for each chain, with the limits and the test calls that they share. */
import type { Disposable } from '../../shared/disposable.ts';
import type { ModelsSettings } from '../../shared/models-settings.ts';
import type { ModelCaller, ModelChoiceView, ModelReport, ModelsView } from '../../shared/models-view.ts';
import { Callers, callerKey, type HandedModel } from './callers.ts';
import { type ChainEntry, cooldownMsOf, modelsOf } from './chain-book.ts';
import { chainView, stateRecord } from './chain-view.ts';
import { type Asking, type Decision, hasStandIn } from './decide.ts';
import { type Evidence, ModelMachine, plausibleTime } from './machine.ts';
import { resumeAt } from './model-breaker.ts';
import type {
	AskedModel,
	ModelChain,
	ModelChoice,
	ModelControls,
	ModelDesk,
	ModelEvent,
	ModelEventListener,
	ModelLoops,
	ModelOutcome,
	ModelTicket,
} from './model-desk.ts';
import { spelledIn } from './model-names.ts';
import { heldBack, noModelNamed, nothingToHoldOn, unknownChain } from './refusals.ts';
import { readSavedBook, type SavedBook, savedChain } from './saved-book.ts';
import type { ScriptDeed } from './script-deed.ts';
import { defaultStateRecord, type StateRecord } from './state-record.ts';
import { choiceWords } from './words.ts';

export interface ModelBreakersOptions {
	readonly settings: () => ModelsSettings;
	/** ms since the epoch on a clock that does not jump (the composition anchors it; a wall clock step is not time). */
	readonly now: () => number;
	/** 0 to 1, for jitter. */
	readonly random: () => number;
}

const nothingTried: ReadonlySet<string> = new Set();

export class ModelBreakers implements ModelDesk, ModelLoops, ModelControls {
	readonly #now: () => number;
	readonly #machine: ModelMachine;
	readonly #callers = new Callers();
	readonly #changeListeners = new Set<() => void>();
	readonly #eventListeners = new Set<ModelEventListener>();
	#events: ModelEvent[] = [];

	constructor({ settings, now, random }: ModelBreakersOptions) {
		this.#now = now;
		this.#machine = new ModelMachine({ settings, random, onEvent: (event) => this.#events.push(event) });
	}

	choose({ provider, model, holder, tried }: AskedModel): ModelChoice | null {
		const now = this.#now();
		const { gatewayFallback, allowCostlier } = this.#machine.sync(now);
		const entry = this.#machine.book.find(provider, model);
		if (entry === null) return null;
		const { chain, circuit } = entry;
		if (circuit.state === 'closed' && tried.size === 0) {
			return { kind: 'use', ticket: this.#ticket(entry, provider, model, 'preferred') };
		}
		const asking = { provider, caller: null, tried: spelledBy(chain, tried, model), now };
		const decision = this.#machine.decide(entry, asking);
		const isBound = !gatewayFallback || !hasStandIn(entry, allowCostlier);
		const choice = isBound
			? this.#onlyPreferred(entry, provider, model, asking, decision)
			: this.#choice(entry, provider, model, decision);
		if (choice.kind === 'use' && choice.ticket.isProbe) {
			this.#machine.takeProbe(entry, holder, null, choice.ticket.serial, now);
		}
		this.#publish();
		return choice;
	}

	#choice(entry: ChainEntry, provider: string, model: string, decision: Decision): ModelChoice {
		if (decision.kind === 'wait') {
			return { ...decision, reason: choiceWords(entry, decision) };
		}
		const use = decision.kind === 'fallback' ? decision.model : model;
		return { kind: 'use', ticket: this.#ticket(entry, provider, use, decision.kind) };
	}

	/** There is nothing to move to, or the settings do not want it: the call goes where it was meant to go. */
	#onlyPreferred(
		entry: ChainEntry,
		provider: string,
		model: string,
		{ tried, now }: Asking,
		decision: Decision,
	): ModelChoice {
		const { chain, circuit } = entry;
		if (!tried.has(chain.preferredModel)) {
			const kind = decision.kind === 'probe' ? 'probe' : 'preferred';
			return { kind: 'use', ticket: this.#ticket(entry, provider, model, kind) };
		}
		const at = Math.max(resumeAt(circuit, cooldownMsOf(chain)) ?? now, now + 1_000);
		const wait = { kind: 'wait', resumeAt: at, model: chain.preferredModel } as const;
		return { ...wait, reason: choiceWords(entry, wait) };
	}

	#ticket(
		entry: ChainEntry,
		provider: string | null,
		model: string,
		kind: 'preferred' | 'probe' | 'fallback',
	): ModelTicket {
		return {
			chainId: entry.id,
			provider,
			model,
			isFallback: kind === 'fallback',
			isProbe: kind === 'probe',
			era: entry.era,
			serial: this.#machine.nextSerial(),
		};
	}

	settle(ticket: ModelTicket, outcome: ModelOutcome): void {
		const now = this.#now();
		this.#machine.sync(now);
		const entry = this.#machine.book.get(ticket.chainId);
		const { provider, serial } = ticket;
		const preferred = entry?.chain.preferredModel ?? ticket.model;
		const model = ticket.isFallback ? ticket.model : preferred;
		if (entry !== null) this.#machine.releaseProbe(entry, serial);
		this.#take({ entry, provider, model, serial, isHearsay: false }, outcome, now);
		this.#publish();
	}

	observe(
		{ provider, model }: Pick<AskedModel, 'provider' | 'model' | 'holder'>,
		outcome: ModelOutcome,
	): void {
		const now = this.#now();
		this.#machine.sync(now);
		this.#take(
			{ entry: null, provider, model: this.#spelled(provider, model), serial: null, isHearsay: true },
			outcome,
			now,
		);
		this.#publish();
	}

	/** What came of a call, for all that it concerns. */
	#take(evidence: Evidence, outcome: ModelOutcome, now: number): void {
		switch (outcome.kind) {
			case 'ok':
				this.#machine.answered(evidence, now);
				break;
			case 'limited':
				this.#machine.limited(evidence, outcome.retryAfterMs, outcome.said, now);
				break;
			case 'spend-limit':
				this.#machine.spendLimited(evidence, outcome.said, now);
				break;
			case 'unserved':
				if (evidence.entry?.chain.preferredModel !== evidence.model) {
					this.#machine.unserved(evidence.provider, evidence.model, outcome.said, now);
				}
				break;
			case 'other':
				break;
		}
	}

	#spelled(provider: string | null, model: string): string {
		const { book } = this.#machine;
		return (provider === null ? null : book.spelled(provider, model)) ?? book.spelled(null, model) ?? model;
	}

	current(caller: ModelCaller): ModelChoiceView {
		const now = this.#now();
		this.#machine.sync(now);
		const entry = this.#chainOf(caller);
		const key = callerKey(caller.directory, caller.caller);
		if (entry === null) {
			const model = preferredOf(caller);
			this.#hand(key, {
				chainId: null,
				provider: caller.provider ?? null,
				model,
				serial: this.#machine.nextSerial(),
				isProbe: false,
			});
			this.#publish();
			return unknownModel(model);
		}
		const decision = this.#machine.decide(entry, this.#asking(caller, now));
		if (decision.kind !== 'wait') {
			const serial = this.#machine.nextSerial();
			const isProbe = decision.kind === 'probe';
			const model = decision.kind === 'fallback' ? decision.model : entry.chain.preferredModel;
			if (isProbe) this.#machine.takeProbe(entry, holderWords(caller), key, serial, now);
			this.#hand(key, {
				chainId: entry.id,
				provider: caller.provider ?? entry.chain.provider,
				model,
				serial,
				isProbe,
			});
		}
		const view = this.#choiceView(entry, decision);
		this.#publish();
		return view;
	}

	report(report: ModelReport): ModelChoiceView {
		const now = this.#now();
		this.#machine.sync(now);
		const key = callerKey(report.directory, report.caller);
		const last = this.#callers.last(key);
		const entry = this.#chainOfReport(report, last);
		const { model, serial } = this.#reported(report, entry, last);
		if (entry !== null && last !== null) this.#machine.releaseProbe(entry, last.serial);
		const provider = report.provider ?? entry?.chain.provider ?? null;
		this.#take({ entry, provider, model, serial, isHearsay: false }, outcomeOf(report), now);
		const after = entry === null ? null : this.#machine.book.get(entry.id);
		if (after === null) {
			this.#publish();
			return unknownModel(report.preferredModel ?? model);
		}
		const decision = this.#machine.peek(after, this.#asking(report, now));
		if (report.outcome === 'rate-limit' && decision.kind === 'fallback') {
			// What is named here is what the loop goes on with: a second report is about this one.
			this.#hand(key, {
				chainId: after.id,
				provider,
				model: decision.model,
				serial: this.#machine.nextSerial(),
				isProbe: false,
			});
		}
		const view = this.#choiceView(after, decision);
		this.#publish();
		return view;
	}

	#chainOfReport(report: ModelReport, last: HandedModel | null): ChainEntry | null {
		if (report.preferredModel === undefined && report.model === undefined && last !== null) {
			return last.chainId === null ? null : this.#machine.book.get(last.chainId);
		}
		return this.#chainOf(report);
	}

	/** Which model a report is about, and the number of its ticket; `null`: nobody knows when the call began. */
	#reported(
		report: ModelReport,
		entry: ChainEntry | null,
		last: HandedModel | null,
	): { readonly model: string; readonly serial: number | null } {
		if (report.model !== undefined) {
			const named = entry === null ? null : spelledIn(modelsOf(entry.chain), report.model);
			const model = named ?? this.#spelled(report.provider ?? null, report.model);
			return { model, serial: last?.model === model ? last.serial : null };
		}
		if (last !== null) return { model: last.model, serial: last.serial };
		if (entry === null) return { model: preferredOf(report), serial: null };
		const { chain, circuit } = entry;
		if (circuit.state !== 'open') return { model: chain.preferredModel, serial: null };
		const index = this.#machine.fallbackIndex(entry);
		return { model: chain.fallbackChain[index] ?? chain.preferredModel, serial: null };
	}

	#hand(key: string, handed: HandedModel): void {
		if (this.#callers.hand(key, handed)) this.#machine.isChanged = true;
	}

	#asking({ directory, caller, provider }: ModelCaller, now: number): Asking {
		return { provider: provider ?? null, caller: callerKey(directory, caller), tried: nothingTried, now };
	}

	/** `null`: no chain names the model that the caller named. */
	#chainOf({ directory, preferredModel, ...caller }: ModelCaller): ChainEntry | null {
		const { book } = this.#machine;
		const provider = caller.provider ?? null;
		const own = book.ofDirectory(directory, provider);
		if (preferredModel === undefined) {
			if (own === null) throw noModelNamed();
			return own;
		}
		const isOwn = own !== null && spelledIn([own.chain.preferredModel], preferredModel) !== null;
		return isOwn ? own : book.find(provider, preferredModel);
	}

	#choiceView(entry: ChainEntry, decision: Decision): ModelChoiceView {
		const { chain, circuit } = entry;
		const at = resumeAt(circuit, cooldownMsOf(chain));
		return {
			model:
				decision.kind === 'wait'
					? null
					: decision.kind === 'fallback'
						? decision.model
						: chain.preferredModel,
			preferredModel: chain.preferredModel,
			state: circuit.state,
			isFallback: decision.kind === 'fallback',
			isProbe: decision.kind === 'probe',
			resumeAt: decision.kind === 'wait' ? decision.resumeAt : at !== null && at > this.#now() ? at : null,
			why: choiceWords(entry, decision),
		};
	}

	view(): ModelsView {
		const now = this.#now();
		this.#machine.sync(now);
		return {
			chains: this.#machine.book.all().map((entry) => chainView(entry, this.#machine, now)),
			problems: [],
		};
	}

	probeNow(chainId: string): void {
		this.#machine.sync(this.#now());
		const entry = this.#entry(chainId);
		if (entry.circuit.hold !== null) throw heldBack(entry.chain);
		this.#machine.probeNow(entry);
		this.#publish();
	}

	hold(chainId: string, isHeld: boolean): void {
		const now = this.#now();
		const { allowCostlier } = this.#machine.sync(now);
		const entry = this.#entry(chainId);
		if (isHeld && !hasStandIn(entry, allowCostlier)) throw nothingToHoldOn(entry.chain);
		if (isHeld) this.#machine.hold(entry, now);
		else this.#machine.release(entry, now);
		this.#publish();
	}

	/** The repository's own chain as its state file says it; `null`: it has no file, the settings decide. */
	repository(directory: string, chain: ModelChain | null): void {
		this.#machine.sync(this.#now());
		this.#machine.setRepository(directory, chain);
		this.#publish();
	}

	/** Takes over what scripts did to that repository's file. */
	adopt(directory: string, deeds: readonly ScriptDeed[]): void {
		const now = this.#now();
		this.#machine.sync(now);
		for (const deed of deeds) this.#adopt(directory, deed, now);
		this.#publish();
	}

	#adopt(directory: string, deed: ScriptDeed, now: number): void {
		const machine = this.#machine;
		if (deed.kind === 'configured') {
			machine.setRepository(directory, deed.chain);
			return;
		}
		const entry = machine.book.ofDirectory(directory, null);
		if (entry === null) return;
		const { chain } = entry;
		const preferred = {
			entry,
			provider: chain.provider,
			model: chain.preferredModel,
			serial: null,
			isHearsay: false,
		};
		if (deed.kind === 'limited') {
			const model = spelledIn(modelsOf(chain), deed.model) ?? deed.model;
			machine.limited({ ...preferred, model }, null, '', plausibleTime(deed.at, now));
		} else if (deed.kind === 'succeeded') {
			for (let index = 0; index < Math.min(deed.count, 2); index += 1) machine.answered(preferred, now);
		} else if (deed.kind === 'closed') {
			machine.recovered(chain, now);
		} else {
			machine.beginTest(entry);
			const key = `script\n${directory}`;
			const isFree = machine.probes.isFree(chain.provider, chain.preferredModel, key, now);
			if (entry.circuit.state === 'half-open' && isFree) {
				machine.takeProbe(entry, `a script in ${directory}`, key, machine.nextSerial(), now);
			}
		}
	}

	/** What that repository's file should say now. */
	recordFor(directory: string): StateRecord {
		this.#machine.sync(this.#now());
		const entry = this.#machine.book.ofDirectory(directory, null);
		return entry === null ? defaultStateRecord : stateRecord(entry, this.#machine);
	}

	/** For the machine-wide file: plain JSON. */
	saved(): SavedBook {
		this.#machine.sync(this.#now());
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
	}

	/** Takes over what was saved; returns what of it could not be used, in sentences. */
	restore(saved: unknown): string[] {
		const now = this.#now();
		const { book, problems } = readSavedBook(saved, now);
		this.#callers.clear();
		for (const [key, handed] of book?.callers ?? []) this.#callers.hand(key, handed);
		this.#machine.restore(book, now);
		this.#events = [];
		this.#publish();
		return problems;
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

	/** Tells what happened, now that everything is consistent again. */
	#publish(): void {
		const events = this.#events;
		const { isChanged } = this.#machine;
		this.#events = [];
		this.#machine.isChanged = false;
		for (const event of events) for (const listener of this.#eventListeners) listener(event);
		if (isChanged) for (const listener of this.#changeListeners) listener();
	}

	#entry(chainId: string): ChainEntry {
		const entry = this.#machine.book.get(chainId);
		if (entry === null) throw unknownChain();
		return entry;
	}
}

/** What was tried, as the chain writes it. */
function spelledBy(chain: ModelChain, tried: ReadonlySet<string>, asked: string): ReadonlySet<string> {
	if (tried.size === 0) return tried;
	const names = modelsOf(chain);
	return new Set(
		[...tried].map((model) => (model === asked ? chain.preferredModel : (spelledIn(names, model) ?? model))),
	);
}

function outcomeOf({ outcome, retryAfterMs, said = '' }: ModelReport): ModelOutcome {
	switch (outcome) {
		case 'success':
			return { kind: 'ok' };
		case 'rate-limit':
			return { kind: 'limited', retryAfterMs: retryAfterMs ?? null, said };
		case 'spend-limit':
			return { kind: 'spend-limit', said };
		case 'other':
			return { kind: 'other' };
	}
}

function preferredOf({ preferredModel }: ModelCaller): string {
	if (preferredModel === undefined) throw noModelNamed();
	return preferredModel;
}

/** Nothing is known of it: it is used as it was named. */
function unknownModel(model: string): ModelChoiceView {
	return {
		model,
		preferredModel: model,
		state: 'closed',
		isFallback: false,
		isProbe: false,
		resumeAt: null,
		why: '',
	};
}

function holderWords({ directory, caller }: ModelCaller): string {
	return caller === undefined ? `a loop in ${directory}` : `${caller} in ${directory}`;
}
