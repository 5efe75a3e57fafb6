/**
 * Everything that the breakers of this machine know, and the ways to move it: circuits, facts about models, test calls.
 * The circuits are pure (`model-breaker.ts`); what an outcome means for which of them is said in `outcomes.ts`.
 */
import type { ModelsSettings } from '../../shared/models-settings.ts';
import { ChainBook, type ChainEntry } from './chain-book.ts';
import {
	type Asking,
	type Decision,
	type DecisionParts,
	decide,
	fallbackNow,
	mayStandIn,
	nothingTried,
} from './decide.ts';
import { ModelFacts } from './limits.ts';
import {
	atFallback,
	type Circuit,
	closedCircuit,
	fittedTo,
	isTestDue,
	lengthened,
	onHold,
	onPreferredLimit,
	onProbeNow,
	onRelease,
	resumeAt,
	toHalfOpen,
	withoutTest,
} from './model-breaker.ts';
import { chainOfSettings, cooldownMsOf } from './model-chain.ts';
import type { ModelChain, ModelEvent } from './model-desk.ts';
import { type Probe, Probes } from './probes.ts';
import type { SavedBook } from './saved-book.ts';
import { eventWords } from './words.ts';

export interface MachineOptions {
	readonly settings: () => ModelsSettings;
	/** 0 to 1. */
	readonly random: () => number;
}

export class ModelMachine {
	readonly facts = new ModelFacts();
	readonly probes = new Probes();
	readonly book: ChainBook;
	/** Something changed that is worth keeping and showing. */
	isChanged = false;
	/** What happened since this was last emptied. */
	readonly events: ModelEvent[] = [];
	readonly #options: MachineOptions;
	#configured: ModelsSettings | null = null;
	#now = 0;
	#serial = 0;
	#turningPoint = 0;

	constructor(options: MachineOptions) {
		this.#options = options;
		this.book = new ChainBook({
			begin: (entry) => this.#begin(entry),
			isNeeded: ({ chain, circuit }) =>
				circuit.state !== 'closed' || this.facts.spendTrouble(chain.provider, chain.preferredModel) !== null,
			end: (entry) => this.#end(entry),
		});
	}

	get settings(): ModelsSettings {
		return this.#options.settings();
	}

	get parts(): DecisionParts {
		const { book, facts, probes } = this;
		return { book, facts, probes, allowCostlier: this.settings.allowCostlier };
	}

	/** Number of the last ticket or era. */
	get serial(): number {
		return this.#serial;
	}

	/** Number of the last era or limit: a ticket from before it may prove nothing any more. */
	get turningPoint(): number {
		return this.#turningPoint;
	}

	/** A number for a ticket. Eras and limits are numbered in the same row, so that age can be told. */
	nextSerial(): number {
		this.#serial += 1;
		return this.#serial;
	}

	/** A number for an era or a limit. */
	readonly nextTurningPoint = (): number => {
		this.#turningPoint = this.nextSerial();
		return this.#turningPoint;
	};

	/** To be called before everything else, with the time: takes over settings that changed. */
	sync(now: number): void {
		this.#now = now;
		const { settings } = this;
		if (settings === this.#configured) return;
		this.#configured = settings;
		if (this.book.configure(settings.chains.map(chainOfSettings))) this.isChanged = true;
		// Where no fallback is left nothing can be held on it.
		for (const entry of this.book.all()) {
			const mayStay = entry.chain.fallbackChain.some((model) =>
				mayStandIn(model, entry, settings.allowCostlier),
			);
			if (!mayStay) this.release(entry);
		}
	}

	/** The model to use now. A cooldown that is over makes the circuit half-open, as in `Get-CurrentModel`. */
	decide(entry: ChainEntry, asking: Asking): Decision {
		this.testIfDue(entry, asking.now);
		this.settleIndex(entry);
		return decide(entry, asking, this.parts);
	}

	/** A cooldown that is over makes the circuit half-open: the next success counts. */
	testIfDue(entry: ChainEntry, now: number): void {
		if (isTestDue(entry.circuit, cooldownMsOf(entry.chain), now)) this.#toHalfOpen(entry);
	}

	/** What `decide` would say, without any effect. */
	peek(entry: ChainEntry, asking: Asking): Decision {
		return decide(entry, asking, this.parts);
	}

	/** Somebody found by himself that the cooldown is over, and tests. A hold stays, and so does the provider's wish. */
	beginTest(entry: ChainEntry): void {
		const { state, hold, notBefore, testsNow } = entry.circuit;
		const isTooEarly = notBefore !== null && this.#now < notBefore && !testsNow;
		if (state === 'open' && hold === null && !isTooEarly) this.#toHalfOpen(entry);
	}

	#toHalfOpen(entry: ChainEntry): void {
		this.move(entry, toHalfOpen(entry.circuit));
		this.tell('half-open', entry, entry.chain.preferredModel);
	}

	/**
	 * A model is to stand in that another chain prefers and has not recovered there: this call is its test. Returns
	 * whether it is. To be called before the call gets its number, so that its success counts.
	 */
	beginTestOf(account: string | null, model: string): boolean {
		const tested = this.book.preferring(account, model).filter(isToBeTested);
		for (const entry of tested) if (entry.circuit.state === 'open') this.#toHalfOpen(entry);
		return tested.length > 0;
	}

	takeProbe(probe: Omit<Probe, 'since' | 'until'>): void {
		this.probes.take({ ...probe, since: this.#now });
		this.isChanged = true;
	}

	/** The permit of a test call of that model is given back. */
	releaseProbe(account: string | null, model: string, serial: number): void {
		if (this.probes.release(account, model, serial)) this.isChanged = true;
	}

	hold(entry: ChainEntry): void {
		const after = onHold(entry.circuit, this.#now);
		if (after === entry.circuit) return;
		this.move(entry, after);
		this.tell('held', entry, entry.chain.preferredModel);
	}

	release(entry: ChainEntry): void {
		const after = onRelease(entry.circuit, cooldownMsOf(entry.chain), this.#now);
		if (after === entry.circuit) return;
		this.move(entry, after);
		this.tell('released', entry, entry.chain.preferredModel);
	}

	/** The operator decides: a test call that somebody else holds is no longer waited for. */
	probeNow(entry: ChainEntry): void {
		this.set(entry, onProbeNow(entry.circuit));
		const { provider, preferredModel } = entry.chain;
		if (this.probes.drop(provider, preferredModel)) this.isChanged = true;
	}

	setRepository(directory: string, chain: ModelChain | null): void {
		if (this.book.setRepository(directory, chain)) this.isChanged = true;
	}

	/**
	 * The model that the chain's next caller gets, whoever that is; `null`: none. Called where the limit came from unless
	 * `provider` says otherwise: what is not served there does not stand in there.
	 */
	inUse(entry: ChainEntry, provider: string | null = entry.because.provider): string | null {
		if (entry.circuit.state === 'closed') return entry.chain.preferredModel;
		return this.fallback(entry, provider)?.model ?? null;
	}

	/** The fallback that is used at `provider` while the circuit is not closed; `null`: none can be asked. */
	fallback(entry: ChainEntry, provider: string | null): ReturnType<typeof fallbackNow> {
		const asking = { provider, tried: nothingTried, now: this.#now };
		return fallbackNow(entry, asking, this.parts);
	}

	/**
	 * The chain stands where it would be asked: on the current fallback, or where that one rests, on the next that does
	 * not. What one provider does not serve moves nothing, the chain may be called at others.
	 */
	settleIndex(entry: ChainEntry): void {
		if (entry.circuit.state === 'closed') return;
		const found = this.fallback(entry, null);
		if (found !== null) this.set(entry, atFallback(entry.circuit, found.index));
	}

	/** Another state: a new era, in which older tickets prove nothing and no older test call counts. */
	move(entry: ChainEntry, circuit: Circuit): void {
		if (circuit.state !== 'half-open') this.#dropProbe(entry, circuit);
		entry.circuit = circuit;
		entry.era = this.nextTurningPoint();
		entry.counted.clear();
		this.settleIndex(entry);
		this.isChanged = true;
	}

	/** The same state with other numbers. */
	set(entry: ChainEntry, circuit: Circuit): void {
		if (entry.circuit === circuit) return;
		entry.circuit = circuit;
		this.isChanged = true;
	}

	tell(kind: ModelEvent['kind'], entry: ChainEntry, model: string, said = ''): void {
		const { chain, circuit, id, because } = entry;
		const next = this.inUse(entry);
		const at = resumeAt(circuit, cooldownMsOf(chain));
		const told = { kind, at: this.#now, chainId: id, chain, model, next, resumeAt: at };
		this.events.push({ ...told, words: eventWords({ ...told, said, provider: because.provider }) });
	}

	/** Everything as it was saved; `null`: as if nothing ever happened. */
	restore(saved: SavedBook | null, now: number): void {
		this.facts.clear();
		this.probes.clear();
		this.#configured = null;
		this.#now = now;
		const eras = saved?.chains.map(({ era }) => era) ?? [];
		const limits = saved?.limits.map(({ serial }) => serial) ?? [];
		const tickets = [...(saved?.probes ?? []), ...(saved?.callers.map(([, handed]) => handed) ?? [])];
		this.#turningPoint = Math.max(0, ...eras, ...limits);
		this.#serial = Math.max(saved?.serial ?? 0, this.#turningPoint, ...tickets.map(({ serial }) => serial));
		for (const limit of saved?.limits ?? []) this.facts.putLimit(limit, now);
		for (const trouble of saved?.spends ?? []) this.facts.noteSpendTrouble(trouble);
		for (const fact of saved?.unserved ?? []) this.facts.putUnserved(fact, now);
		// A turn's test call ended with the program that made it; a loop's is reported some day.
		const isLost = ({ caller, until }: SavedBook['probes'][number]) => caller === null || until <= now;
		const lost = saved?.probes.filter(isLost) ?? [];
		for (const probe of saved?.probes ?? []) if (!isLost(probe)) this.probes.put(probe);
		const entries = saved?.chains.map((entry) => {
			const { provider, preferredModel, fallbackChain } = entry.chain;
			const wasTested = lost.some(({ account, model }) => account === provider && model === preferredModel);
			const circuit = fittedTo(entry.circuit, fallbackChain.length);
			return {
				...entry,
				circuit: wasTested ? withoutTest(circuit) : circuit,
				counted: new Set(entry.counted),
			};
		});
		this.book.restore(entries ?? [], saved?.repositories ?? []);
		this.sync(now);
	}

	/** A new chain does not begin closed when its preferred model is known to be limited, or is being tested. */
	#begin(entry: ChainEntry): void {
		const { provider, preferredModel } = entry.chain;
		const other = this.book
			.preferring(provider, preferredModel)
			.find(({ circuit }) => circuit.state !== 'closed' && circuit.hold?.from !== 'closed');
		if (other !== undefined) {
			const { lastFallbackAt } = other.circuit.metrics;
			const metrics = { ...closedCircuit.metrics, totalFallbacks: 1, lastFallbackAt };
			entry.circuit = { ...other.circuit, currentFallbackIndex: 0, hold: null, metrics };
			// The same era: the test call that is out counts here too.
			entry.era = other.era;
			entry.because = other.because;
			return;
		}
		const limit = this.facts.limit(provider, preferredModel);
		if (limit === null || limit.until <= this.#now) return;
		const opened = onPreferredLimit(entry.circuit, {
			now: limit.at,
			wishMs: null,
			cooldownMs: cooldownMsOf(entry.chain),
			random: this.#options.random(),
		});
		entry.circuit = lengthened(opened, limit.until);
		entry.era = this.nextTurningPoint();
		entry.because = { said: limit.said, provider };
	}

	/** What is known of its preferred model stays known. */
	#end(entry: ChainEntry): void {
		const { provider, preferredModel } = entry.chain;
		const limit = this.facts.limit(provider, preferredModel);
		const until = resumeAt(entry.circuit, cooldownMsOf(entry.chain));
		if (until !== null && limit !== null) this.facts.extendLimit(limit, until);
		if (this.book.preferring(provider, preferredModel).length === 0) {
			this.probes.drop(provider, preferredModel);
		}
		this.isChanged = true;
	}

	/** The test call that is out belongs to the chains that test; when none does any more, it is nobody's. */
	#dropProbe({ chain, id }: ChainEntry, after: Circuit): void {
		const isTested = this.book
			.preferring(chain.provider, chain.preferredModel)
			.some((other) => other.id !== id && other.circuit.state === 'half-open');
		if (!isTested || after.state === 'closed') this.probes.drop(chain.provider, chain.preferredModel);
	}
}

function isToBeTested({ circuit }: ChainEntry): boolean {
	return circuit.state !== 'closed' && circuit.hold === null;
}
