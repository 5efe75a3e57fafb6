/** What was handed to which shell loop, so that a report without a model is about the right one. */

const MAX_CALLERS = 500;

export interface HandedModel {
	/** `null`: no chain; the loop named the model itself. */
	readonly chainId: string | null;
	readonly model: string;
	readonly serial: number;
	readonly isProbe: boolean;
}

export class Callers {
	readonly #handed = new Map<string, HandedModel>();

	last(caller: string): HandedModel | null {
		return this.#handed.get(caller) ?? null;
	}

	/** Who is not known here was never handed anything; `false`: or so long ago that it is forgotten. */
	get isComplete(): boolean {
		return this.#handed.size < MAX_CALLERS;
	}

	/**
	 * Returns whether it is worth keeping: another model, a test call, or the first of its kind since `turningPoint`.
	 * One more poll with the same answer is not.
	 */
	hand(caller: string, handed: HandedModel, turningPoint: number): boolean {
		const before = this.#handed.get(caller);
		this.#put(caller, handed);
		return (
			before === undefined ||
			before.serial < turningPoint ||
			handed.isProbe ||
			before.isProbe ||
			before.model !== handed.model ||
			before.chainId !== handed.chainId
		);
	}

	#put(caller: string, handed: HandedModel): void {
		this.#handed.delete(caller);
		if (this.#handed.size >= MAX_CALLERS) {
			const oldest = this.#handed.keys().next().value;
			if (oldest !== undefined) this.#handed.delete(oldest);
		}
		this.#handed.set(caller, handed);
	}

	all(): [string, HandedModel][] {
		return [...this.#handed];
	}

	/** Exactly those, as they were saved. */
	restore(handed: readonly (readonly [string, HandedModel])[]): void {
		this.#handed.clear();
		for (const [caller, model] of handed) this.#put(caller, model);
	}
}

/** One loop: its directory, and its name where there are several. */
export function callerKey(directory: string, caller: string | undefined): string {
	return `${directory}\n${caller ?? ''}`;
}
