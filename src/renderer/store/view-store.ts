/** What the operator is looking at and has asked for. Never engine state. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ChannelErrorData } from '../../shared/channels.ts';
import type { AgentAction } from './agent-actions.ts';
import { defaultPreferences, type Preferences } from './preferences.ts';

export type OpenDialog =
	| { readonly kind: 'steer' | 'stop'; readonly agentId: string }
	| { readonly kind: 'settings' | 'keys' }
	| null;

/** An action that was asked for on an agent and has no good answer yet. */
export interface AskedAction {
	readonly action: AgentAction;
	/** `null` while the engine is thinking. */
	readonly error: ChannelErrorData | null;
}

export interface ViewState {
	readonly filter: string;
	readonly dialog: OpenDialog;
	/** The agent whose drawer is open. */
	readonly drawerAgentId: string | null;
	/** The agent that Tab comes to; it keeps its place while the focus is elsewhere. */
	readonly activeAgentId: string | null;
	/** The agent whose row has the focus now: the one that the keys act on. */
	readonly focusedAgentId: string | null;
	readonly exitedOpen: boolean;
	/** By agent id. */
	readonly asked: ReadonlyMap<string, AskedAction>;
	readonly preferences: Preferences;
}

export type ViewStore = StoreApi<ViewState>;

export function createViewStore(preferences: Preferences = defaultPreferences): ViewStore {
	return createStore<ViewState>(() => ({
		filter: '',
		dialog: null,
		drawerAgentId: null,
		activeAgentId: null,
		focusedAgentId: null,
		exitedOpen: false,
		asked: new Map(),
		preferences,
	}));
}

/** Notes an action on an agent, or forgets it (`null`). */
export function setAsked(view: ViewStore, agentId: string, entry: AskedAction | null): void {
	view.setState(({ asked }) => {
		const next = new Map(asked);
		if (entry === null) next.delete(agentId);
		else next.set(agentId, entry);
		return { asked: next };
	});
}
