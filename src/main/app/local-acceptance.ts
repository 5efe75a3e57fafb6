/** How many local answers were kept, per workspace and model: asked while a turn waits, so it stands in memory. */
import type { Acceptance } from '../failover/recommend.ts';
import type { FloorStore } from '../store/floor-store.ts';

type AcceptanceStore = Pick<FloorStore, 'acceptances' | 'acceptanceOf' | 'recordAcceptance'>;

export class LocalAcceptance {
	readonly #store: AcceptanceStore;
	readonly #onError: (error: unknown) => void;
	readonly #known = new Map<string, Acceptance>();

	constructor(store: AcceptanceStore, onError: (error: unknown) => void) {
		this.#store = store;
		this.#onError = onError;
	}

	/** Reads what was kept by earlier runs. */
	load(): void {
		this.#guarded(() => {
			for (const { workspace, modelId, accepted, total } of this.#store.acceptances()) {
				this.#known.set(keyOf(workspace, modelId), { accepted, total });
			}
		});
	}

	/** `null`: that model answered nothing there yet. */
	of(workspace: string, modelId: string): Acceptance | null {
		return this.#known.get(keyOf(workspace, modelId)) ?? null;
	}

	/** A later verdict on the same turn replaces the earlier one, so the sum is read again. */
	record(verdict: Parameters<FloorStore['recordAcceptance']>[0]): void {
		this.#guarded(() => {
			this.#store.recordAcceptance(verdict);
			const sum = this.#store.acceptanceOf(verdict.workspace, verdict.modelId);
			if (sum) this.#known.set(keyOf(verdict.workspace, verdict.modelId), sum);
		});
	}

	/** A disk that refuses must not stop a turn. */
	#guarded(work: () => void): void {
		try {
			work();
		} catch (error) {
			this.#onError(error);
		}
	}
}

function keyOf(workspace: string, modelId: string): string {
	return `${modelId}\n${workspace}`;
}
