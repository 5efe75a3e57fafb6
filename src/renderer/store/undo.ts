/** The last thing that can be taken back. One at a time: the newest. */
import { channelErrorOf } from '../transport/transport-errors.ts';
import type { Undoable, ViewStore } from './view-store.ts';

export function offerUndo(view: ViewStore, words: string, undo: () => Promise<unknown>): void {
	view.setState({ undoable: { words, undo, error: null, pending: false } });
}

export function forgetUndo(view: ViewStore): void {
	view.setState({ undoable: null });
}

/** Takes the last thing back. A failure stays on screen with its reason. */
export async function undoLast(view: ViewStore): Promise<void> {
	const offered = view.getState().undoable;
	if (offered === null || offered.pending) return;
	const pending = { ...offered, pending: true, error: null };
	view.setState({ undoable: pending });
	const settle = (next: Undoable | null): void => {
		// Something newer may have taken its place meanwhile.
		if (view.getState().undoable === pending) view.setState({ undoable: next });
	};
	try {
		await offered.undo();
		settle(null);
	} catch (error) {
		settle({ ...offered, error: channelErrorOf(error) });
	}
}
