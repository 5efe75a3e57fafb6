/** What this window remembers by itself: its looks and its keys. Everything else belongs to the engine. */

export type Theme = 'system' | 'light' | 'dark';

export interface Preferences {
	readonly theme: Theme;
	/** Keys without a modifier (s, h, x …) act on the agent in focus. WCAG 2.1.4: they can be turned off. */
	readonly singleKeys: boolean;
}

export const defaultPreferences: Preferences = { theme: 'system', singleKeys: true };

const STORAGE_KEY = 'agent-floor.window';

/** The part of `Storage` in use; `null` where the browser keeps nothing. */
export type PreferenceStorage = Pick<Storage, 'getItem' | 'setItem'> | null;

/** Reads what was kept; whatever cannot be read counts as never set. */
export function readPreferences(storage: PreferenceStorage): Preferences {
	const kept = parsed(storage?.getItem(STORAGE_KEY) ?? '{}');
	const { theme, singleKeys } = { ...defaultPreferences, ...kept };
	return {
		theme: theme === 'light' || theme === 'dark' ? theme : 'system',
		singleKeys: singleKeys !== false,
	};
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
