/** What the window's close button does. Pure: the floor must never go on running where nobody can reach it. */

export type CloseBehaviour =
	/** The window goes away and can be brought back. */
	| 'hide'
	/** Nothing brings it back: closing is quitting, and with agents at work that is asked about first. */
	| 'ask-to-quit'
	| 'quit';

export function closeBehaviour(situation: {
	readonly platform: NodeJS.Platform;
	/** A tray icon that the operator can see and use. */
	readonly trayIsShown: boolean;
	/** Agents that would be left unwatched. */
	readonly agentsAtWork: number;
}): CloseBehaviour {
	// On macOS the dock brings the window back.
	if (situation.platform === 'darwin' || situation.trayIsShown) return 'hide';
	return situation.agentsAtWork > 0 ? 'ask-to-quit' : 'quit';
}
