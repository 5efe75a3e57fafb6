/** What the operator is looking at and has asked for. Never engine state. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ChannelErrorData } from '../../shared/channels.ts';
import type { HookClient } from '../../shared/words.ts';
import type { AgentAction } from './agent-actions.ts';
import type { RaisedCap } from './caps.ts';
import type { Page, Place } from './pages.ts';
import { defaultPreferences, type Preferences } from './preferences.ts';

export type OpenDialog =
	| { readonly kind: 'steer' | 'stop'; readonly agentId: string }
	| { readonly kind: 'keys' | 'outbox' | 'offers' | 'providers' | 'usage' | 'palette' }
	/** How this program is connected: the change is shown before anything is written. */
	| { readonly kind: 'connect'; readonly client: HookClient }
	/** `chainId`: the chain that it opens at. */
	| { readonly kind: 'models'; readonly chainId?: string }
	| { readonly kind: 'compare'; readonly offerId: string }
	| null;

/** An action that was asked for on an agent and has no good answer yet. */
export interface AskedAction {
	readonly action: AgentAction | 'raise-cap';
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

/** The last thing that was done and can be taken back. */
export interface Undoable {
	/** What was done: "Held shop". */
	readonly words: string;
	/** Asks the engine to take it back. */
	readonly undo: () => Promise<unknown>;
	/** Why taking it back failed; `null` before. */
	readonly error: ChannelErrorData | null;
	readonly pending: boolean;
}

/** The parts of an agent's sheet. */
export type DrawerTab = 'now' | 'timeline' | 'arms' | 'notes' | 'usage' | 'changes';

export interface ViewState {
	readonly page: Page;
	/** The part of the page that it was opened at; `null`: its top. */
	readonly place: Place | null;
	/** `null`: nothing to take back. */
	readonly undoable: Undoable | null;
	readonly filter: string;
	readonly dialog: OpenDialog;
	/** The agent whose drawer is open. */
	readonly drawerAgentId: string | null;
	/** Its open part; the next agent opens at the same. */
	readonly drawerTab: DrawerTab;
	/** The agent that Tab comes to; it keeps its place while the focus is elsewhere. */
	readonly activeAgentId: string | null;
	/** The agent whose row has the focus now: the one that the keys act on. */
	readonly focusedAgentId: string | null;
	/** Agents whose evidence is open on the floor, occurrences and notes. */
	readonly openWhys: ReadonlySet<string>;
	/** By agent id. */
	readonly asked: ReadonlyMap<string, AskedAction>;
	/** Caps raised in this window that can still be put back, by agent id. */
	readonly raised: ReadonlyMap<string, RaisedCap>;
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
		page: 'floor',
		place: null,
		undoable: null,
		filter: '',
		dialog: null,
		drawerAgentId: null,
		drawerTab: 'now',
		activeAgentId: null,
		focusedAgentId: null,
		openWhys: new Set(),
		asked: new Map(),
		raised: new Map(),
		decisionSizes: new Map(),
		answeredConsents: new Set(),
		settled: [],
		preferences,
	}));
}

/** Notes an action on an agent, or forgets it (`null`). */
export function setAsked(view: ViewStore, agentId: string, entry: AskedAction | null): void {
	view.setState(({ asked }) => ({ asked: withEntry(asked, agentId, entry) }));
}

/** Notes a cap that was raised for an agent's sake, or forgets it (`null`). */
export function setRaised(view: ViewStore, agentId: string, entry: RaisedCap | null): void {
	view.setState(({ raised }) => ({ raised: withEntry(raised, agentId, entry) }));
}

/** Opens or folds an agent's evidence on the floor. */
export function toggleWhy(view: ViewStore, agentId: string): void {
	view.setState(({ openWhys }) => {
		const next = new Set(openWhys);
		if (!next.delete(agentId)) next.add(agentId);
		return { openWhys: next };
	});
}

/** Makes one question large or small; `null`: as it is by itself. */
export function setDecisionSize(view: ViewStore, id: string, size: DecisionSize | null): void {
	view.setState(({ decisionSizes }) => ({ decisionSizes: withEntry(decisionSizes, id, size) }));
}

function withEntry<T>(map: ReadonlyMap<string, T>, key: string, value: T | null): ReadonlyMap<string, T> {
	const next = new Map(map);
	if (value === null) next.delete(key);
	else next.set(key, value);
	return next;
}
