/** Notes for the model: queued, and delivered when a reply has carried them. */
import type { TimelineEntry } from '../../shared/timeline.ts';

type NoteEntry = Extract<TimelineEntry, { kind: 'note' }>;

export class Notes {
	readonly #notes: NoteEntry[] = [];
	/** The operator's own words, as they were ordered. */
	readonly #steered = new Set<string>();

	/** The operator had this said. */
	steered(words: string): void {
		this.#steered.add(words);
		for (const [index, note] of this.#notes.entries()) {
			if (note.source === 'ladder' && note.text === words)
				this.#notes[index] = { ...note, source: 'operator' };
		}
	}

	take(id: string, at: number, text: string, delivered: boolean): void {
		const source = this.#steered.has(text) ? 'operator' : 'ladder';
		if (!delivered) {
			this.#notes.push({ kind: 'note', id, at, endedAt: null, source, text, deliveredAt: null });
			return;
		}
		const index = this.#notes.findIndex((note) => note.deliveredAt === null && note.text === text);
		const note = this.#notes[index];
		if (note) this.#notes[index] = { ...note, deliveredAt: at, endedAt: at };
		// When it was queued is not kept any more.
		else this.#notes.push({ kind: 'note', id, at, endedAt: at, source: 'unknown', text, deliveredAt: at });
	}

	entries(): readonly NoteEntry[] {
		return this.#notes;
	}
}
