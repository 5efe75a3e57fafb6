/** What was handed to which shell loop, so that a report without a model is about the right one. */

const MAX_CALLERS = 500;

export interface HandedModel {
	/** `null`: no chain; the loop named the model itself. */
	readonly chainId: string | null;
	readonly provider: string | null;
	readonly model: string;
	readonly serial: number;
	readonly isProbe: boolean;
}

export class Callers {
	readonly #handed = new Map<string, HandedModel>();

	last(caller: string): HandedModel | null {
		return this.#handed.get(caller) ?? null;
	}

	/** Returns whether it is worth keeping: another model or the test call, not one more poll with the same answer. */
	hand(caller: string, handed: HandedModel): boolean {
		const before = this.#handed.get(caller);
		this.#handed.delete(caller);
		if (this.#handed.size >= MAX_CALLERS) {
			const oldest = this.#handed.keys().next().value;
			if (oldest !== undefined) this.#handed.delete(oldest);
		}
		this.#handed.set(caller, handed);
		return (
			before === undefined ||
			handed.isProbe ||
			before.isProbe ||
			before.model !== handed.model ||
			before.chainId !== handed.chainId
		);
	}

	all(): [string, HandedModel][] {
		return [...this.#handed];
	}

	clear(): void {
		this.#handed.clear();
	}
}

/** One loop: its directory, and its name where there are several. */
export function callerKey(directory: string, caller: string | undefined): string {
	return `${directory}\n${caller ?? ''}`;
}
