/**
 * What outcomes do to all chains of the machine at once: one fact about a model moves every chain that it concerns.
 * The circuits themselves are pure (`model-breaker.ts`); here they meet facts, test calls and events.
 */
import type { ModelsSettings } from '../../shared/models-settings.ts';
import { MAX_RETRY_AFTER_MS, usable } from '../../shared/retry-after.ts';
import { ChainBook, type ChainEntry, cooldownMsOf } from './chain-book.ts';
import { type Asking, type Decision, type DecisionParts, decide, fallbackNow } from './decide.ts';
import { ModelFacts } from './limits.ts';
import {
	type Circuit,
	isTestDue,
	lengthened,
	onFallbackLimit,
	onFallbackSuccess,
	onHold,
	onPreferredLimit,
	onPreferredSuccess,
	onProbeNow,
	onRecovery,
	onRelease,
	resumeAt,
	toHalfOpen,
	withoutTest,
} from './model-breaker.ts';
import type { ModelChain, ModelEvent } from './model-desk.ts';
import { Probes } from './probes.ts';
import type { SavedBook } from './saved-book.ts';
import { defaultStateRecord } from './state-record.ts';
import { eventWords } from './words.ts';

const nothingTried: ReadonlySet<string> = new Set();

/** About which model something is known, and through which call. */
export interface Evidence {
	/** Chain whose ticket the call had; `null`: it had none. */
	readonly entry: ChainEntry | null;
	readonly provider: string | null;
	/** As the chain writes it, where there is one. */
	readonly model: string;
	/** Number of the ticket; `null`: nobody knows when the call began. */
	readonly serial: number | null;
	/** A success without a ticket was seen by somebody who cannot know which call it belongs to. */
	readonly isHearsay: boolean;
}

export interface MachineOptions {
	readonly settings: () => ModelsSettings;
	readonly random: () => number;
	readonly onEvent: (event: ModelEvent) => void;
}

export class ModelMachine {
	readonly facts = new ModelFacts();
	readonly probes = new Probes();
	readonly book: ChainBook;
	/** Number of the last ticket or era. */
	serial = 0;
	/** Something changed since this was last set to false. */
	isChanged = false;
	readonly #options: MachineOptions;
	#configured: unknown = null;
	#now = 0;

	constructor(options: MachineOptions) {
		this.#options = options;
		this.book = new ChainBook({
			begin: (entry) => this.#begin(entry),
			end: (entry) => this.#end(entry),
		});
	}

	readonly nextSerial = (): number => {
		this.serial += 1;
		return this.serial;
	};

	/** To be called before everything else, with the time: takes over settings that changed. */
	sync(now: number): ModelsSettings {
		this.#now = now;
		const settings = this.#options.settings();
		if (settings.chains !== this.#configured) {
			this.#configured = settings.chains;
			this.book.configure(settings.chains.map((chain) => ({ ...chain, provider: chain.provider ?? null })));
			this.isChanged = true;
		}
		return settings;
	}

	get parts(): DecisionParts {
		const { book, facts, probes } = this;
		return { book, facts, probes, allowCostlier: this.#options.settings().allowCostlier };
	}

	/** The model to use now. A cooldown that is over makes the circuit half-open, as in `Get-CurrentModel`. */
	decide(entry: ChainEntry, asking: Asking): Decision {
		this.cool(entry, asking.now);
		return decide(entry, asking, this.parts);
	}

	/** What `decide` would say, without any effect. */
	peek(entry: ChainEntry, asking: Asking): Decision {
		return decide(entry, asking, this.parts);
	}

	/** OPEN → HALF-OPEN when the cooldown is over. */
	cool(entry: ChainEntry, now: number): void {
		if (!isTestDue(entry.circuit, cooldownMsOf(entry.chain), now)) return;
		this.#move(entry, toHalfOpen(entry.circuit));
		this.#tell('half-open', entry, entry.chain.preferredModel);
	}

	/** The model was limited. `at`: when, not after now. */
	limited(evidence: Evidence, retryAfterMs: number | null, said: string, at: number): void {
		const wishMs = usable(retryAfterMs);
		let accounts = this.#accountsOf(evidence);
		if (accounts.every((account) => this.book.naming(account, evidence.model).length === 0)) {
			accounts = [this.book.see(evidence.provider, evidence.model).chain.provider];
		}
		for (const account of accounts) this.#limitedAt(account, evidence, wishMs, said, at);
		this.isChanged = true;
	}

	#limitedAt(
		account: string | null,
		evidence: Evidence,
		wishMs: number | null,
		said: string,
		at: number,
	): void {
		const { model, serial, provider } = evidence;
		const naming = this.book.naming(account, model);
		const inUse = naming.flatMap((entry) => this.#fallbackInUse(entry, model));
		const cooldownMs = cooldownMsOf((evidence.entry ?? naming[0])?.chain ?? defaultStateRecord);
		const news = { account, model, now: at, wishMs, cooldownMs, ticketSerial: serial, said };
		const isNews = this.facts.noteLimit({ ...news, nextSerial: this.nextSerial });
		for (const entry of naming) {
			if (entry.chain.preferredModel === model) this.#preferredLimited(entry, evidence, wishMs, said, at);
		}
		if (!isNews) return;
		for (const { entry, index } of inUse) {
			const { length } = entry.chain.fallbackChain;
			const { cooldownResetBy } = this.#options.settings();
			this.#set(
				entry,
				onFallbackLimit(entry.circuit, { now: at, index, fallbackCount: length, cooldownResetBy }),
			);
			const next = this.inUse(entry, provider);
			this.#tell(next === null ? 'exhausted' : 'advanced', entry, model, said);
		}
	}

	#preferredLimited(
		entry: ChainEntry,
		{ serial, provider, model }: Evidence,
		wishMs: number | null,
		said: string,
		at: number,
	): void {
		const { circuit, chain } = entry;
		if (serial !== null && serial < entry.era && circuit.state !== 'open') return;
		const limit = {
			now: at,
			wishMs,
			cooldownMs: cooldownMsOf(chain),
			random: this.#options.random(),
		};
		const after = onPreferredLimit(circuit, limit);
		const isOpening = circuit.state !== 'open' || circuit.hold?.from === 'closed';
		if (!isOpening) {
			this.#set(entry, after);
			return;
		}
		entry.because = { said, provider };
		this.#move(entry, after);
		this.probes.drop(chain.provider, model);
		this.#tell(circuit.state === 'half-open' ? 'probe-failed' : 'opened', entry, model, said);
	}

	/** The model answered. */
	answered(evidence: Evidence, now: number): void {
		const { model, serial, isHearsay } = evidence;
		for (const account of this.#accountsOf(evidence)) {
			if (this.facts.noteAnswer(account, model, serial, now)) this.isChanged = true;
			if (this.facts.clearSpendTrouble(account, model)) {
				this.isChanged = true;
				const [entry] = this.book.naming(account, model);
				if (entry !== undefined) this.#tell('spend-cleared', entry, model);
			}
			for (const entry of this.book.naming(account, model)) {
				if (entry.chain.preferredModel === model) this.#preferredAnswered(entry, serial, isHearsay, now);
				else if (entry === evidence.entry) this.#set(entry, onFallbackSuccess(entry.circuit));
			}
		}
	}

	#preferredAnswered(entry: ChainEntry, serial: number | null, isHearsay: boolean, now: number): void {
		const { circuit } = entry;
		if (circuit.state === 'half-open') {
			if (isHearsay || (serial !== null && (serial < entry.era || entry.counted.has(serial)))) return;
			if (serial !== null) entry.counted.add(serial);
		} else if (serial !== null && serial < entry.era) return;
		const after = onPreferredSuccess(circuit, now);
		if (after.state === circuit.state) this.#set(entry, after);
		else this.recovered(entry.chain, now);
	}

	/** The preferred model works again: every chain that prefers it closes, unless it is held. */
	recovered({ provider, preferredModel }: ModelChain, now: number): void {
		this.probes.drop(provider, preferredModel);
		this.facts.forgetLimit(provider, preferredModel);
		for (const entry of this.book.preferring(provider, preferredModel)) {
			const after = onRecovery(entry.circuit, now);
			if (after === entry.circuit) continue;
			this.#move(entry, after);
			entry.because = { said: '', provider: null };
			this.#tell('recovered', entry, preferredModel);
			this.book.forgetSeen(entry);
		}
	}

	/** Money, not time: nothing falls back, a person is asked. */
	spendLimited(evidence: Evidence, said: string, now: number): void {
		const { provider, model } = evidence;
		const accounts = this.#accountsOf(evidence);
		const isNamed = accounts.some((account) => this.book.naming(account, model).length > 0);
		const owners = isNamed ? accounts : [this.book.see(provider, model).chain.provider];
		for (const account of owners) {
			if (!this.facts.noteSpendTrouble({ account, model, at: now, said })) continue;
			this.isChanged = true;
			const entry = evidence.entry ?? this.book.naming(account, model)[0];
			if (entry !== undefined) this.#tell('spend-limit', entry, model, said);
		}
	}

	/** The stand-in is not served there. Of a preferred model that is the caller's affair. */
	unserved(provider: string | null, model: string, said: string, now: number): void {
		if (provider === null) return;
		this.facts.noteUnserved(provider, model, said, now);
		this.isChanged = true;
	}

	/** The permit of a test call is given back. */
	releaseProbe({ chain }: ChainEntry, serial: number): void {
		if (this.probes.release(chain.provider, chain.preferredModel, serial)) this.isChanged = true;
	}

	takeProbe({ chain }: ChainEntry, holder: string, caller: string | null, serial: number, now: number): void {
		const { provider: account, preferredModel: model } = chain;
		this.probes.take({ account, model, serial, holder, caller, since: now });
		this.isChanged = true;
	}

	/** Somebody decided by himself that the cooldown is over and tests. */
	beginTest(entry: ChainEntry): void {
		if (entry.circuit.state !== 'open' || entry.circuit.hold !== null) return;
		this.#move(entry, toHalfOpen(entry.circuit));
		this.#tell('half-open', entry, entry.chain.preferredModel);
	}

	hold(entry: ChainEntry, now: number): void {
		const after = onHold(entry.circuit, now);
		if (after === entry.circuit) return;
		this.#move(entry, after);
		this.probes.drop(entry.chain.provider, entry.chain.preferredModel);
		this.#tell('held', entry, entry.chain.preferredModel);
	}

	release(entry: ChainEntry, now: number): void {
		const after = onRelease(entry.circuit, cooldownMsOf(entry.chain), now);
		if (after === entry.circuit) return;
		this.#move(entry, after);
		this.#tell('released', entry, entry.chain.preferredModel);
	}

	probeNow(entry: ChainEntry): void {
		this.#set(entry, onProbeNow(entry.circuit));
	}

	/** The model that the chain's next caller gets, whoever that is; `null`: none. */
	inUse(entry: ChainEntry, provider: string | null = null): string | null {
		if (entry.circuit.state === 'closed') return entry.chain.preferredModel;
		return this.#fallback(entry, provider)?.model ?? null;
	}

	/** Where the chain stands: the place of the fallback that is used, else of the last one that was. */
	fallbackIndex(entry: ChainEntry): number {
		const { state, currentFallbackIndex } = entry.circuit;
		return state === 'closed' ? 0 : (this.#fallback(entry, null)?.index ?? currentFallbackIndex);
	}

	#fallback(entry: ChainEntry, provider: string | null): ReturnType<typeof fallbackNow> {
		const asking = { provider, caller: null, tried: nothingTried, now: this.#now };
		return fallbackNow(entry, asking, this.parts);
	}

	#fallbackInUse(entry: ChainEntry, model: string): { entry: ChainEntry; index: number }[] {
		if (entry.circuit.state === 'closed' || entry.chain.preferredModel === model) return [];
		const found = this.#fallback(entry, null);
		return found?.model === model ? [{ entry, index: found.index }] : [];
	}

	/** The accounts for which something about this call counts. */
	#accountsOf({ entry, provider, model }: Evidence): (string | null)[] {
		const own = entry?.chain.provider ?? null;
		const isBound = provider !== null && this.book.naming(provider, model).length > 0;
		if (entry === null) return [isBound ? provider : null];
		return isBound && provider !== own ? [own, provider] : [own];
	}

	setRepository(directory: string, chain: ModelChain | null): void {
		if (this.book.setRepository(directory, chain)) this.isChanged = true;
	}

	/** Everything as it was saved; `null`: as if nothing ever happened. */
	restore(saved: SavedBook | null, now: number): void {
		this.facts.clear();
		this.probes.clear();
		this.serial = 0;
		this.#configured = null;
		if (saved === null) {
			this.book.restore([], []);
			this.sync(now);
			return;
		}
		const serials = [...saved.chains.map(({ era }) => era), ...saved.limits.map(({ serial }) => serial)];
		this.serial = Math.max(saved.serial, ...serials, ...saved.probes.map(({ serial }) => serial));
		for (const limit of saved.limits) this.facts.putLimit(limit, now);
		for (const trouble of saved.spends) this.facts.noteSpendTrouble(trouble);
		for (const fact of saved.unserved) this.facts.putUnserved(fact, now);
		// A turn's test call ended with the program that made it; a loop's is reported some day.
		const lost = saved.probes.filter(({ caller, until }) => caller === null || until <= now);
		for (const probe of saved.probes) if (!lost.includes(probe)) this.probes.put(probe);
		const isLost = ({ chain }: SavedBook['chains'][number]) =>
			lost.some(({ account, model }) => account === chain.provider && model === chain.preferredModel);
		const entries = saved.chains.map((chain) => ({
			...chain,
			circuit: isLost(chain) ? withoutTest(chain.circuit) : chain.circuit,
			counted: new Set<number>(),
		}));
		this.book.restore(entries, saved.repositories);
		this.sync(now);
	}

	/** A new chain does not begin closed when its preferred model is known to be limited. */
	#begin(entry: ChainEntry): void {
		const { provider, preferredModel } = entry.chain;
		const limit = this.facts.limit(provider, preferredModel);
		if (limit === null || limit.until <= this.#now) return;
		const cooldownMs = cooldownMsOf(entry.chain);
		const opened = onPreferredLimit(entry.circuit, {
			now: limit.at,
			wishMs: null,
			cooldownMs,
			random: this.#options.random(),
		});
		entry.circuit = lengthened(opened, limit.until);
		entry.era = this.nextSerial();
		entry.because = { said: limit.said, provider };
	}

	/** What is known of its preferred model stays known. */
	#end({ chain, circuit }: ChainEntry): void {
		const until = resumeAt(circuit, cooldownMsOf(chain));
		const { provider: account, preferredModel: model } = chain;
		const limit = this.facts.limit(account, model);
		if (until !== null && limit !== null) this.facts.extendLimit(limit, until);
		if (this.book.preferring(account, model).length === 0) this.probes.drop(account, model);
		this.isChanged = true;
	}

	/** Another state: a new era, in which older tickets prove nothing. */
	#move(entry: ChainEntry, circuit: Circuit): void {
		entry.circuit = circuit;
		entry.era = this.nextSerial();
		entry.counted.clear();
		this.isChanged = true;
	}

	#set(entry: ChainEntry, circuit: Circuit): void {
		if (entry.circuit === circuit) return;
		entry.circuit = circuit;
		this.isChanged = true;
	}

	#tell(kind: ModelEvent['kind'], entry: ChainEntry, model: string, said = ''): void {
		const { chain, circuit, id } = entry;
		const next = this.inUse(entry);
		const at = resumeAt(circuit, cooldownMsOf(chain));
		const told = { kind, at: this.#now, chainId: id, chain, model, next, resumeAt: at };
		this.#options.onEvent({
			...told,
			words: eventWords({ ...told, said, provider: entry.because.provider }),
		});
	}
}

/** When something happened, where a file says it: never in the future, never longer ago than a wish can be. */
export function plausibleTime(at: number | null, now: number): number {
	return at === null || at > now || at < now - MAX_RETRY_AFTER_MS ? now : at;
}
