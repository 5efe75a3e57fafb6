/** Shows the engine's notices in a browser: only what no tab has in view, and only as long as it stands. */
import { needsYou } from '../../shared/attention.ts';
import { type Disposable, DisposableStore } from '../../shared/disposable.ts';
import { emptyFailoverView } from '../../shared/failover-view.ts';
import type { Notice } from '../../shared/notice.ts';
import { isInView } from '../../shared/notice-in-view.ts';
import { agentsOf, type FloorPicture, incidentsOf } from '../../shared/picture.ts';
import type { FloorTransport } from '../../shared/transport.ts';
import type { FloorStore } from '../store/floor-store.ts';
import type { ViewStore } from '../store/view-store.ts';
import type { NoticeBrowser } from './notice-browser.ts';

/** A tab that has it in view says so within this time. ms */
export const SEEN_WITHIN_MS = 150;

export interface NoticeWindow {
	readonly transport: Pick<FloorTransport, 'subscribe'>;
	readonly floor: FloorStore;
	readonly view: ViewStore;
	readonly browser: NoticeBrowser;
	/** Shows the agent, or the floor (`null`). */
	readonly open: (agentId: string | null) => void;
	/** The browser refused to show one. */
	readonly onError: (error: unknown) => void;
}

/** Follows until disposed; then nothing of it stands any more. */
export function followNotices({ transport, floor, view, browser, open, onError }: NoticeWindow): Disposable {
	const held = new DisposableStore();
	const waiting = new Map<string, () => void>();
	const shown = new Map<string, { readonly notice: Notice; close(): void }>();

	const drop = (key: string): void => {
		waiting.get(key)?.();
		waiting.delete(key);
		shown.get(key)?.close();
		shown.delete(key);
	};

	const isSeen = (notice: Notice): boolean => {
		if (!browser.hasFocus()) return false;
		const { page, filter, drawerAgentId } = view.getState();
		const { picture } = floor.getState();
		return isInView(notice, {
			// A filter may hide what it is about.
			page: page === 'floor' && filter !== '' ? null : page,
			drawerAgentId,
			questions: picture.failover.value ?? emptyFailoverView,
			incidents: incidentsOf(picture),
		});
	};

	const show = (notice: Notice): void => {
		waiting.delete(notice.key);
		// It may have come into view meanwhile.
		if (browser.permission() !== 'granted' || isSeen(notice)) return;
		const onClick = (): void => {
			drop(notice.key);
			browser.focus();
			open(notice.agentId);
		};
		// A newer one of the same key has its place: the end of this one is no end of that.
		const onClosed = (): void => {
			if (shown.get(notice.key)?.notice === notice) shown.delete(notice.key);
		};
		try {
			const handle = browser.show(notice, { onClick, onClosed });
			shown.set(notice.key, { notice, close: () => handle.close() });
			if (notice.sound) browser.chime(notice.kind);
		} catch (error) {
			onError(error);
		}
	};

	const offer = (notice: Notice): void => {
		if (browser.permission() !== 'granted') return;
		if (isSeen(notice)) {
			drop(notice.key);
			browser.tellSeen(notice.key);
			return;
		}
		waiting.get(notice.key)?.();
		waiting.set(
			notice.key,
			browser.after(SEEN_WITHIN_MS, () => show(notice)),
		);
	};

	browser.onSeenElsewhere(drop);
	held.onDispose(
		transport.subscribe('floor:notices', ({ show: notices, withdraw }) => {
			for (const key of withdraw) drop(key);
			for (const notice of notices) offer(notice);
		}),
	);
	held.onDispose(
		floor.subscribe(({ lostSince, picture }, before) => {
			if (lostSince !== null || before.lostSince === null) return;
			// What was withdrawn while nothing was heard of it.
			for (const { notice } of [...shown.values()]) if (isOver(notice, picture)) drop(notice.key);
		}),
	);
	held.onDispose(() => {
		for (const key of [...waiting.keys(), ...shown.keys()]) drop(key);
	});
	return held;
}

/** Whether nothing of what the notice is about stands any more. Pure. */
export function isOver({ kind, about }: Pick<Notice, 'kind' | 'about'>, picture: FloorPicture): boolean {
	const agents = agentsOf(picture);
	const failover = picture.failover.value ?? emptyFailoverView;
	const needs = needsYou({ agents, incidents: incidentsOf(picture), failover });
	const standing =
		kind === 'done'
			? agents.filter(({ state }) => state.kind === 'waiting' || state.kind === 'unverifiable')
			: [...needs.agents, ...needs.incidents, ...needs.popups, ...needs.consents];
	// One that stands for several names none of them.
	if (about.length === 0) return standing.length === 0;
	return !standing.some(({ id }) => about.includes(id));
}
