/** From a key to what it asks for. Pure. */
import type { Command } from './command.ts';
import { commands, PALETTE_CHORD } from './commands.ts';
import type { Page } from './pages.ts';

export type KeyRequest =
	| { readonly kind: 'move'; readonly to: 'next' | 'previous' | 'first' | 'last' }
	| { readonly kind: 'run'; readonly command: Command };

export interface KeyPress {
	readonly key: string;
	readonly ctrlKey: boolean;
	readonly metaKey: boolean;
	readonly altKey: boolean;
	/** The key is held down. */
	readonly repeat: boolean;
}

export interface KeyContext {
	readonly page: Page;
	/** The focus is in an agent's row of the floor. */
	readonly onAgent: boolean;
	/** An agent's drawer is open: it has its own arrows, and the keys act on its agent. */
	readonly drawer: boolean;
	/** The focus is where typing means text. */
	readonly typing: boolean;
	/** A dialog or a menu has the keyboard. */
	readonly modal: boolean;
	/** The dialog that is open is the palette. */
	readonly palette: boolean;
	readonly singleKeys: boolean;
}

const moves: Readonly<Record<string, 'next' | 'previous' | 'first' | 'last'>> = {
	ArrowDown: 'next',
	ArrowUp: 'previous',
	Home: 'first',
	End: 'last',
};

const byKey: ReadonlyMap<string, Command> = new Map(
	// Enter on a row is the row's own button.
	commands.flatMap((command) =>
		command.keys.filter((key) => key !== 'Enter').map((key) => [key, command] as const),
	),
);

/** `null`: the key is not ours. */
export function requestFor(press: KeyPress, context: KeyContext): KeyRequest | null {
	const { page, onAgent, drawer, typing, modal, palette, singleKeys } = context;
	if (isPaletteChord(press)) {
		const command = byKey.get(PALETTE_CHORD);
		// What was typed into another dialog would be lost with it.
		return command === undefined || press.repeat || (modal && !palette) ? null : { kind: 'run', command };
	}
	if (modal || typing || press.ctrlKey || press.metaKey || press.altKey) return null;
	const to = moves[press.key];
	if (to !== undefined) {
		if (page !== 'floor' || drawer) return null;
		return onAgent || to === 'next' ? { kind: 'move', to } : null;
	}
	// A key held down asks once.
	if (!singleKeys || press.repeat) return null;
	const command = byKey.get(press.key.toLowerCase());
	if (command === undefined) return null;
	if (command.group === 'agent' && !(drawer || (page === 'floor' && onAgent))) return null;
	if (command.id === 'floor.search' && drawer) return null;
	return { kind: 'run', command };
}

/** Ctrl+K, or ⌘K. */
function isPaletteChord({ key, ctrlKey, metaKey, altKey }: KeyPress): boolean {
	return key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey;
}

/** The agent that a move leads to; `null` on an empty floor. `order` is the order on screen. */
export function moveTarget(
	order: readonly string[],
	from: string | null,
	to: 'next' | 'previous' | 'first' | 'last',
): string | null {
	const at = from === null ? -1 : order.indexOf(from);
	const last = order.length - 1;
	const target = {
		first: 0,
		last,
		next: Math.min(last, at + 1),
		previous: at === -1 ? 0 : Math.max(0, at - 1),
	}[to];
	return order[target] ?? null;
}
