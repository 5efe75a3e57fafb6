/** Which commands were run last in this window: they stand first in the palette. */
import type { PreferenceStorage } from './preferences.ts';

const STORAGE_KEY = 'agent-floor.recent-commands';
const KEPT = 12;

/** Ids, the newest first; whatever cannot be read counts as none. */
export function readRecent(storage: PreferenceStorage): readonly string[] {
	try {
		const kept: unknown = JSON.parse(storage?.getItem(STORAGE_KEY) ?? '[]');
		return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string').slice(0, KEPT) : [];
	} catch {
		return [];
	}
}

/** Puts a command first among those that are kept. */
export function keepRecent(storage: PreferenceStorage, id: string): void {
	const next = [id, ...readRecent(storage).filter((known) => known !== id)].slice(0, KEPT);
	try {
		storage?.setItem(STORAGE_KEY, JSON.stringify(next));
	} catch {
		// A full or barred storage costs the order of a list, nothing else.
	}
}
