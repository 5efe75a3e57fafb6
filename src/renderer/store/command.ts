/** What the window can be asked to do, as the palette, the keys and their list know it. */
import type { AgentView } from '../../shared/agent-view.ts';
import type { FloorPicture } from '../../shared/picture.ts';
import type { FloorTransport } from '../../shared/transport.ts';
import type { FloorStore } from './floor-store.ts';
import type { ViewState, ViewStore } from './view-store.ts';

/** What a command is judged by before it is offered. */
export interface CommandState {
	readonly view: ViewState;
	readonly picture: FloorPicture;
	/** The agent that it would act on; `null`: none is in hand. */
	readonly agent: AgentView | null;
}

/** What only the document can do. */
export interface CommandScreen {
	/** To the field that searches what is on the page. */
	readonly focusSearch: () => void;
	/** To what waits for the operator's answer, and on to the next. */
	readonly focusDecision: () => void;
}

/** What a command acts through. */
export interface CommandHost {
	readonly transport: FloorTransport;
	readonly floor: FloorStore;
	readonly view: ViewStore;
	readonly screen: CommandScreen;
	/** The agent in hand. */
	readonly agentId: string | null;
}

export type CommandGroup = 'agent' | 'page' | 'floor' | 'behind' | 'window';

export const commandGroups: Readonly<Record<CommandGroup, string>> = {
	agent: 'The agent in hand',
	page: 'Pages',
	floor: 'The floor',
	behind: 'Behind the floor',
	window: 'This window',
};

export interface Command {
	readonly id: string;
	/** As a person would say it. */
	readonly words: string;
	/** What else it is found by. */
	readonly also: string;
	/** As on the keyboard; `Ctrl+K` stands for ⌘K too. The first is the one to show. */
	readonly keys: readonly string[];
	readonly group: CommandGroup;
	/** It asks the engine and shows nothing of its own when that fails: whoever runs it tells. */
	readonly asksEngine: boolean;
	readonly available: (state: CommandState) => boolean;
	/** A promise where it asks the engine. */
	readonly run: (host: CommandHost) => unknown;
}
