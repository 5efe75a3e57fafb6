/** Turns: from a prompt to the end that was told, and who answered in them. */
import type { TimelineEntry, TurnModel } from '../../shared/timeline.ts';

type TurnEntry = Extract<TimelineEntry, { kind: 'turn' }>;

export class Turns {
	readonly #turns: TurnEntry[] = [];
	#open: TurnEntry | null = null;
	/** Who answers at present. */
	#model: TurnModel | null = null;

	/** A person, or whoever drives it, asked. A turn that is open then was cut short without a word. */
	begin(id: string, at: number, prompt: string): void {
		this.end(at, 'unknown', '');
		this.#start({ id, at, prompt });
	}

	/** It works: there is a turn, even if nobody told of its beginning. */
	ensure(id: string, at: number): void {
		if (this.#open === null) this.#start({ id, at, prompt: '' });
	}

	end(at: number, outcome: Exclude<TurnEntry['outcome'], 'running'>, reason: string): void {
		if (this.#open === null) return;
		// An end that was not told has no time.
		this.#replace({ outcome, reason, endedAt: outcome === 'unknown' ? null : at });
		this.#open = null;
	}

	model(model: TurnModel): void {
		this.#model = model;
		if (this.#open) this.#replace({ models: [...this.#open.models, model] });
	}

	entries(): readonly TurnEntry[] {
		return this.#turns;
	}

	#start(known: Pick<TurnEntry, 'id' | 'at' | 'prompt'>): void {
		const models = this.#model === null ? [] : [this.#model];
		this.#open = { kind: 'turn', ...known, endedAt: null, outcome: 'running', reason: '', models };
		this.#turns.push(this.#open);
	}

	#replace(changes: Partial<TurnEntry>): void {
		if (this.#open === null) return;
		const changed = { ...this.#open, ...changes };
		this.#turns[this.#turns.length - 1] = changed;
		this.#open = changed;
	}
}
