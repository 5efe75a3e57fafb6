/** Who may speak on IPC: the main frame of a window of ours, while it shows a page of ours. */
import { APP_ORIGIN, isOwnUrl } from '../origin.ts';

/** The part of Electron's `IpcMainEvent` and `IpcMainInvokeEvent` that tells who sent it. */
export interface SenderEvent {
	readonly sender: { readonly id: number };
	/** `null` once the frame has navigated or is gone. */
	readonly senderFrame: {
		readonly origin: string;
		readonly url: string;
		/** `null` for a main frame. */
		readonly parent: object | null;
	} | null;
}

/** `isOwnWindow` knows the ids of the web contents that the app itself created. */
export function isTrustedSender(
	event: SenderEvent,
	isOwnWindow: (webContentsId: number) => boolean,
): boolean {
	const frame = event.senderFrame;
	if (frame === null || frame.parent !== null || !isOwnWindow(event.sender.id)) return false;
	// Both: a page of ours can hold a foreign URL for a moment while it navigates, and the other way round.
	return frame.origin === APP_ORIGIN && isOwnUrl(frame.url);
}
