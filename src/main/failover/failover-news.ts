/** Who is told of what happens in failover: screens of a change, the store and the journal of each event. */
import type { FailoverEvent, FailoverListener } from './failover-event.ts';

export class FailoverNews {
	readonly #changeListeners = new Set<() => void>();
	readonly #eventListeners = new Set<FailoverListener>();

	/** Returns how to stop listening. */
	onChange(listener: () => void): () => void {
		this.#changeListeners.add(listener);
		return () => this.#changeListeners.delete(listener);
	}

	onEvent(listener: FailoverListener): () => void {
		this.#eventListeners.add(listener);
		return () => this.#eventListeners.delete(listener);
	}

	changed(): void {
		for (const listener of this.#changeListeners) listener();
	}

	happened(event: FailoverEvent): void {
		for (const listener of this.#eventListeners) listener(event);
	}
}
