/** What the operator is looking at and has asked for. Never engine state. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ChannelErrorData } from '../../shared/channels.ts';
import type { AgentAction } from './agent-actions.ts';
import { defaultPreferences, type Preferences } from './preferences.ts';

/** Places in the settings that others lead to. */
export type SettingsSection = 'gateway' | 'programs';

export type OpenDialog =
	| { readonly kind: 'steer' | 'stop'; readonly agentId: string }
	| { readonly kind: 'keys' | 'outbox' | 'offers' | 'slo' | 'providers' }
	/** `section`: what it opens at. */
	| { readonly kind: 'settings'; readonly section?: SettingsSection }
	/** `chainId`: the chain that it opens at. */
	| { readonly kind: 'models'; readonly chainId?: string }
	| { readonly kind: 'compare'; readonly offerId: string }
	| null;

/** An action that was asked for on an agent and has no good answer yet. */
export interface AskedAction {
	readonly action: AgentAction;
	/** `null` while the engine is thinking. */
	readonly error: ChannelErrorData | null;
}

/** Whether a question that waits for the operator is drawn whole or as one line. */
export type DecisionSize = 'large' | 'small';

/** A question that went away, for a quiet note. */
export type Settled =
	| {
			readonly kind: 'popup';
			readonly id: string;
			/** Its end says how it went; while it is open there is nothing to tell. */
			readonly incidentId: string;
			readonly providerId: string;
			readonly sentence: string;
	  }
	| {
			readonly kind: 'expired-consent';
			readonly id: string;
			readonly agentName: string;
			readonly tool: string;
			readonly target: string;
	  };

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
	/** Questions that the operator made large or small, by id. */
	readonly decisionSizes: ReadonlyMap<string, DecisionSize>;
	/** Consents that were answered in this window. */
	readonly answeredConsents: ReadonlySet<string>;
	/** What became of questions that went away and is still to be told. Oldest first. */
	readonly settled: readonly Settled[];
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
		decisionSizes: new Map(),
		answeredConsents: new Set(),
		settled: [],
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

/** Makes one question large or small; `null`: as it is by itself. */
export function setDecisionSize(view: ViewStore, id: string, size: DecisionSize | null): void {
	view.setState(({ decisionSizes }) => {
		const next = new Map(decisionSizes);
		if (size === null) next.delete(id);
		else next.set(id, size);
		return { decisionSizes: next };
	});
}
