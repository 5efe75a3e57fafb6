/** All chains of this machine: those of the settings, those that repositories bring, those that were only seen. */
import { createHash } from 'node:crypto';
import type { ModelChainView } from '../../shared/models-view.ts';
import { type Circuit, closedCircuit, fittedTo } from './model-breaker.ts';
import { isSameChain, modelsOf } from './model-chain.ts';
import type { ModelChain } from './model-desk.ts';
import { modelKey, spelledIn } from './model-names.ts';
import { defaultStateRecord } from './state-record.ts';

/** Looked-up names kept; clients may send any name they like. */
const MAX_FOUND = 2_000;
/** Chains kept that nobody configured. */
const MAX_SEEN = 50;
/** Repositories kept, those that were heard of last. */
export const MAX_REPOSITORIES = 1_000;

/** One chain with its circuit. */
export interface ChainEntry {
	readonly id: string;
	chain: ModelChain;
	source: ModelChainView['source'];
	circuit: Circuit;
	/** Drawn from the ticket numbers when the circuit last changed its state: older tickets are of an older era. */
	era: number;
	/** Tickets whose success was counted while half-open: one that is settled twice counts once. */
	readonly counted: Set<number>;
	/** Why it opened, in the provider's words (untrusted), and whose they are. */
	because: { readonly said: string; readonly provider: string | null };
}

interface Repository {
	/** Its own chain, or the settings' chain that its file repeats; `null`: the settings' first. */
	readonly chainId: string | null;
	/** The chain that it had before; gone, but its counts are the file's. */
	readonly former?: ChainEntry | null;
}

/** What the book asks of the machine when it makes or drops a chain. */
export interface ChainBookOptions {
	/** A new chain begins with what is known of its preferred model. */
	readonly begin: (entry: ChainEntry) => void;
	/** Whether there is still something to show of a chain that nobody configures. */
	readonly isNeeded: (entry: ChainEntry) => boolean;
	/** A chain goes; what is known of its models must not go with it. */
	readonly end: (entry: ChainEntry) => void;
}

export class ChainBook {
	readonly #options: ChainBookOptions;
	readonly #entries = new Map<string, ChainEntry>();
	readonly #repositories = new Map<string, Repository>();
	/** Look-ups that were made, until the chains change. */
	readonly #found = new Map<string, ChainEntry | null>();
	readonly #naming = new Map<string, readonly ChainEntry[]>();
	#settings: readonly ModelChain[] = [];

	constructor(options: ChainBookOptions) {
		this.#options = options;
	}

	/** `null`: there is none (any more), or none was meant. */
	get(id: string | null): ChainEntry | null {
		return id === null ? null : (this.#entries.get(id) ?? null);
	}

	all(): ChainEntry[] {
		return [...this.#entries.values()];
	}

	/** The chain of a model that is called at `provider`: one of this provider first, else one for all. */
	find(provider: string | null, model: string): ChainEntry | null {
		const at = modelKey(provider, model);
		const known = this.#found.get(at);
		if (known !== undefined) return known;
		const found = this.#search(provider, model);
		if (this.#found.size >= MAX_FOUND) this.#found.clear();
		this.#found.set(at, found);
		return found;
	}

	#search(provider: string | null, model: string): ChainEntry | null {
		const shared = this.all().filter(({ source }) => source !== 'repository');
		for (const account of provider === null ? [null] : [provider, null]) {
			const entries = shared.filter(({ chain }) => chain.provider === account);
			const name = spelledIn(
				entries.map(({ chain }) => chain.preferredModel),
				model,
			);
			const entry = entries.find(({ chain }) => chain.preferredModel === name);
			if (entry !== undefined) return entry;
		}
		return null;
	}

	/** Chains of this account that name the model, as preferred one or as fallback. */
	naming(account: string | null, model: string): readonly ChainEntry[] {
		const at = modelKey(account, model);
		const known = this.#naming.get(at);
		if (known !== undefined) return known;
		const naming = this.all().filter(
			({ chain }) => chain.provider === account && modelsOf(chain).includes(model),
		);
		if (this.#naming.size >= MAX_FOUND) this.#naming.clear();
		this.#naming.set(at, naming);
		return naming;
	}

	preferring(account: string | null, model: string): ChainEntry[] {
		return this.naming(account, model).filter(({ chain }) => chain.preferredModel === model);
	}

	/** How chains write a model called at `provider`, this provider's first; as it is where none names it. */
	spelled(provider: string | null, model: string): string {
		return this.#spelledAt(provider, model) ?? this.#spelledAt(null, model) ?? model;
	}

	#spelledAt(account: string | null, model: string): string | null {
		const names = this.all().filter(({ chain }) => chain.provider === account);
		return spelledIn(
			names.flatMap(({ chain }) => modelsOf(chain)),
			model,
		);
	}

	/** The chain of a shell loop in `directory` that names no model; `null`: there is no chain at all. */
	ofDirectory(directory: string, provider: string | null): ChainEntry | null {
		const own = this.get(this.#repositories.get(directory)?.chainId ?? null);
		if (own !== null) return own;
		const isOf = (account: string | null) => (chain: ModelChain) => chain.provider === account;
		const first = this.#settings.find(isOf(provider)) ?? this.#settings.find(isOf(null)) ?? this.#settings[0];
		return first === undefined ? null : this.get(chainId(first));
	}

	/** By the id of each chain (`null`: of none) the directories whose state file mirrors it. */
	repositoriesByChain(): Map<string | null, string[]> {
		return Map.groupBy(
			this.#repositories.keys(),
			(directory) => this.ofDirectory(directory, null)?.id ?? null,
		);
	}

	repositories(): [string, { readonly chainId: string | null }][] {
		return [...this.#repositories].map(([directory, { chainId }]) => [directory, { chainId }]);
	}

	/**
	 * Takes over the settings. A chain that is gone from them but not closed stays as one that was only seen.
	 * Returns whether that changed anything.
	 */
	configure(settings: readonly ModelChain[]): boolean {
		const before = this.#text();
		this.#settings = settings;
		const wanted = new Map<string, ModelChain>();
		for (const chain of settings) if (!wanted.has(chainId(chain))) wanted.set(chainId(chain), chain);
		for (const entry of this.all()) {
			if (entry.source === 'repository' || wanted.has(entry.id)) continue;
			if (!this.#options.isNeeded(entry)) this.#drop(entry);
			else this.#change(entry, { ...entry.chain, fallbackChain: [] }, 'seen');
		}
		for (const [id, chain] of wanted) {
			const entry = this.get(id);
			if (entry === null) this.#absorb(this.#add(id, chain, 'settings'));
			else this.#change(entry, chain, 'settings');
		}
		return this.#text() !== before;
	}

	#text(): string {
		return JSON.stringify(this.all().map(({ id, chain, source, circuit }) => [id, chain, source, circuit]));
	}

	/** What was only seen of the model goes on under the chain that names it now. */
	#absorb(entry: ChainEntry): void {
		const { provider, preferredModel } = entry.chain;
		for (const seen of this.all()) {
			if (seen.source !== 'seen' || seen.chain.preferredModel !== preferredModel) continue;
			if (provider !== null && seen.chain.provider !== provider) continue;
			if (entry.circuit.state === 'closed') goOn(entry, seen);
			this.#drop(seen);
		}
	}

	/** A model that was limited and that no chain names. */
	see(provider: string | null, model: string): ChainEntry {
		const chain: ModelChain = {
			provider,
			preferredModel: model,
			fallbackChain: [],
			cooldownMinutes: defaultStateRecord.cooldownMinutes,
		};
		const known = this.get(chainId(chain));
		if (known !== null) return known;
		const seen = this.all().filter(({ source }) => source === 'seen');
		if (seen.length >= MAX_SEEN) {
			const oldest = seen.find((entry) => !this.#options.isNeeded(entry)) ?? seen[0];
			if (oldest !== undefined) this.#drop(oldest);
		}
		return this.#add(chainId(chain), chain, 'seen');
	}

	/** `chain` as the repository's file says; `null`: it has none. Returns whether that is news. */
	setRepository(directory: string, chain: ModelChain | null): boolean {
		const before = this.#repositories.get(directory);
		const former = this.get(before?.chainId ?? null) ?? before?.former ?? this.ofDirectory(directory, null);
		this.#repositories.delete(directory);
		if (this.#repositories.size >= MAX_REPOSITORIES) {
			const oldest = this.#repositories.keys().next().value;
			if (oldest !== undefined) this.#leave(oldest);
		}
		const chainId = chain === null ? null : this.#join(chain, former);
		this.#repositories.set(directory, { chainId, former: chainId === null ? former : null });
		this.#dropUnused(before?.chainId ?? null);
		return before === undefined || before.chainId !== chainId;
	}

	/** The chain that says the same, if there is one; else a new one, which goes on counting where the former did. */
	#join(chain: ModelChain, former: ChainEntry | null): string {
		const same = this.all().find((entry) => entry.source === 'settings' && isSameChain(entry.chain, chain));
		if (same !== undefined) return same.id;
		const id = ownChainId(chain);
		if (this.get(id) !== null) return id;
		const entry = this.#add(id, chain, 'repository');
		if (former?.chain.preferredModel !== chain.preferredModel) return id;
		// One that went away did not hear of later limits.
		const isUpToDate = this.get(former.id) === former || former.era >= entry.era;
		const isSameLimit = entry.circuit.state !== 'closed' && former.circuit.state !== 'closed';
		if (isSameLimit && isUpToDate) goOn(entry, former);
		else entry.circuit = { ...entry.circuit, metrics: former.circuit.metrics };
		return id;
	}

	#leave(directory: string): void {
		const before = this.#repositories.get(directory);
		this.#repositories.delete(directory);
		this.#dropUnused(before?.chainId ?? null);
	}

	#dropUnused(id: string | null): void {
		const entry = this.get(id);
		if (entry === null || entry.source !== 'repository') return;
		if (![...this.#repositories.values()].some(({ chainId }) => chainId === id)) this.#drop(entry);
	}

	/** Everything as it was saved. The settings are to be taken over again after it. */
	restore(entries: readonly ChainEntry[], repositories: readonly (readonly [string, Repository])[]): void {
		this.#entries.clear();
		this.#repositories.clear();
		for (const entry of entries) this.#entries.set(entry.id, entry);
		for (const [directory, repository] of repositories.slice(-MAX_REPOSITORIES)) {
			this.#repositories.set(directory, repository);
		}
		for (const entry of entries) this.#dropUnused(entry.id);
		this.#forgetLookUps();
	}

	#add(id: string, chain: ModelChain, source: ChainEntry['source']): ChainEntry {
		const entry: ChainEntry = {
			id,
			chain,
			source,
			circuit: closedCircuit,
			era: 0,
			counted: new Set(),
			because: { said: '', provider: null },
		};
		this.#options.begin(entry);
		this.#entries.set(id, entry);
		this.#forgetLookUps();
		return entry;
	}

	#forgetLookUps(): void {
		this.#found.clear();
		this.#naming.clear();
	}

	#change(entry: ChainEntry, chain: ModelChain, source: ChainEntry['source']): void {
		entry.chain = chain;
		entry.source = source;
		entry.circuit = fittedTo(entry.circuit, chain.fallbackChain.length);
		this.#forgetLookUps();
	}

	#drop(entry: ChainEntry): void {
		this.#entries.delete(entry.id);
		this.#forgetLookUps();
		this.#options.end(entry);
	}
}

/** The one goes on where the other is. */
function goOn(entry: ChainEntry, { circuit, era, because }: ChainEntry): void {
	entry.circuit = fittedTo(circuit, entry.chain.fallbackChain.length);
	entry.era = era;
	entry.because = because;
}

function chainId({ provider, preferredModel }: ModelChain): string {
	return `${provider ?? '*'}/${preferredModel}`;
}

/** By what it says, so that repositories that say the same share one. */
function ownChainId(chain: ModelChain): string {
	const says = JSON.stringify([chain.fallbackChain, chain.cooldownMinutes]);
	return `${chainId(chain)}#${createHash('sha256').update(says).digest('hex').slice(0, 12)}`;
}
