/** From a key to what it asks for. Pure. */
import type { AgentAction } from './agent-actions.ts';

export type FloorCommand =
	| { readonly kind: 'move'; readonly to: 'next' | 'previous' | 'first' | 'last' }
	| { readonly kind: 'act'; readonly action: AgentAction }
	| { readonly kind: 'focus-filter' }
	| { readonly kind: 'focus-decision' }
	| { readonly kind: 'show-keys' };

export interface KeyPress {
	readonly key: string;
	readonly ctrlKey: boolean;
	readonly metaKey: boolean;
	readonly altKey: boolean;
}

export interface KeyContext {
	/** The focus is in an agent's row. */
	readonly onAgent: boolean;
	/** The focus is where typing means text. */
	readonly typing: boolean;
	/** A dialog, a menu or the drawer has the keyboard. */
	readonly modal: boolean;
	readonly singleKeys: boolean;
}

const moves: Readonly<Record<string, 'next' | 'previous' | 'first' | 'last'>> = {
	ArrowDown: 'next',
	ArrowUp: 'previous',
	Home: 'first',
	End: 'last',
};

/** One letter for each action; they act on the agent in focus and nowhere else. */
export const actionKeys: Record<AgentAction, string> = {
	steer: 's',
	hold: 'h',
	constrain: 'c',
	stop: 'x',
	resume: 'r',
	'reset-evidence': 'e',
};

/** Goes to what waits for the operator's answer: popups and consents, one after the other. */
export const DECISION_KEY = 'f';

/** `null`: the key is not ours. */
export function commandFor(press: KeyPress, context: KeyContext): FloorCommand | null {
	if (context.modal || context.typing || press.ctrlKey || press.metaKey || press.altKey) return null;
	const to = moves[press.key];
	if (to !== undefined) return context.onAgent || to === 'next' ? { kind: 'move', to } : null;
	if (!context.singleKeys) return null;
	if (press.key === '/') return { kind: 'focus-filter' };
	if (press.key.toLowerCase() === DECISION_KEY) return { kind: 'focus-decision' };
	if (press.key === '?') return { kind: 'show-keys' };
	if (!context.onAgent) return null;
	const action = actionsByKey.get(press.key.toLowerCase());
	return action === undefined ? null : { kind: 'act', action };
}

const actionsByKey = new Map(
	Object.entries(actionKeys).map(([action, key]) => [key, action as AgentAction] as const),
);

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
