/** What this window remembers by itself: its looks and its keys. Everything else belongs to the engine. */
import { readSavedFilters, type SavedFilter } from './saved-filters.ts';

export type Theme = 'system' | 'light' | 'dark';
/** How the floor draws agents: rows with plates for what asks for attention, or a grid of cards. */
export type FloorLook = 'list' | 'cards';
/** What the floor groups agents by. */
export type Grouping = 'need' | 'repository';

export interface Preferences {
	readonly theme: Theme;
	/** Keys without a modifier (s, h, x …) act on the agent in focus. WCAG 2.1.4: they can be turned off. */
	readonly singleKeys: boolean;
	readonly look: FloorLook;
	readonly grouping: Grouping;
	/** Groups of the floor that the operator folded (`true`) or opened, by key; the others are as they are by themselves. */
	readonly folds: Readonly<Record<string, boolean>>;
	readonly savedFilters: readonly SavedFilter[];
}

export const defaultPreferences: Preferences = {
	theme: 'system',
	singleKeys: true,
	look: 'list',
	grouping: 'need',
	folds: {},
	savedFilters: [],
};

/** Folds that are remembered, the newest: repositories come and go. */
const MOST_FOLDS = 200;

const STORAGE_KEY = 'agent-floor.window';

/** The part of `Storage` in use; `null` where the browser keeps nothing. */
export type PreferenceStorage = Pick<Storage, 'getItem' | 'setItem'> | null;

/** Reads what was kept; whatever cannot be read counts as never set. */
export function readPreferences(storage: PreferenceStorage): Preferences {
	const kept = parsed(storage?.getItem(STORAGE_KEY) ?? '{}');
	const { theme, singleKeys, look, grouping, folds, savedFilters } = kept;
	return {
		theme: theme === 'light' || theme === 'dark' ? theme : 'system',
		singleKeys: singleKeys !== false,
		look: look === 'cards' ? 'cards' : 'list',
		grouping: grouping === 'repository' ? 'repository' : 'need',
		folds: readFolds(folds),
		savedFilters: readSavedFilters(savedFilters),
	};
}

function readFolds(kept: unknown): Preferences['folds'] {
	if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return {};
	return Object.fromEntries(
		Object.entries(kept)
			.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean')
			.slice(-MOST_FOLDS),
	);
}

/** `folds` with one group folded or opened, as the newest. */
export function withFold(folds: Preferences['folds'], key: string, folded: boolean): Preferences['folds'] {
	const others = Object.entries(folds).filter(([other]) => other !== key);
	return Object.fromEntries([...others.slice(1 - MOST_FOLDS), [key, folded]]);
}

export function keepPreferences(storage: PreferenceStorage, preferences: Preferences): void {
	storage?.setItem(STORAGE_KEY, JSON.stringify(preferences));
}

/** Puts the theme on the page: `tokens.css` reads `data-theme`, and its absence means "as the system". */
export function showTheme(root: HTMLElement, theme: Theme): void {
	if (theme === 'system') delete root.dataset.theme;
	else root.dataset.theme = theme;
}

/** The window's storage, or `null` where touching it throws (blocked by policy). */
export function windowStorage(): PreferenceStorage {
	try {
		return window.localStorage;
	} catch {
		return null;
	}
}

function parsed(text: string): Partial<Record<keyof Preferences, unknown>> {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? value : {};
	} catch {
		return {};
	}
}
