/**
 * Which models this machine serves, by name. One that was seen is known for good, whether its server runs or not: what
 * it served stays free, over restarts too.
 */
import type { EvidenceStore } from './usage-store.ts';

const MOST_NAMES = 500;

/**
 * Families that run nowhere but at their vendor's. A local proxy may list one, and then it is taken for local while the
 * proxy does: kept, it would make the vendor's own bill free for ever.
 */
const hostedOnly = /^(?:claude|chatgpt|gemini|gpt-(?!oss)|o\d)/i;

export interface LocalModelNamesOptions {
	/** Of the servers that are known now. */
	readonly current: () => Iterable<string>;
	/** Without one nothing is kept over a restart. */
	readonly store?: EvidenceStore;
	readonly now: () => number;
	readonly onError: (where: string, error: unknown) => void;
}

export class LocalModelNames {
	readonly #options: LocalModelNamesOptions;
	readonly #kept: Set<string>;
	/** Those that were kept in this run. */
	readonly #seen = new Set<string>();
	#current: ReadonlySet<string> = new Set();

	constructor(options: LocalModelNamesOptions) {
		this.#options = options;
		this.#kept = new Set(this.#guarded('reading the names of local models', (store) => store.localModels()));
	}

	has(model: string): boolean {
		return this.#current.has(model) || this.#kept.has(model);
	}

	/** Asks again what is there, and keeps what is new. */
	look(): void {
		const { current, now } = this.#options;
		this.#current = new Set(current());
		const unseen = [...this.#current].filter((name) => !this.#seen.has(name) && !hostedOnly.test(name));
		if (unseen.length === 0) return;
		for (const name of unseen) {
			this.#seen.add(name);
			this.#kept.add(name);
		}
		this.#guarded('keeping the names of local models', (store) =>
			store.keepLocalModels(unseen, now(), MOST_NAMES),
		);
	}

	#guarded<T>(where: string, run: (store: EvidenceStore) => T): T | undefined {
		const { store, onError } = this.#options;
		try {
			return store && run(store);
		} catch (error) {
			onError(where, error);
			return undefined;
		}
	}
}
