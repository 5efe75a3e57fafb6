/** What of the browser notices need, and nothing more of it: its notifications, its tabs, its sound. */
import type { Notice } from '../../shared/notice.ts';
import { playChime } from './chime.ts';

/** `unsupported`: this browser, or this address, has no notifications. */
export type NoticePermission = NotificationPermission | 'unsupported';

export interface NoticeBrowser {
	permission(): NoticePermission;
	/** Whether this tab is the one that the operator types into. */
	hasFocus(): boolean;
	/** Shows at once, in the place of an older one of the same key, whichever tab showed it. Throws where it cannot. */
	show(
		notice: Notice,
		events: { readonly onClick: () => void; readonly onClosed: () => void },
	): { close(): void };
	focus(): void;
	/** Once for all tabs. */
	chime(kind: Notice['kind']): void;
	/** Tells the other tabs that the operator saw the notice of this key here. */
	tellSeen(key: string): void;
	onSeenElsewhere(listener: (key: string) => void): void;
	after(ms: number, work: () => void): () => void;
}

const SEEN_CHANNEL = 'agent-floor:notice-seen';
const CHIME_LOCK = 'agent-floor:chime';
/** Tabs that sound within this time sound as one. ms */
const CHIME_TURN_MS = 1_500;

/** What a page may show; asking for it needs a click. */
export function noticePermission(): NoticePermission {
	return 'Notification' in globalThis ? Notification.permission : 'unsupported';
}

export function openNoticeBrowser(window: Window & typeof globalThis): NoticeBrowser {
	const tabs = new window.BroadcastChannel(SEEN_CHANNEL);
	let audio: AudioContext | null = null;
	return {
		permission: noticePermission,
		hasFocus: () => window.document.hasFocus(),
		show: ({ key, title, body }, { onClick, onClosed }) => {
			const notification = new window.Notification(title, { body, tag: key, silent: true });
			notification.addEventListener('click', onClick);
			notification.addEventListener('close', onClosed);
			return notification;
		},
		focus: () => window.focus(),
		chime: (kind) => {
			const play = async (lock: Lock | null): Promise<void> => {
				if (lock === null) return;
				audio ??= new window.AudioContext();
				playChime(audio, kind);
				await new Promise((resolve) => window.setTimeout(resolve, CHIME_TURN_MS));
			};
			window.navigator.locks.request(CHIME_LOCK, { ifAvailable: true }, play).catch(reportError);
		},
		tellSeen: (key) => tabs.postMessage(key),
		onSeenElsewhere: (listener) => {
			tabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
				if (typeof data === 'string') listener(data);
			});
		},
		after: (ms, work) => {
			const timer = window.setTimeout(work, ms);
			return () => window.clearTimeout(timer);
		},
	};
}
